"""Rewards that a function of the user's computes: what it is shown of the rounds that have ended, and how its answer is
checked.
"""

from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from cardtable.table.agents.seated_agents import name_of
from cardtable.table.checks import as_array, brief, choice_index, other_arguments
from cardtable.table.errors import TableError
from cardtable.table.game.card_game import CardGame
from cardtable.table.kernel.game_kernel import NOBODY
from cardtable.table.kernel.seats import ENDED
from cardtable.table.kernel.tables import BY_FUNCTION


class RoundResults(NamedTuple):
    """Results of N rounds that have just been scored, at tables of P seats; a reward function sees only this."""

    scores: NDArray[np.int64]  # [N, P], of the round
    totals: NDArray[np.int64]  # [N, P], of all rounds of the episode up to this one
    is_last: NDArray[np.bool_]  # [N], did the episode end with this round?


RewardFunction = Callable[[RoundResults], Any]  # returns the reward of every seat, [N, P]


def reward_code(card_game: CardGame, reward: Any) -> int:
    """Return the kernel's number of a reward, which is a name or a function; TableError if it is neither."""
    if not callable(reward):
        return choice_index("reward", reward, card_game.rewards)
    parameters = other_arguments(reward, "results")
    if parameters is not None:
        name = name_of(reward)
        raise TableError(f"reward {name} must be a function {name}(results), not {name}({parameters})")
    return BY_FUNCTION


def penalty_of(card_game: CardGame, rules: Any, reward: Any) -> float:
    """Return the reward for an illegal action: of a function, that of the game's usual reward."""
    return card_game.penalty(rules, card_game.rewards[0] if callable(reward) else reward)


def rewards_of(function: RewardFunction, results: RoundResults) -> NDArray[np.float64]:
    """Return the rewards of every seat, [N, P]; TableError unless the function returns one finite number for each."""
    answer, shape = function(results), results.scores.shape
    rewards = as_array(answer)
    if rewards.shape != shape or rewards.dtype.kind not in "biuf" or not np.isfinite(rewards).all():
        is_array = isinstance(answer, np.ndarray) and rewards.shape != shape
        received = f"an array of shape {rewards.shape}" if is_array else brief(answer)
        name = name_of(function)
        raise TableError(f"reward {name} must return a finite number for every round and seat, {shape}, not {received}")
    return rewards.astype(np.float64)


class ScoredRounds:
    """The rounds that were scored at the tables of a batch during a step, for its reward function.

    Nearly always a table has one at most; but another may end before the learner decides again. Where the reward is
    none of a function, nothing is noted.
    """

    def __init__(self, reward: Any, players: int) -> None:
        self._function, self._players = reward if callable(reward) else None, players
        self._noted: list[tuple[NDArray[np.int64], NDArray[np.void]]] = []

    def forget(self, tables: NDArray[np.void]) -> None:
        """Forget the remains of an interrupted step, before an episode begins."""
        if self._function is not None:
            self._noted.clear()
            tables["scored_for"] = NOBODY

    def note(self, tables: NDArray[np.void], numbers: NDArray[np.int64]) -> None:
        """Note those rounds that were just scored at some of the tables."""
        if self._function is None:
            return
        scored = numbers[tables["scored_for"][numbers] != NOBODY]
        if len(scored) > 0:
            self._noted.append((scored, tables[scored]))
            tables["scored_for"][scored] = NOBODY

    def pay(self, tables: NDArray[np.void]) -> None:
        """Reward the learner for all that was noted, asking the function once."""
        if self._function is None or not self._noted:
            return
        numbers, ended = (np.concatenate(parts) for parts in zip(*self._noted, strict=True))
        self._noted.clear()
        order = np.argsort(numbers, kind="stable")
        numbers, ended, seats = numbers[order], ended[order], slice(0, self._players)
        scores, totals = (ended[name][:, seats].astype(np.int64) for name in ("round_scores", "totals"))
        rewards = rewards_of(self._function, RoundResults(scores, totals, ended["ending"] == ENDED))
        np.add.at(tables["reward"], numbers, rewards[np.arange(len(numbers)), ended["scored_for"]])
