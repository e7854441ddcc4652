"""What is measured during a training run: margins against the baselines, and losses, one row at a time.

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
LOSS_NAMES = ("entropy", "value_loss", "approx_kl", "explained_variance")
MARGIN, HALF = "margin ", "half "  # before the name of a baseline


class MeasuredDocument(TypedDict):
    """What `train --json` prints of a run."""

    decisions: int
    seconds: float
    margins: dict[str, EstimateDocument]


@dataclass(frozen=True)
class Measured:
    """What was measured after this many decisions."""

    decisions: int
    seconds: float  # of learning and measuring, those before an interruption included
    margins: dict[str, Estimate]  # by baseline, and by the number of players where the policy learns several
    losses: dict[str, float] = field(default_factory=dict)  # of the last update, by LOSS_NAMES

    def to_row(self) -> dict[str, float]:
        """The columns in a file."""
        row = {"decisions": float(self.decisions), "seconds": self.seconds, **self.losses}
        for name, margin in self.margins.items():
            row |= {f"{MARGIN}{name}": margin.mean, f"{HALF}{name}": margin.half}
        return row

    @classmethod
    def from_row(cls, row: dict[str, Any]) -> "Measured":
        """Of the columns in a file; KeyError if some are missing."""
        names = [name.removeprefix(MARGIN) for name in row if name.startswith(MARGIN)]
        margins = {name: Estimate(row[f"{MARGIN}{name}"], row[f"{HALF}{name}"]) for name in names}
        losses = {name: row[name] for name in LOSS_NAMES if name in row}
        return cls(int(row["decisions"]), row["seconds"], margins, losses)

    def to_document(self) -> MeasuredDocument:
        """The same for JSON, without losses."""
        margins = {name: margin.to_document() for name, margin in self.margins.items()}
        return {"decisions": self.decisions, "seconds": self.seconds, "margins": margins}


def losses_of(logged: Mapping[str, Any]) -> dict[str, float]:
    """The losses of the last update among what stable-baselines3 has logged, by LOSS_NAMES; NaN where one is missing.

    The logged `entropy_loss` is the negative entropy.
    """
    losses = {name: float(logged.get(f"train/{name}", math.nan)) for name in LOSS_NAMES}
    return losses | {"entropy": -float(logged.get("train/entropy_loss", math.nan))}


def over_seeds(means: Sequence[float]) -> Estimate | None:
    """The mean over training seeds with its t interval; None for a single seed."""
    return estimate(means) if len(means) > 1 else None


def write_measurements(folder: Path, measured: Sequence[Measured]) -> None:
    """Write all measurements of a run into its folder."""
    with drafted(folder / METRICS) as stream:
        pq.write_table(pa.Table.from_pylist([row.to_row() for row in measured]), stream)


def read_measurements(folder: Path) -> list[Measured]:
    """All measurements of a run, at least one; TableError if there is none, or the file is damaged."""
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
