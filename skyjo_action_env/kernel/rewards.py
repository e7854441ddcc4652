"""The rewards of the environments: for a decision, and for the change of a seat's expected margin."""

from cardtable.kernel.game_kernel import GAME_EPISODE
from cardtable.kernel.scoring import share_of_win
from skyjo_action_env.kernel.action_cards import held_actions
from skyjo_action_env.kernel.jit import kernel
from skyjo_action_env.kernel.piles import points
from skyjo_action_env.kernel.scoring import HELD_POINTS, margin
from skyjo_action_env.kernel.state import CARDS, LOWEST, OVER

REWARDS = ("margin", "score", "win")  # index = code
MARGIN, SCORE, WIN = range(3)
SHAPINGS = (None, "expected_margin")
POINTS = 100.0  # points for a reward of 1


@kernel
def win_reward(game, rules, seat):
    """1 for winning alone, -1 / (players - 1) for losing; winners share. The rewards of a table sum to 0."""
    if game.episode == GAME_EPISODE:
        share = share_of_win(game.totals, rules.players, seat)
    else:
        share = share_of_win(game.round_scores, rules.players, seat)
    return (share * rules.players - 1.0) / (rules.players - 1)


@kernel
def reward_of(game, rules, seat, kind, is_scored):
    """A seat's reward for the last decision; `is_scored` says whether it ended a round."""
    if kind == WIN:
        return win_reward(game, rules, seat) if game.phase == OVER else 0.0
    if not is_scored:
        return 0.0
    if kind == SCORE:
        return -game.round_scores[seat] / POINTS
    return margin(game, rules, seat) / POINTS


@kernel
def mean_unseen_card(game):
    """The mean of a hidden card, from what everybody has seen."""
    cards, total = 0, 0
    for k in range(CARDS):
        cards += game.unseen[k]
        total += game.unseen[k] * points(k + LOWEST)
    return total / cards if cards > 0 else 0.0


@kernel
def expected_score(game, seat, mean):
    """What a seat would score if the round ended now, without a penalty: hidden cards count the mean."""
    held = HELD_POINTS * held_actions(game, seat)
    return game.open_sum[seat] + game.hidden_left[seat] * mean + held + game.bonus[seat]


@kernel
def expected_margin(game, rules, seat):
    """The others' mean expected score minus the seat's own, were the round to end now; 0 once the game is over.

    A game that was stopped is not over: learners estimate how it would have gone on.
    """
    if game.phase == OVER:
        return 0.0
    mean, expected_sum = mean_unseen_card(game), 0.0
    for other in range(rules.players):
        expected_sum += expected_score(game, other, mean)
    own = expected_score(game, seat, mean)
    return ((expected_sum - own) / (rules.players - 1) - own) / POINTS
