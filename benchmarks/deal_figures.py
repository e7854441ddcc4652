"""Means over deals, with their 95 % intervals."""

from dataclasses import dataclass
from typing import Any

from numpy.typing import NDArray


@dataclass(frozen=True)
class Figure:
    """A mean over deals with half its 95 % interval, if it has one."""

    name: str
    players: int
    deals: int
    mean: float
    error: float | None = None


def mean_of(name: str, players: int, numbers: NDArray[Any]) -> Figure:
    """The mean of one number for each deal."""
    error = float(1.96 * numbers.std(ddof=1) / len(numbers) ** 0.5)
    return Figure(name, players, len(numbers), float(numbers.mean()), error)


def ratio_of(name: str, players: int, parts: NDArray[Any], wholes: NDArray[Any]) -> Figure:
    """A sum over turns, divided by their number, which differs from deal to deal."""
    off = mean_of(name, players, (parts - parts.sum() / wholes.sum() * wholes) / wholes.mean())
    return Figure(name, players, len(parts), float(parts.sum() / wholes.sum()), off.error)
