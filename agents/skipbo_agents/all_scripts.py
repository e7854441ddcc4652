"""All scripts together, so that decisions at many tables and whole rounds are one call of compiled code."""

from skipbo_agents.greedy import greedy
from skipbo_agents.hpvp import hpvp
from skipbo_agents.planner import planner
from skipbo_agents.player import scripted
from skipbo_agents.random_play import random_play

RANDOM, GREEDY, HPVP, PLANNER = range(4)


@scripted
def decision(view, rules, player):
    """What a player does."""
    if player.script == GREEDY:
        return greedy(view, rules, player)
    if player.script == HPVP:
        return hpvp(view, rules, player)
    if player.script == PLANNER:
        return planner(view, rules, player)
    return random_play(view, rules, player)
