"""All scripts together, so that decisions at many tables and whole rounds are one call of compiled code."""

from skyjo_agents.expected import expected
from skyjo_agents.habits import HURRIED, with_habit
from skyjo_agents.own_board import confirm, may_draw, random_hidden
from skyjo_agents.player import inlined_script
from skyjo_agents.tempo import tempo
from skyjo_agents.threshold import naive, threshold
from skyjo_env.kernel.state import CONFIRM, OPENING, TAKE, TURN
from skyjo_env.kernel.view import AT_PHASE

NAIVE, THRESHOLD, EXPECTED, TEMPO = range(4)


@inlined_script
def decision(view, rules, player):
    """Return the action of a player. All scripts open at random, clear lines that cost points, and take the discard if
    no card can be drawn.
    """
    phase = view[AT_PHASE]
    if phase == OPENING:
        return rules.first_flip + random_hidden(view, rules, player)
    if phase == CONFIRM:
        return confirm(view, rules)
    if phase == TURN and not may_draw(view):
        return TAKE
    if player.script == THRESHOLD:
        return threshold(view, rules, player)
    if player.script == EXPECTED:
        return expected(view, rules, player)
    if player.script == TEMPO:
        return tempo(view, rules, player)
    if player.script >= HURRIED:
        return with_habit(view, rules, player)
    return naive(view, rules, player)
