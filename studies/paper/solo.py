"""Exact best play of one player with a few turns left, over every draw and every choice.

The player draws in every turn. Without a hidden card left there is no further turn: the round is over.
"""

from fractions import Fraction
from functools import cache

from studies.paper.beliefs import (
    Board,
    Scoring,
    Unseen,
    expected_score,
    hidden_cells,
    lay,
    ordered,
    places,
    value_probabilities,
    without,
)


@cache
def value(board: Board, unseen: Unseen, turns: int, scoring: Scoring) -> Fraction:
    """The lowest expected final score that can be reached in this many turns."""
    if turns == 0 or hidden_cells(board) == 0:
        return expected_score(board, unseen, scoring)
    drawn = (
        (chance, best(board, without(unseen, card), card, turns - 1, scoring))
        for card, chance in value_probabilities(unseen)
    )
    return sum((chance * score for chance, score in drawn), Fraction(0))


def best(board: Board, unseen: Unseen, card: int, turns: int, scoring: Scoring) -> Fraction:
    """The lowest expected score with a card in hand; `turns` are those that follow."""
    return min(by_discarding(board, unseen, turns, scoring), by_placing(board, unseen, card, turns, scoring))


def by_discarding(board: Board, unseen: Unseen, turns: int, scoring: Scoring) -> Fraction:
    """Discard the card in hand, and turn up the best hidden card if the rules want it."""
    if not scoring.flips:
        return value(ordered(board), unseen, turns, scoring)
    hidden = [place for place, lies in places(board) if lies is None]
    return min(_after_seeing(board, place, unseen, None, turns, scoring) for place in hidden)


def by_placing(board: Board, unseen: Unseen, card: int, turns: int, scoring: Scoring) -> Fraction:
    """Place the card in hand where it is best."""
    return min(placed(board, place, unseen, card, turns, scoring) for place, _ in places(board))


def placed(board: Board, place: tuple[int, int], unseen: Unseen, card: int, turns: int, scoring: Scoring) -> Fraction:
    """Place the card in hand here."""
    if board[place[0]][place[1]] is None:
        return _after_seeing(board, place, unseen, card, turns, scoring)
    return value(ordered(lay(board, place, card)), unseen, turns, scoring)


def _after_seeing(
    board: Board, place: tuple[int, int], unseen: Unseen, card: int | None, turns: int, scoring: Scoring
) -> Fraction:
    """A hidden card is revealed: replaced by `card`, or turned up where that is None."""
    total = Fraction(0)
    for shown, chance in value_probabilities(unseen):
        after = ordered(lay(board, place, shown if card is None else card))
        total += chance * value(after, without(unseen, shown), turns, scoring)
    return total
