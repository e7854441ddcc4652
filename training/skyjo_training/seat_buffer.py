"""A rollout buffer for tables at which the learner sits in several seats: each seat has its own rewards and values.

Entry (t, n) is the decision of one seat at table n. Its rewards are those up to that seat's own next decision, and its
value is compared with later values of the same seat, never with the view of another seat.
"""

from collections.abc import Generator
from dataclasses import dataclass
from typing import Any

import numpy as np
import torch
from gymnasium import spaces
from numpy.typing import NDArray
from sb3_contrib.common.maskable.buffers import MaskableRolloutBuffer, MaskableRolloutBufferSamples

FLAT = ("observations", "actions", "values", "log_probs", "advantages", "returns", "action_masks")


@dataclass(frozen=True)
class Decisions:
    """One decision at every table: what the seat to move saw and did, and what the policy thought of it."""

    observations: NDArray[np.int16]  # [N, D]
    masks: NDArray[np.int8]  # [N, A]
    seats: NDArray[np.int64]  # [N]
    actions: NDArray[np.int64]  # [N]
    values: NDArray[np.float32]  # [N]
    log_probs: NDArray[np.float32]  # [N], of the actions


class SeatRolloutBuffer(MaskableRolloutBuffer):
    """As its parent, but `rewards` are by seat, and advantages go from a seat's decision to that seat's next one."""

    def __init__(
        self,
        buffer_size: int,
        observation_space: spaces.Space[Any],
        action_space: spaces.Space[Any],
        device: torch.device | str = "auto",
        gae_lambda: float = 1,
        gamma: float = 0.99,
        n_envs: int = 1,
        *,
        players: int,
        rng: np.random.Generator,
    ) -> None:
        """`rng` draws the order in which decisions are learned from; all but `players` and `rng` is the parent's."""
        self.players, self.rng = players, rng
        super().__init__(buffer_size, observation_space, action_space, device, gae_lambda, gamma, n_envs)

    def reset(self) -> None:
        """Forget everything."""
        super().reset()
        self.seats = np.zeros((self.buffer_size, self.n_envs), np.int64)
        self.rewards = np.zeros((self.buffer_size, self.n_envs, self.players), np.float32)
        self.ends = np.zeros((self.buffer_size, self.n_envs), np.bool_)

    def note(self, made: Decisions, rewards: NDArray[np.float32], ends: NDArray[np.bool_]) -> None:
        """Add a decision at every table, the rewards [N, P] of all seats until the next one, and which rounds ended."""
        at = self.pos
        self.observations[at], self.action_masks[at], self.seats[at] = made.observations, made.masks, made.seats
        self.actions[at], self.values[at], self.log_probs[at] = made.actions[:, None], made.values, made.log_probs
        self.rewards[at], self.ends[at] = rewards, ends
        self.pos += 1
        self.full = self.pos == self.buffer_size

    def compute_advantages(self, seats: NDArray[Any], values: NDArray[Any]) -> None:
        """Generalised advantages, where `seats` are to move after the last decision and expect `values`.

        Until a seat decides again or its round ends, nobody knows what its last decision led to: the advantage is 0.
        """
        tables, shape = np.arange(self.n_envs), (self.n_envs, self.players)
        advantage_at, value_at, reward_since = (np.zeros(shape, np.float32) for _ in range(3))
        is_known = np.zeros(shape, np.bool_)  # whether the seat decides again or its round ends
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
        """All decisions once, in random order, `batch_size` at a time; a last batch of a single decision is left out,
        because advantages are normalised within a batch.
        """
        size = self.buffer_size * self.n_envs
        flat = [torch.from_numpy(getattr(self, name).reshape(size, -1)) for name in FLAT]
        order = torch.from_numpy(self.rng.permutation(size))
        for some in torch.split(order, batch_size or size):
            if len(some) == 1:
                continue
            parts = [part[some].to(self.device) for part in flat]
            yield MaskableRolloutBufferSamples(*(part[:, 0] if part.shape[1] == 1 else part for part in parts))
