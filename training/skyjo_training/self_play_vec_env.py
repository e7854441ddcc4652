"""The tables at which a policy learns: some where it sits in every seat, some with an opponent in all seats but one."""

from dataclasses import dataclass
from typing import Any

import numpy as np
from gymnasium import spaces
from numpy.typing import NDArray
from stable_baselines3.common.vec_env.base_vec_env import VecEnvStepReturn

from cardtable.table.envs.options import SeatOptions, observation_space
from cardtable.table.envs.seat_batch import SeatBatch
from cardtable.table.game.card_game import find_game
from cardtable.table.game.table_batch import batch_class
from cardtable.table.game.table_rules import TableRules
from cardtable.table.kernel.scoring import margins_and_wins
from cardtable.table.kernel.seats import ENDED, RUNNING, STOPPED
from skyjo_training.learned_game import learned_game
from skyjo_training.opponent_pool import OpponentPool
from skyjo_training.seat_vec_env import UniformVecEnv

Rewards = NDArray[np.float32]  # [N, P]
OPPOSED_SEEDS = 2**62  # tables with an opponent play other deals


@dataclass(frozen=True)
class TableSetup:
    """How many tables of one size there are, and what is dealt and rewarded there."""

    rules: TableRules
    shared: int  # tables where the policy decides for every seat
    opposed: int  # tables where it decides for one random seat, and an opponent for the rest
    win: float = 0.0  # points for winning a round, beside the margin
    seed: int = 0
    margin: float = 1.0  # what a point of the margin is worth


class SelfPlayVecEnv(UniformVecEnv):
    """Tables of one size that always wait for a decision of the policy, the shared ones first.

    A vector environment whose rewards are those of all seats, [N, P]: `seats[N]` are to move, and `decided[N]` moved
    last. A seat's reward is its margin in units of the game's `points`, plus `win` points for winning; the losers
    lose as many between them. A round that is stopped rewards nobody. The infos of tables where a round has ended tell
    its `turns` and whether it was `stopped`.
    """

    def __init__(self, setup: TableSetup, opponents: OpponentPool) -> None:
        """Deal; a member of the pool sits at the opposed tables."""
        rules, game, self.points = setup.rules, find_game(setup.rules.game), learned_game(setup.rules.game).points
        self.rules, self.win, self.margin = rules, setup.win / self.points, setup.margin
        self.lower_is_better, self.opponents = game.lower_is_better, opponents
        self.shared: Any = batch_class(game)(rules, setup.shared, setup.seed, "round") if setup.shared else None
        self.opposed: Any = None
        if setup.opposed:
            self.opposed = SeatBatch(setup.opposed, SeatOptions(game, rules, opponents=[opponents]), restarts=True)
            self.opposed.begin((OPPOSED_SEEDS + setup.seed * setup.opposed) % 2**63)
        self.margins: NDArray[np.float64] = np.zeros(0)  # of the policy in the rounds with opponents that ended last
        self.decided = self.seats
        super().__init__(setup.shared + setup.opposed, observation_space(rules), spaces.Discrete(rules.actions))

    def reset(self) -> NDArray[np.int16]:
        """The current observations. Nothing is dealt, and rounds in progress continue."""
        return self.observations

    @property
    def observations(self) -> NDArray[np.int16]:
        """What the seats to move see, [N, D]."""
        parts = [] if self.shared is None else [self.shared.observations]
        return np.concatenate(parts if self.opposed is None else [*parts, self.opposed.seen()])

    def action_masks(self) -> NDArray[np.int8]:
        """What they may do, [N, A]."""
        return np.concatenate([part.masks for part in (self.shared, self.opposed) if part is not None])

    @property
    def seats(self) -> NDArray[np.int64]:
        """The seats to move, [N]."""
        parts = [] if self.shared is None else [self.shared.seats]
        parts += [] if self.opposed is None else [self.opposed.tables["seat"]]
        return np.concatenate(parts).astype(np.int64)

    def step_wait(self) -> VecEnvStepReturn:
        """Carry out the decisions: the rewards are those of all seats since the policy's last decision there."""
        actions: Any = self._actions
        self.decided = self.seats
        parts = []
        shared = 0 if self.shared is None else len(self.shared)
        if self.shared is not None:
            parts.append(self._step_shared(self.shared, actions[:shared]))
        if self.opposed is not None:
            parts.append(self._step_opposed(self.opposed, actions[shared:]))
            self.opponents.note(self.margins)
        rewards, dones, stopped, turns = (np.concatenate(arrays) for arrays in zip(*parts, strict=True))
        infos = self._empty_infos()
        for table in np.flatnonzero(dones).tolist():
            infos[table] = {"turns": int(turns[table]), "stopped": bool(stopped[table])}
        return self.observations, rewards, dones, infos

    def _step_shared(self, shared: Any, actions: NDArray[np.int64]) -> tuple[NDArray[Any], ...]:
        """The rewards, which rounds have ended, which were stopped, and the turns of those that ended last."""
        _, terminated, truncated = shared.step(actions)
        rewards, _ = self._rewards(terminated, shared.round_scores[terminated])
        return rewards, terminated | truncated, truncated, shared.turns

    def _step_opposed(self, opposed: Any, actions: NDArray[np.int64]) -> tuple[NDArray[Any], ...]:
        """The same at the tables with opponents."""
        seats = opposed.tables["seat"].copy()
        opposed.step(actions)
        endings = opposed.tables["ending"]
        terminated = endings == ENDED
        rewards, margins = self._rewards(terminated, opposed.tables["round_scores"][terminated, : self.rules.players])
        self.margins = margins[np.arange(len(margins)), seats[terminated]]
        return rewards, endings != RUNNING, endings == STOPPED, opposed.tables["episode_turns"]

    def _rewards(self, terminated: NDArray[np.bool_], scores: NDArray[Any]) -> tuple[Rewards, NDArray[np.float64]]:
        """The rewards of all seats at all tables, where some rounds have ended with these scores; and their margins."""
        margins, wins = margins_and_wins(scores.astype(np.int64), lower_is_better=self.lower_is_better)
        rewards, players = np.zeros((len(terminated), self.rules.players), np.float32), self.rules.players
        won = (wins * players - 1) / (players - 1)  # 1 for winning alone, -1 shared by the losers
        rewards[terminated] = self.margin * margins / self.points + self.win * won
        return rewards, margins

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
