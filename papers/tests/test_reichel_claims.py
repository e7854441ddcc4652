"""The exact claims of Reichel's paper: expectations counted out and on the kernel, and what was found."""

from collections import Counter
from fractions import Fraction
from itertools import permutations, product

import pytest

from papers import reichel_boards as boards
from papers.reichel_boards import DECK, Column, Unseen, discarded, mean, without
from papers.reichel_claims import LOW_COLUMNS, Group, change, exact_claims, grouped, judged
from tests.helpers import table

BOARD = ((1, 2, None),)


def counted_score(column: Column, unseen: Unseen, official: bool) -> Fraction:
    """The mean over every arrangement of the unseen cards."""
    scores = []
    for order in permutations(unseen):
        cards = list(order)
        shown = [cards.pop() if card is None else card for card in column]
        scores.append(0 if official and len(set(shown)) == 1 else sum(shown))
    return Fraction(sum(scores), len(scores))


@pytest.mark.parametrize("official", [False, True])
def test_a_columns_expected_score_is_the_mean_over_all_arrangements(official: bool) -> None:
    for unseen, column in product(((-2, -2, 4, 4, 4), (0, 1, 1, 9), (-2, 5, 12)), product((None, -2, 4, 1), repeat=3)):
        if None in column:
            assert boards.column_score(column, unseen, official) == counted_score(column, unseen, official)


def test_waiting_for_a_better_card_by_hand() -> None:
    """Unseen 0 and 10: the draw tells the hidden one, so waiting leaves 1 + 2 + 0; placing a 4 ends the round with 7,
    or on the 2 leaves 1 + 4 + 0.
    """
    unseen = (0, 10)
    assert boards.best_score(BOARD, unseen, 0, False) == boards.board_score(BOARD, unseen, False) == 8
    assert discarded(BOARD, unseen, 1, False) == 3
    assert boards.placed(BOARD, (0, 2), unseen, 4, 1, False) == 7
    assert boards.placed_best(BOARD, unseen, 4, 1, False) == 5
    assert boards.placed(((4, 4, None), (9, 9, 1)), (0, 2), (0, 1), 4, 0, False) == 19  # the column is cleared
    assert discarded(BOARD, unseen, 1, True) == 8  # the card turned up is the last one: the round is over
    assert discarded(((4, 4, None),), (4, 9), 0, True) == Fraction(17, 2)  # cleared, or 17


def test_the_counterexample_to_proposition_10_on_the_kernel() -> None:
    """Official rules, 5 in hand, below the mean: each place is worse than the discard, which turns the last card up."""
    board = (*LOW_COLUMNS, (4, 4, None))
    unseen = without(DECK, 0, 1, 2, 0, 1, 3, 0, 2, 3, 4, 4, 5)
    assert mean(unseen) > 5

    def score(hidden: int, action: int) -> int:
        game = table(
            f"episode round; starter 0; ender 1; turns_left 1; turns 30; board 0 1 2 | 0 1 3 | 0 2 3 | 4 4 ?{hidden}; "
            "board 12 12 11 | 12 12 11 | 12 12 11 | 10 10 9; discard 1; draw ...; seat 0 drawn 5"
        )
        game.apply(action)
        return int(game.round_scores[0])

    def expected(action: int) -> Fraction:
        counts = Counter(unseen).items()
        return sum((Fraction(count * score(hidden, action), len(unseen)) for hidden, count in counts), Fraction(0))

    flipped = expected(14 + 11)
    assert flipped == discarded(board, unseen, 0, True)
    assert min(expected(2 + cell) for cell in range(12)) == boards.placed_best(board, unseen, 5, 0, True) > flipped


def test_completing_a_column_by_hand() -> None:
    """Beside two 4s lie 147 unseen cards of 748 points; with chance 7/147 the hidden one is a 4, which clears 12."""
    unseen = without(DECK, 4, 4, 4)
    assert change(4, unseen) == -8 - Fraction(748, 147)
    assert change(4, unseen, official=True) == change(4, unseen) + 12 * Fraction(7, 147)


def test_the_verdict_follows_from_the_cases() -> None:
    free, broken = grouped([("so", True, "a"), ("else", True, "b"), ("else", False, "c"), ("else", False, "d")])
    assert (free, broken) == (Group("so", 1, 0), Group("else", 3, 2, "c"))
    assert judged([free, free]).verdict == "holds"
    assert judged([free, broken]).verdict == "holds under"
    assert judged([broken]).verdict == judged([free, broken], is_whole=True).verdict == "fails"
    assert judged([]).verdict == judged([Group("", 0, 0)]).verdict == "fails"  # nothing tried, nothing shown


def test_the_claims_are_found_as_they_were() -> None:
    found = exact_claims()
    exceptions = {labels: [group.exceptions for group in claim.groups] for labels, claim in found.items()}
    assert exceptions == {
        "Lemma 1, Lemma 3": [0, 527],
        "Lemma 2": [0, 42, 163],
        "Proposition 1, Proposition 10": [0, 4, 0, 1, 1, 0, 0, 0, 1, 0, 0],
        "Proposition 2, Proposition 6": [0, 27, 18, 18, 0, 0, 2],
        "Proposition 3, Proposition 7": [0, 26, 1, 1, 0, 0, 2],
        "Proposition 4, Proposition 8": [18, 0],
        "Proposition 5, Proposition 9": [15, 4, 15, 4, 10, 2, 10, 2],
        "Corollary 1": [105, 105, 104],
        "Corollary 2": [0, 0, 0, 0, 0, 1],
    }
    assert [labels for labels, claim in found.items() if claim.verdict == "fails"] == [
        "Proposition 5, Proposition 9",
        "Corollary 1",
    ]
    # A hidden card is worth more than every open card up to 5: of 15 values the pairs with a higher one below the mean.
    assert found["Proposition 4, Proposition 8"].beyond[0].exceptions == 8 * 7 // 2
