"""A picture of a table: its layout, and what it shows, which is what everybody sees and the hand of the seat to move.

Nothing is drawn here.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache, partial
from typing import TYPE_CHECKING, NamedTuple

from cardtable.table.render.faces import WHITE, Back, CardLook, Face, plain_look
from cardtable.table.render.scene import (
    UNTOLD,
    Card,
    Ground,
    Panel,
    Scene,
    ShownPile,
    Telling,
    Thing,
    Words,
    line_ends,
    pile_things,
    word_lines,
)
from cardtable.table.render.seating import (
    Bands,
    Pile,
    Rect,
    Sizes,
    bands,
    best_arrangement,
    card_radius,
    inset,
    place_piles,
    place_seats,
    spare_room,
)
from cardtable.table.render.words import end_words, happened_words
from skipbo_env.kernel import DISCARD, HAND, PASS, PLACES, RANKS, WILD

if TYPE_CHECKING:
    from skipbo_env.card_game import Game
from skipbo_env.text import card_class, progress_words

PILE_GRIDS = ((1, 6), (6, 1), (2, 3), (3, 2))
FEWEST_STRIPS, MOST_STRIPS = 3, 10  # of cards that lie below the top card of a discard pile


# The layout: rectangles only


class SeatPanel(NamedTuple):
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

    bands: Bands  # with the lines of text
    draw_pile: Pile
    completed: Pile
    building: tuple[Pile, ...]
    seats: tuple[SeatPanel, ...]


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
    return Layout(given, draw_pile, completed, tuple(building), panels)


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


def _panel(frame: Rect, shape: _Shape, sizes: Sizes) -> SeatPanel:
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
    return SeatPanel(
        frame,
        Rect(left, top, frame.width - 2 * sizes.pad, line),
        stock._replace(height=card_height),
        Rect(left, below, card, line),
        Rect(left, below + line, card, line),
        tuple(discard_piles),
        tuple(Rect(hand_left + column * (card + gap), hand_top, card, card_height) for column in range(HAND)),
    )


# What it shows

# By class of card: ranks 1 to 4, 5 to 8, 9 to 12. They differ in brightness too, for those who tell few colours apart.
BLUE, GREEN, RED, YELLOW = (0, 84, 158), (0, 148, 108), (206, 76, 10), (240, 196, 40)
NIGHT = (34, 32, 44)
WILD_LOOK = CardLook(NIGHT, (BLUE, GREEN, RED, YELLOW), WHITE, disc=NIGHT)
CARD_LOOKS = (plain_look(BLUE, WHITE), plain_look(GREEN, WHITE), plain_look(RED, WHITE), WILD_LOOK)
BACK = Back((RED, BLUE, GREEN, YELLOW))
WILD_TEXT = "W"
CARD_TEXTS = (str(RANKS), WILD_TEXT)  # the widest
USUAL_LINE = "Seat 0   round 100   total 1000"  # fits in any case, so that text keeps its size from picture to picture
USUAL_CAPTION = "completed 100"
STOCK = "stock"


def table_scene(game: Game, size: tuple[int, int], telling: Telling = UNTOLD) -> Scene:
    """The picture of a table at this width and height."""
    layout = arrange(game.rules.players, *size)
    words = _headline(game, telling), progress_words(game), happened_words(game, telling)
    lines = word_lines(layout.bands, words, telling)
    return Scene(size, (*lines, *_middle(layout, game), *_seats(layout, game, telling)))


def _headline(game: Game, telling: Telling) -> str:
    """The seat to move, or who has won."""
    return end_words(game, telling) if game.is_over else f"{telling.name(game.seat)} to move"


def _middle(layout: Layout, game: Game) -> Iterator[Thing]:
    """Draw pile, completed cards and building piles."""
    backs = ((layout.draw_pile, game.draw_pile_size, "draw"), (layout.completed, game.completed_size, "completed"))
    shown = [ShownPile(pile, BACK if count > 0 else None, f"{name} {count}", False) for pile, count, name in backs]
    for place, (pile, height) in enumerate(zip(layout.building, game.building_piles(), strict=True)):
        face = _building_face(game, place, height) if height > 0 else None
        shown.append(ShownPile(pile, face, f"next {height + 1}", _touched(game) == place))
    return pile_things(shown, USUAL_CAPTION)


def _building_face(game: Game, place: int, height: int) -> Face:
    """The last card of a building pile: with its rank also if it is a wild card."""
    is_wild = bool(game.state["wild_ranks"][0, place] >> (height - 1) & 1)
    return Face(WILD_LOOK if is_wild else CARD_LOOKS[card_class(height)], str(height), CARD_TEXTS)


def _seats(layout: Layout, game: Game, telling: Telling) -> Iterator[Thing]:
    """Every seat's panel; text is of one size in all of them."""
    seats = range(game.rules.players)
    names, totals = [telling.name(seat) for seat in seats], [_points(game, seat) for seat in seats]
    fits = USUAL_LINE, *(f"{name}   {total}" for name, total in zip(names, totals, strict=True))
    for seat, panel in enumerate(layout.seats):
        is_bright = seat in game.winners if game.is_over else seat == game.seat
        yield Panel(panel.frame, panel.name.left - panel.frame.left, is_bright)
        yield from line_ends((names[seat], totals[seat]), panel.name, fits, "gold" if is_bright else "ink")
        yield from _stock(panel, game, seat)
        for pile, place in enumerate(panel.discard_piles):
            card_size = panel.stock.width, panel.stock.height
            yield from _fan(place, card_size, game.discard_pile(seat, pile), _touched(game) == (seat, pile))
        is_shown = game.is_over or seat == game.seat
        for place, card in zip(panel.hand, game.hand(seat), strict=False):
            yield Card(place, _face(card) if is_shown else BACK)


