"""Labels for learning: what looking ahead finds at many tables. Places are counted from the observer."""

import numpy as np

from cardtable.table.kernel.scoring import POINTS
from skyjo_agents.look_ahead import earlier_like, weigh_all
from skyjo_agents.network_play import seat_values
from skyjo_agents.player import scripted
from skyjo_env.kernel.view import AT_SEAT


@scripted
def consider_only(view, rules, action, considered):
    """Leave out all actions but this one, or the earlier one that it comes to the same as."""
    like = earlier_like(view, rules, action)
    considered[:] = False
    considered[like if like >= 0 else action] = True


@scripted
def label(view, rules, weights, layout, key, played, is_alone, room, worths, follows, values):
    """Write the worth of every action to the seat that decides, the worth to all seats of the action that is `played`,
    or else of the best one, and the network's own values of the table, all in units of the reward. Returns the best
    action.

    `played` is -1 where nobody has decided yet, `room` [actions, seats]. If `is_alone`, that action alone has a worth.
    """
    considered, seat = np.ones(rules.actions, np.bool_), view[AT_SEAT]
    if is_alone:
        consider_only(view, rules, played, considered)
    best = weigh_all(view, rules, considered, weights, layout, key, room)
    chosen = played if played >= 0 else best
    for action in range(rules.actions):
        worths[action] = room[action, seat] / POINTS
    for place in range(rules.players):
        follows[place] = room[chosen, (seat + place) % rules.players] / POINTS
    seat_values(view, rules, weights, layout, values)
    return best


@scripted
def label_tables(views, rules, weights, layout, is_alone, keys, played, worths, follows, values, actions):
    """`label` at many tables."""
    room = np.empty((rules[0].actions, rules[0].players))
    for table in range(len(views)):
        arguments = weights, layout, keys[table], played[table], is_alone, room
        actions[table] = label(views[table], rules[0], *arguments, worths[table], follows[table], values[table])
