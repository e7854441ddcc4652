"""Search by playing on: a player tries its actions on guesses at the hidden cards, and takes the best on average."""

import time
from abc import ABC, abstractmethod
from collections.abc import Hashable, Iterator
from concurrent.futures import ThreadPoolExecutor
from copy import copy
from itertools import pairwise
from typing import Any, ClassVar, Self

import numpy as np
from numpy.typing import NDArray

from cardtable.table.agents.scripted_agent import ScriptedAgent, base_of_search
from cardtable.table.checks import check_int
from cardtable.table.errors import AgentError
from cardtable.table.game.card_game import CardGame
from cardtable.table.kernel.chance import GAMMA, mix
from cardtable.table.kernel.futures import GAINED, POINTS, SQUARES
from cardtable.table.kernel.game_kernel import Compiled

MAX_THREADS = 64
WHOLE_ROUND = np.int64(2**40)  # turns
PORTION = 16  # guesses between two looks at the clock


def fresh_keys(rng_states: NDArray[np.uint64]) -> NDArray[np.uint64]:
    """Return a random number for every table; moves their generators on."""
    rng_states += GAMMA
    return np.array([mix(chance) for chance in rng_states], np.uint64)


class RolloutSearch(ABC):
    """Base of the agents `rollout`, which say what they do: guesses at the hidden cards, the same ones for all actions,
    on which `base` plays on in all seats, and sequential halving.
    """

    is_slow = True
    card_game: ClassVar[CardGame]
    turns: int | np.int64 = WHOLE_ROUND  # for which `base` plays on

    def __init__(self, rules: Any, base: str, n: int, caution: float, seconds: float, threads: int) -> None:
        self.rules = self.card_game.rules_type.check(rules)
        self.n = check_int("n", n, 1, 10**9, AgentError)
        self.threads = check_int("threads", threads, 1, MAX_THREADS, AgentError)
        if not 0 <= caution < 1e6:
            raise AgentError(f"caution={caution} must be a number of standard errors, 0 or more")
        if not 0 <= seconds < 1e6:
            raise AgentError(f"seconds={seconds} must be 0 (play n rounds for each action) or a time")
        self.caution, self.seconds = caution, seconds
        self.base = self.find_base(base)

    def find_base(self, base: str) -> ScriptedAgent:
        """Return the agent that plays on; AgentError if it cannot."""
        return base_of_search(base, self.rules)

    def with_base(self, base: ScriptedAgent) -> Self:
        """Return the same search, in which this agent plays on."""
        other = copy(self)
        other.base = base
        return other

    @property
    @abstractmethod
    def try_guesses(self) -> Compiled:
        """The loop in which the base plays on, made by `cardtable.table.kernel.futures.rollouts_loop`."""

    def effects(self, observation: NDArray[np.int16], mask: NDArray[np.int8]) -> dict[int, Hashable]:  # noqa: ARG002
        """Return a label for the effect of every legal action, the same for actions that are alike.

        All labels differ unless the game overrides this.
        """
        return {action: action for action in np.flatnonzero(mask).tolist()}

    def distinct_actions(self, observation: NDArray[np.int16], mask: NDArray[np.int8], first: int) -> NDArray[np.int64]:
        """Return all legal actions, `first` first, without those that are like another one."""
        effects, by_effect = self.effects(observation, mask), dict[Hashable, int]()
        for action in [first, *effects]:
            by_effect.setdefault(effects[action], action)
        return np.array(list(by_effect.values()), np.int64)

    def candidates(self, observation: NDArray[np.int16], mask: NDArray[np.int8], first: int) -> NDArray[np.int64]:
        """Return the actions that it tries at a decision, `first` first."""
        return self.distinct_actions(observation, mask, first)

    def try_actions(
        self, observation: NDArray[np.int16], actions: NDArray[np.int64], guesses: range, key: np.uint64
    ) -> NDArray[np.int64]:
        """Return the sums of every action on the guesses of these numbers, [2 + players, actions]. These are its gains
        for the seat over the first action (GAINED), their squares (SQUARES), and all seats' margins (POINTS, and
        below). A margin is multiplied by the number of others.
        """
        tried, games = (
            np.zeros((POINTS + self.rules.players, len(actions)), np.int64),
            np.zeros(2, self.card_game.dtype),
        )
        players, view = np.repeat(self.base.player, self.rules.players), np.empty_like(observation)
        arguments = observation, self.rules.params, players, actions, guesses.start, guesses.stop, key, self.turns
        self.try_guesses(*arguments, games, view, tried)
        return tried

    def action_values(self, observation: NDArray[np.int16], mask: NDArray[np.int8], key: int) -> NDArray[np.float64]:
        """Return the value of every action to every seat, [actions, players], in points of the margin; NaN if illegal.

        Each action is tried `n` times.
        """
        effects, others = self.effects(observation, mask), self.rules.players - 1
        actions = self.distinct_actions(observation, mask, next(iter(effects)))
        with ThreadPoolExecutor(self.threads) as pool:
            tried = self._try(pool, observation, actions, range(self.n), np.uint64(key))
        distinct = (effects[action] for action in actions.tolist())
        means = dict(zip(distinct, tried[POINTS:].T / (self.n * others), strict=True))
        action_values = np.full((len(mask), self.rules.players), np.nan)
        for action, effect in effects.items():
            action_values[action] = means[effect]
        return action_values

    def act(
        self, observations: NDArray[np.int16], masks: NDArray[np.int8], rng_states: NDArray[np.uint64]
    ) -> NDArray[np.int64]:
        """Return the best action found for every table."""
        actions = np.array(self.base.act(observations, masks, rng_states), np.int64)
        with ThreadPoolExecutor(self.threads) as pool:
            for table, key in enumerate(fresh_keys(rng_states)):
                candidates = self.candidates(observations[table], masks[table], int(actions[table]))
                actions[table] = self._best(pool, observations[table], candidates, key)
        return actions

    def values(self, observation: NDArray[np.int16], mask: NDArray[np.int8], key: int) -> dict[int, float]:
        """Return the mean margin after every distinct action, each tried `n` times; for inspection."""
        action_values, seat = self.action_values(observation, mask, key), int(observation[self.card_game.at("seat")])
        distinct = self.distinct_actions(observation, mask, int(np.argmax(mask)))
        return {action: float(action_values[action, seat]) for action in distinct.tolist()}

    def _best(self, pool: Any, observation: Any, actions: NDArray[np.int64], key: np.uint64) -> int:
        """Sequential halving among the rivals of the first action; then the last one left against the first."""
        if len(actions) == 1:
            return int(actions[0])
        steps = halvings(len(actions))
        table = pool, observation, key, self.seconds / steps
        last, tried, guesses = halved(self._attempt, table, actions, self.n, steps)
        return int(last[1] if is_better(tried[GAINED, 1], tried[SQUARES, 1], guesses, self.caution) else last[0])

    def _attempt(self, table: Any, actions: NDArray[np.int64], guesses: int, more: int) -> tuple[Any, int]:
        """Try actions on guesses that follow the first so many; returns how many there are then."""
        pool, observation, key, seconds = table
        tried: Any = 0
        for part in self._parts(guesses, more, seconds):
            tried = tried + self._try(pool, observation, actions, part, key)
            guesses = part.stop
        return tried, guesses

    def _parts(self, guesses: int, more: int, seconds: float) -> Iterator[range]:
        """Yield the numbers of the guesses to be tried now: this many, or as many as there is time for."""
        if seconds == 0:
            yield range(guesses, guesses + more)
            return
        end = time.perf_counter() + seconds
        while True:
            yield range(guesses, guesses + PORTION * self.threads)
            guesses += PORTION * self.threads
            if time.perf_counter() >= end:
                return

    def _try(self, pool: Any, observation: Any, actions: NDArray[np.int64], guesses: range, key: np.uint64) -> Any:
        """Return the same as `try_actions`; every thread tries a part of the guesses."""
        bounds = np.linspace(guesses.start, guesses.stop, self.threads + 1).astype(np.int64).tolist()
        parts = (range(*part) for part in pairwise(bounds))
        return sum(pool.map(lambda part: self.try_actions(observation, actions, part, key), parts))


