"""Colours in a terminal: whether it has them, and coloured text."""

import os
import re
import sys


def terminal_has_colour() -> bool:
    """May colours be printed? FORCE_COLOR says yes, NO_COLOR no; else standard output must be a colour terminal."""
    if os.environ.get("FORCE_COLOR"):
        return True
    return not os.environ.get("NO_COLOR") and os.environ.get("TERM") != "dumb" and sys.stdout.isatty()


def paint(text: str, code: str) -> str:
    """The text in a terminal colour code."""
    return f"\033[{code}m{text}\033[0m"


def padded(text: str, wanted: int) -> str:
    """The text with spaces up to a width; colour codes take no room."""
    return text + " " * (wanted - width(text))


def width(text: str) -> int:
    """How many columns a text takes."""
    return len(re.sub(r"\033\[[0-9;]*m", "", text))
