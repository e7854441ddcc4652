"""A game between one player and agents: every decision can be undone, and nothing but the decisions is remembered.

What an agent does by chance depends on the game's key, the number of the decision and the seat, so that the same
decisions always lead to the same game, after an undo and after a game was saved and loaded as well.
"""

from collections.abc import Callable, Iterable
from contextlib import AbstractContextManager, nullcontext, suppress
from hashlib import blake2b
from typing import Any

import numpy as np
from numpy.typing import NDArray

from cardtable.agents import Agent, choose
from cardtable.card_game import find_playable
from cardtable.envs.opponents import seat_opponents
from cardtable.errors import AgentError, IllegalActionError
from cardtable.table_game import TableGame
from skyjo.table.story import Decision, StoryTeller

ALTERNATIVES = 3  # choices that a hint names

Thinking = Callable[[Agent, str], AbstractContextManager[Any]]  # entered while an agent of this name decides


def in_silence(_agent: Agent, _name: str) -> AbstractContextManager[Any]:
    """Nothing is shown while an agent decides."""
    return nullcontext()


class Session:
    """The game, who sits where, and what has been decided."""

    def __init__(
        self, game: TableGame[Any], seat: int, opponents: Iterable[str], thinking: Thinking = in_silence
    ) -> None:
        """Sit down at a game, which may have begun; opponents are seated clockwise, one alone takes all seats."""
        self._thinking = thinking
        record = game.record()
        self.rules, self.seat = game.rules, seat
        self._card_game = find_playable(self.rules.game)
        self._agents, names, places = seat_opponents(self._card_game.agents, game.rules, opponents)
        self._who = [places[(other - seat) % game.rules.players] for other in range(game.rules.players)]
        self.names = ["you" if who < 0 else f"{names[who]} (seat {other})" for other, who in enumerate(self._who)]
        self._agent_names = names
        self._start = self._card_game.begin(record)
        self._advisers: dict[str, Agent] = {}
        self._seats: list[int] = []  # of every decision
        self.actions: list[int] = []
        self._replay(record["actions"])

    @property
    def game(self) -> TableGame[Any]:
        """The game as it stands; not to be changed but by `apply`."""
        return self._teller.game

    @property
    def is_asked(self) -> bool:
        """Is it the player's decision?"""
        return not self.game.is_over and self.game.seat == self.seat

    def written(self) -> str:
        """The game so far as text."""
        return self._card_game.format_record(self.game.record())

    def apply(self, action: int) -> Decision:
        """Carry out a decision of the seat to move."""
        told = self._teller.apply(action)
        self._seats.append(told.seat)
        self.actions.append(action)
        return told

    def decide(self) -> Decision:
        """Let the agent to move decide; AgentError if it cannot."""
        who = self._who[self.game.seat]
        action = self._choice(self._agents[who], self._agent_names[who], f"seat {self.game.seat}")
        try:
            return self.apply(action)
        except IllegalActionError as error:
            raise AgentError(f"agent {self._agent_names[who]}: {error}") from None

    def adviser(self, names: Iterable[str]) -> str:
        """The first of these agents that is installed and knows these rules."""
        for name in names:
            with suppress(AgentError):
                self._adviser(name)
                return name
        raise AgentError("no agent that is installed can advise here; hint AGENT names one")

    def hint(self, text: str) -> str:
        """What an agent would do in the player's place, by name; it sees the player's observation and no more. If it
        can tell what its choices are worth, the best of them follow, with points.
        """
        adviser, names = self._adviser(text), self._card_game.action_names(self.rules)
        choice = self._choice(adviser, text, "hint")
        if not hasattr(adviser, "values"):
            return names[choice]
        with self._thinking(adviser, text):
            worths = adviser.values(self.game.observation(), self.game.mask(), int(self._chances("worths")[0]))
        others = sorted(worths.keys() - {choice}, key=lambda action: -worths[action])[: ALTERNATIVES - 1]
        told = {choice: names[choice]} | {action: names[action] for action in others}  # alike ones have one worth
        return ", ".join(
            f"{name} ({worths[action]:+.1f})" if action in worths else name for action, name in told.items()
        )

    def _adviser(self, text: str) -> Agent:
        return self._advisers.setdefault(text, self._card_game.agents.make(text, self.rules))

    def undo(self) -> bool:
        """Go back to the player's last decision before this one; False if there is none."""
        if self.seat not in self._seats:
            return False
        last = len(self._seats) - 1 - self._seats[::-1].index(self.seat)
        self._replay(self.actions[:last])
        return True

    def _replay(self, actions: list[int]) -> None:
        self._teller = StoryTeller(self._start.copy())
        self._seats, self.actions = [], []
        for action in actions:
            self.apply(action)

    def _choice(self, agent: Agent, name: str, purpose: str) -> int:
        observation, mask = self.game.observation()[None], self.game.mask()[None]
        with self._thinking(agent, name):
            return int(choose(agent, name, observation, mask, self._chances(purpose))[0])

    def _chances(self, purpose: str) -> NDArray[np.uint64]:
        """A generator state for one decision; no way leads back from it to the key, which is the cards'."""
        text = f"{self._start.state['key'][0]} {len(self.actions)} {purpose}"
        return np.array([int.from_bytes(blake2b(text.encode(), digest_size=8).digest())], np.uint64)
