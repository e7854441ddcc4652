"""A table as text, readable in any terminal, and the words and classes of cards that a picture uses too."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from cardtable.table.render.terminal_colours import padded, paint
from cardtable.table.render.words import last_move_words
from skipbo_env.actions import card_name
from skipbo_env.kernel.state import PLACES

if TYPE_CHECKING:
    from skipbo_env.game import Game

NAME_WIDTH = 10
COLUMN = 17  # of a building place and the discard piles below it, so that four fit beside the name
CARDS_WIDTH = 21  # of a stock pile and of a hand in words

# Terminal codes by class of card: background and ink from the 256 colours.
CARD_CODES = ("48;5;25;38;5;231", "48;5;29;38;5;231", "48;5;166;38;5;16", "48;5;220;38;5;16")
DIM_CODE, BOLD = "38;5;244", "1"


def format_table(game: Game, colour: bool = False, hands: bool = True) -> str:
    """The table: whose turn it is, last move, building piles, and every seat's stock, hand, discard piles and total.

    A discard pile is written from its bottom to its top card, which is in brackets; (+3) stands for three more cards at
    the bottom. Without `hands`, hand cards are shown as ?. With `colour` the text holds terminal codes, and without
    them it is the same text.
    """
    head = [_headline(game)]
    if game.last_move is not None:
        head.append(f"last move: {last_move_words(game)}")
    blocks = [_middle_lines(game, colour)]
    blocks += [_seat_lines(game, seat, colour, hands) for seat in range(game.rules.players)]
    lines = [*head, *(line for block in blocks for line in ("", *block))]
    return "\n".join(line.rstrip() for line in lines) + "\n"


def card_class(card: int) -> int:
    """The colour of a card: 0 for ranks 1 to 4, 1 to 8, 2 to 12, 3 for a wild card."""
    return (card - 1) // 4


def progress_words(game: Game) -> str:
    """Round and turn, and how a game that is over has ended if nobody emptied a stock pile."""
    words = f"round {game.round}, turn {game.turns + (not game.is_over)}"
    reasons = {"blocked": ", blocked", "no_cards": ", no cards left"}
    return words + reasons.get(game.ending or "", "") if game.is_over else words


def format_card(card: int, colour: bool) -> str:
    """A card in its colour: its rank, or w for a wild card."""
    return paint(card_name(card), CARD_CODES[card_class(card)]) if colour else card_name(card)


def _headline(game: Game) -> str:
    state = f"seat {game.seat} to move"
    if game.is_truncated:
        state = "stopped after too many turns"
    elif game.is_over:
        state = f"won by {' and '.join(f'seat {seat}' for seat in game.winners) or 'nobody'}"
    return f"{progress_words(game)} | {state}"


def _middle_lines(game: Game, colour: bool) -> list[str]:
    """Every building place with its last rank and the rank that it takes next; and the draw pile."""
    lasts = [format_card(rank, colour) if rank > 0 else "empty" for rank in game.building_piles()]
    places = [
        padded(f"{last}, next {rank + 1}", COLUMN) for last, rank in zip(lasts, game.building_piles(), strict=True)
    ]
    draw_pile = f"draw pile {game.draw_pile_size}, completed {game.completed_size}"
    return [padded("building", NAME_WIDTH) + "".join(places), " " * NAME_WIDTH + draw_pile]


def _seat_lines(game: Game, seat: int, colour: bool, hands: bool) -> list[str]:
    """A seat's two lines: stock, hand and total; and the discard piles."""
    is_deciding = seat == game.seat and not game.is_over
    name = f"{'>' if is_deciding else ' '}seat {seat}"
    name = paint(name, BOLD) if colour and is_deciding else name
    stock, hand = _stock(game, seat, colour), _hand(game, seat, colour, hands)
    total = f"total {game.totals[seat]}"
    if game.is_over and not game.is_truncated:  # a stopped round has no scores to show
        total = f"round {game.round_scores[seat]}, {total}"
    piles = [padded(format_pile(game.discard_pile(seat, pile), colour), COLUMN) for pile in range(PLACES)]
    return [
        padded(name, NAME_WIDTH) + padded(stock, CARDS_WIDTH) + padded(hand, CARDS_WIDTH) + total,
        " " * NAME_WIDTH + "".join(piles),
    ]


def _stock(game: Game, seat: int, colour: bool) -> str:
    top = game.stock_top(seat)
    return "stock empty" if top is None else f"stock {format_card(top, colour)}, {game.stock_size(seat)} left"


def _hand(game: Game, seat: int, colour: bool, hands: bool) -> str:
    cards = [format_card(card, colour) if hands else "?" for card in game.hand(seat)]
    return f"hand {' '.join(cards) or 'empty'}"


def format_pile(cards: Sequence[int], colour: bool, column: int = COLUMN) -> str:
    """A discard pile from the bottom up, its top in brackets; cards at the bottom that find no room are counted."""
    if not cards:
        return paint(".", DIM_CODE) if colour else "."
    below = 0
    while len(_pile_words(cards, below, colour=False)) > column - 2:
        below += 1
    return _pile_words(cards, below, colour)


def _pile_words(cards: Sequence[int], below: int, colour: bool) -> str:
    left_out = [f"(+{below})"] if below > 0 else []
    shown = [format_card(card, colour) for card in cards[below:-1]]
    return " ".join([*left_out, *shown, f"[{format_card(cards[-1], colour)}]"])
