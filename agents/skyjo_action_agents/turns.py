"""The choice of a turn: a move as in Skyjo, or an action card that is taken, played or discarded."""

import numpy as np

from skyjo_action_agents.action_cards import PACE, held_of, note_gains
from skyjo_action_agents.moves import draw_or_take, study_moves
from skyjo_action_agents.player import scripted
from skyjo_action_agents.table import chance_stuck
from skyjo_action_agents.values import is_threatened, value_of_waiting
from skyjo_action_env.kernel.state import (
    ACTION_PILE,
    CLAIM_MAY,
    DEFENCE,
    DISCARD,
    EXCHANGE,
    FROM_OPEN_OR_PILE,
    KINDS,
    NO_KIND,
    OPEN,
    PASS,
    PLACES,
    PLAY,
    REMOVE,
    RESHUFFLE_KEEP_TOP,
    STEAL,
)
from skyjo_action_env.kernel.view import AT_ACTION_DISCARDS, AT_ACTION_PILE, AT_ENDER, AT_FRESH, AT_OPEN

TRUST, GUARD, THREAT = range(13, 16)  # its numbers
ATTACKS = (EXCHANGE, REMOVE, STEAL)


@scripted
def guard_worth(view, rules, player):
    """What it is worth to be defended."""
    if player.turns == 0:
        return 0.0
    worth = player.numbers[THREAT] if is_threatened(view, rules) else 0.0
    for place in range(PLACES):
        if view[AT_OPEN + place] in ATTACKS:
            return worth + player.numbers[GUARD]
    return worth


@scripted
def value_of_taking(view, rules, player, kind):
    """The value of the table with this action card more, which takes a later turn."""
    value = value_of_waiting(view, rules, player, player.held[0] + 1)
    if player.turns == 0:
        return value
    if kind == DEFENCE:
        return value + (guard_worth(view, rules, player) if held_of(view, rules, 0, DEFENCE) == 0 else 0.0)
    later = max(player.kind_gains[kind] * player.numbers[TRUST] - player.numbers[PACE], 0.0)
    return value + later * (1.0 - chance_stuck(player, player.held[0] + 1))


@scripted
def value_of_pile(view, rules, player):
    """The same for the top card of the action pile."""
    value = 0.0
    for kind in range(len(KINDS)):
        value += value_of_taking(view, rules, player, kind) / len(KINDS)
    return value


@scripted
def pile_has_card(view, rules):
    """Can a card be taken from the action pile (8.3)?"""
    if view[AT_ACTION_PILE] > 0:
        return True
    discards = 0
    for kind in range(len(KINDS)):
        discards += view[AT_ACTION_DISCARDS + kind]
    return discards > (1 if rules.action_reshuffle == RESHUFFLE_KEEP_TOP else 0)


@scripted
def best_to_take(view, rules, player, may_take_from_pile):
    """(action, value): which action card is taken best; -1 if there is none."""
    best, most = -1, -np.inf
    for place in range(PLACES):
        kind = view[AT_OPEN + place]
        if kind != NO_KIND:
            value = value_of_taking(view, rules, player, kind)
            if value > most:
                best, most = OPEN + place, value
    if may_take_from_pile and pile_has_card(view, rules):
        value = value_of_pile(view, rules, player)
        if value > most:
            best, most = ACTION_PILE, value
    return best, most


@scripted
def best_to_use(view, rules, player):
    """(action, value): which own action card is played or discarded best; -1 if there is none."""
    best, most, rest = -1, -np.inf, value_of_waiting(view, rules, player, player.held[0] - 1)
    for kind in range(len(KINDS)):
        held = held_of(view, rules, 0, kind)
        if held <= view[AT_FRESH + kind]:
            continue
        value = rest - (guard_worth(view, rules, player) if kind == DEFENCE and held == 1 else 0.0)
        action, gain = DISCARD + kind, player.kind_gains[kind]
        if gain > -np.inf:
            action, value = PLAY + kind, value + gain
        if value > most:
            best, most = action, value
    return best, most


@scripted
def take_turn(view, rules, player):
    """One decision at the beginning of a turn."""
    flip = study_moves(view, rules, player)
    best, most = draw_or_take(view, player, flip)
    if view[AT_ENDER] >= 0 and best >= 0:
        return best
    note_gains(view, rules, player)
    if best < 0:
        best, most = PASS, value_of_waiting(view, rules, player, player.held[0])
    if view[AT_ENDER] >= 0:
        return best
    action, value = best_to_take(view, rules, player, True)
    if value > most:
        best, most = action, value
    action, value = best_to_use(view, rules, player)
    return action if value > most else best


@scripted
def claim(view, rules, player):
    """Take the action card that a star has earned, if it is worth it."""
    note_gains(view, rules, player)
    action, value = best_to_take(view, rules, player, rules.star_source == FROM_OPEN_OR_PILE)
    if rules.star_claim == CLAIM_MAY and value <= value_of_waiting(view, rules, player, player.held[0]):
        return PASS
    return action
