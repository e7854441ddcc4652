"""The rules of a game, one frozen dataclass with every option, and the names of cards and actions (section 7)."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from cardtable.table.checks import brief, check_int
from cardtable.table.errors import RulesError, TableError
from cardtable.table.game.table_rules import LIMITS, TableRules
from skipbo_env.kernel import ACTIONS, CARDS, DECK, HAND, MAX_PLAYERS, OPTIONS, PLACES, RULES_DTYPE, WILD

# The least and the greatest of every whole-number field.
RANGES = {"players": (2, MAX_PLAYERS), **LIMITS}
STOCKS = (1, 30)
USUAL_STOCK, CROWDED_STOCK = 30, 20  # for two to four players, and for more (1.5)
CROWD = 5


@dataclass(frozen=True)
class Rules(TableRules):
    """Everything about a game that can be chosen; the defaults are the official rules. docs/rules/skipbo.md has a
    clause for each.

    Fields can only be combined into games that can be played: anything else raises `RulesError`, which names them.

    >>> Rules(players=4).replace(view="tops").changes()
    {'players': 4, 'view': 'tops'}
    >>> Rules(players=5).stock_size
    20
    >>> Rules.from_text("players=3 compulsory=true").compulsory
    True
    """

    game: ClassVar[str] = "skipbo"
    ranges: ClassVar = RANGES
    options: ClassVar = OPTIONS

    players: int = 2
    stock: int | None = None
    first_starter: str = "seat_0"
    next_starter: str = "rotate"
    refill: str = "at_once"
    compulsory: bool = False
    discard_wild: bool = True
    recycle: str = "when_needed"
    recycled_wild: str = "wild"
    no_cards: str = "play_on"
    blocked: str = "draw"
    view: str = "table"
    symmetric: str = "all"
    target_score: int = 500
    max_turns: int = 3000
    max_rounds: int = 1000

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.stock is not None:
            object.__setattr__(self, "stock", check_int("stock", self.stock, *STOCKS, RulesError))
        needed = self.players * (self.stock_size + HAND)
        if needed > DECK:
            raise RulesError(
                f"stock={self.stock_size} is too large for players={self.players}: the stock piles and {HAND} hand "
                f"cards of each player need {needed} cards, and the deck has {DECK}; "
                f"at most stock={DECK // self.players - HAND}"
            )

    @property
    def stock_size(self) -> int:
        """The cards that are dealt to a stock pile (1.5)."""
        if self.stock is not None:
            return self.stock
        return USUAL_STOCK if self.players < CROWD else CROWDED_STOCK

    @property
    def actions(self) -> int:
        """Number of action numbers: 125 under all rules."""
        return ACTIONS

    @classmethod
    def _example(cls, name: str) -> Any:
        return USUAL_STOCK if name == "stock" else super()._example(name)

    @cached_property
    def params(self) -> NDArray[Any]:
        """The rules as the kernel reads them: an array of one record."""
        visible = OPTIONS["view"].index(self.view)
        room = DECK - self.players
        return self._record(RULES_DTYPE, stock=self.stock_size, visible=visible, discard_room=room)


OFFICIAL = Rules()
"""The rules as printed."""

STRITTMATTER = Rules(stock=30, view="own", max_rounds=1)
"""The model of Strittmatter's paper: two players, one round, and each sees the tops of their own piles alone."""


def card_name(card: int) -> str:
    """Return a card as it is written: its rank, or w for a wild card."""
    return "w" if card == WILD else str(card)


def card_number(name: str) -> int:
    """Return the card that is written so; ValueError for anything else."""
    if name == "w":
        return WILD
    if not (name.isdecimal() and name.isascii() and 1 <= int(name) < WILD):
        raise ValueError(f"{brief(name)} is not a card: write 1 to 12, or w for a wild card")
    return int(name)


def card_array(rules: Rules, cards: Sequence[int]) -> NDArray[np.int64]:
    """Return cards as the kernel takes them; TableError if they cannot be given under these rules."""
    if rules.view != "table":
        raise TableError(
            f"with view={rules.view!r} a seat sees too little to say which cards may come; use view='table'"
        )
    return np.array([check_int("card", card, 1, CARDS) for card in cards], np.int64)


ACTION_NAMES = (
    *(f"stock to {place}" for place in range(PLACES)),
    *(f"hand {card_name(card)} to {place}" for card in range(1, CARDS + 1) for place in range(PLACES)),
    *(f"pile {pile} to {place}" for pile in range(PLACES) for place in range(PLACES)),
    *(f"discard {card_name(card)} on {pile}" for card in range(1, CARDS + 1) for pile in range(PLACES)),
    "pass",
)
NUMBERS = {name: number for number, name in enumerate(ACTION_NAMES)}


def action_names(rules: Rules) -> tuple[str, ...]:
    """Return the name of every action number, in order; the same under all rules.

    >>> from skipbo_env import OFFICIAL
    >>> action_names(OFFICIAL)[0], action_names(OFFICIAL)[55], action_names(OFFICIAL)[-1]
    ('stock to 0', 'hand w to 3', 'pass')
    """
    del rules
    return ACTION_NAMES
