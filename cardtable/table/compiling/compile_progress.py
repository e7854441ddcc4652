"""Shows what is being compiled and how far it is: on standard error, or wherever `telling` sends it."""

import inspect
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from multiprocessing import parent_process
from shutil import get_terminal_size
from time import monotonic
from typing import Any

from numba.core import event
from numba.core.dispatcher import Dispatcher

from cardtable.table.compiling.code_folders import CodeFolders, why_compiled

listen: Any = event.register  # numba is not typed
ADVICE = (
    "each part is compiled once, at its first use, which takes up to half a minute; "
    "the command `warmup` of a game compiles everything now"
)
SECONDS = 10.0  # between two lines where there is no terminal
Tell = Callable[[str], None]  # shows how far it has come; gets "" once it is done


def called_by(dispatcher: Any) -> set[Any]:
    """Return the compiled functions that one may call, directly or not, itself included; found by the names that they
    read.
    """
    reached, waiting = set(), [dispatcher]
    while waiting:
        one = waiting.pop()
        if one not in reached:
            reached.add(one)
            waiting += _named_in(one.py_func)
    return reached


def _named_in(function: Any) -> Iterator[Any]:
    values = inspect.getclosurevars(function)
    for value in (*values.globals.values(), *values.nonlocals.values()):
        yield from (item for item in (value if isinstance(value, tuple) else (value,)) if isinstance(item, Dispatcher))


class CompileProgress(event.Listener):
    """Counts the functions that have been compiled in this process, and those that are needed so far."""

    def __init__(self) -> None:
        self._ours: dict[Any, CodeFolders] = {}
        self._needed: set[Any] = set()
        self._done: set[Any] = set()
        self._under_way: list[Any] = []  # a function, and those that are compiled for it

    def add(self, dispatcher: Any, folders: CodeFolders) -> None:
        """Watch this function, which is ours."""
        self._ours[dispatcher] = folders

    def on_start(self, what: event.Event) -> None:
        """Note that a function starts compiling, usually on behalf of another one that has started."""
        dispatcher = what.data["dispatcher"]
        if not self._under_way:
            if dispatcher not in self._ours:
                return
            reason = why_compiled() if len(self._needed) == 0 else None
            if reason is not None and sys.stderr is not None and not LINE.is_silent:
                print(f"skyjo-env {reason}: {ADVICE}", file=sys.stderr, flush=True)
            self._needed |= called_by(dispatcher)
        self._under_way.append(dispatcher)
        self._tell()

    def on_end(self, _: event.Event) -> None:
        """Note that a function has been compiled, or has failed to compile."""
        if self._under_way:
            self._done.add(self._under_way.pop())
            self._tell()

    def _tell(self) -> None:
        if not self._under_way:
            tell("")
            return
        own, needed = self._ours[self._under_way[0]].own, len(self._needed | self._done)
        place = "set NUMBA_CACHE_DIR to keep them" if own is None else f"kept in {own.parent}"
        tell(f"skyjo-env: compiling for the first use, {len(self._done)} of {needed} functions; {place}")


class Line:
    """On a terminal a line that is overwritten; anywhere else a new line every ten seconds."""

    def __init__(self) -> None:
        self.is_silent = parent_process() is not None  # in a process that we started, whose parent shows progress
        self._next = 0.0  # when anything else than a terminal gets a line again

    def __call__(self, words: str) -> None:
        """Show these words, or with "" clear the line."""
        if sys.stderr is None or self.is_silent:
            return
        if sys.stderr.isatty():
            print(f"\r\033[K{words[: get_terminal_size().columns - 1]}", end="", file=sys.stderr, flush=True)
        elif words and monotonic() >= self._next:
            print(words, file=sys.stderr, flush=True)
            self._next = monotonic() + SECONDS


LINE = Line()
_told: list[Tell] = [LINE]


def tell(words: str) -> None:
    """Show the progress, in the way that was set last."""
    _told[-1](words)


@contextmanager
def telling(how: Tell) -> Iterator[None]:
    """Show progress in this way within the context, such as in a progress bar."""
    _told.append(how)
    try:
        yield
    finally:
        _told.remove(how)


PROGRESS = CompileProgress()
announce = PROGRESS.add
listen("numba:compile", PROGRESS)
