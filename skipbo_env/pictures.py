"""The picture of a table: what everybody sees, and the hand of the seat to move."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from cardtable.table.render.faces import WHITE, Back, CardLook, Face, plain_look
from cardtable.table.render.scene import Shown, ShownPile
from cardtable.table.render.seating import CARD, GAP, Rect, Size
from cardtable.table.render.svg import Thing, card, ground, words
from cardtable.table.render.words import Telling
from skipbo_env.kernel import DISCARD, HAND, PASS, PLACES, RANKS, WILD
from skipbo_env.text import card_class, progress_words

if TYPE_CHECKING:
    from skipbo_env.card_game import Game

STRIP, STRIPS = 15, 4  # what is seen of a card below another, and how many are seen
COLUMN = CARD[0] + GAP
PILE_HEIGHT = CARD[1] + STRIPS * STRIP + GAP
# The hand lies below the piles, or beside them.
SHAPES: tuple[Size, ...] = ((5 * COLUMN - GAP, PILE_HEIGHT + GAP + CARD[1]), (10 * COLUMN + GAP, PILE_HEIGHT))

# By class of card: ranks 1 to 4, 5 to 8, 9 to 12. They differ in brightness too, for those who tell few colours apart.
BLUE, GREEN, RED, YELLOW = (0, 84, 158), (0, 148, 108), (206, 76, 10), (240, 196, 40)
NIGHT = (34, 32, 44)
WILD_LOOK = CardLook(NIGHT, (BLUE, GREEN, RED, YELLOW), WHITE, disc=NIGHT)
CARD_LOOKS = (plain_look(BLUE, WHITE), plain_look(GREEN, WHITE), plain_look(RED, WHITE), WILD_LOOK)
BACK = Back((RED, BLUE, GREEN, YELLOW))
WILD_TEXT = "W"
CARD_TEXTS = (str(RANKS), WILD_TEXT)  # the widest


def shown(game: Game, telling: Telling) -> Shown:
    """Return what the picture of a table shows."""
    touched = _touched(game)
    piles = [
        ShownPile(BACK if count > 0 else None, f"{name} {count}")
        for name, count in (("draw", game.draw_pile_size), ("completed", game.completed_size))
    ]
    for place, height in enumerate(game.building_piles()):
        face = _building_face(game, place, height) if height > 0 else None
        piles.append(ShownPile(face, f"next {height + 1}", touched == place))

    def cards(seat: int, shape: int, left: float, top: float) -> Iterator[Thing]:
        yield from _stock(game, seat, left, top)
        for pile in range(PLACES):
            fan = game.discard_pile(seat, pile)
            yield from _fan(fan, left + (pile + 1) * COLUMN, top, touched == (seat, pile))
        is_open = game.is_over or seat == game.seat
        beside, below = (5 * COLUMN + 2 * GAP, 0.0) if shape else (0.0, PILE_HEIGHT + GAP)
        for number, held in enumerate(game.hand(seat)[:HAND]):
            yield from card(left + beside + number * COLUMN, top + below, _face(held) if is_open else BACK)

    has_scores = game.is_over and not game.is_truncated  # a stopped round has none
    notes = [("", f"round {score}" if has_scores else "") for score in game.round_scores]
    return Shown(f"{telling.name(game.seat)} to move", progress_words(game), piles, notes, SHAPES, cards)


def _building_face(game: Game, place: int, height: int) -> Face:
    """Return the last card of a building pile: with its rank also if it is a wild card."""
    is_wild = bool(game.state["wild_ranks"][0, place] >> (height - 1) & 1)
    return Face(WILD_LOOK if is_wild else CARD_LOOKS[card_class(height)], str(height), CARD_TEXTS)


def _stock(game: Game, seat: int, left: float, top: float) -> Iterator[Thing]:
    """Yield the top card, and how many cards there are, on a ground of its own."""
    yield ground(Rect(left - 3, top - 3, CARD[0] + 6, PILE_HEIGHT + 6))
    card_below = game.stock_top(seat)
    yield from card(left, top, None if card_below is None else _face(card_below))
    line = Rect(left, top + CARD[1] + GAP, CARD[0], 20)
    yield from words("stock", line, "dim", 0.5)
    yield from words(str(game.stock_size(seat)), line._replace(top=line.top + line.height), "ink", 0.5, ("stock",))


def _fan(cards: tuple[int, ...], left: float, top: float, is_marked: bool) -> Iterator[Thing]:
    """Yield a discard pile, the top card lowest: of the others so many, and how many more there are."""
    below = cards[:-1]
    if len(below) > STRIPS:
        left_out = len(below) - STRIPS + 1
        yield from words(f"+{left_out}", Rect(left, top, CARD[0], STRIP), "dim", 0.5, ("+00",))
        top, below = top + STRIP, below[left_out:]
    for number in below:
        yield from card(left, top, _face(number)._replace(strip=STRIP))
        top += STRIP
    yield from card(left, top + (GAP if below else 0), _face(cards[-1]) if cards else None, is_marked)


def _touched(game: Game) -> int | tuple[int, int] | None:
    """Return where the last move laid a card: a building place, or (seat, discard pile); None if in another round."""
    is_new_round = game.turns == 0 and not any(game.building_piles()) and not game.state["completed_piles"].any()
    if game.last_move is None or is_new_round or game.last_move[1] == PASS:
        return None
    seat, action = game.last_move
    return (seat, action % PLACES) if action >= DISCARD else action % PLACES


def _face(number: int) -> Face:
    return Face(CARD_LOOKS[card_class(number)], WILD_TEXT if number == WILD else str(number), CARD_TEXTS)
