"""Measurements during a training run: margins against the baselines, losses and lengths of rounds, row by row.

The rows are kept in the run's metrics.parquet and in its checkpoints.
"""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, TypedDict

import pyarrow as pa
import pyarrow.parquet as pq

from cardtable.arena.statistics import Estimate, estimate
from cardtable.table.agents.policies.model_card import EstimateDocument
from cardtable.table.checks import brief
from cardtable.table.errors import TableError
from cardtable.table.files import drafted

METRICS = "metrics.parquet"
LOGGED = {  # names of stable-baselines3, by ours
    "entropy": "train/entropy_loss",
    "value_loss": "train/value_loss",
    "approx_kl": "train/approx_kl",
    "explained_variance": "train/explained_variance",
    "round_length": "rollout/ep_len_mean",
    "stopped": "rollout/stopped",
}
MARGIN, HALF = "margin ", "half "  # before the name of a baseline


class MeasuredDocument(TypedDict):
    """A run as `train --json` prints it."""

    decisions: int
    seconds: float
    margins: dict[str, EstimateDocument]


@dataclass(frozen=True)
class Measured:
    """Measurements after this many decisions."""

    decisions: int
    seconds: float  # of learning and measuring, those before an interruption included
    margins: dict[str, Estimate]  # by baseline, and by the number of players where the policy learns several
    logged: dict[str, float] = field(default_factory=dict)  # of the last rollout and update, by the names of LOGGED

    def to_row(self) -> dict[str, float]:
        """Return the columns in a file."""
        row = {"decisions": float(self.decisions), "seconds": self.seconds, **self.logged}
        for name, margin in self.margins.items():
            row |= {f"{MARGIN}{name}": margin.mean, f"{HALF}{name}": margin.half}
        return row

    @classmethod
    def from_row(cls, row: dict[str, Any]) -> "Measured":
        """Return the measurement in the columns of a file; KeyError if some are missing."""
        names = [name.removeprefix(MARGIN) for name in row if name.startswith(MARGIN)]
        margins = {name: Estimate(row[f"{MARGIN}{name}"], row[f"{HALF}{name}"]) for name in names}
        logged = {name: row[name] for name in LOGGED if name in row}
        return cls(int(row["decisions"]), row["seconds"], margins, logged)

    def to_document(self) -> MeasuredDocument:
        """Return the measurement for JSON, without the log."""
        margins = {name: margin.to_document() for name, margin in self.margins.items()}
        return {"decisions": self.decisions, "seconds": self.seconds, "margins": margins}


def logged_numbers(values: Mapping[str, Any]) -> dict[str, float]:
    """Return the numbers that stable-baselines3 has logged, by the names of LOGGED; NaN where one is missing.

    The logged `entropy_loss` is the negative entropy.
    """
    numbers = {name: float(values.get(key, math.nan)) for name, key in LOGGED.items()}
    return numbers | {"entropy": -numbers["entropy"]}


def over_seeds(means: Sequence[float]) -> Estimate | None:
    """Return the mean over training seeds with its t interval; None for a single seed."""
    return estimate(means) if len(means) > 1 else None


def margins_over_seeds(last: Sequence[Measured]) -> dict[str, Estimate]:
    """Return the mean margins of runs with several seeds, by baseline; empty for one run."""
    means = {name: [one.margins[name].mean for one in last] for name in last[0].margins}
    return {name: estimate(values) for name, values in means.items()} if len(last) > 1 else {}


def write_measurements(folder: Path, measured: Sequence[Measured]) -> None:
    """Write all measurements of a run into its folder."""
    with drafted(folder / METRICS) as stream:
        pq.write_table(pa.Table.from_pylist([row.to_row() for row in measured]), stream)


def read_measurements(folder: Path) -> list[Measured]:
    """Return all measurements of a run, at least one; TableError if there is none, or the file is damaged."""
    path = folder / METRICS
    if not path.is_file():
        raise TableError(f"{folder}: nothing has been measured yet ({METRICS} is missing)")
    try:
        rows = pq.read_table(path).to_pylist()
    except (pa.ArrowException, OSError) as error:
        raise TableError(f"{path}: damaged: {brief(str(error))}") from error
    try:
        measured = [Measured.from_row(row) for row in rows]
    except (KeyError, TypeError):
        measured = []
    if not measured:
        raise TableError(f"{path}: these are not the measurements of a run")
    return measured
