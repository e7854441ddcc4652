"""Who is how far ahead, and who has won: the one place where scores become margins and wins.

The functions for one seat are compiled and take the scores of a table; those for many deals take [deals, players].
Fewer points are better; where more are, `margins_and_wins` turns the scores around.
"""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from cardtable.kernel.compiler import kernel


@kernel
def margin(scores, players, seat):
    """The mean of the others' scores minus the seat's own."""
    sum_of_scores = 0
    for other in range(players):
        sum_of_scores += scores[other]
    own = scores[seat]
    return (sum_of_scores - own) / (players - 1) - own


@kernel
def whole_margin(scores, players, seat):
    """The margin times the number of others: a whole number where scores are."""
    sum_of_scores = 0
    for other in range(players):
        sum_of_scores += scores[other]
    return sum_of_scores - players * scores[seat]


@kernel
def share_of_win(scores, players, seat):
    """1 for the only lowest score, an equal share among several, 0 for the others."""
    winners = 0
    for other in range(players):
        if scores[other] < scores[seat]:
            return 0.0
        winners += scores[other] == scores[seat]
    return 1.0 / winners


@kernel
def fill(scores, margins, wins):
    """Write the margin and the share of a win of every seat, [deals, players]."""
    players = scores.shape[1]
    for deal in range(len(scores)):
        for seat in range(players):
            margins[deal, seat] = margin(scores[deal], players, seat)
            wins[deal, seat] = share_of_win(scores[deal], players, seat)


def margins_and_wins(
    scores: NDArray[np.int64], lower_is_better: bool
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """The margins and the shares of a win of many deals, each [deals, players]."""
    turned: Any = scores if lower_is_better else -scores
    margins, wins = np.empty(scores.shape), np.empty(scores.shape)
    fill(np.ascontiguousarray(turned, np.int64), margins, wins)
    return margins, wins
