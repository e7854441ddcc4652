"""The command line of every game: finds the command, and prints its errors.

A command is a frozen dataclass whose fields are its options and whose `run` does the work. Its file imports nothing
heavy before `run`, so that help is quick.
"""

import errno
import os
import sys
from collections.abc import Callable, Sequence
from contextlib import redirect_stderr
from dataclasses import fields
from functools import partial
from io import StringIO
from itertools import groupby
from pathlib import Path
from typing import Any, Protocol

from cardtable.table.errors import TableError
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


WORDS = {int: "a whole number", float: "a number"}


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
            registry=_plain_numbers(),
        ),
        kind.__name__,
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


def _plain_numbers() -> Any:
    """Return tyro's rules for reading values, with numbers that are refused in plain words."""
    from tyro.constructors import ConstructorRegistry, PrimitiveConstructorSpec

    registry = ConstructorRegistry()

    @registry.primitive_rule
    def number(info: Any) -> Any:
        kind = next((kind for kind in WORDS if info.type in (kind, kind | None)), None)
        if kind is None:
            return None
        return PrimitiveConstructorSpec(1, "N", partial(_number, kind), lambda _: True, lambda value: [str(value)])

    return registry


def _number(kind: type[int] | type[float], words: list[str]) -> float:
    try:
        return kind(words[0])
    except ValueError:
        raise ValueError(f"{words[0]!r} is not {WORDS[kind]}") from None


def _on_one_line(read: Callable[[], Command], name: str) -> Command:
    """Return the arguments as read by tyro, with its boxed complaints turned into a line.

    What the command of this name says itself about a value stands there alone.
    """
    box = StringIO()
    try:
        with fitted(), redirect_stderr(box):
            return read()
    except SystemExit as done:
        if done.code in (0, None):
            raise
        raise SystemExit(
            complain(f"{_words_in(box.getvalue()).removeprefix(f'Error parsing {name}: ')} (see --help)")
        ) from None


def _words_in(box: str) -> str:
    """Return what a complaint of tyro says, and what it suggests: the first paragraphs below the title of its box."""
    rows = [row.strip("│| ") for row in box.splitlines()[1:]]
    parts = [" ".join(part) for has_words, part in groupby(rows, lambda row: any(map(str.isalnum, row))) if has_words]
    return "; ".join(part for number, part in enumerate(parts) if number == 0 or part.startswith("Perhaps"))


def complain(message: str) -> int:
    """Print an error as one line, and return the exit status for bad input."""
    print(f"{program().command}: {message}", file=sys.stderr)
    return BAD_INPUT
