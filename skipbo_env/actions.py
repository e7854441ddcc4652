"""The action numbers and their names: the one declaration of section 7 of docs/rules/skipbo.md."""

from __future__ import annotations

from typing import TYPE_CHECKING

from cardtable.table.checks import brief
from skipbo_env.kernel.state import CARDS, PLACES, WILD

if TYPE_CHECKING:
    from skipbo_env.rules import Rules


def card_name(card: int) -> str:
    """A card as it is written: its rank, or w for a wild card."""
    return "w" if card == WILD else str(card)


def card_number(name: str) -> int:
    """The card that is written so; ValueError for anything else."""
    if name == "w":
        return WILD
    if not (name.isdecimal() and name.isascii() and 1 <= int(name) < WILD):
        raise ValueError(f"{brief(name)} is not a card: write 1 to 12, or w for a wild card")
    return int(name)


ACTION_NAMES = (
    *(f"stock to {place}" for place in range(PLACES)),
    *(f"hand {card_name(card)} to {place}" for card in range(1, CARDS + 1) for place in range(PLACES)),
    *(f"pile {pile} to {place}" for pile in range(PLACES) for place in range(PLACES)),
    *(f"discard {card_name(card)} on {pile}" for card in range(1, CARDS + 1) for pile in range(PLACES)),
    "pass",
)
NUMBERS = {name: number for number, name in enumerate(ACTION_NAMES)}


def action_names(rules: Rules) -> tuple[str, ...]:
    """The name of every action number, in order; the same under all rules.

    >>> from skipbo_env import OFFICIAL
    >>> action_names(OFFICIAL)[0], action_names(OFFICIAL)[55], action_names(OFFICIAL)[-1]
    ('stock to 0', 'hand w to 3', 'pass')
    """
    del rules
    return ACTION_NAMES


def actions_in_words(rules: Rules) -> str:
    """All actions, for error messages."""
    del rules
    return (
        "stock to PLACE, hand CARD to PLACE, pile PILE to PLACE, discard CARD on PILE and pass, "
        "with places and piles from 0 to 3 and cards 1 to 12 or w"
    )
