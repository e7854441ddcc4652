"""The player that searches: it tries its actions on many guesses at what is hidden, and takes the best on average."""

import math
import os
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from itertools import pairwise
from typing import Any

import numpy as np
from numpy.typing import NDArray

from agents.scripted import ScriptedAgent
from agents.search import try_actions
from skyjo_env.agents import make_agent
from skyjo_env.checks import whole_number
from skyjo_env.errors import AgentError
from skyjo_env.kernel.chance import GAMMA, mix
from skyjo_env.kernel.state import FIRST_PLACE, GAME_DTYPE
from skyjo_env.kernel.view import AT_CELLS
from skyjo_env.rules import OFFICIAL, Rules, check_rules

PORTION = 16  # guesses between two looks at the clock


class RolloutAgent:
    """Tries every action on guesses at the hidden cards, the same ones for all actions, lets the scripted agent `base`
    play on in all seats, and takes the action with the best mean margin of the round. `n` rounds are played for each
    action on average; after a part of them the worse half of the actions is dropped (sequential halving). With
    `seconds` it plays for that long instead at every decision. `threads` share the work.

    It chooses one action for all guesses, so it knows no more than its observation.
    """

    def __init__(
        self,
        rules: Rules = OFFICIAL,
        base: str = "tempo",
        n: int = 400,
        seconds: float = 0.0,
        threads: int = 1,
    ) -> None:
        self.rules, self.base = check_rules(rules), base
        self.n = whole_number("n", n, 1, 10**9, AgentError)
        self.threads = whole_number("threads", threads, 1, os.cpu_count() or 1, AgentError)
        if not 0 <= seconds < 1e6:
            raise AgentError(f"seconds={seconds} must be 0 (play n rounds for each action) or a time")
        self.seconds = seconds
        agent = make_agent(base, rules)
        if not isinstance(agent, ScriptedAgent):
            raise AgentError(f"base={base}: only a scripted agent can be the base of a search")
        self._players = np.repeat(agent.player, rules.players)
        self._equal = _Twins(rules)

    def act(
        self, observations: NDArray[np.int16], masks: NDArray[np.int8], chances: NDArray[np.uint64]
    ) -> NDArray[np.int64]:
        """The best action found for every table."""
        actions = np.empty(len(masks), np.int64)
        with ThreadPoolExecutor(self.threads) as pool:
            for table, mask in enumerate(masks):
                chances[table] += GAMMA
                candidates = self._equal.distinct(observations[table], np.flatnonzero(mask))
                actions[table] = self._best(pool, observations[table], candidates, mix(chances[table]))
        return actions

    def values(self, observation: NDArray[np.int16], mask: NDArray[np.int8], key: int) -> dict[int, float]:
        """The mean margin after every distinct action, each tried equally often; for a look at what it thinks."""
        actions = self._equal.distinct(observation, np.flatnonzero(mask))
        with ThreadPoolExecutor(self.threads) as pool:
            points = self._try(pool, observation, actions, range(self.n), np.uint64(key))
        means = points / (self.n * (self.rules.players - 1))
        return dict(zip(actions.tolist(), means.tolist(), strict=True))

    def _best(self, pool: Any, observation: Any, actions: NDArray[np.int64], key: np.uint64) -> int:
        """Sequential halving: the better half goes on to more guesses until one action is left."""
        points, tried = np.zeros(len(actions), np.int64), 0
        halvings = math.ceil(math.log2(len(actions)))
        budget = self.n * len(actions)
        while len(actions) > 1:
            for guesses in self._portions(tried, budget // (halvings * len(actions)), self.seconds / halvings):
                points += self._try(pool, observation, actions, guesses, key)
                tried = guesses.stop
            kept = np.sort(np.argsort(-points, kind="stable")[: (len(actions) + 1) // 2])
            actions, points = actions[kept], points[kept]
        return int(actions[0])

    def _portions(self, tried: int, more: int, seconds: float) -> Iterator[range]:
        """The numbers of the guesses to be tried now: so many, or as many as there is time for."""
        if seconds == 0:
            yield range(tried, tried + max(more, 1))
            return
        end = time.perf_counter() + seconds
        while True:
            yield range(tried, tried + PORTION * self.threads)
            tried += PORTION * self.threads
            if time.perf_counter() >= end:
                return

    def _try(self, pool: Any, observation: Any, actions: NDArray[np.int64], guesses: range, key: np.uint64) -> Any:
        """The points that each action brings in all these guesses; every thread plays a part of them."""
        bounds = np.linspace(guesses.start, guesses.stop, self.threads + 1).astype(np.int64)

        def one(part: tuple[np.int64, np.int64]) -> NDArray[np.int64]:
            points, games = np.zeros(len(actions), np.int64), np.zeros(2, GAME_DTYPE)
            players, view = self._players.copy(), np.empty_like(observation)
            try_actions(observation, self.rules.params, players, actions, *part, key, games, view, points)
            return points

        return sum(pool.map(one, pairwise(bounds)))


class _Twins:
    """Actions on cells that are alike: equal cards in columns with equal cards. One of them stands for all."""

    def __init__(self, rules: Rules) -> None:
        self.rules = rules

    def distinct(self, observation: NDArray[np.int16], actions: NDArray[np.int64]) -> NDArray[np.int64]:
        """The first of all actions that are alike."""
        if self.rules.row_clear:  # then it matters in which row a card lies
            return actions
        rows, cells = self.rules.rows, self.rules.cells
        cards = observation[AT_CELLS : AT_CELLS + cells].tolist()
        seen: dict[object, int] = {}
        for action in actions.tolist():
            cell = action - FIRST_PLACE
            group, cell = divmod(cell, cells)
            if action < FIRST_PLACE or group > 1:
                seen[action] = action
                continue
            first = cell - cell % rows
            seen.setdefault((group, cards[cell], *sorted(cards[first : first + rows])), action)
        return np.array(list(seen.values()), np.int64)
