"""Plays the parts of one call in parallel: in threads of this process, or in a pool elsewhere."""

from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import ThreadPoolExecutor
from typing import Any, Protocol, TypeVar

T = TypeVar("T")
R = TypeVar("R")


class Pool(Protocol):
    """Plays parts elsewhere, such as on a cluster: functions and items are sent there, and results come back."""

    @property
    def size(self) -> int:
        """How many parts are played at once."""

    def map(self, function: Callable[[Any], Any], items: Iterable[Any]) -> Iterator[Any]:
        """The function's results for all items, in order."""


ThreadsOrPool = int | Pool  # a number of threads, or a pool


def side_by_side(function: Callable[[T], R], items: Iterable[T], threads: ThreadsOrPool) -> Iterator[R]:
    """The function's results for all items, in order, computed in parallel."""
    if isinstance(threads, int):
        with ThreadPoolExecutor(threads) as pool:
            yield from pool.map(function, items)
    else:
        yield from threads.map(function, items)


def size_of(threads: ThreadsOrPool) -> int:
    """How many parts are played at once."""
    return threads if isinstance(threads, int) else threads.size
