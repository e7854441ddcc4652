"""Lessons: positions at which somebody learns the game against an agent.

Nothing is kept: a browser sends all that it has decided, and is sent what came of it.
"""

import re
from collections.abc import Sequence
from typing import Any

from cardtable.table.agents.agents import agents_of
from cardtable.table.errors import AgentError, TableError
from cardtable.table.game.card_game import find_game
from cardtable.table.game.records import RecordFormat
from skyjo.interfaces import GameInterface
from skyjo.table.described_game import result_words
from skyjo.table.game_text import Lesson
from skyjo.table.played_game import PlayedGame, SeatedAgent
from skyjo.web import messages
from skyjo.web.messages import SeatView, studied_state

OWN = 0  # the seat of whoever learns
MAX_ACTIONS = 60  # in a lesson
NAMES = ("you", "your rival")


class PlayedLesson:
    """A lesson after some decisions, with the answers of the agent."""

    def __init__(self, interface: GameInterface, lesson: Lesson, actions: Sequence[int]) -> None:
        """Play it; TableError if an action is not legal, or there are too many."""
        if len(actions) > MAX_ACTIONS:
            raise TableError(f"a lesson has at most {MAX_ACTIONS} decisions; start it again")
        self._lesson, self._interface = lesson, interface
        game = RecordFormat(find_game(interface.game)).read_game(lesson.position)
        self._played = PlayedGame(game, [None, _rival(interface, game.rules)])
        self.views = [self._view()]
        for action in actions:
            self.views = self._answered(action)

    def _answered(self, action: int) -> list[str]:
        """The views after a decision and after each of those that answer it."""
        game = self._played.game
        if game.is_over or game.seat != OWN:
            raise TableError("the lesson is over; start it again")
        self._played.apply(action)
        views = [self._view()]
        while not self._played.game.is_over and self._played.game.seat != OWN:
            self._played.decide()
            views.append(self._view())
        return views

    @property
    def is_reached(self) -> bool:
        """Has the learner done what the lesson asks for?"""
        own = (decision.words for decision in self._played.decisions if decision.seat == OWN)
        return any(re.search(self._lesson.goal, words) for words in own) and self._has_begun

    @property
    def _has_begun(self) -> bool:
        """Is the opening over? Before that, one card is not enough."""
        return self._played.game.phase != "opening" or self._played.game.seat != OWN

    def document(self) -> dict[str, Any]:
        """What a browser is sent beside the views."""
        return {"reached": self.is_reached, "over": self._played.game.is_over}

    def _view(self) -> str:
        played = self._played
        game, is_over = played.game, played.game.is_over
        public = studied_state(
            self._interface.game,
            game.episode,
            (game.round, game.phase),
            [*zip(NAMES, game.totals, strict=True)],
            None if is_over else game.seat,
            played.decisions,
            (result_words(game, NAMES), game.winners) if is_over else ("", ()),
        )
        names = played.card_game.action_names(game.rules)
        legal = {action: names[action] for action in game.legal_actions()} if not is_over and game.seat == OWN else {}
        seen = SeatView(OWN, game.observation(OWN), legal, is_own=True, is_covered=False)
        return messages.view(self._interface.documents, game.rules, public, seen)


def _rival(interface: GameInterface, rules: Any) -> SeatedAgent:
    """The agent that answers: the first of the usual opponents that knows the rules."""
    for name in interface.opponents:
        try:
            return SeatedAgent(name, agents_of(find_game(interface.game)).make(name, rules))
        except AgentError:
            continue
    raise AgentError("no agent that is installed can answer here")
