"""Files that are written as a whole or not at all."""

import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import BinaryIO


def is_being_written(draft: Path) -> bool:
    """Whether the process that began this draft still runs on this machine."""
    try:
        os.kill(int(draft.name.split(".")[-2]), 0)
    except (IndexError, ValueError, OverflowError, ProcessLookupError):
        return False
    except PermissionError:  # it is somebody else's
        return True
    return True


def write_whole(path: Path, data: bytes) -> None:
    """Write a file beside its place and then move it there, so that no half of it is ever seen.

    OSError, which names it, and nothing changed, if it cannot be written.
    """
    with drafted(path) as stream:
        stream.write(data)


@contextmanager
def drafted(path: Path, mode: int = 0o666) -> Iterator[BinaryIO]:
    """The same for what is written little by little: it takes its place at the end, and none if anything is raised.

    The file never grants more than `mode`. A device or a pipe is written at once; nothing can take its place.
    """
    is_special = path.exists() and not (path.is_file() or path.is_dir())
    draft = path if is_special else path.parent / f".{path.name}.{os.getpid()}.draft"
    try:
        with open(draft, "wb", opener=lambda name, flags: os.open(name, flags, mode)) as stream:
            yield stream
            stream.flush()
            if not is_special:
                os.fsync(stream.fileno())
        if not is_special:
            draft.replace(path)
    except BaseException as error:
        if not is_special:
            draft.unlink(missing_ok=True)
        if isinstance(error, OSError) and error.errno is not None and error.filename in (None, str(draft)):
            raise OSError(error.errno, error.strerror, str(path)) from error
        raise
