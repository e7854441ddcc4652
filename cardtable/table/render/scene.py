"""What a picture of a table shows, as a list of things in their places; `brush` paints it, `svg_picture` writes it.

Every game has a module `render.scene` that makes one of a table.
"""

from collections.abc import Collection, Iterator, Sequence
from typing import Literal, NamedTuple

from cardtable.table.render.faces import Image, Sign
from cardtable.table.render.seating import Bands, Pile, Rect

USUAL_LINE = "round 100   total 100"  # fits in any case, so that text keeps its size from picture to picture

Tone = Literal["ink", "dim", "gold"]
Ends = tuple[str, str]  # the words at the left and at the right of a line


class Words(NamedTuple):
    """A line of text at the left (align 0), in the middle (0.5) or at the right (1) of its place."""

    text: str
    place: Rect
    fits: tuple[str, ...]  # it is as large as all of these texts allow in this place
    tone: Tone = "ink"
    align: float = 0.0


class Panel(NamedTuple):
    """The panel of a seat: bright if it is the seat to move or has won."""

    place: Rect
    radius: int
    is_bright: bool


class Ground(NamedTuple):
    """A part of a panel that is a little lighter."""

    place: Rect
    radius: int


class Card(NamedTuple):
    """A card, or the outline of an empty place, with a mark around it if the last move touched it."""

    place: Rect
    image: Image
    is_marked: bool = False


class Corner(NamedTuple):
    """A golden sign on a card."""

    place: Rect
    sign: Sign


Thing = Words | Panel | Ground | Card | Corner


class Scene(NamedTuple):
    """A picture: its width and height, and what is in it, in the order in which it is drawn."""

    size: tuple[int, int]
    things: tuple[Thing, ...]


class Telling(NamedTuple):
    """What to call the seats, and what to say of the last move; None for what every picture says."""

    names: tuple[str, ...] | None = None
    happened: str | None = None

    def name(self, seat: int) -> str:
        """A seat's name at the beginning of a line."""
        return f"Seat {seat}" if self.names is None else self.names[seat]

    def seat(self, seat: int) -> str:
        """The same within a line."""
        return f"seat {seat}" if self.names is None else self.names[seat]


UNTOLD = Telling()


class ShownPile(NamedTuple):
    """What a pile shows."""

    place: Pile
    image: Image
    caption: str
    is_marked: bool


def word_lines(bands: Bands, words: tuple[str, str, str], telling: Telling) -> Iterator[Thing]:
    """Headline, details and last move in their places; the details lie below the headline or at the right."""
    headline, details, last_move = bands[:3]
    yield Words(words[0], headline, (words[0],), "gold")
    yield Words(words[1], details, (words[1],), "dim", float(details.left > headline.left))
    if words[2]:
        yield Words(words[2], last_move, (words[2],), "dim" if telling.happened is None else "ink")


def pile_things(piles: Sequence[ShownPile], usual: str) -> Iterator[Thing]:
    """All piles; text is of one size, with which the usual caption fits too."""
    fits = usual, *(pile.caption for pile in piles)
    for place, image, caption, is_marked in piles:
        yield Card(place.card, image, is_marked)
        yield Words(caption, place.caption, fits, "dim" if image is None else "ink", 0.5)


def seat_things(
    panels: Sequence[tuple[Rect, Rect, Rect]], lines: Sequence[tuple[Ends, Ends]], bright: Collection[int]
) -> Iterator[Thing]:
    """The frame of every seat with its name and note, and its points and total; text is of one size in all of them."""
    fits = USUAL_LINE, *("   ".join(ends) for seat_lines in lines for ends in seat_lines)
    for seat, ((frame, upper, lower), (name, points)) in enumerate(zip(panels, lines, strict=True)):
        yield Panel(frame, upper.left - frame.left, seat in bright)
        yield from line_ends(
            name, upper, fits, "gold" if seat in bright else "ink", "gold" if seat in bright else "ink"
        )
        yield from line_ends(points, lower, fits)


def line_ends(
    ends: Ends, place: Rect, fits: tuple[str, ...], left: Tone = "ink", right: Tone = "ink"
) -> Iterator[Thing]:
    """A word at the left of a place and one at its right."""
    yield Words(ends[0], place, fits, left)
    yield Words(ends[1], place, fits, right, 1.0)
