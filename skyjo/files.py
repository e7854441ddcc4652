"""Files that are read as text, and written as a whole or not at all."""

import os
import sys
from pathlib import Path

from skyjo_env import SkyjoError


def read_text(file: str) -> str:
    """A file's text, or that of standard input for `-`; SkyjoError if it is not text, OSError if it cannot be read."""
    if file == "-" and sys.stdin is None:
        raise SkyjoError("-: standard input is closed")
    try:
        return sys.stdin.read() if file == "-" else Path(file).expanduser().read_text("utf-8")
    except UnicodeDecodeError:
        raise SkyjoError(f"{file}: this is no text") from None


def write_text(file: str, text: str) -> None:
    """Write a file beside its place and then move it there, so that no half of it is ever seen."""
    path = Path(file).expanduser().resolve()
    draft = path.with_name(f".{path.name}.{os.getpid()}")
    try:
        with draft.open("w", encoding="utf-8") as stream:
            stream.write(text)
            stream.flush()
            os.fsync(stream.fileno())
        draft.replace(path)
    except BaseException:
        draft.unlink(missing_ok=True)
        raise
