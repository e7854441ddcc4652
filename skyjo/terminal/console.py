"""The terminal: asking, waiting, and whether it has colours."""

import os
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, contextmanager, nullcontext, suppress
from shutil import get_terminal_size
from textwrap import fill
from typing import Any, Literal

from numpy.typing import NDArray

from cardtable.table.agents.agents import Agent
from cardtable.table.errors import TableError
from cardtable.table.render.text import terminal_has_colour
from skyjo.interfaces import find_interface

Colour = Literal["auto", "always", "never"]
Answer = Callable[[str], bool]  # what a command does with the rest of its line; True if the question is settled
SHORT = {"u": "undo", "q": "quit", "exit": "quit", "?": "help"}
NARROW = 72  # columns of a terminal


def ask(prompt: str) -> str:
    """Return a line from the player, shown if it did not come from a terminal. EOFError if there is none."""
    if sys.stdin is None:  # closed before Python started
        raise EOFError
    if sys.stdin.isatty():
        with suppress(ImportError):
            import readline  # noqa: F401 (lets input() edit its line)
    line = input(prompt)
    if not sys.stdin.isatty():
        print(line)
    return line.strip()


def ask_decision(
    rules: Any, observation: NDArray[Any], mask: NDArray[Any], commands: Mapping[str, Answer]
) -> int | None:
    """Ask until there is a legal action, or a command that settles the question (None). EOFError if no answer comes."""
    terminal = find_interface(rules.game).terminal
    prompt = terminal.question(rules, observation, mask)
    while True:
        line = ask(prompt)
        word, _, rest = line.partition(" ")
        word = SHORT.get(word.lower(), word.lower())
        try:
            if word in commands:
                if commands[word](rest.strip()):
                    return None
            elif line:
                return terminal.read_action(rules, observation, mask, line)
        except TableError as error:
            print(folded(str(error)))


def clear_screen() -> None:
    """Leave an empty screen, if this is a terminal with a person; the lines above it can be scrolled back to."""
    if sys.stdin is not None and sys.stdin.isatty() and sys.stdout.isatty() and os.environ.get("TERM") != "dumb":
        print("\n" * (get_terminal_size().lines - 1) + "\033[H\033[J", end="")


def folded(line: str, indent: int = 4) -> str:
    """Return a line, broken between words if it is too long for the terminal."""
    if not sys.stdout.isatty():
        return line
    return fill(line, get_terminal_size().columns, subsequent_indent=" " * indent, break_on_hyphens=False)


def with_command(words: str, command: str) -> str:
    """Return words and a command in one line. If that is too long for the terminal, the command has a separate line,
    and is never broken: it can be copied.
    """
    line = f"{words} {command}"
    is_too_long = sys.stdout.isatty() and len(line) > get_terminal_size().columns
    return f"{words}\n  {command}" if is_too_long else line


def room(most: int) -> int:
    """Return the number of columns: those of the terminal but no more than `most`; elsewhere `most`."""
    return min(most, get_terminal_size().columns) if sys.stdout.isatty() else most


@contextmanager
def waiting(words: str) -> Iterator[None]:
    """Show on standard error, if that is a terminal, that work is in progress, and the functions that are being
    compiled.
    """
    if not sys.stderr.isatty():
        yield
        return
    from rich.console import Console

    from cardtable.table.compiling.compile_progress import telling

    with (
        Console(stderr=True).status(f"{words} ...") as status,
        telling(lambda how_far: status.update(how_far or f"{words} ...")),
    ):
        yield


def thinking(agent: Agent, name: str) -> AbstractContextManager[Any]:
    """Show that an agent thinks, unless it is a person, who is asked at this terminal."""
    return nullcontext() if getattr(agent, "is_human", False) else waiting(f"{name} thinks")


def has_colour(choice: Colour) -> bool:
    """Return whether to print colours; `auto` does so if this is a terminal with colours."""
    return choice == "always" or (choice == "auto" and terminal_has_colour())


def print_table(titles: Sequence[str], rows: Sequence[Sequence[str]], names: int = 1) -> None:
    """Print a table whose first columns are names, folded where there is little room; numbers rarely are."""
    from rich import box
    from rich.console import Console
    from rich.table import Table
    from rich.text import Text

    console, table = Console(), Table(box=box.SIMPLE_HEAD, pad_edge=False)
    for number, title in enumerate(titles):
        is_name = number < names
        keeps = not is_name and console.width >= NARROW
        table.add_column(title, overflow="fold", justify="left" if is_name else "right", no_wrap=keeps)
    for row in rows:
        table.add_row(*map(Text, row))
    console.print(table)