def _points(game: Game, seat: int) -> str:
    """The total, and the score of the round at the end; a stopped round has none."""
    total = f"total {game.totals[seat]}"
    return f"round {game.round_scores[seat]}   {total}" if game.is_over and not game.is_truncated else total


def _stock(panel: SeatPanel, game: Game, seat: int) -> Iterator[Thing]:
    """The top card, and how many cards there are, on a ground of its own."""
    stock, caption, number = panel.stock, panel.stock_caption, panel.stock_size
    ground = stock._replace(height=number.top + number.height - stock.top)
    yield Ground(inset(ground, -max(1, stock.width // 20)), card_radius(stock.width))
    top = game.stock_top(seat)
    yield Card(stock, None if top is None else _face(top))
    yield Words(STOCK, caption, (STOCK, "30"), "dim", 0.5)
    yield Words(str(game.stock_size(seat)), number, (STOCK, "30"), "ink", 0.5)


def _fan(place: Rect, size: tuple[int, int], cards: tuple[int, ...], is_marked: bool) -> Iterator[Thing]:
    """A discard pile, the top card lowest: of the others as many as there is room for, and how many more there are."""
    strip, reach = strip_height(size[0]), size[0] // 10  # of a mark, which must hide no number
    spot, below = Rect(place.left, place.top, *size), cards[:-1]
    room = (place.height - size[1] - reach) // strip
    if len(below) > room:
        left_out = len(below) - room + 1
        yield Words(f"+{left_out}", spot._replace(height=strip), ("+00",), "dim", 0.5)
        spot, below = spot._replace(top=spot.top + strip), below[left_out:]
    for card in below:
        yield Card(spot, _face(card)._replace(strip=strip))
        spot = spot._replace(top=spot.top + strip)
    if below:
        spot = spot._replace(top=spot.top + reach)
    yield Card(spot, _face(cards[-1]) if cards else None, is_marked)


def _touched(game: Game) -> int | tuple[int, int] | None:
    """Where the last move laid a card: a building place, or (seat, discard pile); None if that was in another round."""
    if game.last_move is None or _is_new_round(game):
        return None
    seat, action = game.last_move
    if action == PASS:
        return None
    return (seat, action % PLACES) if action >= DISCARD else action % PLACES


def _is_new_round(game: Game) -> bool:
    """Has nobody decided anything yet in this round?"""
    return game.turns == 0 and not any(game.building_piles()) and not game.state["completed_piles"].any()


def _face(card: int) -> Face:
    return Face(CARD_LOOKS[card_class(card)], WILD_TEXT if card == WILD else str(card), CARD_TEXTS)
