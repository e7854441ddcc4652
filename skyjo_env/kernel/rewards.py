"""The rewards of the environments: for a decision, and for the change of a seat's expected margin."""

from cardtable.table.kernel.scoring import POINTS, reward_in_points
from skyjo_env.kernel.jit import kernel
from skyjo_env.kernel.state import LOWEST, OVER


@kernel
def reward_of(game, rules, seat, kind, is_scored):
    """A seat's reward for the last decision; `is_scored` says whether it ended a round."""
    return reward_in_points(game, rules, seat, kind, is_scored, game.phase == OVER)


@kernel
def mean_hidden_card(game, rules):
    """The mean value of a hidden card, from public knowledge."""
    cards, points = 0, 0
    for value in range(rules.low, rules.low + rules.values):
        count = game.hidden_pool[value - LOWEST]
        cards += count
        points += count * value
    return points / cards if cards > 0 else 0.0


@kernel
def expected_margin(game, rules, seat):
    """The others' mean expected score minus the seat's own, were the round to end now; 0 once the game is over.

    A score is expected as the open sum plus the mean hidden card for every hidden cell. A game that was stopped is not
    over: learners estimate how it would have gone on.
    """
    if game.phase == OVER:
        return 0.0
    mean, expected_sum = mean_hidden_card(game, rules), 0.0
    for other in range(rules.players):
        expected_sum += game.open_sum[other] + game.hidden_left[other] * mean
    own = game.open_sum[seat] + game.hidden_left[seat] * mean
    return ((expected_sum - own) / (rules.players - 1) - own) / POINTS
