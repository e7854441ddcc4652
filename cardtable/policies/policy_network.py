"""What a network must be to play, and how it decides."""

from abc import abstractmethod
from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor, nn

AT_ONCE = 1024  # tables in one pass, so that the activations stay in the processor's cache
ALIKE = 1e-4  # logits that differ by less are equal


class PolicyNetwork(nn.Module):
    """From observations to the logits of all actions and a value, for tables of 2 to `seats` players."""

    rules: Any
    seats: int
    widths: dict[str, int]  # the arguments that it was made with beside the rules

    @abstractmethod
    def forward(self, observations: Tensor) -> tuple[Tensor, Tensor]:
        """Logits [N, A] of all actions, legal or not, and values [N] in units of the reward, of int16[N, D]."""

    @abstractmethod
    def values(self, observations: Tensor) -> Tensor:
        """The values alone, [N]."""


def best_actions(network: nn.Module, observations: NDArray[np.int16], masks: NDArray[np.int8]) -> NDArray[np.int64]:
    """The legal action with the highest logit at every table, the first of several within ALIKE of it.

    Actions that are interchangeable have equal logits up to rounding, and rounding depends on how many tables are asked
    at once.
    """
    device, actions = next(network.parameters()).device, np.empty(len(masks), np.int64)
    with torch.no_grad():
        for start in range(0, len(masks), AT_ONCE):
            part = slice(start, start + AT_ONCE)
            logits, _ = network(torch.tensor(observations[part], device=device))
            logits = torch.where(torch.tensor(masks[part], device=device).bool(), logits, -torch.inf)
            is_best = logits >= logits.amax(1, keepdim=True) - ALIKE
            actions[part] = is_best.byte().argmax(1).cpu().numpy()
    return actions
