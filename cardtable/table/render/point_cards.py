"""Numbered cards that cost what they say, as several games have them: their classes, colours and texts."""

# By class of card: dark blue, light blue, green, yellow, red; the ink on each, and the same as terminal codes:
# background and ink from the 256 colours.
CARD_COLOURS = ((40, 58, 134), (122, 198, 234), (60, 146, 76), (244, 202, 62), (204, 58, 56))
_WHITE, _NAVY, _BROWN = (255, 255, 255), (20, 42, 84), (66, 48, 8)
CARD_INKS = (_WHITE, _NAVY, _WHITE, _BROWN, _WHITE)
CARD_CODES = ("48;5;18;38;5;231", "48;5;117;38;5;17", "48;5;34;38;5;231", "48;5;220;38;5;16", "48;5;160;38;5;231")
HIDDEN_CODE, EMPTY_CODE, BOLD = "48;5;240;38;5;252", "38;5;244", "1"


def card_class(card: int) -> int:
    """The colour of a card as printed: 0 below zero, 1 zero, 2 to 4, 3 to 8, 4 beyond."""
    return sum(card > limit for limit in (-1, 0, 4, 8))


def number_text(card: int) -> str:
    """A card's number with a real minus sign, which is as wide as a digit."""
    return str(card).replace("-", "−")
