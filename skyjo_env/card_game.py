"""Skyjo as seen by everything that plays, stores, measures and reports: the one place where they meet."""

from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from cardtable.card_game import Luck, Setup, Trace
from cardtable.rounds import Rounds
from cardtable.table_card_game import TableCardGame
from skyjo_env import kernel, measuring
from skyjo_env.agents import REGISTRY
from skyjo_env.kernel.state import EPISODES
from skyjo_env.measuring.luck_terms import WEIGHTS
from skyjo_env.measuring.replaying import replayed
from skyjo_env.measuring.tables import SkyjoTables
from skyjo_env.record import FORMAT
from skyjo_env.rules import Rules

LUCK_EXPLAINED = "Every card drawn or turned up is compared with the mean of all cards it could have been."


class SkyjoGame(TableCardGame):
    """See `cardtable.card_game.CardGame`."""

    name, title = "skyjo", "Skyjo"
    record_format = FORMAT
    episodes: tuple[str, ...] = EPISODES
    lower_is_better = True
    yardstick = "threshold:t=2,columns=true"  # the best player of Reichel (2026)
    agents = REGISTRY
    luck: Luck | None = Luck(("turned_up", "drew", "given"), WEIGHTS, LUCK_EXPLAINED)
    action_type: np.dtype[Any] = np.dtype(np.uint8)
    sources: tuple[Path, ...] = (Path(kernel.__file__).parent, Path(measuring.__file__).parent)

    def traces(self, rules: Rules) -> tuple[Trace, ...]:
        """The cells that were cleared: whole columns, unless rows are cleared too."""
        if rules.row_clear:
            explained = "A column or row of equal cards is cleared, and then scores nothing."
            return (Trace("cleared", "cells cleared", "cells cleared", 1.0, False, explained),)
        explained = "A column of equal cards is cleared, and then scores nothing."
        return (Trace("cleared", "cells cleared", "columns cleared", 1 / rules.rows, True, explained),)

    def stopped(self, rules: Rules) -> str:
        """When a round is stopped (7.8)."""
        return f"after {rules.max_turns:,} turns"

    def deal(self, setup: Setup, deals: range) -> SkyjoTables:
        """Tables with these deals."""
        return SkyjoTables(setup, deals)

    def replay(self, setup: Setup, deals: range, lengths: NDArray[np.int64], actions: NDArray[np.uint8]) -> Rounds:
        """The results of stored actions."""
        return replayed(setup, deals, lengths, actions)


SKYJO = SkyjoGame()
