"""A rollout buffer for tables at which the learner sits in several seats: each seat has rewards and values of its own.

Entry (t, n) is the decision of one seat at table n. What it leads to is counted up to that seat's own next decision,
and its value is compared with the values of that seat alone, never with those of another seat's view.
"""

from typing import Any

import numpy as np
from numpy.typing import NDArray
from sb3_contrib.common.maskable.buffers import MaskableRolloutBuffer


class SeatRolloutBuffer(MaskableRolloutBuffer):
    """As its parent, but `rewards` are by seat, and advantages go from a seat's decision to that seat's next one."""

    def __init__(self, *arguments: Any, players: int, **options: Any) -> None:
        self.players = players
        super().__init__(*arguments, **options)

    def reset(self) -> None:
        """Forget everything."""
        super().reset()
        self.seats = np.zeros((self.buffer_size, self.n_envs), np.int64)
        self.rewards = np.zeros((self.buffer_size, self.n_envs, self.players), np.float32)
        self.ends = np.zeros((self.buffer_size, self.n_envs), np.bool_)

    def note(self, seats: NDArray[Any], rewards: NDArray[Any], ends: NDArray[Any]) -> None:
        """What came of the last decisions: who took them, what every seat was given until the next, and the ends."""
        self.seats[self.pos - 1], self.rewards[self.pos - 1], self.ends[self.pos - 1] = seats, rewards, ends

    def compute_advantages(self, last_values: NDArray[np.float32]) -> None:
        """Generalised advantages; `last_values` [tables, seats] are what each seat expects, seeing the last tables."""
        advantages_at = np.zeros_like(last_values)  # of every seat's next decision
        value_at, reward_since = last_values.copy(), np.zeros_like(last_values)
        tables = np.arange(self.n_envs)
        for step in reversed(range(self.buffer_size)):
            ended = self.ends[step]
            advantages_at[ended], value_at[ended], reward_since[ended] = 0, 0, 0
            reward_since += self.rewards[step]
            at = tables, self.seats[step]
            surprise = reward_since[at] + self.gamma * value_at[at] - self.values[step]
            advantages_at[at] = self.advantages[step] = surprise + self.gamma * self.gae_lambda * advantages_at[at]
            value_at[at], reward_since[at] = self.values[step], 0
        self.returns = self.advantages + self.values
