"""A rollout buffer for tables at which the learner sits in several seats: each seat has rewards and values of its own.

Entry (t, n) is the decision of one seat at table n. What it leads to is counted up to that seat's own next decision,
and its value is compared with the values of that seat alone, never with those of another seat's view.
"""

from collections.abc import Generator
from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray
from sb3_contrib.common.maskable.buffers import MaskableRolloutBuffer, MaskableRolloutBufferSamples

FLAT = ("observations", "actions", "values", "log_probs", "advantages", "returns", "action_masks")


class SeatRolloutBuffer(MaskableRolloutBuffer):
    """As its parent, but `rewards` are by seat, and advantages go from a seat's decision to that seat's next one."""

    def __init__(self, *arguments: Any, players: int, rng: np.random.Generator, **options: Any) -> None:
        self.players, self.rng = players, rng
        super().__init__(*arguments, **options)

    def reset(self) -> None:
        """Forget everything."""
        super().reset()
        self.seats = np.zeros((self.buffer_size, self.n_envs), np.int64)
        self.rewards = np.zeros((self.buffer_size, self.n_envs, self.players), np.float32)
        self.ends = np.zeros((self.buffer_size, self.n_envs), np.bool_)

    def note_decisions(
        self, observations: Any, masks: Any, seats: Any, actions: Any, values: Any, chances: Any
    ) -> None:
        """What was seen and decided at every table, by whom, and what the policy thought of it."""
        at = self.pos
        self.observations[at], self.action_masks[at], self.seats[at] = observations, masks, seats
        self.actions[at], self.values[at], self.log_probs[at] = actions[:, None], values, chances

    def note_outcomes(self, rewards: NDArray[Any], ends: NDArray[Any]) -> None:
        """What came of it: what every seat was given until the next decision, and which rounds ended."""
        self.rewards[self.pos], self.ends[self.pos] = rewards, ends
        self.pos += 1
        self.full = self.pos == self.buffer_size

    def compute_advantages(self, seats: NDArray[Any], values: NDArray[Any]) -> None:
        """Generalised advantages; at the end these seats are to decide, and expect these values.

        A seat whose next decision has not come yet cannot know what its last one led to: that one gets the advantage 0.
        """
        tables, shape = np.arange(self.n_envs), (self.n_envs, self.players)
        advantage_at, value_at, reward_since = (np.zeros(shape, np.float32) for _ in range(3))
        is_known = np.zeros(shape, np.bool_)  # what comes after every seat's decision
        value_at[tables, seats], is_known[tables, seats] = values, True
        for step in reversed(range(self.buffer_size)):
            ended = self.ends[step]
            advantage_at[ended], value_at[ended], reward_since[ended], is_known[ended] = 0, 0, 0, True
            reward_since += self.rewards[step]
            at = tables, self.seats[step]
            surprise = reward_since[at] + self.gamma * value_at[at] - self.values[step]
            advantage = surprise + self.gamma * self.gae_lambda * advantage_at[at]
            advantage_at[at] = self.advantages[step] = np.where(is_known[at], advantage, 0)
            value_at[at], reward_since[at], is_known[at] = self.values[step], 0, True
        self.returns = self.advantages + self.values

    def get(self, batch_size: int | None = None) -> Generator[MaskableRolloutBufferSamples, None, None]:  # type: ignore[override]
        """All decisions once, in random order, so many at a time; a single one that is left over is left out, for
        advantages are made comparable within a piece.
        """
        size = self.buffer_size * self.n_envs
        flat = [torch.from_numpy(getattr(self, name).reshape(size, -1)) for name in FLAT]
        order = torch.from_numpy(self.rng.permutation(size))
        for some in torch.split(order, batch_size or size):
            if len(some) == 1:
                continue
            parts = [part[some].to(self.device) for part in flat]
            yield MaskableRolloutBufferSamples(*(part[:, 0] if part.shape[1] == 1 else part for part in parts))
