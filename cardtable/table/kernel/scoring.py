"""Who is how far ahead, and who has won: the one place where scores become margins, wins and rewards.

The functions for one seat are compiled and take the scores of a table; those for many deals take [deals, players].
Fewer points are better; where more are, `margins_and_wins` turns the scores around.
"""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from cardtable.table.compiling.compiler import kernel
from cardtable.table.kernel.events import note
from cardtable.table.kernel.game_kernel import GAME_EPISODE, final_score

# Rewards; index = code
REWARDS = ("margin", "score", "win")
MARGIN, SCORE, WIN = range(3)
SHAPINGS = (None, "expected_margin")
POINTS = 100.0  # points for a reward of 1


@kernel
def margin(scores, players, seat):
    """The mean of the others' scores minus the seat's own."""
    sum_of_scores = 0
    for other in range(players):
        sum_of_scores += scores[other]
    own = scores[seat]
    return (sum_of_scores - own) / (players - 1) - own


@kernel
def round_margin(game, rules, seat):
    """The margin in the last round of a game in which few points are good."""
    return margin(game.round_scores, rules.players, seat)


@kernel
def round_lead(game, rules, seat):
    """The margin in the last round of a game in which many points are good."""
    return -margin(game.round_scores, rules.players, seat)


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
def share_of_episode(game, rules, seat):
    """The seat's share of the win of a game, or of its one round."""
    if game.episode == GAME_EPISODE:
        return share_of_win(game.totals, rules.players, seat)
    return share_of_win(game.round_scores, rules.players, seat)


@kernel
def win_reward(game, rules, seat):
    """1 for winning alone, -1 / (players - 1) for losing; winners share. The rewards of a table sum to 0."""
    return (share_of_episode(game, rules, seat) * rules.players - 1.0) / (rules.players - 1)


@kernel
def note_winners(log, kind, game, rules):
    """Note an event of this kind that names the seats with a share of the win."""
    for seat in range(rules.players):
        if log is not None and share_of_episode(game, rules, seat) > 0:
            note(log, kind, 1, seat)


@kernel
def reward_in_points(game, rules, seat, kind, is_scored, is_over):
    """A seat's reward for the last decision, which has ended a round or not, and the game or not."""
    if kind == WIN:
        return win_reward(game, rules, seat) if is_over else 0.0
    if not is_scored:
        return 0.0
    if kind == SCORE:
        return -game.round_scores[seat] / POINTS
    return round_margin(game, rules, seat) / POINTS


@kernel
def share_of_first(game, rules, seat):
    """1 for the only highest score of an episode, an equal share among several, 0 for the others."""
    own, first = final_score(game, seat), 0
    for other in range(rules.players):
        score = final_score(game, other)
        if score > own:
            return 0.0
        first += score == own
    return 1.0 / first


@kernel
def note_first(log, kind, game, rules):
    """Note an event of this kind that names the seats with the highest score, or none where that is 0."""
    note(log, kind, 0)
    for seat in range(rules.players):
        if log is not None and final_score(game, seat) > 0 and share_of_first(game, rules, seat) > 0:
            note(log, kind, 1, seat)


@kernel
def reward_of_first(game, rules, seat):
    """1 for winning alone, -1 / (players - 1) for losing; winners share, and 0 for all if nobody has won."""
    return (share_of_first(game, rules, seat) * rules.players - 1.0) / (rules.players - 1)


@kernel
def reward_of_leading(game, rules, seat, kind, is_scored, is_over):
    """The same as `reward_in_points` in a game in which many points are good."""
    if kind == WIN:
        return reward_of_first(game, rules, seat) if is_over else 0.0
    if not is_scored:
        return 0.0
    if kind == SCORE:
        return game.round_scores[seat] / POINTS
    return round_lead(game, rules, seat) / POINTS


@kernel
def is_only_round(game, rules):  # noqa: ARG001
    """Is the episode over after this round, in a game of one round?"""
    return True


@kernel
def is_last_of_rounds(game, rules):
    """Is the episode over after this round, in a game of so many rounds?"""
    return game.episode != GAME_EPISODE or game.round_number >= rules.max_rounds


@kernel
def is_last_round(game, rules):
    """Is the episode over after this round, in a game that also ends at a total of `target_score`?"""
    if is_last_of_rounds(game, rules):
        return True
    for seat in range(rules.players):
        if game.totals[seat] >= rules.target_score:
            return True
    return False


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
