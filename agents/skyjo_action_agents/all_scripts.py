"""All decisions together, so that decisions at many tables and whole rounds are one call of compiled code."""

import numpy as np

from skyjo_action_agents import table
from skyjo_action_agents.action_cards import best_kind, best_pair, best_removal, best_victim, held_of, note_gains
from skyjo_action_agents.player import NONE, UNKNOWN, inlined_script, scripted
from skyjo_action_agents.table import best_flip, holding, note_changes, study, study_card, study_moves, value_after
from skyjo_action_env import kernel as state
from skyjo_action_env.kernel import view as seen
from skyjo_action_env.kernel.cards import cell_of, line_length

BEARABLE = 1.0  # points that an exchange may cost before a defence is used


# The choice of a turn: a move as in Skyjo, or an action card that is taken, played or discarded. And claims


@scripted
def guard_worth(view, rules, player):
    """Return the value of a defence: above 0 if another player holds an attack and the round goes on."""
    for place in range(1, rules.players):
        for kind in (state.EXCHANGE, state.REMOVE, state.STEAL):
            if held_of(view, rules, place, kind) > 0 and player.turns > 0:
                return player.numbers[table.THREAT]
    return 0.0


@scripted
def worth_of_taking(view, rules, player, kind):
    """Return the value of holding one more action card of this kind, which takes a later turn to use."""
    held = player.held[0]
    cost = holding(player, held + 1) - holding(player, held)
    if kind == state.DEFENCE:
        return (guard_worth(view, rules, player) if held_of(view, rules, 0, state.DEFENCE) == 0 else 0.0) - cost
    later = max(player.kind_gains[kind] * player.numbers[table.TRUST] - player.numbers[table.PACE], 0.0)
    return later * (1.0 - table.chance_stuck(player, held + 1)) - cost


@scripted
def best_to_take(view, rules, player):
    """Return (action, value) of the best open action card to take; -1 if there is none."""
    best, most = -1, -np.inf
    for place in range(state.PLACES):
        if view[seen.AT_OPEN + place] != state.NO_KIND:
            worth = worth_of_taking(view, rules, player, view[seen.AT_OPEN + place])
            if worth > most:
                best, most = state.OPEN + place, worth
    return best, most


@scripted
def best_to_use(view, rules, player):
    """Return (action, value) of the best own action card to play or discard; -1 if there is none."""
    best, most = -1, -np.inf
    for kind in range(len(state.KINDS)):
        held, gain = held_of(view, rules, 0, kind), player.kind_gains[kind]
        if held > view[seen.AT_FRESH + kind]:
            value = player.waiting + max(gain, 0.0)
            value -= guard_worth(view, rules, player) if kind == state.DEFENCE and held == 1 else 0.0
            if value > most:
                best, most = (state.PLAY if gain >= 0 else state.DISCARD) + kind, value
    return best, most


@scripted
def take_turn(view, rules, player):
    """Return one decision at the beginning of a turn."""
    flip = study_moves(view, rules, player)
    best, most = table.draw_or_take(view, player, flip)
    if view[seen.AT_ENDER] >= 0:
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


# What a card in hand, a star or an action card asks for


@scripted
def place_or_flip(view, rules, player, phase):
    """Place the card in hand where it is worth most, or discard it and turn one up if that is worth more."""
    k = view[seen.AT_PICKED] if phase == state.THREE_PLACE else 0
    card = view[seen.AT_HAND + k] - state.LOWEST
    study_card(view, rules, player, card)
    if phase == state.DRAWN:
        cell, value = best_flip(view, rules, player)
        if value > player.worths[card]:
            return state.FLIP + cell
    return state.PLACE + player.places[card]


@scripted
def choose_of_three(view, rules, player):
    """Return the action that lays the best of three drawn cards, or none if turning up a hidden card is worth more."""
    most = study_moves(view, rules, player)
    best = state.NO_CARD if most > -np.inf else -1
    for k in range(state.HAND):
        worth = player.worths[view[seen.AT_HAND + k] - state.LOWEST]
        if worth > most:
            best, most = k, worth
    return rules.first_card + best


@scripted
def choose_top(view, rules, player):
    """Choose the costliest of the discarded cards for the top."""
    best, most = -1, -np.inf
    for k in range(state.HAND):
        card = view[seen.AT_HAND + k] - state.LOWEST
        if card != NONE and player.costs[card] > most:
            best, most = k, player.costs[card]
    return rules.first_card + best


