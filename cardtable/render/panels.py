"""Piles with captions, and panels of seats with a line of text above and below the cards. It imports pygame."""

from collections.abc import Collection, Sequence
from typing import NamedTuple

from cardtable.render import brush
from cardtable.render.brush import DIM, GOLD, INK, draw_card, draw_panel, fit_text, pygame
from cardtable.render.rects import Pile, Rect

USUAL_LINE = "round 100   total 100"  # fits in any case, so that text keeps its size from picture to picture

Ends = tuple[str, str]  # the words at the left and at the right of a line


class ShownPile(NamedTuple):
    """What a pile shows."""

    place: Pile
    image: pygame.Surface | None  # None where no card lies
    caption: str
    is_marked: bool


def draw_piles(surface: pygame.Surface, piles: Sequence[ShownPile], usual: str) -> None:
    """All piles; text is of one size, with which the usual caption fits too."""
    line = piles[0].place.caption
    size = fit_text((usual, *(pile.caption for pile in piles)), line.width, line.height)
    for place, image, caption, is_marked in piles:
        draw_card(surface, place.card, image, is_marked)
        brush.write(surface, caption, place.caption, size, DIM if image is None else INK, 0.5)


def draw_seats(
    surface: pygame.Surface,
    panels: Sequence[tuple[Rect, Rect, Rect]],
    lines: Sequence[tuple[Ends, Ends]],
    bright: Collection[int],
) -> None:
    """The frame of every seat with its name and note, and its points and total; text is of one size in all of them."""
    line = panels[0][1]
    texts = ("   ".join(ends) for seat_lines in lines for ends in seat_lines)
    size = fit_text((USUAL_LINE, *texts), line.width, line.height)
    for seat, ((frame, upper, lower), (name, points)) in enumerate(zip(panels, lines, strict=True)):
        draw_panel(surface, frame, upper.left - frame.left, seat in bright)
        ink = GOLD if seat in bright else INK
        brush.write_ends(surface, name, upper, size, (ink, ink))
        brush.write_ends(surface, points, lower, size, (INK, INK))
