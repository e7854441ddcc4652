"""The rules of a game: one frozen dataclass with every option, checked when it is made."""

from dataclasses import dataclass
from functools import cached_property
from typing import Any, ClassVar

from numpy.typing import NDArray

from cardtable.table.checks import whole_number
from cardtable.table.errors import RulesError
from cardtable.table.game.table_rules import LIMITS, TableRules
from skipbo_env.kernel.state import ACTIONS, DECK, HAND, MAX_PLAYERS, OPTIONS, RULES_DTYPE

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
            object.__setattr__(self, "stock", whole_number("stock", self.stock, *STOCKS, RulesError))
        needed = self.players * (self.stock_size + HAND)
        if needed > DECK:
            raise RulesError(
                f"stock={self.stock_size} is too large for players={self.players}: the stock piles and {HAND} hand "
                f"cards for everybody need {needed} cards, and the deck has {DECK}; "
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
        """How many action numbers there are: 125 under all rules."""
        return ACTIONS

    @classmethod
    def _example(cls, name: str) -> Any:
        return USUAL_STOCK if name == "stock" else super()._example(name)

    @cached_property
    def params(self) -> NDArray[Any]:
        """The rules as the kernel reads them: an array of one record."""
        visible = OPTIONS["view"].index(self.view)
        return self._record(RULES_DTYPE, stock=self.stock_size, visible=visible)


OFFICIAL = Rules()
"""The rules as printed."""

STRITTMATTER = Rules(stock=30, view="own", max_rounds=1)
"""The model of Strittmatter's paper: two players, one round, and each sees the tops of their own piles alone."""
