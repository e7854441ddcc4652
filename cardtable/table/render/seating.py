"""Where the seats and the piles of a table lie in a window: rectangles only, nothing is drawn here.

A game says how large its panels and piles are with cards of some width (`Sizes`), and in which grids its piles may lie;
this finds the arrangement that makes the cards as large as the window allows.
"""

from bisect import bisect_left
from collections.abc import Callable, Iterator
from itertools import accumulate, product
from typing import NamedTuple

from cardtable.table.checks import whole_number

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


class Bands(NamedTuple):
    """The lines of text at the edges of a picture, and the room for the table between them."""

    headline: Rect  # who decides
    details: Rect  # round and turn
    last_move: Rect
    table: Rect
    text: int  # height of the largest line
    margin: int


class Sizes(NamedTuple):
    """All lengths that depend on the width of a card. None shrinks when the card grows."""

    card: tuple[int, int]
    gap: int  # between cards
    pad: int  # between the frame of a panel and what it holds
    line: int  # height of a line of text in a panel
    panel: tuple[int, int]  # of one seat
    slot: tuple[int, int]  # one pile: a card and its caption


SizesOf = Callable[[int], Sizes]  # by the width of a card
Grid = tuple[int, int]  # rows and columns
Track = tuple[int, int]  # where a row or column begins, and its length


class Arrangement(NamedTuple):
    """The places of seats and piles in a grid whose rows and columns are as large as needed."""

    grid: Grid  # rows and columns, those of the piles included
    seats: tuple[tuple[int, int], ...]  # the row and column of each
    piles: tuple[slice, slice]  # the rows and columns that they lie in
    pile_grid: Grid  # how the piles lie there


