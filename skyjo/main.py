"""The program of every game: finds the game by the name it is called by, carries out a command, and prints errors."""

import codecs
import errno
import os
import sys
import unicodedata
from collections.abc import Callable, Sequence
from io import TextIOWrapper
from pathlib import Path

from cardtable.table.errors import TableError
from skyjo.command_line import Command, parse
from skyjo.interfaces import GameInterface, called, find_interface

OPTIONAL = {
    "h5py": "data",
    "jinja2": "arena",
    "markupsafe": "arena",
    "matplotlib": "arena",
    "mcp": "mcp",
    "minari": "data",
    "onnx": "train",
    "onnxscript": "train",
    "pyarrow": "arena",
    "ray": "cluster",
    "sb3_contrib": "train",
    "stable_baselines3": "train",
    "starlette": "web",
    "tensorboard": "train",
    "threadpoolctl": "train",
    "torch": "train",
    "uvicorn": "web",
    "websockets": "web",
}  # what comes with which extra

BAD_INPUT, INTERRUPTED, BROKEN_PIPE = 2, 130, 141  # exit statuses, the last two as shells count signals
PLAINLY = "plainly"  # the name of this way of handling letters that cannot be encoded
PLAIN = {"−": "-", "–": "-", "→": "->", "←": "<-", "≤": "<=", "≥": ">=", "±": "+-", "×": "x", "·": "*", "★": "*"}
PLAIN |= {"γ": "gamma", "⌊": "[", "⌋": "]", "’": "'"}
RAISED = {"<super>": "^", "<sub>": "_"}  # by how Unicode describes such digits


def main(arguments: Sequence[str] | None = None, game: str | GameInterface | None = None) -> int:
    """Carry out a command line, by default the one typed, and return its exit status.

    The game is by default the one whose name the program is called by, such as `skipbo`.
    """
    name = Path(sys.argv[0]).stem if game is None else game
    try:
        now = name if isinstance(name, GameInterface) else find_interface(name.replace("-", "_"))
    except TableError as error:
        return complain(str(error), str(name))
    with called(now):
        return carry_out(lambda: parse(sys.argv[1:] if arguments is None else [*arguments]), now.command)


def carry_out(command: Callable[[], Command], name: str) -> int:
    """Carry out a command of the program of this name, and return its exit status; expected errors become one line on
    standard error.
    """
    for stream in ("stdout", "stderr"):
        if getattr(sys, stream) is None:  # closed before Python started
            setattr(sys, stream, Path(os.devnull).open("w", encoding="utf-8"))  # noqa: SIM115 (it stays open)
    write_plainly()
    if sys.platform == "win32" and sys.stderr.isatty():
        os.system("")  # after any command a console of Windows understands colours and moves of the cursor
    try:
        command().run()
        sys.stdout.flush()
    except KeyboardInterrupt:
        print(file=sys.stderr)
        return INTERRUPTED
    except ModuleNotFoundError as error:
        if error.name not in OPTIONAL:
            raise
        return complain(f'this needs {error.name}: pip install "skyjo-env[{OPTIONAL[error.name]}]"', name)
    except OSError as error:
        if _is_broken_pipe(error):  # the reader of the output has seen enough
            os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
            return BROKEN_PIPE
        return complain(f"{error.filename}: {error.strerror}" if error.filename else str(error), name)
    except TableError as error:
        return complain(str(error), name)
    return 0


def complain(message: str, name: str) -> int:
    """Print an error as one line that begins with the name of the program, and return the exit status for bad input."""
    print(f"{name}: {message}", file=sys.stderr)
    return BAD_INPUT


def _is_broken_pipe(error: OSError) -> bool:
    is_windows = sys.platform == "win32"  # which says so without a file's name
    return isinstance(error, BrokenPipeError) or (is_windows and (error.errno, error.filename) == (errno.EINVAL, None))


# Output to a terminal or a file that cannot show all letters, such as one in Windows' cp1252


def write_plainly() -> None:
    """Write characters that standard output and standard error cannot encode in plain letters, from now on."""
    codecs.register_error(PLAINLY, _replaced)
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, TextIOWrapper) and not stream.encoding.lower().startswith("utf"):
            stream.reconfigure(errors=PLAINLY)


def _replaced(error: UnicodeError) -> tuple[str, int]:
    if not isinstance(error, UnicodeEncodeError):
        raise error
    return "".join(map(_plain, error.object[error.start : error.end])), error.end


def _plain(letter: str) -> str:
    """Return one letter in ASCII: without its accent, or a question mark."""
    sign = RAISED.get(unicodedata.decomposition(letter).partition(" ")[0], "")
    without_accent = unicodedata.normalize("NFKD", letter).encode("ascii", "ignore").decode()
    return PLAIN.get(letter) or (f"{sign}{without_accent}" if without_accent else "?")
