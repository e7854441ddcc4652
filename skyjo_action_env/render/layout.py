"""The layout of a picture of a table: rectangles only, nothing is drawn here."""

from functools import lru_cache, partial
from typing import NamedTuple

from cardtable.table.render.rects import Pile, Rect, column_by_column
from cardtable.table.render.seating import Sizes, bands, best_arrangement, place_piles, place_seats
from skyjo_action_env.kernel.state import COLUMNS, HAND, KINDS, PLACES, ROWS

PILE_GRIDS = ((2, 6), (6, 2), (3, 4), (4, 3), (1, 12), (12, 1))
CARDS, OPEN_PLACES = [f"card {k}" for k in range(HAND)], [f"open {place}" for place in range(PLACES)]
IN_TWO_LINES = ("draw", "discard", *CARDS, "played", "action", "used", *OPEN_PLACES)  # or in a single one
IN_THREE_LINES = ("draw", "discard", "action", "used", *OPEN_PLACES, *CARDS, "played")
BESIDE, BELOW = (1, len(KINDS)), (3, 3)  # columns and rows of the action cards beside or below a layout


class Panel(NamedTuple):
    """The panel of one seat; everything lies inside the frame."""

    frame: Rect
    name: Rect
    total: Rect
    cells: tuple[Rect, ...]  # by cell number (1.5)
    actions: tuple[Rect, ...]  # one for each kind that the seat may hold, line by line


class Layout(NamedTuple):
    """Everything in a picture. Nothing overlaps and nothing leaves the window; all cards are of one size."""

    headline: Rect  # who decides
    details: Rect  # round, turn, final lap
    last_move: Rect
    piles: dict[str, Pile]  # by name, such as `discard` or `open 0`; `played` is what is being carried out
    seats: tuple[Panel, ...]


@lru_cache(maxsize=64, typed=True)
def arrange(players: int, width: int, height: int) -> Layout:
    """The layout of a table that makes the cards as large as the window allows.

    The seats go clockwise around the piles. Raises TableError for a window smaller than `SMALLEST` or beyond `LARGEST`.
    """
    given = bands(width, height)
    grids = {grid: partial(_sizes, grid, given.text) for grid in (BESIDE, BELOW)}
    choices = [(*best_arrangement(players, PILE_GRIDS, sizes_of, given), grid) for grid, sizes_of in grids.items()]
    card, arrangement, grid = max(choices, key=lambda choice: choice[0])
    frames, room = place_seats(arrangement, grids[grid](card), given)
    piles = _named(place_piles(room, card, PILE_GRIDS, grids[grid]))
    panels = tuple(_panel(frame, grid, grids[grid](card)) for frame in frames)
    return Layout(given.headline, given.details, given.last_move, piles, panels)


def _named(piles: list[Pile]) -> dict[str, Pile]:
    """The piles by name; a grid that is higher than wide is read downwards."""
    rows = len({pile.card.top for pile in piles})
    if rows * rows > len(piles):
        piles = sorted(piles, key=lambda pile: (pile.card.left, pile.card.top))
    return dict(zip(IN_THREE_LINES if rows in (3, 4) else IN_TWO_LINES, piles, strict=True))


def _sizes(grid: tuple[int, int], text: int, card: int) -> Sizes:
    size, gap, pad = (card, card * 7 // 5), max(1, card // 10), max(3, card // 7)
    line = max(7, min(card * 9 // 20, text))
    (right, bottom), (across, down) = _beyond_cells(size, gap), _tile(grid, size, gap)
    actions = grid[1] * (down + max(1, gap // 2))
    width = right + across if grid == BESIDE else right - 2 * gap
    height = max(bottom - 2 * gap, actions) if grid == BESIDE else bottom + actions
    slot = (card * 27 // 20, size[1] + 2 * gap + line)  # a mark around the card fits into it
    return Sizes(size, gap, pad, line, (width + 2 * pad, height + 2 * (line + pad + gap)), slot)


def _beyond_cells(card: tuple[int, int], gap: int) -> tuple[int, int]:
    """How far right and down from the first cell action cards begin."""
    return COLUMNS * (card[0] + gap) + gap, ROWS * (card[1] + gap) + gap


def _tile(grid: tuple[int, int], card: tuple[int, int], gap: int) -> tuple[int, int]:
    """The size of an action card in a panel: all kinds take as much room as the cells beside or above them."""
    between = max(1, gap // 2)
    right, bottom = (length - 2 * gap + between for length in _beyond_cells(card, gap))
    if grid == BESIDE:
        return card[0] * 17 // 10, max(1, bottom // grid[1] - between)
    return right // grid[0] - between, max(1, card[0] * 9 // 20)


def _panel(frame: Rect, grid: tuple[int, int], sizes: Sizes) -> Panel:
    (_, _, pad, line, _, _), gap = sizes, sizes.gap
    name = Rect(frame.left + pad, frame.top + pad, frame.width - 2 * pad, line)
    first = Rect(name.left, name.top + line + gap, *sizes.card)
    right, down = _beyond_cells(sizes.card, gap)
    corner = (first.left + right, first.top) if grid == BESIDE else (first.left, first.top + down)
    tiles = column_by_column(Rect(*corner, *_tile(grid, sizes.card, gap)), max(1, gap // 2), *grid)
    total = name._replace(top=frame.top + frame.height - pad - line)
    actions = tuple(sorted(tiles, key=lambda tile: (tile.top, tile.left)))
    return Panel(frame, name, total, column_by_column(first, gap, COLUMNS, ROWS), actions)