def bands(width: int, height: int) -> Bands:
    """Headline, details, last move, and the rest for the table. A wide window has the first two side by side.

    Raises TableError for a window smaller than `SMALLEST` or beyond `LARGEST`.
    """
    whole_number("width", width, SMALLEST[0], LARGEST[0])
    whole_number("height", height, SMALLEST[1], LARGEST[1])
    text = max(9, min(width // 24, height // 20))
    margin, small = max(2, text // 3), max(8, text * 3 // 4)
    inner = width - 2 * margin
    headline = Rect(margin, margin, inner, text)
    details = Rect(margin, margin + text, inner, small)
    if inner >= 28 * text:
        half = (inner - margin) // 2
        headline = headline._replace(width=half)
        details = Rect(width - margin - half, margin + (text - small) // 2, half, small)
    last_move = Rect(margin, height - margin - small, inner, small)
    top = max(headline.top + text, details.top + small)
    return Bands(headline, details, last_move, Rect(0, top, width, last_move.top - top), text, margin)


# Arrangements


def best_arrangement(
    players: int, pile_grids: tuple[Grid, ...], sizes_of: SizesOf, given: Bands
) -> tuple[int, Arrangement]:
    """The arrangement with the widest cards, and their width; the seats go clockwise around the piles."""
    arrangements = _arrangements(players, pile_grids)
    choices = [(_widest_card(arrangement, sizes_of, given), arrangement) for arrangement in arrangements]
    return max(choices, key=lambda choice: choice[0])


def _arrangements(players: int, pile_grids: tuple[Grid, ...]) -> Iterator[Arrangement]:
    """The arrangements worth trying: seats in one or two rows or columns, or up to eight around the middle."""
    half = (players + 1) // 2
    for grid in dict.fromkeys([(2, half), (half, 2), (1, players), (players, 1)]):
        ring = _clockwise(*grid)
        for pile_grid in pile_grids:
            if len(ring) == players:
                yield from (_with_own_line(axis, grid, ring, pile_grid) for axis in (0, 1))
            else:
                row, column = ring[players]
                yield Arrangement(grid, ring[:players], (slice(row, row + 1), slice(column, column + 1)), pile_grid)
    if players >= 7:
        for pile_grid in pile_grids:
            yield Arrangement((3, 3), _clockwise(3, 3)[:players], (slice(1, 2), slice(1, 2)), pile_grid)


def _clockwise(rows: int, columns: int) -> tuple[tuple[int, int], ...]:
    """The outer places of a grid as (row, column), from the upper left."""
    right = [(0, column) for column in range(columns)]
    down = [(row, columns - 1) for row in range(1, rows)]
    left = [(rows - 1, column) for column in range(columns - 2, -1, -1)] if rows > 1 else []
    up = [(row, 0) for row in range(rows - 2, 0, -1)] if columns > 1 else []
    return (*right, *down, *left, *up)


def _with_own_line(axis: int, grid: Grid, ring: tuple[tuple[int, int], ...], pile_grid: Grid) -> Arrangement:
    """The piles in a row (axis 0) or column (1) of their own: in the middle, or first if no boundary is there."""
    at = 0 if grid[axis] % 2 else grid[axis] // 2
    down, across = axis == 0, axis == 1
    seats = tuple((row + (down and row >= at), column + (across and column >= at)) for row, column in ring)
    own, all_others = slice(at, at + 1), slice(0, grid[1 - axis])
    piles = (own, all_others) if down else (all_others, own)
    return Arrangement((grid[0] + down, grid[1] + across), seats, piles, pile_grid)


def _widest_card(arrangement: Arrangement, sizes_of: SizesOf, given: Bands) -> int:
    """The width of the widest card with which the arrangement fits on the table; 0 if none does."""

    def fits(card: int) -> bool:
        return min(spare_room(arrangement, sizes_of(card), given)) >= 0

    return bisect_left(range(1, given.table.width), True, key=lambda card: not fits(card))


def spare_room(arrangement: Arrangement, sizes: Sizes, given: Bands) -> tuple[int, int]:
    """The height and width that an arrangement leaves free, margins aside; below zero where it does not fit."""
    down, across = (
        room - sum(lengths) - given.margin * (len(lengths) + 1)
        for lengths, room in zip(_tracks(arrangement, sizes), (given.table.height, given.table.width), strict=True)
    )
    return down, across


def _tracks(arrangement: Arrangement, sizes: Sizes) -> tuple[list[int], list[int]]:
    """The least heights of the rows and widths of the columns."""
    area = _pile_area(sizes, arrangement.pile_grid)
    tracks = []
    for axis in (0, 1):
        lengths = [0] * arrangement.grid[axis]
        for seat in arrangement.seats:
            lengths[seat[axis]] = sizes.panel[1 - axis]
        spanned = range(*arrangement.piles[axis].indices(len(lengths)))
        missing = area[1 - axis] - sum(lengths[track] for track in spanned)
        for track in spanned:
            lengths[track] += max(0, -(-missing // len(spanned)))
        tracks.append(lengths)
    return tracks[0], tracks[1]


def _pile_area(sizes: Sizes, pile_grid: Grid) -> tuple[int, int]:
    """The width and height of all piles."""
    (width, height), (rows, columns) = sizes.slot, pile_grid
    return columns * width + (columns - 1) * sizes.gap, rows * height + (rows - 1) * sizes.gap


# Places


def place_seats(arrangement: Arrangement, sizes: Sizes, given: Bands) -> tuple[list[Rect], Rect]:
    """The frame of every seat's panel, and the room for the piles with whatever is free on both sides of it."""
    table, margin = given.table, given.margin
    heights, widths = _tracks(arrangement, sizes)
    down = _spread(heights, table.top, table.height, margin)
    across = _spread(widths, table.left, table.width, margin)
    places = [_place(down[row : row + 1], across[column : column + 1]) for row, column in arrangement.seats]
    rows, columns = arrangement.piles
    middle = _place(down[rows], across[columns])
    high = _free(down, rows, table.top, table.height) - margin
    wide = _free(across, columns, table.left, table.width) - margin
    room = Rect(middle.left - wide, middle.top - high, middle.width + 2 * wide, middle.height + 2 * high)
    return [centred(sizes.panel, place) for place in places], room


def _spread(lengths: list[int], start: int, room: int, margin: int) -> list[Track]:
    """Place lengths one after the other, centred, with equal gaps of at most three margins."""
    distance = min((room - sum(lengths)) // (len(lengths) + 1), 3 * margin)
    before = (room - sum(lengths) - distance * (len(lengths) - 1)) // 2
    ends = accumulate(length + distance for length in lengths)
    return [(start + before + end - distance - length, length) for end, length in zip(ends, lengths, strict=True)]


def _place(down: list[Track], across: list[Track]) -> Rect:
    """The rectangle that these rows and columns span."""
    (top, _), (left, _) = down[0], across[0]
    return Rect(left, top, sum(across[-1]) - left, sum(down[-1]) - top)


def _free(tracks: list[Track], own: slice, start: int, room: int) -> int:
    """The free space before or after some tracks, whichever is smaller."""
    before = sum(tracks[own.start - 1]) if own.start > 0 else start
    after = tracks[own.stop][0] if own.stop < len(tracks) else start + room
    return min(tracks[own][0][0] - before, after - sum(tracks[own][-1]))


def place_piles(room: Rect, panel_card: int, pile_grids: tuple[Grid, ...], sizes_of: SizesOf) -> list[Pile]:
    """The piles, row by row, in the middle of their room: with cards up to half as wide again as in the panels."""
    choices = product(range(panel_card, panel_card * 3 // 2 + 1), pile_grids)
    card, (rows, columns) = max(
        ((card, grid) for card, grid in choices if _is_within(_pile_area(sizes_of(card), grid), room)),
        key=lambda choice: choice[0],
    )
    sizes = sizes_of(card)
    widest = (room.width - (columns - 1) * sizes.gap) // columns
    sizes = sizes._replace(slot=(min(widest, card * 11 // 5), sizes.slot[1]))  # room for the captions
    left, top, _, _ = centred(_pile_area(sizes, (rows, columns)), room)
    right, down = sizes.slot[0] + sizes.gap, sizes.slot[1] + sizes.gap
    slots = [Rect(left + c * right, top + r * down, *sizes.slot) for r, c in product(range(rows), range(columns))]
    return [_pile(slot, sizes) for slot in slots]


def _is_within(size: tuple[int, int], place: Rect) -> bool:
    return size[0] <= place.width and size[1] <= place.height


def _pile(slot: Rect, sizes: Sizes) -> Pile:
    card = Rect(slot.left + (slot.width - sizes.card[0]) // 2, slot.top + sizes.gap, *sizes.card)
    return Pile(card, Rect(slot.left, slot.top + slot.height - sizes.line, slot.width, sizes.line))
