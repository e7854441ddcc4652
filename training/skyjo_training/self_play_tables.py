"""The tables at which a policy learns: some where it sits in every seat, some with an opponent in all seats but one."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from cardtable.agents import Agent
from skyjo_env.envs.compiled.rewards import POINTS
from skyjo_env.envs.compiled.seat_loop import RUNNING, STOPPED
from skyjo_env.envs.seat_batch import SeatBatch
from skyjo_env.envs.seat_options import SeatOptions
from skyjo_env.game_batch import GameBatch
from skyjo_env.rules import Rules

POOL_SEEDS = 2**62  # the deals at the tables of the pool are others


class Tables:
    """N tables of one size that always wait for a decision of the policy, the `shared` ones first.

    At a shared table the policy decides for every seat; at the others for one random seat, and `opponent` for the rest.
    `observations[N, D]`, `masks[N, A]` and `seats[N]` say what is to be decided. A seat's reward is its margin in units
    of POINTS, plus `win` points for winning, less as many shared by the losers. A round that is stopped rewards nobody.
    """

    def __init__(self, rules: Rules, shared: int, pooled: int, opponent: Agent, win: float, seed: int) -> None:
        self.rules, self.shared, self.win = rules, shared, win / POINTS
        self.batch = GameBatch(rules, n=shared, seed=seed, episode="round") if shared else None
        self.pool: SeatBatch | None = None
        if pooled:
            self.pool = SeatBatch(pooled, SeatOptions(rules, [opponent]), restarts=True)
            self.pool.begin((POOL_SEEDS + seed * pooled) % 2**63)
        self.margins: NDArray[np.float64] = np.zeros(0)  # of the policy in the rounds with opponents that ended last

    def __len__(self) -> int:
        return self.shared + (0 if self.pool is None else len(self.pool))

    @property
    def observations(self) -> NDArray[np.int16]:
        """What the seats that decide see."""
        return self._both("observations")

    @property
    def masks(self) -> NDArray[np.int8]:
        """What they may do."""
        return self._both("masks")

    def _both(self, name: str) -> NDArray[Any]:
        parts = [] if self.batch is None else [getattr(self.batch, name)]
        if self.pool is not None:
            parts.append(self.pool.seen() if name == "observations" else self.pool.masks)
        return np.concatenate(parts)

    @property
    def seats(self) -> NDArray[np.int64]:
        """The seats that decide."""
        parts = [] if self.batch is None else [self.batch.seats.astype(np.int64)]
        if self.pool is not None:
            parts.append(self.pool.tables["seat"].astype(np.int64))
        return np.concatenate(parts)

    def step(self, actions: NDArray[np.int64]) -> tuple[NDArray[np.float32], NDArray[np.bool_]]:
        """Carry out the decisions: the rewards [N, P] of all seats since the policy's last decision there, and ends."""
        rewards, ends = np.zeros((len(self), self.rules.players), np.float32), np.zeros(len(self), np.bool_)
        if self.batch is not None:
            margins, over, stopped = self.batch.step(actions[: self.shared])
            rewards[: self.shared], ends[: self.shared] = self._rewards(margins, over & ~stopped), over
        if self.pool is not None:
            rewards[self.shared :], ends[self.shared :] = self._step_pool(self.pool, actions[self.shared :])
        return rewards, ends

    def _step_pool(self, pool: SeatBatch, actions: NDArray[np.int64]) -> tuple[NDArray[Any], NDArray[np.bool_]]:
        seats = pool.tables["seat"].copy()
        pool.step(actions)
        over, stopped = pool.outcomes != RUNNING, pool.outcomes == STOPPED
        scores = pool.tables["round_scores"][:, : self.rules.players].astype(float)
        margins = (scores.sum(1, keepdims=True) - scores) / (self.rules.players - 1) - scores
        ended = np.flatnonzero(over & ~stopped)
        self.margins = margins[ended, seats[ended]]
        return self._rewards(margins, over & ~stopped), over

    def _rewards(self, margins: NDArray[Any], is_scored: NDArray[np.bool_]) -> NDArray[np.float32]:
        rewards = np.zeros(margins.shape, np.float32)
        at = np.flatnonzero(is_scored)
        if len(at) > 0:
            ended = margins[at]
            is_best = ended == ended.max(axis=1, keepdims=True)
            others = self.rules.players - 1
            won = (is_best / is_best.sum(1, keepdims=True) * (others + 1) - 1) / others
            rewards[at] = ended / POINTS + self.win * won
        return rewards

    def state(self) -> dict[str, NDArray[Any]]:
        """All that lies on the tables, as arrays."""
        parts = {} if self.batch is None else {f"shared.{name}": part for name, part in self.batch.state().items()}
        if self.pool is not None:
            parts |= {f"pool.{name}": part for name, part in self.pool.state().items()}
        return parts

    def restore(self, state: dict[str, NDArray[Any]]) -> None:
        """Go on from there."""
        for kind, tables in (("shared", self.batch), ("pool", self.pool)):
            if tables is not None:
                parts = {name.removeprefix(f"{kind}."): part for name, part in state.items()}
                tables.restore(parts)
