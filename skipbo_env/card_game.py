"""Skip-Bo as seen by everything that plays, stores, measures and reports: the one place where they meet."""

from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from cardtable.card_game import Luck, Setup, Trace
from cardtable.rounds import Rounds
from cardtable.table_card_game import TableCardGame
from skipbo_env import kernel, measuring
from skipbo_env.agents import REGISTRY
from skipbo_env.kernel.state import EPISODES
from skipbo_env.measuring.luck_terms import WEIGHTS
from skipbo_env.measuring.replaying import replayed
from skipbo_env.measuring.tables import SkipboTables
from skipbo_env.record import FORMAT
from skipbo_env.rules import Rules

LUCK_EXPLAINED = (
    "Every stock card turned up and every card drawn is compared with the mean of all cards it could have been: "
    "how soon it can be played, and whether it is a wild card."
)
TRACES = (
    Trace("completed", "piles", "piles completed", 1.0, False, "Whoever plays its 12 completes a pile."),
    Trace("wilds", "wilds laid", "wild cards discarded", 1.0, True, "A discarded wild card stays wild."),
    Trace("stock_left", "stock left", "stock cards left", 1.0, False, "The stock cards are those left at the end."),
    Trace("turns_taken", "own turns", "turns taken", 1.0, False, "Turns of this player, including the last one."),
    Trace("blocked", "blocked", "blocked", 1.0, True, "A round is blocked when nobody can ever move again.", True),
)


class SkipboGame(TableCardGame):
    """See `cardtable.card_game.CardGame`."""

    name, title = "skipbo", "Skip-Bo"
    record_format = FORMAT
    episodes: tuple[str, ...] = EPISODES
    lower_is_better = False
    yardstick = "greedy:pile=smallest"  # the simplest player that uses all four discard piles
    agents = REGISTRY
    luck: Luck | None = Luck(("turned_up", "drew", "wilds"), WEIGHTS, LUCK_EXPLAINED)
    action_type: np.dtype[Any] = np.dtype(np.uint8)
    sources: tuple[Path, ...] = (Path(kernel.__file__).parent, Path(measuring.__file__).parent)

    def traces(self, rules: Rules) -> tuple[Trace, ...]:
        """What the rounds leave behind, under all rules."""
        del rules
        return TRACES

    def stopped(self, rules: Rules) -> str:
        """When a round is stopped (5.5)."""
        return f"after {rules.max_turns:,} turns"

    def deal(self, setup: Setup, deals: range) -> SkipboTables:
        """Tables with these deals."""
        return SkipboTables(setup, deals)

    def replay(self, setup: Setup, deals: range, lengths: NDArray[np.int64], actions: NDArray[np.uint8]) -> Rounds:
        """The results of stored actions."""
        return replayed(setup, deals, lengths, actions)


SKIPBO = SkipboGame()
