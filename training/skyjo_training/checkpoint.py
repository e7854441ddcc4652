"""Checkpoints: a whole run in one file, written whole or not at all, from which it continues bit for bit.

A file's name holds its number and the digest of its bytes, so a damaged one is recognised. The file is in the format of
safetensors: loading it runs no code, and the state of the tables is checked. Still, it is meant only for whoever made
it; to share what was learned, share the policy.
"""

import hashlib
import json
import re
import warnings
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray
from safetensors import SafetensorError
from safetensors.numpy import load, save
from sb3_contrib import MaskablePPO

from cardtable.table.agents.policies.policy_agent import NetworkAgent
from cardtable.table.agents.policies.policy_file import PolicyNetwork, network_of
from cardtable.table.checks import brief
from cardtable.table.errors import TableError
from cardtable.table.files import write_whole
from skyjo_training.measurements import Measured
from skyjo_training.opponent_pool import Member, OpponentPool
from skyjo_training.table_learner import TableLearner

VERSION = 1
KEPT = 3  # checkpoints
# What torch, numpy and Python raise for a file that somebody has made up.
UNREADABLE = (SafetensorError, ArithmeticError, AttributeError, LookupError, RuntimeError, TypeError, ValueError)
Arrays = dict[str, NDArray[Any]]
Model = TableLearner | MaskablePPO


class CheckpointError(TableError):
    """A checkpoint that cannot be used; the message names the file."""


@dataclass(frozen=True)
class Notes:
    """The measurements of a run so far, and the seconds that it took."""

    measured: list[Measured] = field(default_factory=list)
    seconds: float = 0.0


def save_checkpoint(folder: Path, model: Model, notes: Notes) -> Path:
    """Write a checkpoint with these notes, and remove all but the latest KEPT.

    CheckpointError, and the earlier ones stay, if the weights are not finite any more.
    """
    check_weights(model)
    arrays, facts = _state(model)
    rows = [row.to_row() for row in notes.measured]
    facts |= {"version": VERSION, "notes": {"rows": rows, "seconds": notes.seconds}}
    data = save(arrays, {"facts": json.dumps(facts)})
    folder.mkdir(parents=True, exist_ok=True)
    path = folder / f"checkpoint-{model.num_timesteps:012d}-{_digest(data)}.safetensors"
    write_whole(path, data)
    for old in _paths(folder)[KEPT:]:
        old.unlink(missing_ok=True)
    return path


def check_weights(model: Model) -> None:
    """CheckpointError if the weights are not finite any more."""
    if not all(torch.isfinite(weight).all() for weight in policy_network(model).state_dict().values()):
        raise CheckpointError("the weights are no longer finite: learning has diverged; try a lower --learning-rate")


def load_checkpoint(folder: Path, model: Model) -> Notes:
    """Set the model to the latest checkpoint that is whole, if there is any, and return its notes.

    A damaged one is named in a warning, and the one before it is used. CheckpointError if all are damaged.
    """
    paths = _paths(folder)
    for path in paths:
        data = path.read_bytes()
        if path.stem.rpartition("-")[2] != _digest(data):
            warnings.warn(f"{path} is damaged; continuing from the checkpoint before it", stacklevel=2)
            continue
        return _restore(path, data, model)
    if paths:
        raise CheckpointError(f"{folder}: all checkpoints are damaged")
    return Notes()


def _paths(folder: Path) -> list[Path]:
    """All checkpoints, the latest first."""
    paths = [path for path in folder.glob("checkpoint-*.safetensors") if re.search(r"-\d{8,}-\w+$", path.stem)]
    return sorted(paths, key=lambda path: int(path.stem.split("-")[1]), reverse=True)


def _digest(data: bytes) -> str:
    return hashlib.sha256(data).hexdigest()[:16]


def _state(model: Model) -> tuple[Arrays, dict[str, Any]]:
    """The run as arrays and as facts for JSON."""
    arrays = _weights("network", policy_network(model)) | {"torch_rng": torch.get_rng_state().numpy()}
    if torch.cuda.is_available():
        arrays["cuda_rng"] = torch.cuda.get_rng_state().numpy()
    for number, values in model.policy.optimizer.state_dict()["state"].items():
        arrays |= {f"optimizer.{number}.{name}": _array(value) for name, value in values.items()}
    counts = {"decisions": model.num_timesteps, "updates": model._n_updates}
    own, facts = _state_of_plain(model) if not isinstance(model, TableLearner) else _state_of_self_play(model)
    return arrays | own, {"counts": counts, **facts}


def _state_of_self_play(model: TableLearner) -> tuple[Arrays, dict[str, Any]]:
    arrays: Arrays = {f"mean.{name}": _array(total) for name, total in model.mean.sums.items()}
    for tables in model.groups:
        prefix = f"tables.{tables.rules.players}"
        arrays |= {f"{prefix}.{name}": _as_bytes(part) for name, part in tables.state().items()}
    for name, agent in _snapshots(model).items():
        arrays |= _weights(name, agent.network)
    pools = {str(tables.rules.players): _pool_facts(tables.opponents) for tables in model.groups}
    facts = {"rollouts": model.rollouts, "averaged": model.mean.counted, "rng": model.rng.bit_generator.state}
    return arrays, {**facts, "pools": pools}


