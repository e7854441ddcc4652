"""Skyjo for pages, and as a seat can write it down as a position (docs/reference/notation.md). See
`skyjo.table.game_text.GameJson`.
"""

import re
from collections.abc import Sequence
from typing import Any

from skyjo.table.game_text import GameJson
from skyjo_env import EMPTY, HIDDEN
from skyjo_env.kernel.state import DRAWN, MAX_CELLS

# What a page without a server must know to read records and observations
CONSTANTS = {"HIDDEN": HIDDEN, "EMPTY": EMPTY, "DRAWN": DRAWN, "MAX_CELLS": MAX_CELLS}


class Documents(GameJson):
    """Skyjo for pages."""

    constants = CONSTANTS

    def seen_lines(self, view: Any, lines: Sequence[str]) -> list[str]:
        """Return the lines without the values of hidden cards, and of a drawn card that only another seat sees."""
        seen = [re.sub(r"\?-?\d+", "?", line) for line in lines]
        if view.hand == HIDDEN:
            seen[-1] = re.sub(r" -?\d+$", " ?", seen[-1])
        return seen
