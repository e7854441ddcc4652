"""What cards look like, as plain values: colours, texts and signs. Nothing is drawn here."""

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
    """The colour, lightened by this share of the way to white, or darkened if it is negative."""
    goal = 255 if share > 0 else 0
    red, green, blue = (round(part + (goal - part) * abs(share)) for part in colour)
    return red, green, blue


def plain_look(colour: Colour, ink: Colour) -> CardLook:
    """A card of one colour, whose facets are a little lighter."""
    light = shade(colour, 0.12)
    return CardLook(colour, (light, light, light, light), ink)
