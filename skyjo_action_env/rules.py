"""The rules of a game, one frozen dataclass with every option, and the numbers and names of its actions."""

from dataclasses import dataclass
from functools import cached_property, lru_cache
from typing import Any, ClassVar

from numpy.typing import NDArray

from cardtable.table.game.table_rules import LIMITS, TableRules
from skyjo_action_env import kernel as state
from skyjo_action_env.kernel import CELLS, HAND, KINDS, LINES, MAX_PLAYERS, NO_CARD, OPTIONS, PLACES, RULES_DTYPE

# The least and the greatest value of every whole-number field.
RANGES = {"players": (2, MAX_PLAYERS), **LIMITS}


@dataclass(frozen=True)
class Rules(TableRules):
    """Everything about a game that can be chosen; the defaults are the preset `ACTION`. docs/rules/skyjo_action.md has
    a clause for each.

    >>> Rules(players=4).replace(star_claim="must").changes()
    {'players': 4, 'star_claim': 'must'}
    >>> Rules.from_text("players=3 short_rows=false").short_rows
    False
    """

    game: ClassVar[str] = "skyjo_action"
    ranges: ClassVar = RANGES
    options: ClassVar = OPTIONS

    players: int = 2
    action_deck: str = "all"
    action_discard_start: str = "empty"
    opening_star: bool = True
    delay_counts_extra_moves: bool = True
    final_lap_take: bool = True
    star_claim: str = "may"
    star_source: str = "open"
    star_clear: str = "owner_decides"
    star_lines: str = "stay"
    short_rows: bool = True
    both_lines: str = "union"
    line_order: str = "stars_first"
    foreign_clear: str = "at_once"
    reveal_star_clear: str = "best"
    three_order: str = "owner_chooses"
    defence: str = "automatic"
    removed_to: str = "bottom"
    remove_action_cards: bool = False
    replay: str = "top"
    ender: str = "who_caused"
    action_reshuffle: str = "keep_top"
    target_score: int = 100
    max_turns: int = 1000
    max_rounds: int = 1000

    @property
    def first_line(self) -> int:
        """The first action number of a line (10.3)."""
        return state.CHOOSE + CELLS * self.players

    @property
    def first_card(self) -> int:
        """The first action number of a card of three (10.3)."""
        return self.first_line + LINES * self.players

    @property
    def actions(self) -> int:
        """Number of action numbers: 58 + 19 for every player."""
        return self.first_card + NO_CARD + 5

    @cached_property
    def params(self) -> NDArray[Any]:
        """The rules as the kernel reads them: an array of one record."""
        clear_line = self.first_card + NO_CARD + 1
        return self._record(RULES_DTYPE, clear_line=clear_line, defend=clear_line + 2)


ACTION = Rules()
"""The whole game, in our reading of it (docs/rules/skyjo_action.md)."""

ACTION_CORE = Rules(action_deck="certain")
"""Without the three kinds of action cards whose texts are not certain."""


def card_name(card: int) -> str:
    """Return a card as it is written."""
    return {state.STAR: "*", state.HIDDEN: "?", state.EMPTY: "."}.get(int(card), str(card))


# Actions: the one declaration of section 10


@lru_cache(maxsize=64)
def action_names(rules: Rules) -> tuple[str, ...]:
    """Return the name of every action number, in order.

    >>> from skyjo_action_env import ACTION
    >>> names = action_names(ACTION)
    >>> names[:3], names[26], names[32], names[50], names[-4:]
    (('draw', 'take', 'place 0'), 'open 0', 'play double', 'cell 0 of 0', ('clear', 'keep', 'defend', 'allow'))
    """
    seats = range(rules.players)
    return (
        "draw",
        "take",
        *(f"place {cell}" for cell in range(CELLS)),
        *(f"flip {cell}" for cell in range(CELLS)),
        *(f"open {place}" for place in range(PLACES)),
        "pile",
        "pass",
        *(f"play {kind}" for kind in KINDS),
        *(f"discard {kind}" for kind in KINDS),
        *(f"cell {cell} of {seat}" for seat in seats for cell in range(CELLS)),
        *(f"line {line} of {seat}" for seat in seats for line in range(LINES)),
        *(f"card {k}" for k in range(HAND)),
        "none",
        "clear",
        "keep",
        "defend",
        "allow",
    )
