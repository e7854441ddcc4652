"""What a player makes of a table: `greedy` its own expected score, `planner` the expected margin.

A value is that of the table after a turn. Layout costs and time have been studied (`skyjo_action_agents.table`).
"""

import math

from skyjo_action_agents.player import scripted
from skyjo_action_agents.table import holding
from skyjo_action_env.kernel.scoring import HELD_POINTS
from skyjo_action_env.kernel.state import DEFENCE, EXCHANGE, KINDS, REMOVE, STEAL
from skyjo_action_env.kernel.view import AT_ENDER, at_held, at_seats

GREEDY, PLANNER = range(2)  # the scripts
STAY, GAIN, SPREAD = range(8, 11)  # its numbers
FAR = 4.0  # standard deviations off that count as certain
SLIGHTLY = 0.01  # how much greedy minds the others: it prefers the worse for them if its own score is the same


@scripted
def below(limit, deviation):
    """The chance that a normal number with mean 0 is at most this, by a logistic curve close to it."""
    if abs(limit) >= FAR * deviation:
        return 1.0 if limit >= 0 else 0.0
    return 1.0 / (1.0 + math.exp(-1.702 * limit / deviation))


@scripted
def points_of(view, rules, player, place):
    """What another player would score if the round ended now: hidden cards count the mean."""
    at = at_seats(rules) + place
    points = view[at + rules.players] + player.hidden[place] * player.card_mean + view[at + 4 * rules.players]
    return points + HELD_POINTS * player.held[place]


@scripted
def value_of_ending(view, rules, player, cost, unknown, harm):
    """The expected margin if this turn ends the round: the others have a turn left (9.2), and the score is doubled
    unless it is the lowest (9.6). `unknown` cards were turned up unseen; `harm` is what the others' mean has risen by.
    """
    lowest, points, numbers = 1.0, 0.0, player.numbers
    for place in range(1, rules.players):
        final = points_of(view, rules, player, place) - numbers[GAIN] + harm
        variance = (player.hidden[place] + unknown) * player.deviation**2 + numbers[SPREAD] ** 2
        lowest *= below(final - cost - 0.5, math.sqrt(variance))
        points += final
    penalty = (1.0 - lowest) * max(cost, 0.0)
    return points / (rules.players - 1) - cost - penalty - numbers[STAY] + player.end_worth


@scripted
def value_in_lap(view, rules, player, cost, hidden):
    """The expected margin in the final lap: who comes as low as the ender doubles the ender's score (9.6)."""
    value, ender = -cost, view[AT_ENDER]
    points = points_of(view, rules, player, ender)
    if points > 0:
        value += below(points + 0.5 - cost, player.deviation * math.sqrt(hidden)) * points / (rules.players - 1)
    return value


@scripted
def value_after(view, rules, player, change, hidden, unknown, harm, held):
    """The value after the own layout's cost has changed, with so many hidden cards (0 if the round ends), cards turned
    up unseen, rise of the others' mean, and action cards.
    """
    cost = player.cost[0] + change + view[at_seats(rules) + 4 * rules.players]
    if player.script == GREEDY:
        return (player.hidden[0] - hidden) * player.flip_worth - cost - holding(player, held) + SLIGHTLY * harm
    if view[AT_ENDER] >= 0:
        return value_in_lap(view, rules, player, cost + HELD_POINTS * held, hidden + unknown) + others(player, rules)
    if hidden == 0:
        return value_of_ending(view, rules, player, cost + HELD_POINTS * held, unknown, harm)
    value = others(player, rules) + harm - cost - holding(player, held)
    return value + (player.hidden[0] - hidden) * player.flip_worth


@scripted
def value_of_waiting(view, rules, player, held):
    """The value of the table as it is with so many action cards."""
    return value_after(view, rules, player, 0.0, player.hidden[0], 0, 0.0, held)


@scripted
def others(player, rules):
    """What the others expect on average."""
    points = 0.0
    for place in range(1, rules.players):
        points += player.cost[place] + holding(player, player.held[place])
    return points / (rules.players - 1)


@scripted
def rivalry(player):
    """What a point more for the others is worth."""
    return 1.0 if player.script == PLANNER else SLIGHTLY


@scripted
def is_threatened(view, rules):
    """Does another player hold an attack?"""
    for place in range(1, rules.players):
        at = at_held(rules) + len(KINDS) * place
        if view[at + EXCHANGE] > 0 or view[at + REMOVE] > 0 or view[at + STEAL] > 0:
            return True
    return False


@scripted
def has_defence(view, rules, place):
    """Does a defence lie beside this layout?"""
    return view[at_held(rules) + len(KINDS) * place + DEFENCE] > 0
