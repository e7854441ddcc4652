"""Files that are written as a whole or not at all, or that one process has for itself."""

import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import BinaryIO

BEYOND = 2**30  # a place after the end of all files that are locked: Windows does not allow reading a locked part


def write_whole(path: Path, data: bytes, is_lasting: bool = True) -> None:
    """Write a file under another name and then move it into place, so that no reader ever sees half of it.

    If it cannot be written, OSError names it, and nothing has changed. Unless `is_lasting`, the call does not wait for
    the disk, and a power failure may damage the file.
    """
    with drafted(path, is_lasting=is_lasting) as stream:
        stream.write(data)


@contextmanager
def drafted(path: Path, mode: int = 0o666, is_lasting: bool = True) -> Iterator[BinaryIO]:
    """Yield a stream for a file that is written bit by bit. The file is moved into place at the end, or not at all if
    anything is raised.

    The file never grants more than `mode`. A device or a pipe is written at once; nothing can take its place.
    """
    is_special = path.exists() and not (path.is_file() or path.is_dir())
    draft = path if is_special else path.parent / f".{path.name}.{os.getpid()}.draft"
    try:
        with open(draft, "wb", opener=lambda name, flags: os.open(name, flags, mode)) as stream:
            yield stream
            stream.flush()
            if is_lasting and not is_special:
                os.fsync(stream.fileno())
        if not is_special:
            draft.replace(path)
    except BaseException as error:
        if not is_special:
            draft.unlink(missing_ok=True)
        if isinstance(error, OSError) and error.errno is not None and error.filename in (None, str(draft)):
            raise OSError(error.errno, error.strerror, str(path)) from error
        raise


def lock(descriptor: int) -> None:
    """Lock an open file until it is closed or this process ends; OSError if another process has locked it."""
    if sys.platform == "win32":
        import msvcrt

        os.lseek(descriptor, BEYOND, os.SEEK_SET)
        msvcrt.locking(descriptor, msvcrt.LK_NBLCK, 1)
    else:
        import fcntl

        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
