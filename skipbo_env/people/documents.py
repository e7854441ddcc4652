"""Skip-Bo for pages, and as a seat can write it down as a position (docs/reference/notation.md). See
`skyjo.table.game_text.GameJson`.
"""

import re
from collections.abc import Sequence
from typing import Any

from numpy.typing import NDArray

from skipbo_env import Rules
from skipbo_env.card_game import spec_of
from skipbo_env.kernel import HAND, NONE, RANKS, UNSEEN, VIEW_TABLE
from skyjo.table.game_text import GameJson

# What a page without a server must know to read records and observations
CONSTANTS = {"NONE": NONE, "RANKS": RANKS, "HAND": HAND, "VIEW_TABLE": VIEW_TABLE}


class Documents(GameJson):
    """Skip-Bo for pages."""

    constants = CONSTANTS
    unseen = GameJson.unseen | {"newer", "doubtful", "odds"}  # a position has no place for what only one seat knows

    def public(self, rules: Rules, observation: NDArray[Any]) -> NDArray[Any]:
        """Return an observation without its seat's hand, and without the tops of piles that it alone sees (8.2)."""
        seen = observation.copy()
        view = spec_of(rules).view(seen)
        if rules.view == "table":
            view.doubtful -= view.hand_counts
        view.hand[:] = NONE
        view.hand_counts[:] = 0
        if rules.view == "own":
            for tops in (view.stock_tops[:1], view.discard_tops[0]):
                tops[tops != NONE] = UNSEEN
        return seen

    def seen_lines(self, view: Any, lines: Sequence[str]) -> list[str]:
        """Return the lines without cards in stock piles, except for the top ones, and in the hands of others."""
        seen = [re.sub(r" \w+(?= )", " ?", line) if line.startswith("stock") else line for line in lines]
        hands = [place for place, line in enumerate(lines) if line.startswith("hand")]
        for place in {*hands} - {hands[view.seat]}:
            seen[place] = re.sub(r" \w+", " ?", seen[place])
        return seen
