"""PPO by self-play whose rollouts and updates run in compiled code, on two threads.

The policy learns from every decision that it makes, in whatever seat, with the rewards and values of that seat. Each
thread has half of the tables and learns from half of every batch, so the result does not depend on the number of
threads.
"""

import ctypes
import sys
from collections.abc import Callable, Iterable
from concurrent.futures import ThreadPoolExecutor
from copy import deepcopy
from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray
from stable_baselines3.common.callbacks import BaseCallback
from stable_baselines3.common.utils import explained_variance
from threadpoolctl import threadpool_limits

from cardtable.table.agents.policies.policy_file import PolicyNetwork
from cardtable.table.game.card_game import plugged_in
from skyjo_training.compiled.flat_adam import FlatAdam
from skyjo_training.compiled.learning_network import FlatWeights, LearningNetwork
from skyjo_training.compiled.losses import LOSSES, Decisions, Loss, seat_advantages
from skyjo_training.learned_game import BY_TORCH
from skyjo_training.self_play_tables import SelfPlayTables
from skyjo_training.table_learner import TableGroup, TableLearner
from skyjo_training.training_config import Config

Teacher = Callable[[NDArray[Any], NDArray[Any]], NDArray[np.int64]]
TRIM_THRESHOLD, MMAP_THRESHOLD = -1, -3  # numbers that glibc gives its options
NO_LUCK = np.empty(0, np.float32)
Map = Callable[..., Iterable[Any]]


def keep_memory() -> None:
    """Let glibc keep the memory of a batch for the next one: to ask for it anew takes a third of the time if a batch is
    large.
    """
    set_option = getattr(ctypes.CDLL(None), "mallopt", None) if sys.platform == "linux" else None
    if set_option is not None:
        set_option(MMAP_THRESHOLD, 2**25)
        set_option(TRIM_THRESHOLD, 2**28)


class Share:
    """Some of the tables of one size, with the memory in which one thread plays there and learns from it."""

    def __init__(self, tables: SelfPlayTables, network: LearningNetwork, n_steps: int) -> None:
        self.tables, self.network = tables, network
        shape = n_steps, len(tables)
        self.observations = np.empty((*shape, tables.observations.shape[1]), np.int16)
        self.masks = np.empty((*shape, tables.rules.actions), np.int8)
        self.actions, self.seats = (np.empty(shape, np.int64) for _ in range(2))
        self.log_chances, self.values, self.advantages = (np.empty(shape, np.float32) for _ in range(3))
        arrays: Any = self.actions, self.log_chances, self.values, self.advantages
        self.decisions = Decisions(*(array.reshape(-1) for array in arrays))
        self.steps = [Decisions(*step) for step in zip(*arrays, strict=True)]
        self.scored, self.stopped = (np.empty(shape, np.bool_) for _ in range(2))
        self.scores = np.empty((*shape, tables.rules.players), np.int64)

    def play(self, luck: NDArray[np.float32], decay: float, teacher: Teacher | None) -> None:
        """Note the decisions of the policy, or its teacher, at every table, [T, N], and their advantages."""
        tables = self.tables
        for step in range(len(luck)):
            observations, masks, decisions = self.observations[step], self.masks[step], self.steps[step]
            observations[:], masks[:], self.seats[step] = tables.observations, tables.masks, tables.seats
            if teacher is not None:
                decisions.actions[:] = teacher(observations, masks)
            self.network.decide(observations, masks, luck[step] if teacher is None else NO_LUCK, decisions)
            self.scored[step], self.stopped[step], self.scores[step] = tables.step(decisions.actions)
        last = deepcopy(self.steps[-1])
        self.network.decide(tables.observations, tables.masks, NO_LUCK, last)
        rewards, ends = tables.rewards(self.scored, self.scores), self.scored | self.stopped
        seen = rewards, ends, self.seats, self.values, tables.seats, last.values
        seat_advantages(*seen, decay, self.advantages)

    def learn(self, rows: NDArray[np.int64], loss: Loss) -> NDArray[np.float64]:
        """Write the gradient of the loss over these decisions; return the parts of the loss."""
        size = self.actions.size
        observations, masks = self.observations.reshape(size, -1), self.masks.reshape(size, -1)
        return self.network.learn(observations.take(rows, 0), masks.take(rows, 0), rows, self.decisions, loss)


