"""Work in threads, with limits on how much may wait, in all and for each browser."""

from collections import Counter
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from typing import Any, TypeVar

from skyjo.web.answers import in_thread
from skyjo.web.requests import FullError

MAX_WAITING, MAX_OF_ONE = 16, 4  # requests that wait for a thread, and those of one browser

Done = TypeVar("Done")


class Places:
    """Places for work, some of which one browser can take."""

    def __init__(self, most: int, most_of_one: int, full: str) -> None:
        """`full` says why there is no place."""
        self._most, self._most_of_one, self._full = most, most_of_one, full
        self._taken = Counter[str]()  # by browser

    @contextmanager
    def taken(self, owner: str) -> Iterator[None]:
        """Take a place for a browser while the block runs; FullError if there is none."""
        if self._taken.total() >= self._most or self._taken[owner] >= self._most_of_one:
            raise FullError(self._full)
        self._taken[owner] += 1
        try:
            yield
        finally:
            self._taken[owner] -= 1
            self._taken += Counter()  # without those who have no place


class Worker:
    """A thread that does one thing after the other."""

    def __init__(self, name: str, failing: str, most_of_one: int = MAX_OF_ONE) -> None:
        """`failing` begins the words of what goes wrong."""
        self._thread, self._failing = ThreadPoolExecutor(1, name), failing
        self._places = Places(MAX_WAITING, most_of_one, "too much is being asked for; try again in a moment")

    async def done(self, owner: str, work: Callable[..., Done], *arguments: Any) -> Done:
        """The result of work for a browser; FullError if too much waits already."""
        with self._places.taken(owner):
            return await in_thread(work, *arguments, failing=self._failing, thread=self._thread)
