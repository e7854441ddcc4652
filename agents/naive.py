"""The naive player of the paper (6.1): always draws, and replaces a random hidden card."""

from agents.board import confirm, may_draw, random_hidden, turn_down
from agents.player import scripted
from skyjo_env.kernel.state import CONFIRM, DRAW, FIRST_PLACE, OPENING, TAKE, TURN
from skyjo_env.kernel.view import AT_PHASE


@scripted
def naive(view, rules, player):
    """One decision."""
    phase = view[AT_PHASE]
    if phase == TURN:
        return DRAW if may_draw(view) else TAKE
    if phase == CONFIRM:
        return confirm(view, rules)
    cell = random_hidden(view, rules, player)
    if cell < 0:
        return turn_down(view, rules, 0.0, player)
    return (rules.first_flip if phase == OPENING else FIRST_PLACE) + cell
