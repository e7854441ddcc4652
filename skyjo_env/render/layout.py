"""The layout of a picture of a table: rectangles only, nothing is drawn here."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache
from itertools import accumulate, product
from typing import NamedTuple

from cardtable.checks import whole_number

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


class Panel(NamedTuple):
    """The panel of one seat; everything lies inside the frame."""

    frame: Rect
    name: Rect
    cells: tuple[Rect, ...]  # by cell number (RULES.md 1.3)
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


class _Given(NamedTuple):
    """The table to lay out, and the text size and margin that this window allows."""

    players: int
    rows: int
    columns: int
    text: int  # height of the largest line
    margin: int


class _Sizes(NamedTuple):
    """All lengths that depend on the width of a card. None shrinks when the card grows."""

    card: tuple[int, int]
    gap: int  # between cards
    pad: int  # between the frame and what it holds
    line: int  # height of a line of text in a panel
    panel: tuple[int, int]
    slot: tuple[int, int]  # one pile: a card and its caption


class _Arrangement(NamedTuple):
    """The places of seats and piles in a grid whose rows and columns are as large as needed."""

    grid: tuple[int, int]  # rows and columns, those of the piles included
    seats: tuple[tuple[int, int], ...]  # the row and column of each
    piles: tuple[slice, slice]  # the rows and columns that they lie in
    is_upright: bool  # the three piles lie one below the other


Track = tuple[int, int]  # where a row or column begins, and its length


@lru_cache(maxsize=64, typed=True)
def arrange(players: int, rows: int, columns: int, width: int, height: int) -> Layout:
    """The layout of a table that makes the cards as large as the window allows.

    The seats go clockwise around the piles. Raises TableError for a window smaller than `SMALLEST` or beyond `LARGEST`.
    """
    whole_number("width", width, SMALLEST[0], LARGEST[0])
    whole_number("height", height, SMALLEST[1], LARGEST[1])
    text = max(9, min(width // 24, height // 20))
    given = _Given(players, rows, columns, text, max(2, text // 3))
    headline, details, last_move, table = _bands(width, height, given)
    choices = [(_widest_card(arrangement, given, table), arrangement) for arrangement in _arrangements(players)]
    card, arrangement = max(choices, key=lambda choice: choice[0])
    sizes = _sizes(card, given)
    heights, widths = _tracks(arrangement, sizes)
    down = _spread(heights, table.top, table.height, given.margin)
    across = _spread(widths, table.left, table.width, given.margin)
    places = [_place(down[row : row + 1], across[column : column + 1]) for row, column in arrangement.seats]
    panels = tuple(_panel(_centred(sizes.panel, place), sizes, given) for place in places)
    draw_pile, discard, hand = _piles(_middle_place(arrangement, down, across, table, given), card, given)
    return Layout(headline, details, last_move, draw_pile, discard, hand, panels)


def _bands(width: int, height: int, given: _Given) -> tuple[Rect, Rect, Rect, Rect]:
    """Headline, details, last move, and the rest for the table. A wide window has the first two side by side."""
    margin, text, small = given.margin, given.text, max(8, given.text * 3 // 4)
    inner = width - 2 * margin
    headline = Rect(margin, margin, inner, text)
    details = Rect(margin, margin + text, inner, small)
    if inner >= 28 * text:
        half = (inner - margin) // 2
        headline = headline._replace(width=half)
        details = Rect(width - margin - half, margin + (text - small) // 2, half, small)
    last_move = Rect(margin, height - margin - small, inner, small)
    top = max(headline.top + text, details.top + small)
    return headline, details, last_move, Rect(0, top, width, last_move.top - top)


def _arrangements(players: int) -> Iterator[_Arrangement]:
    """The arrangements worth trying: seats in one or two rows or columns, or up to eight around the middle."""
    half = (players + 1) // 2
    for grid in dict.fromkeys([(2, half), (half, 2), (1, players), (players, 1)]):
        ring = _clockwise(*grid)
        for is_upright in (False, True):
            if len(ring) == players:
                yield _with_row(grid, ring, is_upright)
                yield _with_column(grid, ring, is_upright)
            else:
                row, column = ring[players]
                yield _Arrangement(grid, ring[:players], (slice(row, row + 1), slice(column, column + 1)), is_upright)
    if players >= 7:
        for is_upright in (False, True):
            yield _Arrangement((3, 3), _clockwise(3, 3)[:players], (slice(1, 2), slice(1, 2)), is_upright)


def _clockwise(rows: int, columns: int) -> tuple[tuple[int, int], ...]:
    """The outer places of a grid as (row, column), from the upper left."""
    right = [(0, column) for column in range(columns)]
    down = [(row, columns - 1) for row in range(1, rows)]
    left = [(rows - 1, column) for column in range(columns - 2, -1, -1)] if rows > 1 else []
    up = [(row, 0) for row in range(rows - 2, 0, -1)] if columns > 1 else []
    return (*right, *down, *left, *up)


def _with_row(grid: tuple[int, int], ring: tuple[tuple[int, int], ...], is_upright: bool) -> _Arrangement:
    """The piles in a row of their own: in the middle, or at the top if no row boundary is in the middle."""
    rows, columns = grid
    at = _middle(rows)
    seats = tuple((row + (row >= at), column) for row, column in ring)
    return _Arrangement((rows + 1, columns), seats, (slice(at, at + 1), slice(0, columns)), is_upright)


def _with_column(grid: tuple[int, int], ring: tuple[tuple[int, int], ...], is_upright: bool) -> _Arrangement:
    """The same with a column."""
    rows, columns = grid
    at = _middle(columns)
    seats = tuple((row, column + (column >= at)) for row, column in ring)
    return _Arrangement((rows, columns + 1), seats, (slice(0, rows), slice(at, at + 1)), is_upright)


def _middle(tracks: int) -> int:
    return 0 if tracks % 2 else tracks // 2


def _sizes(card: int, given: _Given) -> _Sizes:
    card_height = card * 7 // 5
    gap, pad = max(1, card // 10), max(3, card // 7)
    line = max(7, min(card * 9 // 20, given.text))
    width = given.columns * card + (given.columns - 1) * gap + 2 * pad
    height = 2 * (line + pad + gap) + given.rows * card_height + (given.rows - 1) * gap
    slot = (card * 8 // 5, card_height + 2 * gap + line)  # a mark around the card fits into it
    return _Sizes((card, card_height), gap, pad, line, (width, height), slot)


def _pile_area(sizes: _Sizes, is_upright: bool) -> tuple[int, int]:
    """The width and height of the three piles."""
    width, height = sizes.slot
    return (width, 3 * height + 2 * sizes.gap) if is_upright else (3 * width + 2 * sizes.gap, height)


def _tracks(arrangement: _Arrangement, sizes: _Sizes) -> tuple[list[int], list[int]]:
    """The least heights of the rows and widths of the columns."""
    area = _pile_area(sizes, arrangement.is_upright)
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


def _widest_card(arrangement: _Arrangement, given: _Given, table: Rect) -> int:
    """The width of the widest card with which the arrangement fits on the table; 0 if none does."""

    def fits(card: int) -> bool:
        rooms = zip(_tracks(arrangement, _sizes(card, given)), (table.height, table.width), strict=True)
        return all(sum(lengths) + given.margin * (len(lengths) + 1) <= room for lengths, room in rooms)

    return bisect_left(range(1, table.width), True, key=lambda card: not fits(card))


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


def _middle_place(
    arrangement: _Arrangement, down: list[Track], across: list[Track], table: Rect, given: _Given
) -> Rect:
    """The room for the piles: their rows and columns, and whatever is free on both sides of them."""
    (rows, columns), margin = arrangement.piles, given.margin
    place = _place(down[rows], across[columns])
    high = _free(down, rows, table.top, table.height) - margin
    wide = _free(across, columns, table.left, table.width) - margin
    return Rect(place.left - wide, place.top - high, place.width + 2 * wide, place.height + 2 * high)


def _free(tracks: list[Track], own: slice, start: int, room: int) -> int:
    """The free space before or after some tracks, whichever is smaller."""
    before = sum(tracks[own.start - 1]) if own.start > 0 else start
    after = tracks[own.stop][0] if own.stop < len(tracks) else start + room
    return min(tracks[own][0][0] - before, after - sum(tracks[own][-1]))


def _centred(size: tuple[int, int], place: Rect) -> Rect:
    width, height = size
    return Rect(place.left + (place.width - width) // 2, place.top + (place.height - height) // 2, width, height)


def _panel(frame: Rect, sizes: _Sizes, given: _Given) -> Panel:
    left, top, inner = frame.left + sizes.pad, frame.top + sizes.pad, frame.width - 2 * sizes.pad
    (card, card_height), first = sizes.card, top + sizes.line + sizes.gap
    cells = tuple(
        Rect(left + column * (card + sizes.gap), first + row * (card_height + sizes.gap), card, card_height)
        for column, row in product(range(given.columns), range(given.rows))
    )
    total = Rect(left, frame.top + frame.height - sizes.pad - sizes.line, inner, sizes.line)
    return Panel(frame, Rect(left, top, inner, sizes.line), cells, total)


def _piles(place: Rect, board_card: int, given: _Given) -> list[Pile]:
    """Draw pile, discard pile and hand, in the middle of their place: up to half as large again as on the boards."""
    card, is_row = max(
        (card, is_row)
        for card, is_row in product(range(board_card, board_card * 3 // 2 + 1), (False, True))
        if _is_within(_pile_area(_sizes(card, given), not is_row), place)
    )
    sizes = _sizes(card, given)
    widest = (place.width - 2 * sizes.gap) // 3 if is_row else place.width
    sizes = sizes._replace(slot=(min(widest, card * 11 // 5), sizes.slot[1]))  # room for the captions
    left, top, _, _ = _centred(_pile_area(sizes, not is_row), place)
    right, down = (sizes.slot[0] + sizes.gap, 0) if is_row else (0, sizes.slot[1] + sizes.gap)
    slots = [Rect(left + number * right, top + number * down, *sizes.slot) for number in range(3)]
    return [_pile(slot, sizes) for slot in slots]


def _is_within(size: tuple[int, int], place: Rect) -> bool:
    return size[0] <= place.width and size[1] <= place.height


def _pile(slot: Rect, sizes: _Sizes) -> Pile:
    card = Rect(slot.left + (slot.width - sizes.card[0]) // 2, slot.top + sizes.gap, *sizes.card)
    return Pile(card, Rect(slot.left, slot.top + slot.height - sizes.line, slot.width, sizes.line))
