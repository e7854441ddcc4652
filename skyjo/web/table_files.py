"""Tables on disk: a file for each, to which every change is written before any browser is sent it, in a folder that
belongs to one server at a time.

A file is lines of JSON. The first one says what is played, seed included, which is why only its owner may read it;
its name reveals nothing.
"""

import json
import os
import sys
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager, suppress
from datetime import datetime
from pathlib import Path
from typing import Any

from cardtable.table.errors import TableError
from cardtable.table.files import drafted, lock

SUFFIX = ".table"
LOCK = ".lock"
FOR_ME, FOLDER_FOR_ME = 0o600, 0o700  # file modes

Line = Mapping[str, Any]


class TableFile:
    """The file of one table."""

    def __init__(self, path: Path) -> None:
        self.path = path

    def create(self, line: Line) -> None:
        """Begin the file; FileExistsError if there is one. After another OSError there is no file."""
        os.close(os.open(self.path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, FOR_ME))
        try:
            self.append(line)
        except OSError:
            self.path.unlink()
            raise

    def write(self, lines: Iterable[Line]) -> None:
        """Replace the file, if there is one, by one with these lines, as a whole or not at all."""
        with drafted(self.path, FOR_ME, is_lasting=False) as stream:
            stream.writelines(map(_data, lines))

    def append(self, line: Line) -> None:
        """Write a line, and return when the system has it, so that it outlives this process.

        After an OSError the file is as it was; one that was removed is not created again. It does not wait for the
        disk, which would help against power cuts but hold up all tables.
        """
        with os.fdopen(os.open(self.path, os.O_WRONLY | os.O_APPEND), "ab", buffering=0) as stream:
            size = stream.seek(0, os.SEEK_END)
            data = _data(line)
            try:
                if stream.write(data) != len(data):
                    raise OSError("the disk is full")
            except OSError:
                stream.truncate(size)
                raise

    def read(self) -> list[Line]:
        """All lines. A last one that was cut off when the server was killed is removed: no browser has been sent it."""
        data = self.path.read_bytes()
        whole = data[: data.rfind(b"\n") + 1]
        if len(whole) < len(data):
            os.truncate(self.path, len(whole))
        return [_line(line) for line in whole.splitlines()]

    def whole_lines(self) -> list[Line]:
        """All whole lines; the file stays as it is, so that another thread may be writing to it."""
        data = self.path.read_bytes()
        return [_line(line) for line in data[: data.rfind(b"\n") + 1].splitlines()]

    @property
    def written(self) -> datetime:
        """When the file was last written to; now, if it has been removed by hand."""
        try:
            return datetime.fromtimestamp(self.path.stat().st_mtime).astimezone()
        except FileNotFoundError:
            return datetime.now().astimezone()

    @property
    def number(self) -> str:
        """What the table is called."""
        return self.path.name.removesuffix(SUFFIX)


def files_in(folder: Path, suffix: str = SUFFIX) -> Iterator[TableFile]:
    """The files in a folder with this suffix, the most recently written first."""
    paths = []
    for path in folder.glob(f"[!.]*{suffix}"):
        with suppress(OSError):  # it has gone, or leads nowhere
            paths.append((path.stat().st_mtime_ns, path))
    return (TableFile(path) for _, path in sorted(paths, reverse=True))


def prepared(folder: Path) -> Path:
    """A folder for tables that nobody else may read, created if it does not exist."""
    folder.mkdir(FOLDER_FOR_ME, parents=True, exist_ok=True)
    return folder


@contextmanager
def locked(folder: Path) -> Iterator[Path]:
    """Keep other servers, which would write to the same files, out of a folder within the block; TableError if one is
    at work there.
    """
    descriptor = os.open(prepared(folder) / LOCK, os.O_RDWR | os.O_CREAT, FOR_ME)
    try:
        try:
            lock(descriptor)
        except OSError:
            raise TableError(f"another server is using {folder}; stop it, or choose another --folder") from None
        yield folder
    finally:
        os.close(descriptor)


def usual_folder(game: str) -> Path:
    """Where a user's tables of a game are kept, where the system keeps such data."""
    if sys.platform == "win32":
        parent = Path(os.environ.get("LOCALAPPDATA") or Path.home() / "AppData/Local")
    elif sys.platform == "darwin":
        parent = Path.home() / "Library/Application Support"
    else:
        parent = Path(os.environ.get("XDG_DATA_HOME") or Path.home() / ".local/share")
    return parent / "skyjo-env" / "tables" / game


def _data(line: Line) -> bytes:
    return json.dumps(line, separators=(",", ":")).encode() + b"\n"


def _line(line: bytes) -> Line:
    try:
        read = json.loads(line)
    except (ValueError, RecursionError):
        read = None
    if not isinstance(read, dict):
        raise TableError("the file of this table is damaged")
    return read
