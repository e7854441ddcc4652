"""A learned policy with torch: its network, and its files, NAME.safetensors with the weights and NAME.json, its card.

The files hold nothing but numbers and text, so a stranger's policy can be loaded: it may play badly, but it runs no
code. Files that are damaged or do not belong together are an AgentError that says what is wrong.
"""

import hashlib
from abc import abstractmethod
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray
from safetensors.numpy import save
from torch import Tensor, nn

from cardtable.table.agents.policies.model_card import (
    ModelCard,
    Strength,
    Weights,
    Widths,
    card_path,
    check_finite,
    check_suffix,
    check_weights,
    kind_of,
    read_policy,
)
from cardtable.table.errors import AgentError
from cardtable.table.files import drafted

AT_ONCE = 1024  # tables in one pass, so that the activations stay in the processor's cache
ALIKE = 1e-4  # logits that differ by less are equal


class PolicyNetwork(nn.Module):
    """From observations to the logits of all actions and a value, for tables of 2 to `seats` players."""

    rules: Any
    seats: int
    widths: dict[str, int]  # the arguments that it was made with, except the rules

    @abstractmethod
    def forward(self, observations: Tensor) -> tuple[Tensor, Tensor]:
        """Return logits [N, A] of all actions, legal or not, and values [N] in units of the reward, of int16[N, D]."""

    @abstractmethod
    def values(self, observations: Tensor) -> Tensor:
        """Return the values alone, [N]."""


def best_actions(network: nn.Module, observations: NDArray[np.int16], masks: NDArray[np.int8]) -> NDArray[np.int64]:
    """Return the legal action with the highest logit at every table, the first of several within ALIKE of it.

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


def card_of(
    network: PolicyNetwork,
    players: tuple[int, ...],
    training: dict[str, Any] | None = None,
    strength: list[Strength] | None = None,
) -> ModelCard:
    """Return the card of a network that was trained at tables of these numbers of players."""
    return ModelCard(network.rules, players, network.widths, training=training or {}, strength=strength or [])


def save_policy(path: Path, network: PolicyNetwork, model_card: ModelCard) -> ModelCard:
    """Write weights and card, both or neither; returns the card with the digest of the weights.

    OSError, which names the file, if they cannot be written; AgentError for weights that are not finite.
    """
    check_suffix(path)
    weights = {name: tensor.detach().cpu().float().numpy().copy() for name, tensor in network.state_dict().items()}
    check_finite(weights)
    data = save(weights)
    model_card = replace(model_card, sha256=hashlib.sha256(data).hexdigest())
    text = model_card.to_json().encode()
    with drafted(path) as stream, drafted(card_path(path)) as beside:
        stream.write(data)
        beside.write(text)
    return model_card


def load_policy(path: Path, rules: Any | None = None) -> tuple[PolicyNetwork, ModelCard]:
    """Return the network of a policy, ready to play, and its card; AgentError if it is not for these rules."""
    weights, model_card = read_policy(path, rules)
    try:
        return network_of(model_card.rules, model_card.network, weights), model_card
    except AgentError as error:
        raise AgentError(f"{path}: {error}") from None


def network_of(rules: Any, widths: Widths, weights: Weights) -> PolicyNetwork:
    """Return a network with these weights, ready to play; AgentError if they do not fit or are not finite."""
    with torch.random.fork_rng(devices=[]):  # the caller's generator must not notice the random first weights
        network: PolicyNetwork = kind_of(rules.game).new_network(rules, **widths).float()
    check_weights(weights, {name: tuple(weight.shape) for name, weight in network.state_dict().items()})
    network.load_state_dict({name: torch.from_numpy(weight.copy()) for name, weight in weights.items()})
    return network.eval().requires_grad_(False)
