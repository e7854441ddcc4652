"""Reasons for a decision, as numbers from its seat's observation, which `phrases.toml` puts into words. Pages run this
code, too: it is compiled with the kernel.
"""

from typing import Any

import numpy as np

from skyjo_action_env.kernel import CARDS, CELLS, FLIP, HIDDEN, LOWEST, NOBODY, PLACE, STAR
from skyjo_action_env.kernel.view import AT_CELLS, AT_DISCARD_TOP, AT_ENDER, AT_HAND, AT_PICKED, AT_UNSEEN, at_seats

FACTS: np.dtype[Any] = np.dtype(
    (
        np.record,
        [
            ("hidden", "f8"),  # what a hidden card is worth on average
            ("discard", "f8"),
            ("card", "f8"),  # to lay
            # Of an action with an own cell
            ("is_hidden", "f8"),
            ("old", "f8"),  # the card that lies there
            ("ends", "f8"),  # does it end the round?
        ],
    )
)


def write_facts(view, rules, action, facts):
    """Write what can be said of an action."""
    points, cards = 0, 0
    for k in range(CARDS):
        cards += view[AT_UNSEEN + k]
        points += view[AT_UNSEEN + k] * (LOWEST + k if LOWEST + k < STAR else 0)
    facts.hidden = points / max(cards, 1)
    facts.discard, facts.card = view[AT_DISCARD_TOP], view[AT_HAND + max(view[AT_PICKED], 0)]
    if PLACE <= action < FLIP + CELLS:
        cell = (action - PLACE) % CELLS
        facts.old, facts.is_hidden = view[AT_CELLS + cell], view[AT_CELLS + cell] == HIDDEN
        facts.ends = facts.is_hidden and view[at_seats(rules)] == 1 and view[AT_ENDER] == NOBODY
