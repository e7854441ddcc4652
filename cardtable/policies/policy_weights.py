"""The weights and the card of a policy, read and checked without torch."""

import hashlib
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray
from safetensors import SafetensorError
from safetensors.numpy import load

from cardtable.checks import brief
from cardtable.errors import AgentError
from cardtable.policies.policy_card import Card, read_card, read_file

SUFFIX = ".safetensors"
LARGEST = 64 * 2**20  # bytes of the weights

Weights = dict[str, NDArray[Any]]
Shapes = dict[str, tuple[int, ...]]


def read_policy(path: Path, rules: Any | None = None) -> tuple[Weights, Card]:
    """The weights and the card of a policy; AgentError if it is not for these rules."""
    if path.suffix == ".zip":
        raise AgentError(
            f"{path} is a pickle, which can run any code when it is loaded; if you trust its maker, "
            f"export {path} --may-run-code turns it into a policy"
        )
    check_suffix(path)
    card = read_card(path)
    card.check(rules, path)
    data = read_file(path, LARGEST)
    if hashlib.sha256(data).hexdigest() != card.sha256:
        raise AgentError(f"{path} is damaged, or does not belong to its card: its sha256 differs")
    try:
        return load(data), card
    # The file can hold any bytes; which of these safetensors raises depends on where they stop making sense.
    except (SafetensorError, ValueError, TypeError, KeyError, AttributeError) as error:
        raise AgentError(f"{path}: these are not weights: {brief(str(error))}") from None


def check_suffix(path: Path) -> None:
    """AgentError unless the file's name ends as that of a policy."""
    if path.suffix != SUFFIX:
        raise AgentError(f"{path}: a policy is a {SUFFIX} file with its card beside it")


def check_weights(weights: Weights, expected: Shapes) -> None:
    """AgentError unless these are the weights of a network, by name and shape, and finite numbers."""
    if set(weights) != set(expected):
        raise AgentError(
            f"the network has {brief(sorted(set(expected) - set(weights)))} beside what is here, "
            f"and has no {brief(sorted(set(weights) - set(expected)))}"
        )
    for name, weight in weights.items():
        if weight.shape != expected[name] or weight.dtype != np.float32:
            raise AgentError(
                f"{name} is {weight.dtype}{list(weight.shape)}, the network has float32{list(expected[name])}"
            )
    check_finite(weights)


def check_finite(weights: Weights) -> None:
    """AgentError for weights that are not finite."""
    for name, weight in weights.items():
        if not np.isfinite(weight).all():
            raise AgentError(f"{name} has entries that are not finite numbers")
