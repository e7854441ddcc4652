"""The look of cards as plain values: colours, texts and signs, and the numbered cards that several games share. No code
here draws.
"""

from typing import NamedTuple

Colour = tuple[int, int, int]
Sign = tuple[tuple[tuple[float, float], ...], ...]  # polygons, in tenths of a sign's width and height

WHITE, IVORY, SLATE = (255, 255, 255), (246, 243, 232), (58, 66, 88)


class CardLook(NamedTuple):
    """The colours of an open card."""

    colour: Colour
    facets: tuple[Colour, Colour, Colour, Colour]  # the triangles at its top, right, bottom and left
    ink: Colour
    disc: Colour | None = None  # behind the text, where the facets alone would make it hard to read


class Face(NamedTuple):
    """An open card: its text, or a sign with the text as a word below it."""

    look: CardLook
    text: str
    texts: tuple[str, ...]  # all texts of the deck: each is as large as all of them allow
    sign: Sign = ()
    strip: int = 0  # height of the part that will be seen, at the top, if another card lies on it


class Back(NamedTuple):
    """A card that lies face down."""

    colours: tuple[Colour, ...]  # of its diamond


Image = Face | Back | None  # None where no card lies


def shade(colour: Colour, share: float) -> Colour:
    """Return the colour, lightened by this share of the way to white, or darkened if it is negative."""
    goal = 255 if share > 0 else 0
    red, green, blue = (round(part + (goal - part) * abs(share)) for part in colour)
    return red, green, blue


def plain_look(colour: Colour, ink: Colour) -> CardLook:
    """Return a card of one colour, whose facets are a little lighter."""
    light = shade(colour, 0.12)
    return CardLook(colour, (light, light, light, light), ink)


# By class of card: dark blue, light blue, green, yellow, red; the ink on each, and the same as terminal codes:
# background and ink from the 256 colours.
CARD_COLOURS = ((40, 58, 134), (122, 198, 234), (60, 146, 76), (244, 202, 62), (204, 58, 56))
_WHITE, _NAVY, _BROWN = (255, 255, 255), (20, 42, 84), (66, 48, 8)
CARD_INKS = (_WHITE, _NAVY, _WHITE, _BROWN, _WHITE)
CARD_CODES = ("48;5;18;38;5;231", "48;5;117;38;5;17", "48;5;34;38;5;231", "48;5;220;38;5;16", "48;5;160;38;5;231")
HIDDEN_CODE, EMPTY_CODE, BOLD = "48;5;240;38;5;252", "38;5;244", "1"


def card_class(card: int) -> int:
    """Return the colour of a card as printed: 0 below zero, 1 zero, 2 to 4, 3 to 8, 4 beyond."""
    return sum(card > limit for limit in (-1, 0, 4, 8))


def number_text(card: int) -> str:
    """Return a card's number with a real minus sign, which is as wide as a digit."""
    return str(card).replace("-", "−")


CARD_LOOKS = tuple(plain_look(colour, ink) for colour, ink in zip(CARD_COLOURS, CARD_INKS, strict=True))
POINT_BACK = Back(CARD_COLOURS[1:])


def point_face(card: int, lowest: int, highest: int) -> Face:
    """Return an open card of a deck that goes from a lowest to a highest number."""
    return Face(CARD_LOOKS[card_class(card)], number_text(card), (number_text(lowest), number_text(highest)))
