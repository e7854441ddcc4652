"""A folder of tables belongs to one server at a time: two would write into each other's files."""

import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from cardtable.errors import TableError
from skyjo.web.table_files import FOR_ME, prepared

LOCK = ".lock"


@contextmanager
def held(folder: Path) -> Iterator[Path]:
    """Keep other servers out of a folder until the end of the block; TableError if one is at work there."""
    descriptor = os.open(prepared(folder) / LOCK, os.O_RDWR | os.O_CREAT, FOR_ME)
    try:
        try:
            _lock(descriptor)
        except OSError:
            raise TableError(f"another server is using {folder}; stop it, or choose another --folder") from None
        yield folder
    finally:
        os.close(descriptor)


def _lock(descriptor: int) -> None:
    """The system gives a lock back when its process ends, however that happens; OSError if somebody has it."""
    if sys.platform == "win32":
        import msvcrt

        msvcrt.locking(descriptor, msvcrt.LK_NBLCK, 1)
    else:
        import fcntl

        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
