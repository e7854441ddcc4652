"""A game between people and agents. Only its decisions are kept, and it can go back to any of them.

An agent's random choices depend on what its seat sees, so the same decisions always lead to the same game, even after
an undo or after a game was saved and loaded.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import AbstractContextManager, nullcontext, suppress
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from cardtable.table.agents.agents import Agent, agents_of, choose, rng_states_of
from cardtable.table.envs.options import seat_opponents
from cardtable.table.errors import AgentError
from cardtable.table.game.card_game import find_game
from cardtable.table.game.records import RecordFormat
from cardtable.table.game.table_game import TableGame
from skyjo.interfaces import GameInterface
from skyjo.table.described_game import Decision, DescribedGame

ALTERNATIVES = 3  # choices that a hint names
NOTICEABLE = 0.05  # points by which two choices must differ to be told apart
WORSE = 0.5  # points behind the best choice of the one that a reason compares it with

Thinking = Callable[[Agent, str], AbstractContextManager[Any]]  # entered while an agent of this name decides


def in_silence(_agent: Agent, _name: str) -> AbstractContextManager[Any]:
    """Show nothing while an agent decides."""
    return nullcontext()


class SeatedAgent(NamedTuple):
    """An agent at a table, and the text that names it."""

    name: str
    agent: Agent


class Choice(NamedTuple):
    """An action that a hint names, with its value to the adviser, if it has one."""

    action: int
    words: str
    value: float | None
    reason: str = ""  # why to choose it


class _Point(NamedTuple):
    """The observation and mask that an agent is shown for one decision."""

    observation: NDArray[np.int16]
    mask: NDArray[np.int8]


class PlayedGame:
    """The game, the seats that agents hold, and the decisions so far."""

    def __init__(
        self, game: TableGame[Any], agents: Sequence[SeatedAgent | None], thinking: Thinking = in_silence
    ) -> None:
        """Sit down at a game, which may have begun; `agents` are given by seat, None stands for a person."""
        record = game.record()
        self.rules, self.agents = game.rules, tuple(agents)
        self.card_game = find_game(self.rules.game)
        self._thinking = thinking
        self._start = RecordFormat(self.card_game).begin(record)
        self._advisers: dict[str, Agent] = {}
        self.decisions: list[Decision] = []
        self._replay(record["actions"])

    @property
    def game(self) -> TableGame[Any]:
        """The game as it stands; to be changed only by `apply`."""
        return self._described.game

    @property
    def interface(self) -> GameInterface:
        """The interface of this game for people."""
        return self._described.interface

    @property
    def actions(self) -> list[int]:
        """Actions of all decisions so far."""
        return [decision.action for decision in self.decisions]

    def written(self) -> str:
        """Return the game so far as text."""
        return RecordFormat(self.card_game).format_record(self.game.record())

    def apply(self, action: int) -> Decision:
        """Apply a decision of the seat to move."""
        decision = self._described.apply(action)
        self.decisions.append(decision)
        return decision

    def decide(self) -> Decision:
        """Let the agent to move decide; AgentError if it cannot."""
        seated = self.agents[self.game.seat]
        if seated is None:
            raise AgentError(f"seat {self.game.seat} is held by a person")
        return self.apply(self.choice(seated))

    def choice(self, seated: SeatedAgent) -> int:
        """Return the action of an agent in place of the seat to move; AgentError if it chooses none that is legal."""
        point = self._point()
        action = self._choice(seated, point)
        if not (0 <= action < len(point.mask) and point.mask[action]):
            seat, phase = self.game.seat, self.game.phase
            error = self.game.card_game.illegal_action(self.rules, seat, phase, point.mask, action)
            raise AgentError(f"agent {seated.name}: {error}")
        return action

    def adviser(self) -> str:
        """Return the first of the game's advisers that is installed and knows these rules."""
        for name in self.interface.advisers:
            with suppress(AgentError):
                self._adviser(name)
                return name
        raise AgentError("no agent that is installed can advise here; hint AGENT names one")

    def advice(self, text: str, most: int | None = ALTERNATIVES, first: int | None = None) -> list[Choice]:
        """Return the action of an agent in place of the seat to move; the agent sees only what that seat sees.

        If it knows what its choices are worth, the next best ones follow, at most `most` in all. With `first`, the
        question is what it would do after this action, which must not show the seat anything new.
        """
        point, names = self._point(first), self.card_game.action_names(self.rules)
        seated = SeatedAgent(text, self._adviser(text))
        choice = self._choice(seated, point)
        if not hasattr(seated.agent, "values"):
            return [Choice(choice, names[choice], None)]
        with self._thinking(seated.agent, text):
            chance = int(rng_states_of(point.observation[None])[0])
            action_values = seated.agent.values(point.observation.copy(), point.mask.copy(), chance)
        others = sorted(
            (action for action in action_values if action != choice), key=lambda action: -action_values[action]
        )
        reason = self._reason(point, choice, others, action_values) if choice in action_values else ""
        best = Choice(choice, names[choice], action_values.get(choice), reason)
        return [best, *(Choice(action, names[action], action_values[action]) for action in others)][:most]

    def _reason(self, point: _Point, best: int, others: Iterable[int], values: Mapping[int, float]) -> str:
        """Return why a choice is better than the first of the others that is clearly worse, if there is one."""
        other = next((action for action in others if values[action] <= values[best] - WORSE), None)
        if other is None:
            return ""
        lead = values[best] - values[other]
        return self.interface.phrases.reason(self.rules, point.observation, best, other, lead)

    def _adviser(self, text: str) -> Agent:
        if text not in self._advisers:
            self._advisers[text] = agents_of(self.card_game).make(text, self.rules)
        return self._advisers[text]

    def go_back(self, seats: Iterable[int]) -> bool:
        """Go back to the last decision of any of these seats; False if there is none."""
        mine = set(seats)
        last = max((decision.number for decision in self.decisions if decision.seat in mine), default=None)
        if last is None:
            return False
        self._replay(self.actions[: last - 1])
        return True

    def _replay(self, actions: list[int]) -> None:
        self._described = DescribedGame(self._start.copy())
        self.decisions = []
        for action in actions:
            self.apply(action)

    def _choice(self, seated: SeatedAgent, point: _Point) -> int:
        spec = self.card_game.spec_of(self.rules)
        with self._thinking(seated.agent, seated.name):
            return int(choose(seated.agent, seated.name, spec, point.observation[None], point.mask[None])[0])

    def _point(self, first: int | None = None) -> _Point:
        """Return the observation of the seat to move, now or after an action of that seat."""
        game = self.game
        if first is not None:
            game = game.copy()
            game.apply(first)
        return _Point(game.observation(), game.mask())


