"""The layout of a picture of a table: rectangles only, nothing is drawn here."""

from dataclasses import dataclass
from functools import lru_cache
from typing import NamedTuple

from cardtable.table.render.rects import Pile, Rect, column_by_column
from cardtable.table.render.seating import Sizes, bands, best_arrangement, place_piles, place_seats

PILE_GRIDS = ((1, 3), (3, 1))


class Panel(NamedTuple):
    """The panel of one seat; everything lies inside the frame."""

    frame: Rect
    name: Rect
    cells: tuple[Rect, ...]  # by cell number (docs/rules/skyjo.md 1.3)
    total: Rect


@dataclass(frozen=True)
class Layout:
    """Everything in a picture. Nothing overlaps and nothing leaves the window; all cards are of one size."""

    headline: Rect  # who decides
    details: Rect  # round, turn, final lap
    last_move: Rect
    draw_pile: Pile
    discard: Pile
    hand: Pile
    seats: tuple[Panel, ...]


@lru_cache(maxsize=64, typed=True)
def arrange(players: int, rows: int, columns: int, width: int, height: int) -> Layout:
    """The layout of a table that makes the cards as large as the window allows.

    The seats go clockwise around the piles. Raises TableError for a window smaller than `SMALLEST` or beyond `LARGEST`.
    """
    given = bands(width, height)

    def sizes_of(card: int) -> Sizes:
        return _sizes(card, rows, columns, given.text)

    card, arrangement = best_arrangement(players, PILE_GRIDS, sizes_of, given)
    sizes = sizes_of(card)
    frames, room = place_seats(arrangement, sizes, given)
    draw_pile, discard, hand = place_piles(room, card, PILE_GRIDS, sizes_of)
    panels = tuple(_panel(frame, sizes, rows, columns) for frame in frames)
    return Layout(given.headline, given.details, given.last_move, draw_pile, discard, hand, panels)


def _sizes(card: int, rows: int, columns: int, text: int) -> Sizes:
    card_height = card * 7 // 5
    gap, pad = max(1, card // 10), max(3, card // 7)
    line = max(7, min(card * 9 // 20, text))
    width = columns * card + (columns - 1) * gap + 2 * pad
    height = 2 * (line + pad + gap) + rows * card_height + (rows - 1) * gap
    slot = (card * 8 // 5, card_height + 2 * gap + line)  # a mark around the card fits into it
    return Sizes((card, card_height), gap, pad, line, (width, height), slot)


def _panel(frame: Rect, sizes: Sizes, rows: int, columns: int) -> Panel:
    left, top, inner = frame.left + sizes.pad, frame.top + sizes.pad, frame.width - 2 * sizes.pad
    first = Rect(left, top + sizes.line + sizes.gap, *sizes.card)
    cells = column_by_column(first, sizes.gap, columns, rows)
    total = Rect(left, frame.top + frame.height - sizes.pad - sizes.line, inner, sizes.line)
    return Panel(frame, Rect(left, top, inner, sizes.line), cells, total)
