"""The choice of a turn: a move as in Skyjo, or an action card that is taken, played or discarded. And claims."""

import numpy as np

from skyjo_action_agents.action_cards import PACE, held_of, note_gains
from skyjo_action_agents.moves import draw_or_take, study_moves
from skyjo_action_agents.player import scripted
from skyjo_action_agents.table import chance_stuck, holding, value_after
from skyjo_action_env.kernel import state
from skyjo_action_env.kernel.view import AT_ENDER, AT_FRESH, AT_OPEN

TRUST, THREAT = 10, 11  # its numbers


@scripted
def guard_worth(view, rules, player):
    """What it is worth to be defended: something if another player holds an attack."""
    for place in range(1, rules.players):
        for kind in (state.EXCHANGE, state.REMOVE, state.STEAL):
            if held_of(view, rules, place, kind) > 0 and player.turns > 0:
                return player.numbers[THREAT]
    return 0.0


@scripted
def worth_of_taking(view, rules, player, kind):
    """What it is worth to hold this action card more, which takes a later turn."""
    held = player.held[0]
    cost = holding(player, held + 1) - holding(player, held)
    if kind == state.DEFENCE:
        return (guard_worth(view, rules, player) if held_of(view, rules, 0, state.DEFENCE) == 0 else 0.0) - cost
    later = max(player.kind_gains[kind] * player.numbers[TRUST] - player.numbers[PACE], 0.0)
    return later * (1.0 - chance_stuck(player, held + 1)) - cost


@scripted
def best_to_take(view, rules, player):
    """(action, worth): which open action card is taken best; -1 if there is none."""
    best, most = -1, -np.inf
    for place in range(state.PLACES):
        if view[AT_OPEN + place] != state.NO_KIND:
            worth = worth_of_taking(view, rules, player, view[AT_OPEN + place])
            if worth > most:
                best, most = state.OPEN + place, worth
    return best, most


@scripted
def best_to_use(view, rules, player):
    """(action, value): which own action card is played or discarded best; -1 if there is none."""
    best, most = -1, -np.inf
    for kind in range(len(state.KINDS)):
        held, gain = held_of(view, rules, 0, kind), player.kind_gains[kind]
        if held > view[AT_FRESH + kind]:
            value = player.waiting + max(gain, 0.0)
            value -= guard_worth(view, rules, player) if kind == state.DEFENCE and held == 1 else 0.0
            if value > most:
                best, most = (state.PLAY if gain >= 0 else state.DISCARD) + kind, value
    return best, most


@scripted
def take_turn(view, rules, player):
    """One decision at the beginning of a turn."""
    flip = study_moves(view, rules, player)
    best, most = draw_or_take(view, player, flip)
    if view[AT_ENDER] >= 0:
        return best if best >= 0 else state.PASS
    note_gains(view, rules, player)
    waiting = value_after(view, rules, player, 0.0, player.hidden[0])
    if best < 0:
        best, most = state.PASS, waiting
    action, worth = best_to_take(view, rules, player)
    if waiting + worth > most:
        best, most = action, waiting + worth
    action, value = best_to_use(view, rules, player)
    return action if value > most else best


@scripted
def claim(view, rules, player):
    """Take the action card that a star has earned, if it is worth it."""
    note_gains(view, rules, player)
    action, worth = best_to_take(view, rules, player)
    if rules.star_claim == state.CLAIM_MAY and worth <= 0:
        return state.PASS
    return action if action >= 0 else state.ACTION_PILE
