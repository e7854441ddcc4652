"""The rules of a game: one frozen dataclass with every option, checked when it is made."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property, lru_cache
from typing import Any, ClassVar

from numpy.typing import NDArray

from cardtable.table.checks import brief, check_int, read_number
from cardtable.table.errors import RulesError
from cardtable.table.game.table_rules import LIMITS, TableRules
from skyjo_env.kernel.state import HIGHEST, LOWEST, MAX_DECK, OPTIONS, RULES_DTYPE

Deck = tuple[tuple[int, int], ...]  # (value, how many), by increasing value

SKYJO_DECK: Deck = ((-2, 5), (-1, 10), (0, 15), *((value, 10) for value in range(1, 13)))

# The least and the greatest of every whole-number field.
RANGES = {
    "players": (2, 8),
    "rows": (2, 4),
    "columns": (2, 6),
    "opening_flips": (0, 23),
    "penalty_factor": (1, 10),
    **LIMITS,
}
REICHEL_TEXT = (
    "initial_flip=random first_starter=seat_0 flip_after_discard=none cleared_cards=out_of_play"
    " reveal_clear=false ender_penalty_mode=off max_turns=500 max_rounds=1"
)


@dataclass(frozen=True)
class Rules(TableRules):
    """Everything about a game that can be chosen; the defaults are the official rules. docs/rules/skyjo.md has a clause
    for each.

    Fields can only be combined into games that can be played: anything else raises `RulesError`, which names them.

    >>> Rules(players=4).replace(clear="confirm").changes()
    {'players': 4, 'clear': 'confirm'}
    >>> Rules.from_text("players=3 clear=confirm deck=-1:10,5:50").deck
    ((-1, 10), (5, 50))
    """

    game: ClassVar[str] = "skyjo"
    ranges: ClassVar = RANGES
    options: ClassVar = OPTIONS
    named: ClassVar = {"reichel": REICHEL_TEXT}

    players: int = 2
    rows: int = 3
    columns: int = 4
    deck: Deck = SKYJO_DECK
    opening_flips: int = 2
    initial_flip: str = "choose"
    first_starter: str = "highest_sum"
    start_tie: str = "highest_card_then_lowest_seat"
    next_starter: str = "previous_ender"
    flip_after_discard: str = "mandatory"
    clear: str = "automatic"
    row_clear: bool = False
    cleared_cards: str = "to_discard"
    reshuffle: str = "keep_top"
    draw_streams: bool = False
    final_lap: str = "each_other_once"
    reveal_clear: bool = True
    ender_penalty_mode: str = "strict_lowest_required"
    penalty_factor: int = 2
    penalty_on_negative: bool = False
    target_score: int = 100
    max_turns: int = 1000
    max_rounds: int = 1000

    def __post_init__(self) -> None:
        super().__post_init__()
        object.__setattr__(self, "deck", _checked_deck(self.deck))
        self._check_together()

    def _check_together(self) -> None:
        if self.opening_flips >= self.cells:
            raise RulesError(
                f"opening_flips={self.opening_flips} must be less than the {self.cells} cells of a board "
                f"(rows={self.rows}, columns={self.columns}): the round would be over before it begins"
            )
        needed = self.players * self.cells + 2
        if self.deck_size < needed:
            raise RulesError(
                f"deck has {self.deck_size} cards, but players={self.players}, rows={self.rows}, "
                f"columns={self.columns} need at least {needed}: the boards, one discard and one to draw"
            )

    @property
    def cells(self) -> int:
        """Cells of a board."""
        return self.rows * self.columns

    @property
    def deck_size(self) -> int:
        """Cards in the deck."""
        return sum(count for _, count in self.deck)

    @property
    def values(self) -> range:
        """Every whole number from the lowest card of the deck to the highest."""
        return range(self.deck[0][0], self.deck[-1][0] + 1)

    @property
    def actions(self) -> int:
        """Number of action numbers (26 under the official rules)."""
        return len(action_names(self))

    @classmethod
    def _parse(cls, name: str, text: str) -> Any:
        """A deck is written as `value:how many`, with commas between them."""
        if name == "deck":
            pairs = (pair.split(":") for pair in text.split(","))
            return tuple((int(read_number(int, value)), int(read_number(int, count))) for value, count in pairs)
        return super()._parse(name, text)

    @staticmethod
    def _format(value: Any) -> str:
        if isinstance(value, tuple):
            return ",".join(f"{card}:{count}" for card, count in value)
        return TableRules._format(value)

    @cached_property
    def params(self) -> NDArray[Any]:
        """The rules as the kernel reads them: an array of one record."""
        cards = [value for value, count in self.deck for _ in range(count)]
        numbers = {name: number for number, name in enumerate(action_names(self))}
        words = {"discard_drawn": "discard", "clear_lines": "clear", "keep_lines": "keep"}
        return self._record(
            RULES_DTYPE,
            deck=[*cards, *[0] * (MAX_DECK - len(cards))],
            low=self.values[0],
            values=len(self.values),
            first_flip=numbers["flip 0"],
            **{field: numbers.get(name, -1) for field, name in words.items()},
        )


@lru_cache(maxsize=64)
def action_names(rules: Rules) -> tuple[str, ...]:
    """Return the name of every action number, in order.

    >>> from skyjo_env import OFFICIAL
    >>> action_names(OFFICIAL)[:4], action_names(OFFICIAL)[-1]
    (('draw', 'take', 'place 0', 'place 1'), 'flip 11')
    """
    names = ["draw", "take"]
    names += [f"place {cell}" for cell in range(rules.cells)]
    names += [f"flip {cell}" for cell in range(rules.cells)]
    if rules.flip_after_discard == "none":
        names.append("discard")
    if rules.clear == "confirm":
        names += ["clear", "keep"]
    return tuple(names)


def _checked_deck(deck: Any) -> Deck:
    """Return the deck as sorted pairs; a mapping from value to count is welcome too."""
    pairs = deck.items() if isinstance(deck, Mapping) else deck
    try:
        checked = [_checked_cards(value, count) for value, count in pairs]
    except RulesError:
        raise
    except (TypeError, ValueError):
        raise RulesError(f"deck={brief(deck)} must be pairs (value, count) or a mapping from value to count") from None
    if len({value for value, _ in checked}) != len(checked):
        raise RulesError(f"deck={brief(deck)} names a value twice")
    if sum(count for _, count in checked) > MAX_DECK:
        raise RulesError(f"deck has {sum(count for _, count in checked)} cards, at most {MAX_DECK} are allowed")
    return tuple(sorted(checked))


def _checked_cards(value: Any, count: Any) -> tuple[int, int]:
    checked = check_int("deck value", value, LOWEST, HIGHEST, RulesError)
    return checked, check_int(f"deck count of {checked}", count, 1, MAX_DECK, RulesError)


OFFICIAL = Rules()
"""The rules as printed."""

REICHEL = Rules.from_text("reichel")
"""The model of Reichel (2026): one round of two players, no forced flip, no penalty, nothing cleared at the reveal.

The paper's program differs in one point: there a player may lay a taken discard back, which 4.2 forbids.
"""
