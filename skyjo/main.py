"""The command line of every game: finds the command, and prints its errors.

A command is a frozen dataclass whose fields are its options and whose `run` does the work. Its file imports nothing
heavy before `run`, so that help is quick.
"""

import errno
import os
import re
import sys
from collections.abc import Callable, Sequence
from contextlib import redirect_stderr
from dataclasses import fields
from io import StringIO
from itertools import takewhile
from pathlib import Path
from typing import Any, Protocol

from cardtable.errors import TableError, did_you_mean
from skyjo.help_page import fitted
from skyjo.overview import overview, unknown_command, version_line
from skyjo.plain_letters import write_plainly
from skyjo.programs import Program, called, loaded, program

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
    "torch": "train",
    "uvicorn": "web",
    "websockets": "web",
}  # what comes with which extra

BAD_INPUT, INTERRUPTED, BROKEN_PIPE = 2, 130, 141  # exit statuses, the last two as shells count signals


QUOTED = r"""['"](.*)['"]\]?\.? ?$"""
PLAIN_WORDS = {
    rf"^Error parsing (\S+): .*\b(?:int\(\)|INT\b).*?{QUOTED}": r"\1: '\2' is not a whole number",
    rf"^Error parsing (\S+): .*\b(?:float|FLOAT)\b.*?{QUOTED}": r"\1: '\2' is not a number",
    r"^invalid choice '(.*)' for argument '(\S+)'\. Expected one of \((.*)\)\.$": r"\2: '\1' is not one of \3",
    r"^Missing value for argument \W*?(-*\w[\w-]*)\W+Expected 1 values\.$": r"\1 needs a value",
    r"^Unrecognized options: (\S+?)(?:, .*)?$": r"'\1' is one argument too many",
    r"'None', |, 'None'": "",
    r"^Error parsing [A-Z]\w*: ": "",  # a command's own complaint
}  # for tyro's complaints


class Command(Protocol):
    """What the name of a command leads to."""

    def run(self) -> None:
        """Do it; TableError and OSError become one line on standard error."""


def main(arguments: Sequence[str] | None = None, game: str | Program = "skyjo") -> int:
    """Carry out a command line of a game's program, by default the one typed, and return its exit status."""
    with called(game):
        return carry_out(lambda: parse(sys.argv[1:] if arguments is None else list(arguments)))


def carry_out(command: Callable[[], Command]) -> int:
    """Carry out a command and return its exit status; expected errors become one line on standard error."""
    for name in ("stdout", "stderr"):
        if getattr(sys, name) is None:  # closed before Python started
            setattr(sys, name, Path(os.devnull).open("w", encoding="utf-8"))  # noqa: SIM115 (it stays open)
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
        return complain(f'this needs {error.name}: pip install "skyjo-env[{OPTIONAL[error.name]}]"')
    except OSError as error:
        if _is_broken_pipe(error):  # whoever read the output has seen enough
            os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
            return BROKEN_PIPE
        return complain(f"{error.filename}: {error.strerror}" if error.filename else str(error))
    except TableError as error:
        return complain(str(error))
    return 0


def _is_broken_pipe(error: OSError) -> bool:
    is_windows = sys.platform == "win32"  # which says so without a file's name
    return isinstance(error, BrokenPipeError) or (is_windows and (error.errno, error.filename) == (errno.EINVAL, None))


def parse(arguments: list[str]) -> Command:
    """The command that the arguments describe; SystemExit after help or, with one line, after bad arguments."""
    name, now = arguments[0] if arguments else "--help", program()
    if name in now.commands:
        return read_command(loaded(now.commands[name]), f"{now.command} {name}", arguments[1:])
    if name in ("-h", "--help", "help"):
        print(overview(now))
    elif name == "--version":
        print(version_line())
    else:
        raise SystemExit(complain(unknown_command(now, name)))
    raise SystemExit


def read_command(kind: Any, called_as: str, arguments: list[str]) -> Command:
    """The command of this kind with the options in the arguments; SystemExit as of `parse`."""
    import tyro

    return _on_one_line(
        lambda: tyro.cli(
            kind,
            prog=called_as,
            args=_without_given(kind, arguments),
            default=_defaults(kind, arguments),
            config=[tyro.conf.FlagCreatePairsOff],
        )
    )


def _without_given(kind: Any, arguments: list[str]) -> list[str]:
    """If the arguments ask for help, only a subcommand and `--help`: tyro's usage leaves out what has been given."""
    if not {"-h", "--help"} & set(arguments):
        return arguments
    has_subcommands = any(field.name == "command" for field in fields(kind))
    return [*(arguments[:1] if has_subcommands else []), "--help"]


def _defaults(kind: Any, arguments: list[str]) -> Any:
    """The defaults, where they depend on the arguments, as with a preset; otherwise the command's own."""
    import tyro

    return kind.defaults(arguments) if hasattr(kind, "defaults") else tyro.MISSING_NONPROP


def _on_one_line(read: Callable[[], Command]) -> Command:
    """The arguments as read by tyro, with its boxed complaints turned into a line."""
    box = StringIO()
    try:
        with fitted(), redirect_stderr(box):
            return read()
    except SystemExit as done:
        if done.code in (0, None):
            raise
        raise SystemExit(complain(_first_paragraph(box.getvalue()))) from None


def _first_paragraph(box: str) -> str:
    """The words below the title of a complaint; the title stands in the frame, or without one above the first rule."""
    plain = re.sub(r"\033\[[0-9;]*m", "", box)
    framed = plain.startswith("╭")
    rows = [row.strip("│ ") for row in plain.splitlines() if not row.startswith(("╭", "╰"))]
    rule = next((number for number, row in enumerate(rows) if not row.strip("─-")), -1)
    below = rows if framed else rows[rule + 1 :]
    words = takewhile(lambda row: row.strip("─-"), below)
    complaint = " ".join(" ".join(words).split())
    return f"{_unknown_option(complaint, rows) or _in_plain_words(complaint)} (see --help)"


def _unknown_option(complaint: str, rows: list[str]) -> str:
    """The complaint about the first unknown option, with the nearest of those that tyro suggests; else nothing."""
    unknown = re.match(r"Unrecognized options: (--?\w[\w-]*)", complaint)
    suggested = [option[0] for option in (re.match(r"--\w[\w-]*", row) for row in rows) if option]
    return f"{unknown[1]} is not an option{did_you_mean(unknown[1], suggested)}" if unknown else ""


def _in_plain_words(complaint: str) -> str:
    """What tyro says about a value, without the names of Python's types."""
    for pattern, words in PLAIN_WORDS.items():
        complaint = re.sub(pattern, words, complaint)
    return complaint


def complain(message: str) -> int:
    """Print an error as one line, and return the exit status for bad input."""
    print(f"{program().command}: {message}", file=sys.stderr)
    return BAD_INPUT