def _state_of_plain(model: Any) -> tuple[Arrays, dict[str, Any]]:
    """The tables, and numpy's own generator, by which MaskablePPO shuffles; the policy's copy is made again."""
    generator: Any = np.random.get_state(legacy=False)  # noqa: NPY002
    arrays = {f"tables.{name}": _as_bytes(part) for name, part in model.env.unwrapped.state().items()}
    arrays |= {"starts": model._last_episode_starts, "numpy_rng": generator["state"]["key"]}
    return arrays, {"numpy_rng": generator["state"]["pos"]}


def _restore(path: Path, data: bytes, model: Model) -> Notes:
    try:
        arrays, facts = load(data), _facts(data)
        if facts["version"] != VERSION:
            raise CheckpointError(f"{path}: version {facts['version']} cannot be read, only {VERSION}")
        _set_state(model, arrays, facts)
        rows, seconds = facts["notes"]["rows"], float(facts["notes"]["seconds"])
        return Notes([Measured.from_row(row) for row in rows], seconds)
    except CheckpointError:
        raise
    except UNREADABLE as error:
        raise CheckpointError(f"{path} does not fit this run: {brief(str(error))}") from error


def _facts(data: bytes) -> dict[str, Any]:
    """The facts in the file's header, whose length stands first."""
    size = int.from_bytes(data[:8], "little")
    facts: dict[str, Any] = json.loads(json.loads(data[8 : 8 + size])["__metadata__"]["facts"])
    return facts


def _set_state(model: Model, arrays: Arrays, facts: dict[str, Any]) -> None:
    policy_network(model).load_state_dict(_tensors(arrays, "network"))
    optimizer = model.policy.optimizer.state_dict()
    for number in range(len(optimizer["param_groups"][0]["params"])):
        if (state := _tensors(arrays, f"optimizer.{number}")) != {}:
            optimizer["state"][number] = state
    model.policy.optimizer.load_state_dict(optimizer)
    model.num_timesteps, model._n_updates = facts["counts"]["decisions"], facts["counts"]["updates"]
    if isinstance(model, TableLearner):
        _set_self_play(model, arrays, facts)
    else:
        _set_plain(model, arrays, facts)
    torch.set_rng_state(torch.from_numpy(arrays["torch_rng"]))
    if torch.cuda.is_available() and "cuda_rng" in arrays:
        torch.cuda.set_rng_state(torch.from_numpy(arrays["cuda_rng"]))


def _set_self_play(model: TableLearner, arrays: Arrays, facts: dict[str, Any]) -> None:
    snapshots = _saved_snapshots(model, arrays, facts["pools"])
    for tables in model.groups:
        players = tables.rules.players
        tables.restore(_below(arrays, f"tables.{players}"))
        _set_pool(tables.opponents, facts["pools"][str(players)], snapshots)
    model.rollouts, model.rng.bit_generator.state = facts["rollouts"], facts["rng"]
    model.mean.restore(_tensors(arrays, "mean"), facts["averaged"], model.device)


def _set_plain(model: Any, arrays: Arrays, facts: dict[str, Any]) -> None:
    model._last_obs = model.env.unwrapped.restore(_below(arrays, "tables"))
    model._last_episode_starts = arrays["starts"]
    key = {"key": arrays["numpy_rng"], "pos": facts["numpy_rng"]}
    np.random.set_state({"bit_generator": "MT19937", "state": key})  # noqa: NPY002


def policy_network(model: Any) -> PolicyNetwork:
    """The network that learns."""
    network: PolicyNetwork = model.policy.network
    return network


def _pool_facts(pool: OpponentPool) -> dict[str, Any]:
    return {"now": pool.now, "members": [[member.name, member.rounds, member.points] for member in pool.members]}


def _set_pool(pool: OpponentPool, facts: dict[str, Any], snapshots: dict[str, NetworkAgent]) -> None:
    agents = snapshots | {member.name: member.agent for member in pool.members[: pool.named]}
    pool.members = [Member(name, agents[name], rounds, points) for name, rounds, points in facts["members"]]
    pool.now = facts["now"]


def _snapshots(model: TableLearner) -> dict[str, NetworkAgent]:
    """The snapshots among the opponents by name; tables of different sizes share them."""
    members = (member for tables in model.groups for member in tables.opponents.snapshots)
    return {member.name: member.agent for member in members if isinstance(member.agent, NetworkAgent)}


def _saved_snapshots(model: TableLearner, arrays: Arrays, pools: dict[str, Any]) -> dict[str, NetworkAgent]:
    """The same from a checkpoint."""
    names = {name for facts in pools.values() for name, _, _ in facts["members"]} - set(model.config.opponents)
    networks = {name: network_of(model.network.rules, model.network.widths, _below(arrays, name)) for name in names}
    return {name: NetworkAgent(network.to(model.device)) for name, network in networks.items()}


def _weights(name: str, network: torch.nn.Module) -> Arrays:
    return {f"{name}.{key}": _array(value) for key, value in network.state_dict().items()}


def _array(tensor: torch.Tensor) -> NDArray[Any]:
    return tensor.detach().cpu().contiguous().numpy()


def _as_bytes(records: NDArray[Any]) -> NDArray[np.uint8]:
    return np.frombuffer(records.tobytes(), np.uint8)


def _below(arrays: Arrays, name: str) -> Arrays:
    """The arrays whose names begin with this name and a dot, by the rest of their names."""
    return {key.removeprefix(f"{name}."): value for key, value in arrays.items() if key.startswith(f"{name}.")}


def _tensors(arrays: Arrays, name: str) -> dict[str, torch.Tensor]:
    return {key: torch.from_numpy(np.array(value)) for key, value in _below(arrays, name).items()}
