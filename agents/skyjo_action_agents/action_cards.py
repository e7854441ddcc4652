"""The gain of each action card (`player.kind_gains`) over doing nothing, and the best choices."""

import numpy as np

from skyjo_action_agents.player import NONE, scripted
from skyjo_action_agents.table import PACE, cost_of, draw_or_take, holding, note_changes, study_moves, value_after
from skyjo_action_env import kernel as state
from skyjo_action_env.kernel import view as seen

THREE_DRAWS = 0.7  # what three drawn cards are worth more than a usual move, in turns
A_LITTLE = 0.1  # the worth of what hardly matters


@scripted
def held_of(view, rules, place, kind):
    """Return the number of action cards of a kind that lie next to a layout."""
    return view[seen.at_held(rules) + len(state.KINDS) * place + kind]


@scripted
def is_near(view, rules, kind):
    """Return whether an action card of this kind is open, held or available for a replay; others are not worth
    computing.
    """
    near = view[seen.AT_ACTION_TOP] == kind
    near |= rules.replay == state.REPLAY_ANY and view[seen.AT_ACTION_DISCARDS + kind] > 0
    for place in range(state.PLACES):
        near |= view[seen.AT_OPEN + place] == kind
    for place in range(rules.players):
        near |= held_of(view, rules, place, kind) > 0
    return near


@scripted
def gain_by_pair(view, rules, player, places, cells):
    """Return the gain of exchanging two cards, given by place and cell; 0 if a defence prevents it."""
    cards, gain = (player.cards[places[0], cells[0]], player.cards[places[1], cells[1]]), 0.0
    if places[0] != places[1]:
        for k in range(2):
            if places[k] > 0 and held_of(view, rules, places[k], state.DEFENCE) > 0:
                return 0.0
            change = player.changes[places[k], cells[k], cards[1 - k]]
            gain += player.rivalry * change if places[k] > 0 else -change
    elif cards[0] != cards[1]:
        player.cards[0, cells[0]], player.cards[0, cells[1]] = cards[1], cards[0]
        gain = player.cost[0] - cost_of(rules, player, 0, -1, -1)
        player.cards[0, cells[0]], player.cards[0, cells[1]] = cards
    return gain


@scripted
def best_pair(view, rules, player, is_swap, first):
    """Find the best two cells for a swap or an exchange, the first one given unless it is -1; returns the gain."""
    most, end = -np.inf, state.CELLS if is_swap else state.CELLS * rules.players
    for one in range(end) if first < 0 else range(first, first + 1):
        place, cell = one // state.CELLS, one % state.CELLS
        if player.cards[place, cell] == NONE:
            continue
        for other_place in range(0 if is_swap else place + 1, 1 if is_swap else rules.players):
            for other in range(cell + 1 if is_swap else 0, state.CELLS):
                if player.cards[other_place, other] != NONE:
                    gain = gain_by_pair(view, rules, player, (place, other_place), (cell, other))
                    if gain > most:
                        most, player.first, player.second = gain, one, state.CELLS * other_place + other
    cost_of(rules, player, 0, -1, -1)  # the lines as they are
    return most


@scripted
def change_by_chance(player, place, cell):
    """Return the expected change of a layout's cost when an unseen card comes into this cell."""
    change = 0.0
    for card in range(state.CARDS):
        change += player.odds[card] * player.changes[place, cell, card]
    return change


@scripted
def best_removal(player, place):
    """Return (cell, change) of the card whose replacement by a drawn one costs its owner most; -1 if none."""
    best, most = -1, -np.inf
    for cell in range(state.CELLS):
        if player.cards[place, cell] != NONE:
            change = change_by_chance(player, place, cell)
            if change > most:
                best, most = cell, change
    return best, most


@scripted
def gain_by_removing(view, rules, player):
    """Return the gain of a remove; -inf if no player can be attacked."""
    gain, attacked = 0.0, False
    for place in range(1, rules.players):
        cell, change = best_removal(player, place)
        attacked |= cell >= 0 or (rules.remove_action_cards != 0 and player.held[place] > 0)
        if cell >= 0 and held_of(view, rules, place, state.DEFENCE) == 0:
            gain += player.rivalry * change
    return gain if attacked else -np.inf


@scripted
def best_kind(view, player, at, kinds):
    """Return (kind, gain): the best of the action cards counted here, no replay; NO_KIND if none can be used."""
    best, most = state.NO_KIND, -np.inf
    for kind in range(kinds):
        if kind != state.REPLAY and view[at + kind] > 0 and player.kind_gains[kind] > most:
            best, most = kind, player.kind_gains[kind]
    return best, most


@scripted
def best_victim(view, rules, player):
    """Return (place, gain) of the best steal; place -1 if no player can be attacked."""
    best, most = -1, -np.inf
    for place in range(1, rules.players):
        kind, gain = best_kind(view, player, seen.at_held(rules) + len(state.KINDS) * place, state.REPLAY)
        if kind != state.NO_KIND and held_of(view, rules, place, state.DEFENCE) > 0:
            gain = 0.0
        if gain > most:
            best, most = place, gain
    return best, most


@scripted
def note_own_gains(view, rules, player):
    """Note the gains by action cards that need no other player."""
    gains, pace = player.kind_gains, player.numbers[PACE]
    _, move = draw_or_take(view, player, study_moves(view, rules, player))
    gains[state.DEFENCE] = max(move - player.waiting, 0.0)
    gains[state.DOUBLE] = gains[state.DEFENCE] + pace
    if is_near(view, rules, state.SWAP):
        gains[state.SWAP] = best_pair(view, rules, player, True, -1)
    if move > -np.inf and view[seen.AT_DRAW_PILE] + view[seen.AT_DISCARD_PILE] > state.HAND:
        gains[state.THREE] = gains[state.DEFENCE] + THREE_DRAWS * pace
    if player.hidden[: rules.players].sum() > 0:
        gains[state.LOOK] = A_LITTLE


@scripted
def note_gains(view, rules, player):
    """Write to `player.kind_gains` the gain of carrying out each action card now, after which it is no longer held."""
    held, gains, costs = player.held[0], player.kind_gains, player.holding
    player.held[0] = max(held - 1, 0)
    player.holding = holding(player, player.held[0])
    player.waiting = value_after(view, rules, player, 0.0, player.hidden[0])
    gains[:] = -np.inf
    note_own_gains(view, rules, player)
    has_exchange, has_remove = is_near(view, rules, state.EXCHANGE), is_near(view, rules, state.REMOVE)
    for place in range(1, rules.players if has_exchange or has_remove else 1):
        note_changes(rules, player, place)
    if has_exchange:
        gains[state.EXCHANGE] = best_pair(view, rules, player, False, -1)
    if has_remove:
        gains[state.REMOVE] = gain_by_removing(view, rules, player)
    _, gains[state.STEAL] = best_victim(view, rules, player)
    top = view[seen.AT_ACTION_TOP]
    if rules.replay == state.REPLAY_ANY:
        _, gains[state.REPLAY] = best_kind(view, player, seen.AT_ACTION_DISCARDS, len(state.KINDS))
    elif top not in (state.NO_KIND, state.REPLAY):
        gains[state.REPLAY] = gains[top]
    player.held[0], player.holding = held, costs
