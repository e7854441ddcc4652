"""The rewards of the environments: for how the episode ended, and for the change of a seat's stock margin."""

from cardtable.table.kernel.game_kernel import GAME_EPISODE, final_score
from skipbo_env.kernel.jit import kernel
from skipbo_env.kernel.state import OVER

REWARDS = ("win", "point", "margin")  # index = code
WIN, POINT, MARGIN = range(3)
SHAPINGS = (None, "stock")


@kernel
def share_of_first(game, rules, seat):
    """1 for the only highest score, an equal share among several, 0 for the others."""
    own, first = final_score(game, seat), 0
    for other in range(rules.players):
        score = final_score(game, other)
        if score > own:
            return 0.0
        first += score == own
    return 1.0 / first


@kernel
def win_reward(game, rules, seat):
    """1 for winning alone, -1 / (players - 1) for losing; winners share, and 0 for all if nobody has won."""
    return (share_of_first(game, rules, seat) * rules.players - 1.0) / (rules.players - 1)


@kernel
def stock_margin(game, rules, seat):
    """How many fewer cards a seat has in its stock pile than the mean of the others, in stock piles as dealt."""
    cards = 0
    for other in range(rules.players):
        cards += game.stock_left[other]
    own = game.stock_left[seat]
    return ((cards - own) / (rules.players - 1) - own) / rules.stock


@kernel
def margin_reward(game, rules, seat):
    """The stock margin at the end of a round; at the end of a game how far the total is ahead, in target scores."""
    if game.episode != GAME_EPISODE:
        return stock_margin(game, rules, seat)
    points = 0
    for other in range(rules.players):
        points += game.totals[other]
    own = game.totals[seat]
    return (own - (points - own) / (rules.players - 1)) / rules.target_score


@kernel
def reward_of(game, rules, seat, kind, is_scored):
    """A seat's reward for the last decision: 0 unless the episode is over."""
    if not is_scored or game.phase != OVER:
        return 0.0
    if kind == MARGIN:
        return margin_reward(game, rules, seat)
    if kind == WIN:
        return win_reward(game, rules, seat)
    return share_of_first(game, rules, seat) if final_score(game, seat) > 0 else 0.0


@kernel
def potential(game, rules, seat):
    """The stock margin now; 0 once the game is over. A game that was stopped is not over."""
    return 0.0 if game.phase == OVER else stock_margin(game, rules, seat)
