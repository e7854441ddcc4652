"""The written game: a record as text, and any record played again move by move (docs/notation.md)."""

from typing import Any

from skipbo_env.game import Game


def replay(written: str | dict[str, Any]) -> Game:
    """Play a record again and return the game as it stood."""
    raise NotImplementedError


def format_record(record: dict[str, Any]) -> str:
    """Write a record as text, one turn a line; `replay` reads it back."""
    raise NotImplementedError


def begin(record: dict[str, Any]) -> Game:
    """The game as it stood before the first action of a record."""
    raise NotImplementedError
