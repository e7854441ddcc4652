"""The terminal: asking, waiting, and whether it has colours."""

import sys
from contextlib import AbstractContextManager, nullcontext, suppress
from typing import Any, Literal

from skyjo_env.render.text import terminal_has_colour

Colour = Literal["auto", "always", "never"]


def ask(prompt: str) -> str:
    """A line from the player. EOFError if there is none; shows what was read if it did not come from a terminal."""
    if sys.stdin is None:  # closed before Python started
        raise EOFError
    if sys.stdin.isatty():
        with suppress(ImportError):
            import readline  # noqa: F401 (lets input() edit its line)
    line = input(prompt)
    if not sys.stdin.isatty():
        print(line)
    return line.strip()


def waiting(words: str) -> AbstractContextManager[Any]:
    """Shows on standard error that something is going on, if that is a terminal."""
    if not sys.stderr.isatty():
        return nullcontext()
    from rich.console import Console

    return Console(stderr=True).status(f"{words} ...")


def has_colour(choice: Colour) -> bool:
    """What `--colour` comes to: auto asks the terminal."""
    return choice == "always" or (choice == "auto" and terminal_has_colour())
