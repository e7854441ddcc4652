"""Files that are written as a whole or not at all."""

import os
import stat
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
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


def write_whole(path: Path, data: bytes, is_lasting: bool = True) -> None:
    """Write a file under another name and then move it into place, so that nobody ever sees half of it.

    If it cannot be written, OSError names it, and nothing has changed. Unless `is_lasting`, nobody waits for the disk,
    and a power failure may damage the file.
    """
    with drafted(path, is_lasting=is_lasting) as stream:
        stream.write(data)


@contextmanager
def drafted(path: Path, mode: int = 0o666, is_lasting: bool = True) -> Iterator[BinaryIO]:
    """The same for a file written bit by bit: it is moved into place at the end, or not at all if anything is raised.

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


def remove_folder(folder: Path, seconds: float = 60.0) -> None:
    """Remove a folder that a stranger has filled, as far as permissions and time allow; no links are followed.

    `shutil.rmtree` ends in a RecursionError where a thousand folders lie in each other. So what lies deeper than the
    folder's own folders is first moved up.
    """
    until = time.monotonic() + seconds
    with suppress(OSError):
        top = _opened(folder)
        try:
            while sum(_removed(top, name, until) for name in _names(top)) > 0:
                pass
        finally:
            os.close(top)
        folder.rmdir()


def _removed(top: int, name: str, until: float) -> bool:
    """Whether an entry of the folder is gone; the contents of its own folders are moved up in its place."""
    if time.monotonic() > until:
        return False
    try:
        if not _is_opened_up(top, name):
            os.unlink(name, dir_fd=top)
            return True
        inner = _opened(Path(name), top)
        try:
            for each in _names(inner):
                _is_opened_up(inner, each)
                os.rename(each, os.urandom(8).hex(), src_dir_fd=inner, dst_dir_fd=top)
        finally:
            os.close(inner)
        os.rmdir(name, dir_fd=top)
    except OSError:
        return False
    return True


def _is_opened_up(within: int, name: str) -> bool:
    """Whether it is a folder; then its owner may do everything there."""
    if not stat.S_ISDIR(os.stat(name, dir_fd=within, follow_symlinks=False).st_mode):
        return False
    if os.geteuid() != 0:
        os.chmod(name, 0o700, dir_fd=within)
    return True


def _names(folder: int) -> list[str]:
    with os.scandir(folder) as entries:
        return [entry.name for entry in entries]


def _opened(folder: Path, within: int | None = None) -> int:
    return os.open(folder, os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW, dir_fd=within)
