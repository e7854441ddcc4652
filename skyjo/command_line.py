"""The command line of a game: its help, and the command that the arguments describe."""

from __future__ import annotations

import platform
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, redirect_stderr, redirect_stdout
from dataclasses import fields
from functools import partial
from importlib.metadata import version
from io import StringIO
from itertools import groupby
from shutil import get_terminal_size
from textwrap import fill
from typing import Any, Protocol, TextIO

from cardtable.table.errors import TableError, did_you_mean
from skyjo.commands import COMMANDS, GROUPS, missing, offered
from skyjo.interfaces import DISTRIBUTION, GameInterface, interface, loaded

WIDTH = 79  # columns of the help
NARROWEST = 40  # columns; tyro's boxes are never narrower
MAX_MISTYPED = 60  # characters of a mistyped command that are repeated
WORDS = {int: "a whole number", float: "a number"}


class Command(Protocol):
    """The object behind the name of a command."""

    def run(self) -> None:
        """Run the command; TableError and OSError become one line on standard error."""


def parse(arguments: list[str]) -> Command:
    """Return the command that the arguments describe. SystemExit after help; TableError for bad arguments."""
    name, now = arguments[0] if arguments else "--help", interface()
    if name in COMMANDS:
        lacks = missing(now, name)
        if lacks:
            raise TableError(f"{now.title} has no {name}: that needs {lacks}")
        target = loaded(COMMANDS[name].place)
        kind = target if isinstance(target, type) else target()
        return read_command(kind, f"{now.command} {name}", arguments[1:])
    if name in ("-h", "--help", "help"):
        print(overview(now))
    elif name == "--version":
        print(f"{DISTRIBUTION} {version(DISTRIBUTION)} (Python {platform.python_version()}, numba {version('numba')})")
    else:
        near = did_you_mean(name, offered(now))
        raise TableError(f"{name[:MAX_MISTYPED]!r} is not a command{near} (see {now.command} --help)")
    raise SystemExit


def overview(now: GameInterface) -> str:
    """Return the help of a program, short enough for one screen."""
    can_work = offered(now)
    groups = (
        "\n".join(f"  {name:<14}{command.words}" for name, command in group.items() if name in can_work)
        for group in GROUPS
    )
    commands = "\n\n".join(filter(None, groups))
    more = f"{now.command} COMMAND --help explains a command; {now.command} --version prints the version."
    return (
        f"usage: {now.command} COMMAND ...\n\n"
        f"Play {now.title}, look at games, and measure who plays it well.\n\n"
        f"{commands}\n\n"
        f"{fill(more, WIDTH)}"
    )


# A command and its options, read by tyro


def read_command(kind: Any, called_as: str, arguments: list[str]) -> Command:
    """Return the command of this kind with the options in the arguments. SystemExit and TableError as of `parse`."""
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


def _defaults(kind: Any, arguments: Sequence[str]) -> Any:
    """Return the defaults, where they depend on the arguments, as with a preset; otherwise the command's own."""
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
        raise TableError(f"{_words_in(box.getvalue()).removeprefix(f'Error parsing {name}: ')} (see --help)") from None


def _words_in(box: str) -> str:
    """Return what a complaint of tyro says, and what it suggests: the first paragraphs below the title of its box."""
    rows = [row.strip("│| ") for row in box.splitlines()[1:]]
    parts = [" ".join(part) for has_words, part in groupby(rows, lambda row: any(map(str.isalnum, row))) if has_words]
    return "; ".join(part for number, part in enumerate(parts) if number == 0 or part.startswith("Perhaps"))


# Help that fits on the terminal: tyro draws its boxes to fit, but prints the words above them as they are.


class _Page(StringIO):
    """Stands in for standard output, of which tyro asks whether it can show frames and colours."""

    def __init__(self, stream: TextIO) -> None:
        super().__init__()
        self._shown = stream

    @property
    def encoding(self) -> str:  # type: ignore[override]  # an attribute there
        return self._shown.encoding

    def isatty(self) -> bool:
        return self._shown.isatty()


@contextmanager
def fitted() -> Iterator[None]:
    """Print the output of the block after it, with wide paragraphs broken between words."""
    page = _Page(sys.stdout)
    try:
        with redirect_stdout(page):
            yield
    finally:
        print(wrapped(page.getvalue(), max(NARROWEST, get_terminal_size().columns)), end="")


def wrapped(page: str, width: int) -> str:
    """Return the page with paragraphs that are wider than this broken between words; the others stay as they are."""
    return "\n\n".join(_paragraph(text, width) for text in page.split("\n\n"))


def _paragraph(text: str, width: int) -> str:
    if max(map(len, text.split("\n"))) <= width:
        return text
    return fill(" ".join(text.split()), width, break_long_words=False, break_on_hyphens=False)
