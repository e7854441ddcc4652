"""A learned policy as files: NAME.safetensors, the weights of its network, and NAME.json, its card.

Both hold nothing but numbers and text, so a stranger's policy can be loaded: it may play badly, but it runs no code.
Files that are damaged or do not belong together are an AgentError that says what is wrong.
"""

import hashlib
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray
from safetensors import SafetensorError
from safetensors.numpy import load, save

from cardtable.checks import brief
from cardtable.errors import AgentError
from cardtable.files import drafted
from cardtable.policies.policy_card import Card, Strength, Widths, card_path, read_card, read_file
from cardtable.policies.policy_kind import kind_of
from cardtable.policies.policy_network import PolicyNetwork

SUFFIX = ".safetensors"
LARGEST = 64 * 2**20  # bytes of the weights

Weights = dict[str, NDArray[Any]]


def card_of(
    network: PolicyNetwork,
    players: tuple[int, ...],
    training: dict[str, Any] | None = None,
    strength: list[Strength] | None = None,
) -> Card:
    """The card of a network that was trained at tables of these numbers of players."""
    return Card(network.rules, players, network.widths, training=training or {}, strength=strength or [])


def save_policy(path: Path, network: PolicyNetwork, card: Card) -> Card:
    """Write weights and card, both or neither; returns the card with the digest of the weights.

    OSError, which names the file, if they cannot be written; AgentError for weights that are not finite.
    """
    check_suffix(path)
    weights = {name: tensor.detach().cpu().float().numpy().copy() for name, tensor in network.state_dict().items()}
    _check_finite(weights)
    data = save(weights)
    card = replace(card, sha256=hashlib.sha256(data).hexdigest())
    text = card.to_json().encode()
    with drafted(path) as stream, drafted(card_path(path)) as beside:
        stream.write(data)
        beside.write(text)
    return card


def load_policy(path: Path, rules: Any | None = None) -> tuple[PolicyNetwork, Card]:
    """The network of a policy, ready to play, and its card; AgentError if it is not for these rules."""
    if path.suffix == ".zip":
        raise AgentError(
            f"{path} can run any code while it is loaded, for it is a pickle; if you trust its maker, "
            f"export {path} --may-run-code makes a policy of it"
        )
    check_suffix(path)
    card = read_card(path)
    card.check(rules, path)
    data = read_file(path, LARGEST)
    if hashlib.sha256(data).hexdigest() != card.sha256:
        raise AgentError(f"{path} is damaged, or not what its card is about: its sha256 is another")
    try:
        return network_of(card.rules, card.network, _read(data)), card
    except AgentError as error:
        raise AgentError(f"{path}: {error}") from None


def check_suffix(path: Path) -> None:
    """AgentError unless the file's name ends as that of a policy."""
    if path.suffix != SUFFIX:
        raise AgentError(f"{path}: a policy is a {SUFFIX} file with its card beside it")


def _read(data: bytes) -> Weights:
    try:
        return load(data)
    # The file can hold any bytes; which of these safetensors raises depends on where they stop making sense.
    except (SafetensorError, ValueError, TypeError, KeyError, AttributeError) as error:
        raise AgentError(f"these are no weights: {brief(str(error))}") from None


def network_of(rules: Any, widths: Widths, weights: Weights) -> PolicyNetwork:
    """A network with these weights, ready to play; AgentError if they do not fit or are not finite."""
    with torch.random.fork_rng(devices=[]):  # the caller's generator must not notice the random first weights
        network: PolicyNetwork = kind_of(rules.game).network(rules, **widths).float()
    _check_shapes(weights, network.state_dict())
    _check_finite(weights)
    network.load_state_dict({name: torch.from_numpy(weight.copy()) for name, weight in weights.items()})
    return network.eval().requires_grad_(False)


def _check_shapes(weights: Weights, expected: dict[str, Any]) -> None:
    if set(weights) != set(expected):
        raise AgentError(
            f"the network has {brief(sorted(set(expected) - set(weights)))} beside what is here, "
            f"and has no {brief(sorted(set(weights) - set(expected)))}"
        )
    for name, weight in weights.items():
        if weight.shape != tuple(expected[name].shape) or weight.dtype != np.float32:
            raise AgentError(
                f"{name} is {weight.dtype}{list(weight.shape)}, the network has float32{list(expected[name].shape)}"
            )


def _check_finite(weights: Weights) -> None:
    for name, weight in weights.items():
        if not np.isfinite(weight).all():
            raise AgentError(f"{name} has entries that are not finite numbers")
