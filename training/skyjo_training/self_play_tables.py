"""The tables at which a policy learns: some where it sits in every seat, some with an opponent in all seats but one."""

from dataclasses import dataclass
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

OPPOSED_SEEDS = 2**62  # tables with an opponent play other deals


@dataclass(frozen=True)
class TableSetup:
    """How many tables of one size there are, and what is dealt and rewarded there."""

    rules: Rules
    shared: int  # tables where the policy decides for every seat
    opposed: int  # tables where it decides for one random seat, and an opponent for the rest
    win: float = 0.0  # points for winning a round, beside the margin
    seed: int = 0


class Tables:
    """Tables of one size that always wait for a decision of the policy, the shared ones first.

    `observations[N, D]`, `masks[N, A]` and `seats[N]` say what is to be decided. A seat's reward is its margin in units
    of POINTS, plus `win` points for winning, less as many shared by the losers. A round that is stopped rewards nobody.
    """

    def __init__(self, setup: TableSetup, opponent: Agent) -> None:
        self.rules, self.win = setup.rules, setup.win / POINTS
        self.shared: GameBatch | None = None
        self.opposed: SeatBatch | None = None
        if setup.shared:
            self.shared = GameBatch(setup.rules, n=setup.shared, seed=setup.seed, episode="round")
        if setup.opposed:
            self.opposed = SeatBatch(setup.opposed, SeatOptions(setup.rules, [opponent]), restarts=True)
            self.opposed.begin((OPPOSED_SEEDS + setup.seed * setup.opposed) % 2**63)
        self.margins: NDArray[np.float64] = np.zeros(0)  # of the policy in the rounds with opponents that ended last

    def __len__(self) -> int:
        return sum(len(part) for part in (self.shared, self.opposed) if part is not None)

    @property
    def observations(self) -> NDArray[np.int16]:
        """What the seats to move see."""
        parts = [] if self.shared is None else [self.shared.observations]
        return np.concatenate(parts if self.opposed is None else [*parts, self.opposed.seen()])

    @property
    def masks(self) -> NDArray[np.int8]:
        """What they may do."""
        return np.concatenate([part.masks for part in (self.shared, self.opposed) if part is not None])

    @property
    def seats(self) -> NDArray[np.int64]:
        """The seats to move."""
        parts = [] if self.shared is None else [self.shared.seats]
        parts += [] if self.opposed is None else [self.opposed.tables["seat"]]
        return np.concatenate(parts).astype(np.int64)

    def step(self, actions: NDArray[np.int64]) -> tuple[NDArray[np.float32], NDArray[np.bool_]]:
        """Carry out the decisions: the rewards [N, P] of all seats since the policy's last decision there, and ends."""
        rewards, ends = np.zeros((len(self), self.rules.players), np.float32), np.zeros(len(self), np.bool_)
        shared = 0 if self.shared is None else len(self.shared)
        if self.shared is not None:
            margins, over, stopped = self.shared.step(actions[:shared])
            rewards[:shared], ends[:shared] = self._rewards(margins, over & ~stopped), over
        if self.opposed is not None:
            rewards[shared:], ends[shared:] = self._step_opposed(self.opposed, actions[shared:])
        return rewards, ends

    def _step_opposed(self, opposed: SeatBatch, actions: NDArray[np.int64]) -> tuple[NDArray[Any], NDArray[np.bool_]]:
        seats = opposed.tables["seat"].copy()
        opposed.step(actions)
        over, stopped = opposed.outcomes != RUNNING, opposed.outcomes == STOPPED
        scores = opposed.tables["round_scores"][:, : self.rules.players].astype(float)
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
        """The state of all tables, as arrays."""
        parts = {} if self.shared is None else {f"shared.{name}": part for name, part in self.shared.state().items()}
        if self.opposed is not None:
            parts |= {f"pool.{name}": part for name, part in self.opposed.state().items()}
        return parts

    def restore(self, state: dict[str, NDArray[Any]]) -> None:
        """Go on from what `state` gave."""
        for kind, tables in (("shared", self.shared), ("pool", self.opposed)):
            if tables is not None:
                parts = {name.removeprefix(f"{kind}."): part for name, part in state.items()}
                tables.restore(parts)
