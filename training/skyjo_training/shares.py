"""Splits the work on a batch into shares for threads: torch and compiled code let them run at the same time.

How a batch is split depends on its size alone, so results are the same with any number of threads.
"""

from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from itertools import pairwise
from typing import Any

import torch

SHARES = 2  # of every batch; with more, most time goes into Python, where threads wait for each other

Share = Callable[[Callable[[slice], Any], int], list[Any]]  # does some work on the shares of a batch of this size


def shares_of(size: int, shares: int = SHARES) -> list[slice]:
    """The shares of a batch of this size, none of them empty."""
    bounds = [size * number // shares for number in range(shares + 1)]
    return [slice(start, stop) for start, stop in pairwise(bounds) if start < stop]


@contextmanager
def sharing(threads: int, shares: int = SHARES) -> Iterator[Share]:
    """A function that does some work on every share of a batch and returns the results in order."""
    if min(threads, shares) == 1:
        yield lambda work, size: [work(share) for share in shares_of(size, shares)]
        return
    with ThreadPoolExecutor(min(threads, shares), initializer=torch.set_num_threads, initargs=(1,)) as pool:
        yield lambda work, size: list(pool.map(work, shares_of(size, shares)))
