"""A table as text."""

from typing import Any


def format_table(game: Any, colour: bool = False) -> str:
    """The table as text."""
    del colour
    return str(game)
