"""Rectangles, and the sizes that pictures may have."""

from itertools import product
from typing import NamedTuple

SMALLEST, LARGEST = (160, 120), (8192, 8192)  # windows: width and height
USUAL_SIZE = (960, 640)


class Rect(NamedTuple):
    """A rectangle of whole pixels, as pygame takes it."""

    left: int
    top: int
    width: int
    height: int


class Pile(NamedTuple):
    """A pile: its top card and the line below it."""

    card: Rect
    caption: Rect


def inset(rect: Rect, by: int) -> Rect:
    """The rectangle without a border of this width; with a negative one, the rectangle and a border."""
    return Rect(rect.left + by, rect.top + by, rect.width - 2 * by, rect.height - 2 * by)


def column_by_column(first: Rect, gap: int, columns: int, rows: int) -> tuple[Rect, ...]:
    """Rectangles as large as the first one, which is the upper left, in columns from top to bottom."""
    right, down = first.width + gap, first.height + gap
    places = product(range(columns), range(rows))
    return tuple(first._replace(left=first.left + x * right, top=first.top + y * down) for x, y in places)


def centred(size: tuple[int, int], place: Rect) -> Rect:
    """A rectangle of this width and height in the middle of a place."""
    width, height = size
    return Rect(place.left + (place.width - width) // 2, place.top + (place.height - height) // 2, width, height)


def card_radius(width: int) -> int:
    """The radius of a card's corners."""
    return max(1, width // 8)
