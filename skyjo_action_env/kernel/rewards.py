"""The rewards of the environments: for a decision, and for the change of a seat's expected margin."""

from cardtable.table.kernel.scoring import POINTS, reward_in_points
from skyjo_action_env.kernel.jit import kernel
from skyjo_action_env.kernel.piles import points
from skyjo_action_env.kernel.scoring import HELD_POINTS
from skyjo_action_env.kernel.state import CARDS, LOWEST, OVER


@kernel
def reward_of(game, rules, seat, kind, is_scored):
    """A seat's reward for the last decision; `is_scored` says whether it ended a round."""
    return reward_in_points(game, rules, seat, kind, is_scored, game.phase == OVER)


@kernel
def mean_unseen_card(game):
    """The mean of a hidden card, from what everybody has seen."""
    cards, total = 0, 0
    for k in range(CARDS):
        cards += game.unseen[k]
        total += game.unseen[k] * points(k + LOWEST)
    return total / cards if cards > 0 else 0.0


@kernel
def expected_margin(game, rules, seat):
    """The others' mean expected score minus the seat's own, were the round to end now; 0 once the game is over.

    No penalty is expected, and hidden cards count the mean. A game that was stopped is not over: learners estimate how
    it would have gone on.
    """
    if game.phase == OVER:
        return 0.0
    mean, own, expected_sum = mean_unseen_card(game), 0.0, 0.0
    for other in range(rules.players):
        held = HELD_POINTS * game.held[other].sum()
        score = game.open_sum[other] + game.hidden_left[other] * mean + held + game.bonus[other]
        own, expected_sum = score if other == seat else own, expected_sum + score
    return ((expected_sum - own) / (rules.players - 1) - own) / POINTS
