"""The cards that a decision may reveal, with exact probabilities; `Game.outcomes` is the public interface.

A decision brings these cards to light, in this order, as far as there are such: the card that a reshuffle turns up
(6.2), the card that is drawn, turned up or replaced, and every hidden card that the end of the round reveals, by seat
and cell (7.4). Everything else stays the game's own chance: the deal of the next round, the cells that are opened at
random (2.3), and a random tie-break (3.2).
"""

from collections.abc import Sequence
from fractions import Fraction

import numpy as np
from numpy.typing import NDArray

from cardtable.table.checks import whole_number
from cardtable.table.game.table_game import TableGame
from skyjo_env.kernel.state import HIGHEST, LOWEST
from skyjo_env.rules import Rules


def card_array(_: Rules, cards: Sequence[int]) -> NDArray[np.int64]:
    """Cards as the kernel takes them."""
    return np.array([whole_number("card", card, LOWEST, HIGHEST) for card in cards], np.int64)


def next_card(game: TableGame[Rules], action: int, cards: Sequence[int]) -> dict[int, Fraction]:
    """What the next card may be that a legal action reveals after these; empty if there is none."""
    return game.kind.next_cards(game, action, cards, LOWEST)
