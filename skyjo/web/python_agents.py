"""Agents that decide on the server: for pages, which send what a seat sees, and for rooms."""

import asyncio
from collections.abc import Collection, Mapping, Sequence
from functools import lru_cache
from threading import Lock
from typing import Any

import numpy as np
from numpy.typing import NDArray

from cardtable.table.agents.agents import Agent, agents_of, choose
from cardtable.table.errors import AgentError, TableError
from cardtable.table.game.card_game import find_game
from skyjo.table.seating import check_guest
from skyjo.web.requests import FullError, in_thread

SECONDS = 20  # that an agent may think
KEPT = 64  # agents


class _Seat:
    """An agent by certain rules, which is made when it first decides, and decides for one after the other."""

    def __init__(self, game: str, rules: Any, text: str) -> None:
        self._game, self._rules, self._text = find_game(game), rules, text
        self._agent: Agent | None = None
        self._lock = Lock()

    def ask(self, observations: NDArray[np.int16], masks: NDArray[np.int8]) -> list[int]:
        """Return an action for each observation; AgentError for one that is not legal."""
        if not self._lock.acquire(timeout=SECONDS):
            raise AgentError(f"agent {self._text} is still thinking about something else")
        try:
            self._agent = self._agent or agents_of(self._game).make(self._text, self._rules)
            if not len(observations):
                return []
            actions = choose(self._agent, self._text, self._game.spec_of(self._rules), observations, masks).tolist()
        finally:
            self._lock.release()
        for action, mask in zip(actions, masks, strict=True):
            if not (0 <= action < len(mask) and mask[action]):
                raise AgentError(f"agent {self._text} chose action {action}, which is not legal")
        return actions  # type: ignore[no-any-return]


class PythonAgents:
    """The agents of all games, each made once for certain rules."""

    def __init__(self, given: Mapping[str, Collection[str]]) -> None:
        """`given` are texts by game that whoever runs the server allows, whatever they do."""
        self._given = given
        self._seat = lru_cache(KEPT)(_Seat)

    async def decide(
        self, game: str, rules: Any, text: str, observations: NDArray[np.int16], masks: NDArray[np.int8]
    ) -> list[int]:
        """Return what an agent decides for each observation; AgentError if it cannot, FullError if it takes too long.

        Without observations it is only made.
        """
        try:
            async with asyncio.timeout(SECONDS):
                return await in_thread(self._ask, game, rules, text, observations, masks)
        except TimeoutError:
            raise FullError(f"agent {text} has not answered within {SECONDS} s; it may be compiled yet") from None

    def _ask(self, game: str, rules: Any, text: str, *points: Any) -> list[int]:
        if text not in self._given.get(game, ()):
            check_guest(agents_of(find_game(game)), text)
        return self._seat(game, rules, text).ask(*points)


def read_rules(game: str, text: str) -> Any:
    """Return rules; TableError if the text is none."""
    return find_game(game).rules(text)


def read_observations(game: str, rules: Any, rows: Sequence[Any]) -> NDArray[np.int16]:
    """Return observations as an array; TableError unless they can be ones under these rules."""
    spec = find_game(game).spec_of(rules)
    observations = _numbers("observations", rows, spec.size)
    if ((observations < spec.low) | (observations > spec.high)).any():
        raise TableError("an observation has a number that is out of bounds")
    return observations.astype(np.int16)


def read_masks(rules: Any, rows: Sequence[Any], tables: int) -> NDArray[np.int8]:
    """Return masks as an array; TableError unless there is one for each table, with at least one legal action."""
    masks = _numbers("masks", rows, rules.actions)
    if len(masks) != tables or not np.isin(masks, (0, 1)).all() or not masks.any(axis=1).all():
        raise TableError("masks are rows of 0 and 1, one for each observation, with a 1 in each")
    return masks.astype(np.int8)


def _numbers(name: str, rows: Sequence[Any], size: int) -> NDArray[np.int64]:
    for row in rows:
        if not isinstance(row, list) or len(row) != size or not all(type(each) is int for each in row):
            raise TableError(f"{name} are rows of {size} whole numbers under these rules")
        if any(abs(each) > np.iinfo(np.int16).max for each in row):
            raise TableError(f"{name} have 16 bits")
    return np.array(rows, np.int64).reshape(len(rows), size)
