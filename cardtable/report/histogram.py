"""How often each number came: all that is kept of the games for pictures and quartiles."""

from collections import Counter
from dataclasses import dataclass
from typing import Any, Self

import numpy as np
from numpy.typing import NDArray


def count(into: Counter[int], numbers: Any) -> None:
    """Add whole numbers to what was counted before."""
    values, counts = np.unique(numbers, return_counts=True)
    into.update(dict(zip(values.tolist(), counts.tolist(), strict=True)))


@dataclass(frozen=True)
class Histogram:
    """Numbers in ascending order, and how often each came; at least one did."""

    values: NDArray[np.float64]
    counts: NDArray[np.int64]

    @classmethod
    def of(cls, counted: Counter[int], unit: float = 1.0) -> Self:
        """What was counted in these units."""
        values = sorted(counted)
        return cls(unit * np.array(values, np.float64), np.array([counted[value] for value in values], np.int64))

    @property
    def total(self) -> int:
        """How many numbers there were."""
        return int(self.counts.sum())

    @property
    def mean(self) -> float:
        """Of all numbers."""
        return float(self.values @ self.counts / self.total)

    def quantile(self, share: float) -> float:
        """The least number that this share of all do not exceed."""
        reached = np.cumsum(self.counts) >= share * self.total - 1e-9
        return float(self.values[int(np.argmax(reached))])

    def share(self, least: float, most: float) -> float:
        """The share of the numbers from one to another, both included."""
        return float(self.counts[(self.values >= least) & (self.values <= most)].sum() / self.total)

    def counts_between(self, edges: Any) -> NDArray[np.float64]:
        """How many numbers are between each of these and the next, as numpy.histogram counts."""
        return np.histogram(self.values, edges, weights=self.counts)[0].astype(np.float64)

    def to_dict(self) -> dict[str, Any]:
        """For JSON."""
        return {"values": self.values.tolist(), "counts": self.counts.tolist()}
