"""A rollout buffer for tables at which the learner sits in several seats: each seat has its own rewards and values.

Entry (t, n) is the decision of one seat at table n. Its rewards are those up to that seat's own next decision, and its
value is compared with later values of the same seat, never with the view of another seat.
"""

from collections.abc import Iterator
from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray
from sb3_contrib.common.maskable.buffers import MaskableRolloutBuffer, MaskableRolloutBufferSamples
from torch import Tensor

from skyjo_training.self_play_vec_env import SelfPlayVecEnv


class SeatRolloutBuffer(MaskableRolloutBuffer):
    """As its parent, but `rewards` are by seat, and advantages go from a seat's decision to that seat's next one."""

    def __init__(
        self, n_steps: int, tables: SelfPlayVecEnv, device: torch.device | str, gamma: float, gae_lambda: float
    ) -> None:
        """For decisions at these tables."""
        self.tables = tables
        super().__init__(
            n_steps, tables.observation_space, tables.action_space, device, gae_lambda, gamma, tables.num_envs
        )

    def reset(self) -> None:
        """Forget everything."""
        super().reset()
        self.rewards = np.zeros((self.buffer_size, self.n_envs, self.tables.rules.players), np.float32)
        self.seats = np.zeros((self.buffer_size, self.n_envs), np.int64)

    def add(self, *arguments: Any, **options: Any) -> None:
        """Add the last decision at every table, and whose it was."""
        self.seats[self.pos] = self.tables.decided
        super().add(*arguments, **options)

    def compute_returns_and_advantage(self, last_values: Tensor, dones: NDArray[np.bool_]) -> None:
        """Generalised advantages, where the seats to move after the last decision expect `last_values`.

        Until a seat decides again or its round ends, nobody knows what its last decision led to: the advantage is 0.
        """
        rows, shape = np.arange(self.n_envs), (self.n_envs, self.tables.rules.players)
        advantage_at, value_at, reward_since = (np.zeros(shape, np.float32) for _ in range(3))
        is_known = np.zeros(shape, np.bool_)  # whether the seat decides again or its round ends
        at = rows, self.tables.seats
        value_at[at], is_known[at] = last_values.cpu().numpy().flatten(), True
        ends = [*self.episode_starts[1:].astype(np.bool_), dones]
        for step in reversed(range(self.buffer_size)):
            ended = ends[step]
            advantage_at[ended], value_at[ended], reward_since[ended], is_known[ended] = 0, 0, 0, True
            reward_since += self.rewards[step]
            at = rows, self.seats[step]
            surprise = reward_since[at] + self.gamma * value_at[at] - self.values[step]
            advantage = surprise + self.gamma * self.gae_lambda * advantage_at[at]
            advantage_at[at] = self.advantages[step] = np.where(is_known[at], advantage, 0)
            value_at[at], reward_since[at], is_known[at] = self.values[step], 0, True
        self.returns = self.advantages + self.values

    def get(self, batch_size: int | None = None) -> Iterator[MaskableRolloutBufferSamples]:  # type: ignore[override]
        """As its parent, but a last batch of a single decision is left out: its advantage could not be normalised."""
        return (batch for batch in super().get(batch_size) if len(batch.actions) > 1)
