"""Agents that decide on the server: for pages, which send what a seat sees, and for rooms."""

import asyncio
from collections.abc import Collection, Mapping
from functools import lru_cache
from threading import Lock
from typing import Any

import numpy as np
from numpy.typing import NDArray

from cardtable.table.agents.agents import Agent, agents_of, choose, failure_words
from cardtable.table.checks import as_array
from cardtable.table.errors import AgentError, TableError
from cardtable.table.game.card_game import find_game
from skyjo.table.seating import check_guest
from skyjo.web.requests import FullError, in_thread

SECONDS = 20  # that an agent may think
KEPT = 64  # agents
NO_POINTS = np.zeros((0, 0), np.int16), np.zeros((0, 0), np.int8)  # of decisions, for an agent that is only to be made


class _SharedAgent:
    """An agent by certain rules, which is made when it is first asked, and is asked by one thread at a time."""

    def __init__(self, rules: Any, text: str) -> None:
        self._game, self._rules, self._text = find_game(rules.game), rules, text
        self._agent: Agent | None = None
        self._lock = Lock()

    def ask(self, observations: NDArray[np.int16], masks: NDArray[np.int8]) -> list[int]:
        """Return an action for each observation; AgentError if one is not legal, or the agent fails."""
        if not self._lock.acquire(timeout=SECONDS):
            raise AgentError(f"agent {self._text} is still thinking about something else")
        try:
            self._agent = self._agent or agents_of(self._game).make(self._text, self._rules)
            spec = self._game.spec_of(self._rules)
            actions = choose(self._agent, self._text, spec, observations, masks).tolist() if len(masks) else []
        except Exception as error:
            if isinstance(error, TableError):
                raise
            raise AgentError(f"agent {self._text} cannot decide: {failure_words(error)}") from error
        finally:
            self._lock.release()
        for action, mask in zip(actions, masks, strict=True):
            if not (0 <= action < len(mask) and mask[action]):
                raise AgentError(f"agent {self._text} chose action {action}, which is not legal")
        return list[int](actions)


class PythonAgents:
    """The agents of all games, each made once for certain rules."""

    def __init__(self, given: Mapping[str, Collection[str]]) -> None:
        """Take texts of any agents by game as `given`; all others name agents that may sit down."""
        self._given = given
        self._made = lru_cache(KEPT)(_SharedAgent)

    async def answer(self, game: str, asked: Mapping[str, Any]) -> list[int]:
        """Return the answer to a page; TableError unless the observations and masks are possible under the rules."""
        card_game = await in_thread(find_game, game)
        rules = card_game.rules(asked["rules"])
        if not asked["observations"] and not asked["masks"]:
            return await self.decide(rules, asked["agent"], *NO_POINTS)
        observations = card_game.spec_of(rules).check_bounds(asked["observations"])
        masks = as_array(asked["masks"])
        is_mask = masks.shape == (*observations.shape[:-1], rules.actions) and np.isin(masks, (0, 1)).all()
        if observations.ndim != 2 or not is_mask or not masks.any(axis=1).all():
            raise TableError("masks are rows of 0 and 1, one for each observation, with a 1 in each")
        return await self.decide(rules, asked["agent"], observations, masks.astype(np.int8))

    async def decide(
        self, rules: Any, text: str, observations: NDArray[np.int16], masks: NDArray[np.int8]
    ) -> list[int]:
        """Return an agent's decision for each observation; without observations, the agent is only made.

        AgentError if it cannot, FullError if it takes too long.
        """
        try:
            async with asyncio.timeout(SECONDS):
                return await in_thread(self._ask, rules, text, observations, masks)
        except TimeoutError:
            raise FullError(f"agent {text} has not answered within {SECONDS} s; perhaps it is still compiled") from None

    def _ask(self, rules: Any, text: str, *points: Any) -> list[int]:
        if text not in self._given.get(rules.game, ()):
            check_guest(agents_of(find_game(rules.game)), text)
        return self._made(rules, text).ask(*points)
