"""A network as self-play learns with it: forward and backward on arrays, by a game's own layers or by torch."""

from math import prod
from typing import Any, Protocol

import numpy as np
import torch
from numpy.typing import NDArray
from torch import nn

from cardtable.table.agents.policies.policy_file import PolicyNetwork
from skyjo_training.compiled.layers import Floats
from skyjo_training.compiled.losses import LOSSES, Decisions, Loss, decide, loss_back

Array = NDArray[Any]


class FlatWeights:
    """All weights of a network in one array, of which the network's own are parts."""

    def __init__(self, network: nn.Module) -> None:
        self.all = nn.Parameter(torch.cat([weight.detach().flatten() for weight in network.parameters()]))
        self.values: Floats = self.all.detach().cpu().numpy()  # the same array, or a copy of one on a GPU
        self.places: dict[str, tuple[int, ...]] = {}  # by name: where a weight begins in the array, and its shape
        first = 0
        for name, weight in network.named_parameters():
            self.places[name] = first, *weight.shape
            first += weight.numel()
        for weight, part in zip(network.parameters(), self.parts(self.all.detach()).values(), strict=True):
            weight.data = part

    def parts(self, flat: Any) -> dict[str, Any]:
        """Return views of the weights, or of gradients that lie like them, by name."""
        places = self.places.items()
        return {name: flat[first : first + prod(shape)].reshape(shape) for name, (first, *shape) in places}


class LearningNetwork(Protocol):
    """Network with which one thread plays and learns at tables of one size.

    It is made from the torch network, the rules, its weights, and an array for their gradients.
    """

    def decide(self, observations: Array, masks: Array, luck: Floats, decisions: Decisions) -> None:
        """Decide as `losses.decide` does, and note the values."""

    def learn(self, observations: Array, masks: Array, rows: Array, decisions: Decisions, loss: Loss) -> Array:
        """Write the gradients for the decisions `rows`, which have these observations; return the losses."""


class TorchNetwork:
    """The same by torch, for networks without layers of their own."""

    def __init__(self, network: PolicyNetwork, rules: Any, weights: FlatWeights, gradients: Floats) -> None:
        del rules
        self.network, self.gradients = network, weights.parts(gradients)
        self.device = next(network.parameters()).device

    def decide(self, observations: Array, masks: Array, luck: Floats, decisions: Decisions) -> None:
        """See `LearningNetwork`."""
        with torch.no_grad():
            answers = self.network(torch.tensor(observations, device=self.device))
        logits, decisions.values[:] = (answer.cpu().numpy() for answer in answers)
        decide(logits, masks, luck, decisions)

    def learn(self, observations: Array, masks: Array, rows: Array, decisions: Decisions, loss: Loss) -> Array:
        """See `LearningNetwork`."""
        with torch.enable_grad():
            answers = self.network(torch.tensor(observations, device=self.device))
        logits, values = (answer.detach().cpu().numpy().copy() for answer in answers)
        losses = np.zeros(len(LOSSES))
        loss_back(logits, values, masks, rows, decisions, loss, losses)
        outputs = [torch.from_numpy(gradient).to(self.device) for gradient in (logits, values)]
        weights = dict(self.network.named_parameters())
        by_weight = torch.autograd.grad(answers, [*weights.values()], outputs, allow_unused=True)
        for name, gradient in zip(weights, by_weight, strict=True):
            self.gradients[name][...] = 0 if gradient is None else gradient.cpu().numpy()
        return losses
