"""Exact expectations over what a player cannot see, in fractions.

A board is a tuple of columns, a column a tuple of cards, None for a hidden one; a removed column is the empty tuple.
The unseen cards are a sorted tuple: those of the hidden cells and of the draw pile, every arrangement equally likely.
"""

from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from fractions import Fraction
from functools import cache

from skyjo_env.rules import OFFICIAL, REICHEL, Rules

Card = int | None
Column = tuple[Card, ...]
Board = tuple[Column, ...]
Unseen = tuple[int, ...]

DECK: Unseen = tuple(value for value, count in OFFICIAL.deck for _ in range(count))
LATE: Unseen = tuple(card for card in DECK if card < 8)  # late in a round, all cards from 8 up seen
VALUES = tuple(OFFICIAL.values)


@dataclass(frozen=True)
class Scoring:
    """The rules that matter for a player's own board."""

    name: str
    flips: bool  # a discarded draw must be followed by turning a hidden card up
    clears_at_reveal: bool  # columns that the reveal completes are cleared

    @classmethod
    def of(cls, name: str, rules: Rules) -> "Scoring":
        """The scoring under these rules."""
        return cls(name, rules.flip_after_discard == "mandatory", rules.reveal_clear)


PAPER = Scoring.of("the paper's rules", REICHEL)
PRINTED_RULES = Scoring.of("the official rules", OFFICIAL)


def mean(cards: Unseen) -> Fraction:
    """The deck-belief mean of the paper."""
    return Fraction(sum(cards), len(cards))


@cache
def without(cards: Unseen, *seen: int) -> Unseen:
    """The unseen cards once these have been seen; ValueError if there are too few of them."""
    left = Counter(cards)
    left.subtract(seen)
    if min(left.values(), default=0) < 0:
        raise ValueError(f"not all of {seen} are among the unseen cards")
    return tuple(sorted(left.elements()))


@cache
def value_probabilities(cards: Unseen) -> tuple[tuple[int, Fraction], ...]:
    """Every value that one unseen card may have, with its probability."""
    return tuple((value, Fraction(count, len(cards))) for value, count in sorted(Counter(cards).items()))


def probability_of_all(cards: Unseen, value: int, times: int) -> Fraction:
    """The probability that this many unseen cards all have this value."""
    count, probability = cards.count(value), Fraction(1)
    for k in range(times):
        probability *= Fraction(max(count - k, 0), len(cards) - k)
    return probability


def score_of_column(column: Column, unseen: Unseen, scoring: Scoring) -> Fraction:
    """The expected score of a column if the round ends now."""
    opened = [card for card in column if card is not None]
    hidden = len(column) - len(opened)
    score = Fraction(sum(opened)) + (hidden * mean(unseen) if hidden else 0)
    if scoring.clears_at_reveal and hidden and len(set(opened)) <= 1:
        for value in set(opened) or set(unseen):
            score -= probability_of_all(unseen, value, hidden) * value * len(column)
    return score


def expected_score(board: Board, unseen: Unseen, scoring: Scoring) -> Fraction:
    """The expected score of a board if the round ends now."""
    return sum((score_of_column(column, unseen, scoring) for column in board), Fraction(0))


def hidden_cells(board: Board) -> int:
    """How many cards of a board are hidden."""
    return sum(column.count(None) for column in board)


def is_complete(column: Column) -> bool:
    """Are all its cards open and equal?"""
    return len(column) > 0 and None not in column and len(set(column)) == 1


def lay(board: Board, place: tuple[int, int], card: int) -> Board:
    """The board with an open card in this place (column, row), the column removed if that completes it."""
    number, row = place
    column = (*board[number][:row], card, *board[number][row + 1 :])
    return (*board[:number], () if is_complete(column) else column, *board[number + 1 :])


def places(board: Board) -> Iterator[tuple[tuple[int, int], Card]]:
    """Every remaining cell, and its card."""
    for number, column in enumerate(board):
        for row, card in enumerate(column):
            yield (number, row), card


def ordered(board: Board) -> Board:
    """The same board with cells and columns in a standard order: nothing depends on it."""
    columns = [tuple(sorted(column, key=lambda card: 99 if card is None else card)) for column in board if column]
    return tuple(sorted(columns, key=lambda column: [99 if card is None else card for card in column]))


def seen_on(*boards: Iterable[Card]) -> tuple[int, ...]:
    """The open cards of some columns."""
    return tuple(card for column in boards for card in column if card is not None)
