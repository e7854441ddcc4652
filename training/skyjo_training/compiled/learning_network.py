"""A network as self-play learns with it: forward and backward on arrays, by a game's own layers or by torch."""

from collections.abc import Mapping
from typing import Any, Protocol

import numpy as np
import torch
from numpy.typing import NDArray

from cardtable.table.agents.policies.policy_file import PolicyNetwork
from skyjo_training.compiled.layers import Floats


class LearningNetwork(Protocol):
    """What one thread learns with at tables of one size; it keeps what its backward pass needs.

    It is made from the torch network, the rules, and arrays with its weights and for their gradients, by name.
    """

    def forward(self, observations: NDArray[np.int16], masks: NDArray[np.int8]) -> tuple[Floats, Floats]:
        """The logits [N, A], those of illegal actions without meaning, and the values [N]."""

    def backward(self, d_logits: Floats, d_values: Floats) -> None:
        """Write the gradients of all weights for the last forward pass."""


class TorchNetwork:
    """The same by torch, for networks without layers of their own."""

    def __init__(
        self, network: PolicyNetwork, rules: Any, weights: Mapping[str, Floats], gradients: Mapping[str, Floats]
    ) -> None:
        del rules, weights
        self.network, self.gradients = network, gradients
        self.device = next(network.parameters()).device

    def forward(self, observations: NDArray[np.int16], masks: NDArray[np.int8]) -> tuple[Floats, Floats]:
        """See `LearningNetwork`."""
        del masks
        with torch.enable_grad():
            self.answers = self.network(torch.tensor(observations, device=self.device))
        logits, values = (answer.detach().cpu().numpy().copy() for answer in self.answers)
        return logits, values

    def backward(self, d_logits: Floats, d_values: Floats) -> None:
        """See `LearningNetwork`."""
        outputs = [torch.from_numpy(gradient).to(self.device) for gradient in (d_logits, d_values)]
        weights = dict(self.network.named_parameters())
        by_weight = torch.autograd.grad(self.answers, [*weights.values()], outputs, allow_unused=True)
        for name, gradient in zip(weights, by_weight, strict=True):
            self.gradients[name][...] = 0 if gradient is None else gradient.cpu().numpy()
