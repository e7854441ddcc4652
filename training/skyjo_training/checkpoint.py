"""Checkpoints: a whole run in one file, written whole or not at all, from which it continues bit for bit.

A file's name holds its number and the digest of its bytes, so a damaged one is recognised. The file is torch's, and
torch reads nothing from it but tensors, numbers, texts, lists and dictionaries: loading it runs no code. The state of
the tables is checked. Still, it is meant only for whoever made it; to share what was learned, share the policy.
"""

import hashlib
import io
import re
import warnings
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Protocol

import numpy as np
import torch
from stable_baselines3.common.callbacks import BaseCallback
from stable_baselines3.common.logger import Logger

from cardtable.table.checks import brief
from cardtable.table.errors import TableError
from cardtable.table.files import write_whole
from skyjo_training.measurements import Measured

VERSION = 1
KEPT = 3  # checkpoints
State = dict[str, Any]


class Model(Protocol):
    """Interface of a model to its training run, for any method: an algorithm of stable-baselines3 with a `TablePolicy`
    that keeps the run's config.
    """

    num_timesteps: int
    _n_updates: int
    policy: Any

    @property
    def logger(self) -> Logger:
        """The logger of the model; `set_logger` changes it."""

    def set_logger(self, logger: Logger) -> None:
        """Log there from now on."""

    def carry_on(self, callback: BaseCallback) -> None:
        """Continue until the policy has learned from as many decisions as the config says."""

    def add_snapshot(self) -> None:
        """Keep the policy as it is now among its opponents, if the method and the config want that."""

    def run_state(self) -> State:
        """Return the state that a run needs to continue, besides the weights, the optimizer and torch's generator."""

    def restore_run(self, state: State) -> None:
        """Continue from the result of `run_state`; arrays may have become tensors of their bytes."""


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
    state = {
        "version": VERSION,
        "rows": [row.to_row() for row in notes.measured],
        "seconds": notes.seconds,
        "decisions": model.num_timesteps,
        "updates": model._n_updates,
        "network": model.policy.network.state_dict(),
        "optimizer": model.policy.optimizer.state_dict(),
        "rng": torch.get_rng_state(),
        "cuda_rng": torch.cuda.get_rng_state_all(),
        "run": model.run_state(),
    }
    stream = io.BytesIO()
    torch.save(_storable(state), stream)
    data = stream.getvalue()
    folder.mkdir(parents=True, exist_ok=True)
    path = folder / f"checkpoint-{model.num_timesteps:012d}-{_digest(data)}.pt"
    write_whole(path, data)
    for old in _paths(folder)[KEPT:]:
        old.unlink(missing_ok=True)
    return path


def check_weights(model: Model) -> None:
    """Raise CheckpointError if the weights are no longer finite."""
    if not all(torch.isfinite(weight).all() for weight in model.policy.network.state_dict().values()):
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
    """Return all checkpoints, the latest first."""
    paths = [path for path in folder.glob("checkpoint-*.pt") if re.search(r"-\d{8,}-\w+$", path.stem)]
    return sorted(paths, key=lambda path: int(path.stem.split("-")[1]), reverse=True)


def _digest(data: bytes) -> str:
    return hashlib.sha256(data).hexdigest()[:16]


def _storable(value: Any) -> Any:
    """Return the same in types that torch loads without running code: arrays as tensors, those of records as their
    bytes.
    """
    if isinstance(value, dict):
        return {name: _storable(part) for name, part in value.items()}
    if isinstance(value, list):
        return [_storable(part) for part in value]
    if isinstance(value, np.ndarray):
        numbers = value if value.dtype.names is None else np.frombuffer(value.tobytes(), np.uint8)
        return torch.from_numpy(numbers.copy())
    return value.item() if isinstance(value, np.generic) else value


def _restore(path: Path, data: bytes, model: Model) -> Notes:
    try:
        state = torch.load(io.BytesIO(data), map_location="cpu", weights_only=True)
        if state["version"] != VERSION:
            raise CheckpointError(f"{path}: version {state['version']} cannot be read, only {VERSION}")
        model.policy.network.load_state_dict(state["network"])
        model.policy.optimizer.load_state_dict(state["optimizer"])
        model.num_timesteps, model._n_updates = state["decisions"], state["updates"]
        model.restore_run(state["run"])
        torch.set_rng_state(state["rng"])
        if len(state["cuda_rng"]) == torch.cuda.device_count():
            torch.cuda.set_rng_state_all(state["cuda_rng"])
        return Notes([Measured.from_row(row) for row in state["rows"]], float(state["seconds"]))
    except CheckpointError:
        raise
    except Exception as error:  # a file that somebody has made up can raise anything
        raise CheckpointError(f"{path} does not fit this run: {brief(str(error))}") from error
