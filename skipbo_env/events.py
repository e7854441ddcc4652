"""What came of a decision, as data: `Game.play` returns these events in the order in which they happen."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from numpy.typing import NDArray

from skipbo_env.rules import Rules


@dataclass(frozen=True)
class Event:
    """Something that happened at the table."""


def play_events(rules: Rules, games: NDArray[Any], action: int, cards: Sequence[int]) -> tuple[Event, ...]:
    """Carry out a legal action that brings these cards to light, in an array of one game record; what came of it."""
    raise NotImplementedError
