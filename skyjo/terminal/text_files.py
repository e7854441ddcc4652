"""Text files named by the user."""

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

from cardtable.errors import TableError
from cardtable.files import drafted, write_whole


def read_text(file: str) -> str:
    """A file's text, or that of standard input for `-`; TableError if it is not text, OSError if it cannot be read."""
    if file == "-" and sys.stdin is None:
        raise TableError("-: standard input is closed")
    try:
        return sys.stdin.read() if file == "-" else Path(file).expanduser().read_text("utf-8")
    except UnicodeDecodeError:
        raise TableError(f"{file}: this is no text") from None


def write_text(file: str, text: str) -> None:
    """Write a text file, as a whole or not at all."""
    write_whole(Path(file).expanduser().resolve(), text.encode())


@contextmanager
def text_writer(file: str) -> Iterator[Callable[[str], object]]:
    """Writes a text file little by little, as a whole or not at all; `-` is standard output."""
    if file == "-":
        yield sys.stdout.write
        return
    with drafted(Path(file).expanduser().resolve()) as stream:
        yield lambda text: stream.write(text.encode())


def target(name: str, inside: str) -> str:
    """The file to write: this one, or `inside` in this folder; TableError if there is no such folder."""
    path = Path(name).expanduser()
    path = path / inside if path.is_dir() else path
    if not path.parent.is_dir():
        raise TableError(f"{path.parent}: there is no such folder")
    return str(path)