@scripted
def clear_or_keep(view, rules, player):
    """Clear a line with stars unless its numbers are better than nothing; the planner keeps it until the round ends."""
    points, line = 0.0, view[seen.AT_LINE]
    for k in range(line_length(line)):
        points += player.costs[player.cards[0, cell_of(line, k)]]
    is_kept = points < 0 or (player.script == table.PLANNER and view[seen.AT_IS_REVEAL] == 0)
    return rules.clear_line + is_kept


@scripted
def choose_line(view, rules, player):
    """Look at the line with the most unknown cards, rather an own one."""
    best, most = -1, -1.0
    for place in range(rules.players):
        for line in range(state.LINES):
            worth, is_hidden = 0.5 if place == 0 else 0.0, False
            for k in range(line_length(line)):
                cell = cell_of(line, k)
                is_hidden |= view[seen.AT_CELLS + place * state.CELLS + cell] == state.HIDDEN
                worth += player.cards[place, cell] == UNKNOWN
            if is_hidden and worth > most:
                best, most = state.LINES * place + line, worth
    return rules.first_line + best


@scripted
def choose_pair(view, rules, player, phase):
    """Choose the cells of a swap or an exchange."""
    is_first = phase in (state.SWAP_FIRST, state.EXCHANGE_FIRST)
    for place in range(1, rules.players):
        note_changes(rules, player, place)
    best_pair(view, rules, player, phase <= state.SWAP_WITH, -1 if is_first else np.int64(view[seen.AT_CHOSEN]))
    return state.CHOOSE + (player.first if is_first else player.second)


@scripted
def remove(view, rules, player):
    """Choose what the attacked loses: a card, or without one an action card."""
    place = np.int64(view[seen.AT_ATTACKED])
    note_changes(rules, player, place)
    cell, _ = best_removal(player, place)
    if cell >= 0:
        return state.CHOOSE + state.CELLS * place + cell
    at = seen.at_held(rules) + len(state.KINDS) * place
    return state.DISCARD + np.argmax(view[at : at + len(state.KINDS)])


@scripted
def choose_kind(view, rules, player, phase):
    """Choose what a replay or a steal carries out, or from whom to steal."""
    note_gains(view, rules, player)
    if phase == state.STEAL_FROM:
        return state.CHOOSE + state.CELLS * best_victim(view, rules, player)[0]
    held = seen.at_held(rules) + len(state.KINDS) * view[seen.AT_ATTACKED]
    at = seen.AT_ACTION_DISCARDS if phase == state.REPLAY_KIND else held
    return state.PLAY + best_kind(view, player, at, len(state.KINDS) if phase == state.REPLAY_KIND else state.REPLAY)[0]


@scripted
def defend(view, rules, player):
    """Use a defence unless an exchange does no harm."""
    one, two = view[seen.AT_CHOSEN], view[seen.AT_CHOSEN_WITH]
    others = player.cards[max(one, two) // state.CELLS, max(one, two) % state.CELLS]
    is_borne = view[seen.AT_PLAYED] == state.EXCHANGE and player.changes[0, min(one, two), others] < BEARABLE
    return rules.defend + is_borne


@scripted
def answer(view, rules, player, phase):
    """Return the decision that a star or an action card other than three asks for."""
    if phase == state.CLAIM:
        return claim(view, rules, player)
    if phase == state.LINE:
        return clear_or_keep(view, rules, player)
    if phase == state.LOOK_AT:
        return choose_line(view, rules, player)
    if phase == state.REMOVE_CARD:
        return remove(view, rules, player)
    if phase == state.DEFEND_ASKED:
        return defend(view, rules, player)
    if state.REPLAY_KIND <= phase <= state.STEAL_KIND:
        return choose_kind(view, rules, player, phase)
    return choose_pair(view, rules, player, phase)


@inlined_script
def decision(view, rules, player):
    """Return the action of a player, by its phase."""
    phase = view[seen.AT_PHASE]
    study(view, rules, player)
    if phase == state.TURN:
        return take_turn(view, rules, player)
    if phase in (state.DRAWN, state.TAKEN, state.THREE_PLACE):
        return place_or_flip(view, rules, player, phase)
    if phase in (state.OPENING, state.THREE_FLIP):
        return state.FLIP + best_flip(view, rules, player)[0]
    if phase == state.THREE_CARD:
        return choose_of_three(view, rules, player)
    return choose_top(view, rules, player) if phase == state.THREE_TOP else answer(view, rules, player, phase)