class CompiledPPO(TableLearner):
    """PPO at tables where the policy sits in every seat, or with opponents from a pool."""

    shares = 2

    def __init__(self, config: Config) -> None:
        super().__init__(config)
        self.run: Map = map  # calls a function for every share
        self._groups = [self._shares(group) for group in self.groups]

    @property
    def usable_device(self) -> str:
        """Compiled layers need the processor."""
        return self.config.device if self.game.network == BY_TORCH else "cpu"

    def _setup_model(self) -> None:
        """Let the optimizer see one array of weights."""
        super()._setup_model()
        self._flatten()

    def _flatten(self) -> None:
        self.weights = FlatWeights(self.network)
        self.gradients = np.zeros((self.shares, len(self.weights.all)), np.float32)
        self.policy.optimizer = self.adam = FlatAdam([self.weights.all], **self.policy.optimizer_kwargs)

    def begin_as(self, network: PolicyNetwork) -> None:
        """Learn from now on with a network of these widths, beginning with these weights."""
        self.policy.widths = network.widths
        self.policy._build(self.lr_schedule)
        self.network.load_state_dict(network.state_dict())
        self._flatten()
        self._groups = [self._shares(group) for group in self.groups]

    def _shares(self, group: TableGroup) -> list[Share]:
        make: Any = plugged_in(self.game.network)
        networks = [make(self.network, group.rules, self.weights, gradients) for gradients in self.gradients]
        pairs = zip(group.shares, networks, strict=False)
        return [Share(tables, network, self.n_steps) for tables, network in pairs]

    def _excluded_save_params(self) -> list[str]:
        """Nothing of the threads either."""
        return [*super()._excluded_save_params(), "_groups", "weights", "gradients", "adam", "run"]

    @property
    def shares_now(self) -> list[Share]:
        """The shares of the tables of the current rollout."""
        return self._groups[self.rollouts % len(self._groups)]

    def learn(self, total_timesteps: int, callback: Any = None) -> "CompiledPPO":  # type: ignore[override]
        """Continue until the policy has learned from this many decisions, including those before this call."""
        keep_memory()
        threads = ThreadPoolExecutor(self.shares, initializer=torch.set_num_threads, initargs=(1,))
        with threadpool_limits(1, "blas"), threads as pool:
            self.run = pool.map if self.config.threads > 1 else map
            try:
                super().learn(total_timesteps, callback)
            finally:
                self.run = map
        return self

    def collect_rollouts(self, env: Any, callback: BaseCallback, rollout_buffer: Any, n_rollout_steps: int) -> bool:
        """Play at the tables of one size. Callbacks are told of every step when all have been made."""
        callback.on_rollout_start()
        shares = self.shares_now
        luck = self.rng.random((n_rollout_steps, self.n_envs), np.float32)
        parts = np.split(luck, np.cumsum([len(share.tables) for share in shares])[:-1], axis=1)
        teacher = self.teacher() if self.is_taught else None
        list(self.run(lambda share, part: share.play(part, self.gae_lambda, teacher), shares, parts))
        ended = sum(share.scored.sum() + share.stopped.sum() for share in shares)
        self.logger.record("rollout/ep_len_mean", luck.size / max(ended, 1))  # of a round
        self.logger.record("rollout/stopped", sum(share.stopped.sum() for share in shares) / max(ended, 1))
        for share in shares:
            if share.tables.opposed is not None:
                margins = share.tables.margins(share.scored, share.scores, share.seats)
                share.tables.opponents.note(margins)
        for _ in range(n_rollout_steps):
            self.num_timesteps += self.n_envs
            callback.update_locals(locals())
            if not callback.on_step():
                return False
        callback.on_rollout_end()
        return True

    def _update(self) -> None:
        """Learn from the policy's own decisions by PPO's loss, or imitate those of its teacher."""
        shares, losses = self.shares_now, []
        batches = max(self.n_envs * self.n_steps // self.batch_size, 1)
        for _ in range(self.n_epochs):
            orders = [np.array_split(self.rng.permutation(share.actions.size), batches) for share in shares]
            losses += [self._learn(shares, rows) for rows in zip(*orders, strict=True)]
        for name, loss in zip(LOSSES, np.mean(losses, axis=0), strict=True):
            self.logger.record(f"train/{name}", float(loss))
        values, advantages = (
            np.concatenate([getattr(share, name).ravel() for share in shares]) for name in ("values", "advantages")
        )
        self.logger.record("train/explained_variance", explained_variance(values, values + advantages))

    def _learn(self, shares: list[Share], rows: tuple[NDArray[np.int64], ...]) -> NDArray[np.float64]:
        """Take one step of the optimizer; return the losses."""
        pairs = zip(shares, rows, strict=True)
        advantages = np.concatenate([share.decisions.advantages[part] for share, part in pairs])
        ent_coef, spread = 0.0 if self.is_taught else self.ent_coef, float(advantages.std()) + 1e-8
        loss = Loss(1 / len(advantages), ent_coef, self.vf_coef, float(advantages.mean()), spread, self.is_taught)
        losses: Any = sum(self.run(lambda share, part: share.learn(part, loss), shares, rows))
        self.adam.take(self.gradients[: len(shares)], self.max_grad_norm)
        return np.asarray(losses)
