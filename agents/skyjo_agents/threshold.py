"""The naive player of the paper (6.1), and its threshold players (6.2, 6.3), which take a discard up to t."""

from skyjo_agents.own_board import (
    completed_by,
    highest_open,
    least_harm,
    mean_unseen,
    own_hidden,
    random_hidden,
    turn_down,
    worst_open,
)
from skyjo_agents.player import scripted
from skyjo_env.kernel.state import DRAW, FIRST_PLACE, TAKE, TAKEN, TURN
from skyjo_env.kernel.view import AT_DISCARD_TOP, AT_HAND, AT_PHASE


@scripted
def naive(view, rules, player):
    """Return one decision in a turn."""
    if view[AT_PHASE] == TURN:
        return DRAW
    cell = random_hidden(view, rules, player)
    return FIRST_PLACE + cell if cell >= 0 else turn_down(view, rules, 0.0, player)


T, COLUMNS = range(2)  # its numbers


@scripted
def takes(view, rules, player):
    """Return whether to take the discard: it is not above the threshold, or it completes a column."""
    top = view[AT_DISCARD_TOP]
    if top <= player.numbers[T]:
        return True
    return player.numbers[COLUMNS] == 1 and completed_by(view, rules, top) >= 0


@scripted
def threshold(view, rules, player):
    """Return one decision in a turn."""
    if view[AT_PHASE] == TURN:
        return TAKE if takes(view, rules, player) else DRAW
    card = view[AT_HAND]
    if player.numbers[COLUMNS] == 1:
        cell = completed_by(view, rules, card)
        if cell >= 0:
            return FIRST_PLACE + cell
    if highest_open(view, rules) > card:
        return FIRST_PLACE + worst_open(view, rules)
    mean = mean_unseen(view, rules)
    if own_hidden(view, rules) > 0 and card < mean:
        return FIRST_PLACE + random_hidden(view, rules, player)
    if view[AT_PHASE] == TAKEN:
        return least_harm(view, rules, mean, player)
    return turn_down(view, rules, mean, player)
