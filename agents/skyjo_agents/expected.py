"""The player by expected scores: of all that can be done in a turn, what leaves the lowest expected score."""

from skyjo_agents.columns import best_changes, best_places, read_board
from skyjo_agents.own_board import mean_unseen, turn_down
from skyjo_agents.player import scripted
from skyjo_env.kernel.state import DRAW, FIRST_PLACE, TAKE, TAKEN, TURN
from skyjo_env.kernel.view import AT_CELLS, AT_DISCARD_TOP, AT_HAND, AT_PHASE, at_pools

PAIR = 0  # its number
ROUNDING = 1e-9  # what is less is no change


@scripted
def study_board(view, rules, player):
    """Open cards cost what they are, hidden ones the mean; any column may hope alike."""
    player.hidden_cost = mean_unseen(view, rules)
    for k in range(rules.values):
        player.costs[k] = rules.low + k
        player.completion_odds[k] = player.numbers[PAIR]
    read_board(view, rules, player, AT_CELLS)


@scripted
def change_by_drawing(view, rules, player):
    """The expected change by a draw: each card that it may be, placed as is best or turned down."""
    cards, sum_of_changes, at = 0, 0.0, at_pools(rules) + rules.values
    for k in range(rules.values):
        cards += view[at + k]
        sum_of_changes += view[at + k] * min(player.by_open[k], player.by_hidden[k], 0.0)
    return sum_of_changes / cards if cards > 0 else 0.0


@scripted
def expected(view, rules, player):
    """One decision in a turn."""
    study_board(view, rules, player)
    if view[AT_PHASE] == TURN:
        best_changes(view, rules, player)
        top = view[AT_DISCARD_TOP] - rules.low
        by_taking = min(player.by_open[top], player.by_hidden[top])
        return TAKE if by_taking < change_by_drawing(view, rules, player) else DRAW
    open_cell, open_change, hidden_cell, hidden_change = best_places(view, rules, player, view[AT_HAND])
    cell, change = (open_cell, open_change) if open_change <= hidden_change else (hidden_cell, hidden_change)
    if change < -ROUNDING or view[AT_PHASE] == TAKEN:
        return FIRST_PLACE + cell
    return turn_down(view, rules, player.hidden_cost, player)
