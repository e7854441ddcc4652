"""Places of the seats and the piles of a table: rectangles only, without drawing.

All lengths are in units of which a card is 50 wide and 70 high. The arrangement is chosen in which a unit is largest in
the window.
"""

from collections.abc import Iterator
from functools import lru_cache
from itertools import product
from typing import NamedTuple

from cardtable.table.checks import check_int

MIN_SIZE, MAX_SIZE = (160, 120), (8192, 8192)  # windows: width and height
USUAL_SIZE = (960, 640)

Size = tuple[float, float]  # width and height

CARD: Size = (50, 70)
SLOT: Size = (74, 98)  # a pile: a card, and a line below it
GAP, PAD, LINE = 5, 7, 20  # between cards, between the frame of a panel and what it holds, and a line of text
SPACE = 12  # between panels and piles
PILES = -1  # their number in an arrangement, among those of the seats


class Rect(NamedTuple):
    """A rectangle."""

    left: float
    top: float
    width: float
    height: float


def inset(rect: Rect, by: float) -> Rect:
    """Return the rectangle without a border of this width; with a negative one, the rectangle and a border."""
    return Rect(rect.left + by, rect.top + by, rect.width - 2 * by, rect.height - 2 * by)


class Seating(NamedTuple):
    """Everything in a picture. Nothing overlaps and nothing leaves the window."""

    size: Size  # of the window
    headline: Rect
    details: Rect  # below the headline, or at its right in a wide window
    last_move: Rect
    panels: tuple[Rect, ...]  # by seat, clockwise
    shape: int  # the number of their shape among those to choose from
    piles: tuple[Rect, ...]  # row by row, each with room for its caption


@lru_cache(maxsize=64)
def arrange(players: int, shapes: tuple[Size, ...], piles: int, width: int, height: int) -> Seating:
    """Return the arrangement of this many panels, all of one of these shapes, around this many piles.

    Raises TableError for a window smaller than `MIN_SIZE` or beyond `MAX_SIZE`.
    """
    check_int("width", width, MIN_SIZE[0], MAX_SIZE[0])
    check_int("height", height, MIN_SIZE[1], MAX_SIZE[1])
    line = max(9, min(width / 24, height / 20))
    margin, small, is_wide = line / 3, line * 0.75, width >= 29 * line
    top = margin + line + (0 if is_wide else small)
    room = Rect(margin, top + margin, width - 2 * margin, height - top - small - 3 * margin)
    grids = [(piles // columns, columns) for columns in range(1, piles + 1) if piles % columns == 0]
    choices = (
        (shape, grid, *_placed(lines, axis, panel, _pile_area(grid)))
        for (shape, panel), grid, (lines, axis) in product(enumerate(shapes), grids, _arrangements(players))
    )
    scales = {min(room.width / choice[2][0], room.height / choice[2][1]): choice for choice in choices}
    scale = max(scales)
    shape, grid, size, places = scales[scale]
    left, above = room.left / scale + (room.width / scale - size[0]) / 2, room.top / scale
    above += (room.height / scale - size[1]) / 2
    moved = {number: Rect(left + x, above + y, *its) for number, (x, y, *its) in places.items()}
    half = (width - 3 * margin) / 2
    texts = (
        Rect(margin, margin, half if is_wide else room.width, line),
        Rect(width - margin - half, margin, half, line) if is_wide else Rect(margin, margin + line, room.width, small),
        Rect(margin, height - margin - small, room.width, small),
    )
    headline, details, last_move = (Rect(*(length / scale for length in text)) for text in texts)
    panels = tuple(moved[seat] for seat in range(players))
    slots = _slots(moved[PILES], grid[1], piles)
    return Seating((width / scale, height / scale), headline, details, last_move, panels, shape, slots)


def _arrangements(players: int) -> Iterator[tuple[list[list[int]], int]]:
    """Yield the arrangements worth trying, as lines that are rows (axis 0) or columns (1), all clockwise."""
    seats, half, side = list(range(players)), (players + 1) // 2, (players - 1) // 2
    upper, lower = seats[:half], seats[: half - 1 : -1]
    left, right = [0, *seats[: players // 2 : -1]], seats[1 : players // 2 + 1]
    yield [upper, [PILES], lower], 0
    yield [left, [PILES], right], 1
    yield from (([[*upper, PILES, *seats[half:]]], axis) for axis in (0, 1))
    if players % 2:
        yield [upper, [PILES, *lower]], 0
    for axis, sides in ((1, (upper, lower)), (0, (left, right))):
        pairs = [list(pair) for pair in zip(*sides, strict=False)] + [[seat] for seat in sides[0][len(sides[1]) :]]
        middle = len(pairs) // 2
        yield [*pairs[:middle], [PILES], *pairs[middle:]], axis
    if players > 2:
        yield [seats[:side], [players - 1, PILES, side], seats[players - 2 : side : -1]], 0


def _placed(lines: list[list[int]], axis: int, panel: Size, area: Size) -> tuple[Size, dict[int, Rect]]:
    """Return the size of an arrangement, and the place of every seat and of the piles in it; lines are centred."""
    sizes = [[area if number == PILES else panel for number in line] for line in lines if line]
    lengths = [sum(size[axis] + SPACE for size in line) - SPACE for line in sizes]
    places, across = {}, 0.0
    for line, its_sizes, length in zip(filter(None, lines), sizes, lengths, strict=True):
        along, depth = (max(lengths) - length) / 2, max(size[1 - axis] for size in its_sizes)
        for number, size in zip(line, its_sizes, strict=True):
            corner = along, across + (depth - size[1 - axis]) / 2
            places[number] = Rect(corner[axis], corner[1 - axis], *size)
            along += size[axis] + SPACE
        across += depth + SPACE
    whole = max(lengths), across - SPACE
    return (whole[axis], whole[1 - axis]), places


def _pile_area(grid: tuple[int, int]) -> Size:
    """Return the size of all piles, in so many rows and columns."""
    rows, columns = grid
    return columns * (SLOT[0] + GAP) - GAP, rows * (SLOT[1] + GAP) - GAP


def _slots(area: Rect, columns: int, piles: int) -> tuple[Rect, ...]:
    right, down = SLOT[0] + GAP, SLOT[1] + GAP
    places = (divmod(number, columns) for number in range(piles))
    return tuple(Rect(area.left + column * right, area.top + row * down, *SLOT) for row, column in places)