class Session(PlayedGame):
    """The game, the player's seat, and the names of all seats."""

    def __init__(
        self, game: TableGame[Any], seat: int, opponents: Iterable[str], thinking: Thinking = in_silence
    ) -> None:
        """Sit down at a game, which may have begun; opponents are seated clockwise, one alone takes all seats."""
        registry, players = agents_of(find_game(game.rules.game)), game.rules.players
        agents, names, places = seat_opponents(registry, game.rules, opponents)
        who = [places[(other - seat) % players] for other in range(players)]
        super().__init__(game, [None if one < 0 else SeatedAgent(names[one], agents[one]) for one in who], thinking)
        self.seat = seat
        self.names = ["you" if one < 0 else f"{names[one]} (seat {other})" for other, one in enumerate(who)]

    @property
    def is_asked(self) -> bool:
        """True if it is the player's decision."""
        return not self.game.is_over and self.game.seat == self.seat

    def hint(self, text: str) -> str:
        """Return an agent's advice for the player: an action, the reason, and its lead over the next best choices.

        The lead is left out if the agent cannot value them.
        """
        best, *others = self.advice(text)
        reason = f": {best.reason}" if best.reason else ""
        return f"{best.words}{_points(best.value)}{reason}{lead(best, others)}"

    def undo(self) -> bool:
        """Go back to the player's last decision before this one; False if there is none."""
        return self.go_back([self.seat])


def _points(value: float | None) -> str:
    return "" if value is None else f" ({value:+.1f})"


def lead(best: Choice, others: Sequence[Choice]) -> str:
    """Return the lead of the best choice over the others, in words."""
    values = {other.words: other.value for other in others if other.value is not None and other.words != best.words}
    less = {} if best.value is None else {words: best.value - value for words, value in values.items()}
    better = ", ".join(f"{points:.1f} better than {words}" for words, points in less.items() if points >= NOTICEABLE)
    alike = " or ".join(words for words, points in less.items() if points < NOTICEABLE)
    return "".join([f"; as good as {alike}" if alike else "", f"; {better}" if better else ""])
