"""Small policies for tests, and tables at which they can be asked."""

import base64
import json
import pickle
import zipfile
from pathlib import Path
from typing import Any

import numpy as np
import torch

from cardtable.table.agents.policies.model_card import Widths
from cardtable.table.agents.policies.policy_file import card_of, save_policy
from skipbo_env import Rules as SkipboRules
from skyjo_agents.network import TableNetwork
from skyjo_env import OFFICIAL, GameBatch, Rules

SMALL = Widths(cell=4, column=8, table=8, value_network=0)


def opinionated(rules: Rules = OFFICIAL, seats: int = 2, value_network: int = 0) -> TableNetwork:
    """A small network that has learned nothing and yet prefers something."""
    with torch.random.fork_rng(devices=[]), torch.no_grad():
        torch.manual_seed(1)
        network = TableNetwork(rules, **(SMALL | Widths(seats=seats, value_network=value_network)))
        for parameter in network.parameters():
            parameter.add_(0.3 * torch.randn_like(parameter))
    return network


def trained(kind: Any, rules: Rules | SkipboRules, **widths: int) -> Any:
    """A network of this kind that is no longer as it began."""
    torch.manual_seed(1)
    network = kind(rules, **widths)
    with torch.no_grad():
        for parameter in network.parameters():
            parameter.add_(0.1 * torch.randn_like(parameter))
    return network


def saved(
    path: Path, players: tuple[int, ...] = (2,), rules: Rules = OFFICIAL, value_network: int = 0, **words: Any
) -> Path:
    """The file of such a policy."""
    network = opinionated(rules, max(players), value_network)
    save_policy(path, network, card_of(network, players, **words))
    return path


class Malice:
    """Leaves a file where it is unpickled."""

    def __init__(self, trace: Path) -> None:
        self.trace = trace

    def __reduce__(self) -> tuple[Any, ...]:
        return Path.touch, (self.trace,)


def zipped(path: Path, trace: Path) -> Path:
    """What stable-baselines3 would take for a saved model, with a surprise inside."""
    surprise = base64.b64encode(pickle.dumps(Malice(trace))).decode()
    with zipfile.ZipFile(path, "w") as archive:
        archive.writestr("data", json.dumps({"policy_class": {":type:": "type", ":serialized:": surprise}}))
    return path


def tables(rules: Rules = OFFICIAL, n: int = 64, steps: int = 25) -> tuple[Any, Any, Any]:
    """Observations, masks and generator states from the middle of rounds."""
    batch, rng = GameBatch(rules, n=n, seed=3, episode="round"), np.random.default_rng(4)
    for _ in range(steps):
        batch.step((rng.random(batch.masks.shape) * batch.masks).argmax(axis=1))
    return batch.observations.copy(), batch.masks.copy(), np.arange(n, dtype=np.uint64)
