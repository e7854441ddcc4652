"""The cards that a decision may bring to light, with exact probabilities; `Game.outcomes` is their public face."""

from collections.abc import Sequence
from fractions import Fraction
from typing import Any

from numpy.typing import NDArray

from skipbo_env.rules import Rules


def play_cards(rules: Rules, games: NDArray[Any], action: int, cards: Sequence[int]) -> None:
    """Carry out a legal action that brings these cards to light."""
    raise NotImplementedError


def next_card(rules: Rules, games: NDArray[Any], action: int, cards: Sequence[int]) -> dict[int, Fraction]:
    """What the next card may be that a legal action brings to light after these; empty if there is none."""
    raise NotImplementedError
