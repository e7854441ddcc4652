"""Reasons for a decision, as numbers from its seat's observation, which `phrases.toml` puts into words. Pages run this
code, too: it is compiled with the kernel.
"""

from typing import Any

import numpy as np

from skyjo_env.kernel.state import EMPTY, FIRST_PLACE, HIDDEN, NOBODY
from skyjo_env.kernel.view import AT_CELLS, AT_DISCARD_TOP, AT_ENDER, AT_HAND, at_pools, at_seats

FACTS: np.dtype[Any] = np.dtype(
    (
        np.record,
        [
            ("hidden", "f8"),  # what a hidden card is worth on average
            ("drawn", "f8"),  # the same of the next draw
            ("has_discard", "f8"),
            ("discard", "f8"),
            ("card", "f8"),  # in hand
            # Of an action with a cell
            ("is_hidden", "f8"),
            ("old", "f8"),  # the card that lies there
            ("completes", "f8"),  # does the card in hand complete a line?
            ("beside", "f8"),  # does it lie in a line with another of its value?
            ("ends", "f8"),  # does it end the round?
        ],
    )
)


def write_facts(view, rules, action, facts):
    """Write what can be said of an action."""
    means = np.zeros(2)
    for pool in range(2):
        first, cards = at_pools(rules) + pool * rules.values, 0
        for k in range(rules.values):
            cards += view[first + k]
            means[pool] += view[first + k] * (rules.low + k)
        means[pool] /= max(cards, 1)
    facts.hidden, facts.drawn = means[0], means[1]
    facts.discard, facts.has_discard = view[AT_DISCARD_TOP], view[AT_DISCARD_TOP] != EMPTY
    facts.card = view[AT_HAND]
    if not FIRST_PLACE <= action < rules.first_flip + rules.cells:
        return
    cell = (action - FIRST_PLACE) % rules.cells
    facts.old, facts.is_hidden = view[AT_CELLS + cell], view[AT_CELLS + cell] == HIDDEN
    facts.ends = facts.is_hidden and view[at_seats(rules)] == 1 and view[AT_ENDER] == NOBODY
    row = cell % rules.rows
    for is_row in range(1 + rules.row_clear):  # the cell's column, and its row if that can be cleared
        first, step, length = (row, rules.rows, rules.columns) if is_row else (cell - row, 1, rules.rows)
        same = 0
        for other in range(first, first + step * length, step):
            same += other != cell and view[AT_CELLS + other] == view[AT_HAND]
        facts.beside = max(facts.beside, same > 0)
        facts.completes = max(facts.completes, 0 < same == length - 1)
