"""Exact expectations of the paper's checks: against counting every arrangement, by hand, and on the kernel itself."""

from collections import Counter
from fractions import Fraction
from itertools import permutations, product

import pytest

from studies.paper.beliefs import (
    DECK,
    PAPER,
    PRINTED_RULES,
    Column,
    Scoring,
    Unseen,
    expected_score,
    mean,
    score_of_column,
    value_probabilities,
    without,
)
from studies.paper.solo import by_discarding, by_placing, placed, value
from tests.helpers import table

SCORINGS = [PAPER, PRINTED_RULES]


def counted_score(column: Column, unseen: Unseen, scoring: Scoring) -> Fraction:
    """The mean over every arrangement of the unseen cards."""
    scores = []
    for order in permutations(unseen):
        cards = list(order)
        shown = [cards.pop() if card is None else card for card in column]
        is_cleared = scoring.clears_at_reveal and len(set(shown)) == 1
        scores.append(0 if is_cleared else sum(shown))
    return Fraction(sum(scores), len(scores))


@pytest.mark.parametrize("scoring", SCORINGS, ids=["paper", "official"])
def test_a_columns_expected_score_is_the_mean_over_all_arrangements(scoring: Scoring) -> None:
    for unseen in ((-2, -2, 4, 4, 4), (0, 1, 1, 9), (-2, 5, 12)):
        for column in product((None, -2, 4, 1), repeat=3):
            if None in column:
                assert score_of_column(column, unseen, scoring) == counted_score(column, unseen, scoring)


def test_the_unseen_are_counted() -> None:
    assert without((0, 3, 3, 5), 3, 5) == (0, 3)
    assert value_probabilities((0, 3, 3, 5)) == ((0, Fraction(1, 4)), (3, Fraction(1, 2)), (5, Fraction(1, 4)))
    assert mean(DECK) == Fraction(760, 150)
    with pytest.raises(ValueError, match="not all of"):
        without((0, 3), 5)


BOARD = ((1, 2, None),)


def test_to_wait_for_a_better_card_by_hand() -> None:
    """Unseen 0 and 10: whichever is drawn tells the hidden one, so waiting leaves 1 + 2 + 0; placing a 4 ends the round
    with 7, or on the 2 leaves 1 + 4 + 0.
    """
    unseen = (0, 10)
    assert value(BOARD, unseen, 0, PAPER) == 8
    assert by_discarding(BOARD, unseen, 1, PAPER) == 3
    assert placed(BOARD, (0, 2), unseen, 4, 1, PAPER) == 7
    assert by_placing(BOARD, unseen, 4, 1, PAPER) == 5


def test_the_forced_flip_by_hand() -> None:
    """Official rules: the discard turns up the last hidden card, and the round is over for this player: 1 + 2 + 5."""
    assert by_discarding(BOARD, (0, 10), 1, PRINTED_RULES) == 8
    pair = ((4, 4, None),)
    assert by_discarding(pair, (4, 9), 0, PRINTED_RULES) == Fraction(17, 2)  # cleared, or 17
    assert by_placing(pair, (4, 9), 5, 0, PRINTED_RULES) == Fraction(13)  # on the hidden card; 9 + 4 or 9 on the other


def test_completing_a_column_clears_it() -> None:
    assert placed(((4, 4, None), (9, 9, 1)), (0, 2), (0, 1), 4, 0, PAPER) == 19
    assert expected_score(((), (1, 2, 3)), (0,), PAPER) == 6


LOW = "0 1 2 | 0 1 3 | 0 2 3"


def last_turn(hidden: int, action: int) -> int:
    """Seat 0's score on the kernel: the last turn of a round, 5 in hand, beside a pair of 4."""
    game = table(
        f"episode round; starter 0; ender 1; turns_left 1; turns 30; board {LOW} | 4 4 ?{hidden}; "
        "board 12 12 11 | 12 12 11 | 12 12 11 | 10 10 9; discard 1; draw ...; seat 0 drawn 5"
    )
    game.apply(action)
    assert game.is_over
    return game.round_scores[0]


def test_the_counterexample_to_proposition_10_on_the_kernel() -> None:
    """Official rules, 5 below the mean: every place is worse than the discard that turns the hidden card up."""
    seen = [0, 1, 2, 0, 1, 3, 0, 2, 3, 4, 4]
    unseen = without(DECK, *seen, 5)
    assert mean(unseen) > 5
    counts = Counter(unseen)

    def expected(action: int) -> Fraction:
        return sum((Fraction(counts[h] * last_turn(h, action), len(unseen)) for h in counts), Fraction(0))

    board = ((0, 1, 2), (0, 1, 3), (0, 2, 3), (4, 4, None))
    flipped = expected(14 + 11)
    assert flipped == by_discarding(board, unseen, 0, PRINTED_RULES)
    assert min(expected(2 + cell) for cell in range(12)) == by_placing(board, unseen, 5, 0, PRINTED_RULES)
    assert all(expected(2 + cell) > flipped for cell in range(12))