# These three are compiled, too (people/browser.py of a game), where a page searches without Python.


def halvings(actions: int) -> int:
    """Return the number of rounds of halving that leave two of so many actions."""
    steps = 1
    while 1 << (steps - 1) < actions - 1:
        steps += 1
    return steps


def halved(attempt: Any, table: Any, actions: NDArray[np.int64], n: int, steps: int) -> tuple[Any, Any, int]:
    """Return the first action and the best of its rivals, the sums of both, and the number of guesses.

    `attempt(table, actions, guesses, more)` tries actions on the guesses that follow the first `guesses`, and returns
    the sums and the new number of guesses. There are `n` for each action on average. `attempt` interprets `table`.
    """
    budget = n * len(actions)
    tried, guesses = attempt(table, actions, 0, max(budget // (steps * len(actions)), 1))
    for _ in range(1, steps):
        order = np.argsort(-tried[GAINED, 1:], kind="mergesort")  # those that are equal stay in their order
        survivors = np.append(np.zeros(1, np.int64), 1 + order[: len(actions) // 2])
        actions, tried = actions[survivors], tried[:, survivors]
        more, guesses = attempt(table, actions, guesses, max(budget // (steps * len(actions)), 1))
        tried = tried + more
    return actions, tried, guesses


def is_better(gain: int, squares: int, guesses: int, caution: float) -> bool:
    """Return whether an action is better than the other by more than `caution` standard errors of its summed gain."""
    if guesses < 2:
        return False
    variance = squares - gain * gain / guesses
    return bool(gain > 0 and gain * gain > caution**2 * variance)
