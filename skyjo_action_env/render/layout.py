"""The layout of a picture of a table: rectangles only, nothing is drawn here."""

from dataclasses import dataclass
from functools import lru_cache, partial
from typing import NamedTuple

from cardtable.render.rects import Pile, Rect, column_by_column
from cardtable.render.seating import Sizes, bands, best_arrangement, place_piles, place_seats
from skyjo_action_env.kernel.state import COLUMNS, HAND, KINDS, PLACES, ROWS

PILE_GRIDS = ((2, 6), (6, 2), (3, 4), (4, 3), (1, 12), (12, 1))
BESIDE, BELOW = (1, len(KINDS)), (3, 3)  # columns and rows of the action cards beside or below a layout


class Panel(NamedTuple):
    """The panel of one seat; everything lies inside the frame."""

    frame: Rect
    name: Rect
    cells: tuple[Rect, ...]  # by cell number (1.5)
    actions: tuple[Rect, ...]  # one for each kind that the seat may hold, line by line
    total: Rect


@dataclass(frozen=True)
class Layout:
    """Everything in a picture. Nothing overlaps and nothing leaves the window; all cards are of one size."""

    headline: Rect  # who decides
    details: Rect  # round, turn, final lap
    last_move: Rect
    draw_pile: Pile
    discard: Pile
    hand: tuple[Pile, ...]
    played: Pile  # what is being carried out
    action_pile: Pile
    action_discard: Pile
    open_actions: tuple[Pile, ...]
    seats: tuple[Panel, ...]


@lru_cache(maxsize=64, typed=True)
def arrange(players: int, width: int, height: int) -> Layout:
    """The layout of a table that makes the cards as large as the window allows.

    The seats go clockwise around the piles. Raises TableError for a window smaller than `SMALLEST` or beyond `LARGEST`.
    """
    given = bands(width, height)
    choices = []
    for grid in (BESIDE, BELOW):
        sizes_of = partial(_sizes, grid, given.text)
        choices.append((*best_arrangement(players, PILE_GRIDS, sizes_of, given), grid))
    card, arrangement, grid = max(choices, key=lambda choice: choice[0])
    sizes_of = partial(_sizes, grid, given.text)
    frames, room = place_seats(arrangement, sizes_of(card), given)
    piles = _by_meaning(place_piles(room, card, PILE_GRIDS, sizes_of))
    draw_pile, discard, *hand = piles[: 2 + HAND]
    played, action_pile, action_discard, *open_actions = piles[2 + HAND :]
    return Layout(
        *(given.headline, given.details, given.last_move),
        *(draw_pile, discard, tuple(hand), played),
        *(action_pile, action_discard, tuple(open_actions)),
        tuple(_panel(frame, grid, sizes_of(card)) for frame in frames),
    )


def _by_meaning(piles: list[Pile]) -> list[Pile]:
    """The piles in the order of a layout. They lie there in lines: playing cards and hand, action cards and open ones.

    In three lines they are: all piles, open action cards, hand and what is carried out. High grids are read downwards.
    """
    rows = len({pile.card.top for pile in piles})
    if rows * rows > len(piles):
        piles = sorted(piles, key=lambda pile: (pile.card.left, pile.card.top))
    first, second = slice(2), slice(2, 4)
    return [*piles[first], *piles[-PLACES:], *piles[second], *piles[4:8]] if rows in (3, 4) else piles


def _sizes(grid: tuple[int, int], text: int, card: int) -> Sizes:
    card_height = card * 7 // 5
    gap, pad = max(1, card // 10), max(3, card // 7)
    line = max(7, min(card * 9 // 20, text))
    width, height = _cells_size((card, card_height), gap)
    if grid == BESIDE:
        width += 2 * gap + _tile(grid, (card, card_height), gap)[0]
    else:
        height += 2 * gap + grid[1] * (_tile(grid, (card, card_height), gap)[1] + gap) - gap
    panel = width + 2 * pad, height + 2 * (line + pad + gap)
    slot = (card * 27 // 20, card_height + 2 * gap + line)  # a mark around the card fits into it
    return Sizes((card, card_height), gap, pad, line, panel, slot)


def _cells_size(card: tuple[int, int], gap: int) -> tuple[int, int]:
    return COLUMNS * (card[0] + gap) - gap, ROWS * (card[1] + gap) - gap


def _tile(grid: tuple[int, int], card: tuple[int, int], gap: int) -> tuple[int, int]:
    """The size of an action card in a panel: as many as there are kinds take as much room as the cells."""
    width, height = _cells_size(card, gap)
    if grid == BESIDE:
        return card[0] * 17 // 10, (height + _tile_gap(gap)) // grid[1] - _tile_gap(gap)
    return (width + _tile_gap(gap)) // grid[0] - _tile_gap(gap), card[0] * 9 // 20


def _tile_gap(gap: int) -> int:
    return max(1, gap // 2)


def _panel(frame: Rect, grid: tuple[int, int], sizes: Sizes) -> Panel:
    left, top, inner = frame.left + sizes.pad, frame.top + sizes.pad, frame.width - 2 * sizes.pad
    first = Rect(left, top + sizes.line + sizes.gap, *sizes.card)
    width, height = _cells_size(sizes.card, sizes.gap)
    beyond = (width + 2 * sizes.gap, 0) if grid == BESIDE else (0, height + 2 * sizes.gap)
    tile = Rect(left + beyond[0], first.top + beyond[1], *_tile(grid, sizes.card, sizes.gap))
    return Panel(
        frame,
        Rect(left, top, inner, sizes.line),
        column_by_column(first, sizes.gap, COLUMNS, ROWS),
        tuple(sorted(column_by_column(tile, _tile_gap(sizes.gap), *grid), key=lambda place: (place.top, place.left))),
        Rect(left, frame.top + frame.height - sizes.pad - sizes.line, inner, sizes.line),
    )
