"""Margins and winners: the one place where scores become margins, wins and rewards.

The functions for one seat are compiled; `margins_and_wins` takes the scores of many deals, [deals, players].
"""

import numpy as np
from numpy.typing import NDArray

from cardtable.table.compiling.compiler import kernel
from cardtable.table.kernel.events import note
from cardtable.table.kernel.game_kernel import final_score

# Rewards; index = code
REWARDS = ("margin", "score", "win")
MARGIN, SCORE, WIN = range(3)
SHAPINGS = (None, "expected_margin")
POINTS = 100.0  # points for a reward of 1
FEWEST, MOST = 1, -1  # what is best: with this factor the lowest number of points is


@kernel
def margin(scores, players, seat):
    """Return the mean of the others' scores minus the seat's own."""
    sum_of_scores = 0
    for other in range(players):
        sum_of_scores += scores[other]
    own = scores[seat]
    return (sum_of_scores - own) / (players - 1) - own


@kernel
def whole_margin(scores, players, seat):
    """Return the margin times the number of others: a whole number where scores are."""
    sum_of_scores = 0
    for other in range(players):
        sum_of_scores += scores[other]
    return sum_of_scores - players * scores[seat]


@kernel
def share_of_win(game, rules, seat, best):
    """Return 1 for the only best score of an episode, an equal share among several, 0 for the others."""
    own, winners = best * final_score(game, seat), 0
    for other in range(rules.players):
        score = best * final_score(game, other)
        if score < own:
            return 0.0
        winners += score == own
    return 1.0 / winners


@kernel
def win_reward(game, rules, seat, best):
    """Return 1 for winning alone, -1 / (players - 1) for losing; winners share, and so do all. A table's rewards sum to
    0.
    """
    return (share_of_win(game, rules, seat, best) * rules.players - 1.0) / (rules.players - 1)


@kernel
def note_winners(log, kind, game, rules, best):
    """Note an event of this kind that names the winners: none where the most points win and no seat has any."""
    note(log, kind, 0)
    for seat in range(rules.players):
        has_points = best == FEWEST or final_score(game, seat) > 0
        if log is not None and has_points and share_of_win(game, rules, seat, best) > 0:
            note(log, kind, 1, seat)


@kernel
def reward_in_points(game, rules, seat, kind, is_scored, is_over, best):
    """Return a seat's reward for the last decision, which has ended a round or not, and the game or not."""
    if kind == WIN:
        return win_reward(game, rules, seat, best) if is_over else 0.0
    if not is_scored:
        return 0.0
    if kind == SCORE:
        return -best * game.round_scores[seat] / POINTS
    return best * margin(game.round_scores, rules.players, seat) / POINTS


def margins_and_wins(
    scores: NDArray[np.int64], lower_is_better: bool
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Return the margins and the shares of a win of many deals, each [deals, players]."""
    points = np.asarray(scores, np.int64) * (FEWEST if lower_is_better else MOST)
    margins = (points.sum(1, keepdims=True) - points) / (points.shape[1] - 1) - points
    is_best = points == points.min(1, keepdims=True)
    return margins, is_best / is_best.sum(1, keepdims=True)
