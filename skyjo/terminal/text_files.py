"""Text files named by the user."""

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

from cardtable.table.errors import TableError
from cardtable.table.files import drafted, write_whole

MAX_LETTERS = 50_000_000  # of a text


def read_text(file: str) -> str:
    """Return a file's text, or that of standard input for `-`; TableError if it is not text, OSError if it cannot be
    read.
    """
    if file == "-" and sys.stdin is None:
        raise TableError("-: standard input is closed")
    try:
        if file == "-":
            text = sys.stdin.read(MAX_LETTERS + 1)
        else:
            with Path(file).expanduser().open(encoding="utf-8") as stream:
                text = stream.read(MAX_LETTERS + 1)
    except UnicodeDecodeError:
        raise TableError(f"{file}: this is not text") from None
    if len(text) > MAX_LETTERS:
        raise TableError(f"{file}: longer than {MAX_LETTERS:,} characters, the most that a game may have")
    return text


def write_text(file: str, text: str) -> None:
    """Write a text file, as a whole or not at all."""
    write_whole(Path(file).expanduser().resolve(), text.encode())


@contextmanager
def text_writer(file: str) -> Iterator[Callable[[str], object]]:
    """Write a text file bit by bit, as a whole or not at all; `-` is standard output."""
    if file == "-":
        yield sys.stdout.write
        return
    with drafted(Path(file).expanduser().resolve()) as stream:
        yield lambda text: stream.write(text.encode())


def target(name: str, inside: str) -> str:
    """Return the file to write: this one, or `inside` in this folder; TableError if there is no such folder."""
    path = Path(name).expanduser()
    path = path / inside if path.is_dir() else path
    if not path.parent.is_dir():
        raise TableError(f"{path.parent}: there is no such folder")
    return str(path)
