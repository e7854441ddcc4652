"""Skyjo Action for pages, and as a seat can write it down as a position (docs/reference/notation.md). See
`skyjo.table.game_text.GameJson`.
"""

import re
from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from skyjo.table.game_text import GameJson
from skyjo_action_env import EMPTY, HIDDEN, KINDS, Rules
from skyjo_action_env.card_game import spec_of
from skyjo_action_env.kernel import CELLS, LOWEST, TAKEN

# What a page without a server must know to read records and observations
CONSTANTS = {"EMPTY": EMPTY, "CELLS": CELLS, "KINDS": KINDS, "TAKEN": TAKEN}


class Documents(GameJson):
    """Skyjo Action for pages."""

    constants = CONSTANTS
    unseen = GameJson.unseen | {"action_pile"}

    def public(self, rules: Rules, observation: NDArray[Any]) -> NDArray[Any]:
        """Return an observation without the hidden cards that its seat alone knows (12.2)."""
        seen = observation.copy()
        view = spec_of(rules).view(seen)
        np.add.at(view.unseen, view.known[view.known != EMPTY] - LOWEST, 1)
        view.known[:] = EMPTY
        return seen

    def seen_lines(self, view: Any, lines: Sequence[str]) -> list[str]:
        """Return the lines without the values of hidden cards that the seat does not know.

        Discards come by value, the top one last, as an observation only counts them. There are none after a reshuffle
        while a card of a layout, a hand or the discard pile is unknown. A position cannot say which of the unknown
        cards are known to be in the draw pile (12.3).
        """
        knows = (view.known != EMPTY).any()

        def hidden(found: re.Match[str]) -> str:
            return found[0] if knows and str(view.seat) in found["knowers"] else f"?{found['knowers']}"

        seen = [re.sub(r"\?(-?\d+|\*)(?P<knowers>(@[\d,]+)?)", hidden, line) for line in lines]
        if HIDDEN in view.hand:
            words = seen[-1].split(" ")  # seat, its number, the phase, and the cards in hand
            seen[-1] = " ".join([*words[:3], *("." if card == "." else "?" for card in words[3:])])
        is_unsure = any(re.search(r"\?(?![-\d*])", line) for line in seen)
        return [] if "reshuffles" in {line.split(" ")[0] for line in seen} and is_unsure else seen
