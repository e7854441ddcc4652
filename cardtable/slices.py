"""Vectors of numbers with named slices: what is where, within which bounds, and what it means."""

from collections.abc import Iterable
from dataclasses import dataclass
from math import prod
from types import SimpleNamespace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from cardtable.checks import as_array
from cardtable.errors import TableError

Part = tuple[str, tuple[int, ...], int, int, str, str]  # name, shape, least, greatest, kind, meaning


@dataclass(frozen=True)
class Slice:
    """One named part of an observation; a shape of () is a single number."""

    name: str
    start: int
    shape: tuple[int, ...]
    low: int
    high: int
    kind: str  # a card, a choice of few numbers, a number, or a pile of cards
    meaning: str

    @property
    def stop(self) -> int:
        """Where the next slice begins."""
        return self.start + prod(self.shape)


class SliceSpec:
    """How to read a vector of numbers."""

    def __init__(self, parts: Iterable[Part]) -> None:
        slices: list[Slice] = []
        for name, shape, low, high, kind, meaning in parts:
            start = slices[-1].stop if slices else 0
            slices.append(Slice(name, start, shape, low, high, kind, meaning))
        self.slices = tuple(slices)
        self.size = slices[-1].stop
        entries = [part for part in slices for _ in range(part.start, part.stop)]
        self.low = np.array([part.low for part in entries], np.int16)
        self.high = np.array([part.high for part in entries], np.int16)
        self.low.flags.writeable = self.high.flags.writeable = False

    def view(self, observation: NDArray[Any]) -> SimpleNamespace:
        """The slices as named arrays that share the observation's memory; leading axes (of a batch) are kept."""
        if np.shape(observation)[-1:] != (self.size,):
            raise TableError(
                f"under these rules an observation has {self.size} entries, not shape {np.shape(observation)}; "
                "was it made under others?"
            )
        observation = np.asarray(observation)
        batch = observation.shape[:-1]
        return SimpleNamespace(
            **{part.name: observation[..., part.start : part.stop].reshape(batch + part.shape) for part in self.slices}
        )

    def check(self, observations: Any) -> NDArray[np.int16]:
        """Observations that are possible under these rules, one or many; anything else raises TableError."""
        array = as_array(observations)
        if array.dtype.kind not in "iu" or array.shape[-1:] != (self.size,):
            raise TableError(
                f"observations must be whole numbers, {self.size} in the last axis, "
                f"not of shape {array.shape} and type {array.dtype}"
            )
        outside = np.argwhere((array < self.low) | (array > self.high))
        if len(outside):
            at = int(outside[0][-1])
            part = next(part for part in self.slices if part.start <= at < part.stop)
            raise TableError(f"entry {at} ({part.name}) of an observation is not from {part.low} to {part.high}")
        for name, agrees in self._agreements(self.view(array.astype(np.int64))).items():
            if not np.all(agrees):
                raise TableError(f"{name} of an observation does not agree with the rest of it")
        return np.ascontiguousarray(array, np.int16)

    def _agreements(self, view: SimpleNamespace) -> dict[str, Any]:
        """What must hold between the slices, by the name of what would be wrong."""
        del view
        return {}

    def describe(self) -> str:
        """The slices as a Markdown table."""
        rows = [("name", "start", "shape", "low", "high", "meaning"), ("---",) * 6]
        for part in self.slices:
            shape = " × ".join(map(str, part.shape)) or "1"
            rows.append((part.name, str(part.start), shape, str(part.low), str(part.high), part.meaning))
        widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
        cells = (" | ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=True)) for row in rows)
        return "\n".join(f"| {row} |" for row in cells)
