"""Reasons for a decision, as numbers from its seat's observation, which `phrases.toml` puts into words. Pages run this
code, too: it is compiled with the kernel.
"""

from typing import Any

import numpy as np

from cardtable.table.game.slices import place_of
from skipbo_env.kernel import CARDS, DISCARD, PLACES, PLAY_DISCARD, PLAY_HAND, REFILL_AT_ONCE, WILD
from skipbo_env.kernel.view import AT_HEIGHTS, View, at_tops

FACTS: np.dtype[Any] = np.dtype(
    (
        np.record,
        [
            ("left", "f8"),  # in the own stock pile, without its top card
            ("top", "f8"),  # card of that pile
            ("fits", "f8"),  # does the top card fit on what is built?
            ("empties", "f8"),  # does it empty the hand, which is then filled again?
            ("above", "f8"),  # the top card of the pile on which the card is discarded
            ("follows", "f8"),  # is it the next higher one?
        ],
    )
)

at_stock_tops, at_stock_sizes, at_hand_sizes = (
    place_of(View, name) for name in ("stock_tops", "stock_sizes", "hand_sizes")
)


def write_facts(view, rules, action, facts):
    """Write what can be said of an action."""
    place = action % PLACES
    facts.left, facts.top = view[at_stock_sizes(rules)] - 1, view[at_stock_tops(rules)]
    facts.fits = action < DISCARD and view[AT_HEIGHTS + place] + 2 == facts.top < WILD
    is_from_hand = PLAY_HAND <= action < PLAY_DISCARD
    facts.empties = is_from_hand and view[at_hand_sizes(rules)] == 1 and rules.refill == REFILL_AT_ONCE
    if DISCARD <= action < DISCARD + CARDS * PLACES:
        facts.above = view[at_tops(rules) + place]
        facts.follows = facts.above == (action - DISCARD) // PLACES + 2 < WILD
