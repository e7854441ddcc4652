"""The naive player of the paper (6.1): always draws, and replaces a random hidden card."""

from skyjo_agents.own_board import random_hidden, turn_down
from skyjo_agents.player import scripted
from skyjo_env.kernel.state import DRAW, FIRST_PLACE, TURN
from skyjo_env.kernel.view import AT_PHASE


@scripted
def naive(view, rules, player):
    """One decision in a turn."""
    if view[AT_PHASE] == TURN:
        return DRAW
    cell = random_hidden(view, rules, player)
    return FIRST_PLACE + cell if cell >= 0 else turn_down(view, rules, 0.0, player)
