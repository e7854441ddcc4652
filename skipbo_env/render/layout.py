"""The layout of a picture of a table: rectangles only, nothing is drawn here."""

from dataclasses import dataclass
from functools import lru_cache, partial
from typing import NamedTuple

from cardtable.table.render.rects import Pile, Rect
from cardtable.table.render.seating import Sizes, bands, best_arrangement, place_piles, place_seats, spare_room
from skipbo_env.kernel.state import HAND

PILE_GRIDS = ((1, 6), (6, 1), (2, 3), (3, 2))
FEWEST_STRIPS, MOST_STRIPS = 3, 10  # of cards that lie below the top card of a discard pile


class Panel(NamedTuple):
    """The panel of one seat; everything lies inside the frame."""

    frame: Rect
    name: Rect
    stock: Rect
    stock_caption: Rect
    stock_size: Rect
    discard_piles: tuple[Rect, ...]  # with room for cards that lie one over the other, the top card lowest
    hand: tuple[Rect, ...]


@dataclass(frozen=True)
class Layout:
    """Everything in a picture. Nothing overlaps and nothing leaves the window; all cards are of one size."""

    headline: Rect  # who decides
    details: Rect  # round and turn
    last_move: Rect
    draw_pile: Pile
    completed: Pile
    building: tuple[Pile, ...]
    seats: tuple[Panel, ...]


class _Shape(NamedTuple):
    """What a panel looks like beside the size of its cards."""

    is_flat: bool  # the hand lies beside the piles, not below them
    strips: int


@lru_cache(maxsize=64, typed=True)
def arrange(players: int, width: int, height: int) -> Layout:
    """The layout of a table that makes the cards as large as the window allows.

    The seats go clockwise around the piles. Raises TableError for a window smaller than `SMALLEST` or beyond `LARGEST`.
    """
    given = bands(width, height)
    choices = []
    for is_flat in (False, True):
        shape = _Shape(is_flat, FEWEST_STRIPS)
        choices.append((*best_arrangement(players, PILE_GRIDS, partial(_sizes, shape, given.text), given), shape))
    card, arrangement, shape = max(choices, key=lambda choice: choice[0])
    while shape.strips < MOST_STRIPS:
        longer = shape._replace(strips=shape.strips + 1)
        if min(spare_room(arrangement, _sizes(longer, given.text, card), given)) < 0:
            break
        shape = longer
    sizes_of = partial(_sizes, shape, given.text)
    frames, room = place_seats(arrangement, sizes_of(card), given)
    draw_pile, completed, *building = _reading_order(place_piles(room, card, PILE_GRIDS, sizes_of))
    panels = tuple(_panel(frame, shape, sizes_of(card)) for frame in frames)
    return Layout(given.headline, given.details, given.last_move, draw_pile, completed, tuple(building), panels)


def strip_height(card: int) -> int:
    """How much is seen of a card that lies below another one, by the width of a card."""
    return max(3, card * 3 // 10)


def _reading_order(piles: list[Pile]) -> list[Pile]:
    """Draw pile and completed cards first: in two rows they are the first column."""
    has_two_rows = len({pile.card.top for pile in piles}) == 2
    return [piles[number] for number in (0, 3, 1, 2, 4, 5)] if has_two_rows else piles


def _sizes(shape: _Shape, text: int, card: int) -> Sizes:
    card_height = card * 7 // 5
    gap, pad = max(1, card // 10), max(3, card // 7)
    line = max(7, min(card * 9 // 20, text))
    piles = _pile_height(shape, card, gap, line)
    columns, rows = (10, piles) if shape.is_flat else (5, piles + 2 * gap + card_height)
    width = columns * card + (columns - 1 + 2 * shape.is_flat) * gap + 2 * pad
    slot = (card * 8 // 5, card_height + 2 * gap + line)  # a mark around the card fits into it
    return Sizes((card, card_height), gap, pad, line, (width, line + gap + rows + 2 * pad), slot)


def _pile_height(shape: _Shape, card: int, gap: int, line: int) -> int:
    """The height of a discard pile with a mark around its top card; and of a stock pile with two lines below it."""
    return card * 7 // 5 + gap + max(shape.strips * strip_height(card), 2 * line)


def _panel(frame: Rect, shape: _Shape, sizes: Sizes) -> Panel:
    (card, card_height), gap, line = sizes.card, sizes.gap, sizes.line
    left, top = frame.left + sizes.pad, frame.top + sizes.pad
    first = top + line + gap
    piles = [
        Rect(left + column * (card + gap), first, card, _pile_height(shape, card, gap, line)) for column in range(5)
    ]
    stock, *discard_piles = piles
    hand_left, hand_top = (left, first + stock.height + 2 * gap)
    if shape.is_flat:
        hand_left, hand_top = (left + 5 * (card + gap) + 2 * gap, first)
    below = first + card_height + gap
    return Panel(
        frame,
        Rect(left, top, frame.width - 2 * sizes.pad, line),
        stock._replace(height=card_height),
        Rect(left, below, card, line),
        Rect(left, below + line, card, line),
        tuple(discard_piles),
        tuple(Rect(hand_left + column * (card + gap), hand_top, card, card_height) for column in range(HAND)),
    )
