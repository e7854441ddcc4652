"""Exact expectations over what a player cannot see, and exact best play of one board, in fractions.

A board is a tuple of columns, a column a tuple of cards, None for a hidden one; a removed column is the empty tuple.
The unseen cards are a sorted tuple: those of the hidden cells and of the draw pile, every arrangement equally likely.
Under `official` rules a discarded draw is followed by turning a hidden card up, and the reveal clears columns, too.
"""

from collections import Counter
from collections.abc import Iterable, Iterator
from fractions import Fraction
from functools import cache

from skyjo_env.rules import OFFICIAL

Card = int | None
Column = tuple[Card, ...]
Board = tuple[Column, ...]
Place = tuple[int, int]  # column and row
Unseen = tuple[int, ...]

DECK: Unseen = tuple(value for value, count in OFFICIAL.deck for _ in range(count))
LATE: Unseen = tuple(card for card in DECK if card < 8)  # late in a round, all cards from 8 up seen
VALUES = tuple(OFFICIAL.values)


def mean(cards: Unseen) -> Fraction:
    """Return the deck-belief mean of the paper."""
    return Fraction(sum(cards), len(cards))


@cache
def without(cards: Unseen, *seen: int) -> Unseen:
    """Return the unseen cards once these have been seen; ValueError if there are too few of them."""
    counts = Counter(cards)
    counts.subtract(seen)
    if min(counts.values(), default=0) < 0:
        raise ValueError(f"not all of {seen} are among the unseen cards")
    return tuple(sorted(counts.elements()))


@cache
def chances(cards: Unseen) -> tuple[tuple[int, Fraction], ...]:
    """Return every value that one unseen card may have, with its probability."""
    return tuple((value, Fraction(count, len(cards))) for value, count in sorted(Counter(cards).items()))


def seen_on(*columns: Iterable[Card]) -> tuple[int, ...]:
    """Return the open cards of some columns."""
    return tuple(card for column in columns for card in column if card is not None)


def column_score(column: Column, unseen: Unseen, official: bool) -> Fraction:
    """Return the expected score of a column if the round ends now."""
    opened, hidden = seen_on(column), column.count(None)
    score = Fraction(sum(opened)) + (hidden * mean(unseen) if hidden else 0)
    if official and hidden and len(set(opened)) <= 1:
        for value in set(opened) or set(unseen):
            chance = Fraction(1)
            for k in range(hidden):
                chance *= Fraction(max(unseen.count(value) - k, 0), len(unseen) - k)
            score -= chance * value * len(column)
    return score


def board_score(board: Board, unseen: Unseen, official: bool) -> Fraction:
    """Return the expected score of a board if the round ends now."""
    return sum((column_score(column, unseen, official) for column in board), Fraction(0))


def cleared(column: Column) -> Column:
    """Return the column, or what is left of it if all its cards are open and equal: nothing."""
    return () if None not in column and len(set(column)) == 1 else column


def lay(board: Board, place: Place, card: int) -> Board:
    """Return the board with an open card in this place, the column removed if that completes it."""
    number, row = place
    column = (*board[number][:row], card, *board[number][row + 1 :])
    return (*board[:number], cleared(column), *board[number + 1 :])


def places(board: Board) -> Iterator[tuple[Place, Card]]:
    """Yield every remaining cell, and its card."""
    for number, column in enumerate(board):
        for row, card in enumerate(column):
            yield (number, row), card


@cache
def best_score(board: Board, unseen: Unseen, turns: int, official: bool) -> Fraction:
    """Return the lowest expected final score that this many turns can reach.

    The player draws in every turn. Without a hidden card left there is no further turn: the round is over.
    """
    if turns == 0 or not any(None in column for column in board):
        return board_score(board, unseen, official)
    total = Fraction(0)
    for card, chance in chances(unseen):
        left = without(unseen, card)
        options = discarded(board, left, turns - 1, official), placed_best(board, left, card, turns - 1, official)
        total += chance * min(options)
    return total


def discarded(board: Board, unseen: Unseen, turns: int, official: bool) -> Fraction:
    """Return the score with the drawn card discarded, the best hidden card turned up if the rules demand it."""
    if not official:
        return best_score(board, unseen, turns, official)
    hidden = [place for place, card in places(board) if card is None]
    return min(placed(board, place, unseen, None, turns, official) for place in hidden)


def placed_best(board: Board, unseen: Unseen, card: int, turns: int, official: bool) -> Fraction:
    """Return the score with the drawn card placed where it is best."""
    return min(placed(board, place, unseen, card, turns, official) for place, _ in places(board))


def placed(board: Board, place: Place, unseen: Unseen, card: Card, turns: int, official: bool) -> Fraction:
    """Return the score with the drawn card placed here; without a card, the hidden one here is turned up."""
    lies = board[place[0]][place[1]]
    total = Fraction(0)
    for seen, chance in chances(unseen) if lies is None else ((lies, Fraction(1)),):
        after = lay(board, place, seen if card is None else card)
        left = without(unseen, seen) if lies is None else unseen
        total += chance * best_score(after, left, turns, official)
    return total
