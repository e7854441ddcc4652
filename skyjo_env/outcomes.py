"""The cards that a decision may reveal, with exact probabilities; `Game.outcomes` is the public interface.

A decision brings these cards to light, in this order, as far as there are such: the card that a reshuffle turns up
(6.2), the card that is drawn, turned up or replaced, and every hidden card that the end of the round reveals, by seat
and cell (7.4). Everything else stays the game's own chance: the deal of the next round, the cells that are opened at
random (2.3), and a random tie-break (3.2).
"""

from collections.abc import Sequence
from fractions import Fraction
from typing import Any

import numpy as np
from numpy.typing import NDArray

from cardtable.checks import check_given, whole_number
from cardtable.table_game import copied
from skyjo_env.kernel.outcomes import play_one_with
from skyjo_env.kernel.state import HIGHEST, LOWEST, SPAN
from skyjo_env.rules import Rules


def card_array(cards: Sequence[int]) -> NDArray[np.int64]:
    """Cards as the kernel takes them."""
    return np.array([whole_number("card", card, LOWEST, HIGHEST) for card in cards], np.int64)


def play_cards(rules: Rules, games: NDArray[Any], action: int, cards: Sequence[int]) -> NDArray[np.int64]:
    """Carry out a legal action that reveals these cards, in an array of one game record.

    Returns how often the next card, beyond those given, is found among those that it may be, by card − LOWEST; zeros if
    there is no next card. TableError if a card cannot come; then the record is no longer valid.
    """
    counts = np.zeros(SPAN, np.int64)
    check_given(cards, play_one_with(games, rules.params, action, card_array(cards), counts))
    return counts


def next_card(rules: Rules, games: NDArray[Any], action: int, cards: Sequence[int]) -> dict[int, Fraction]:
    """What the next card may be that a legal action reveals after these; empty if there is none."""
    counts = play_cards(rules, copied(games), action, cards)
    total = int(counts.sum())
    return {k + LOWEST: Fraction(int(counts[k]), total) for k in np.flatnonzero(counts).tolist()}
