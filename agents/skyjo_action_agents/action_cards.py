"""What carrying out each action card is worth: `player.kind_gains`, beside doing nothing, and the best choices."""

import numpy as np

from skyjo_action_agents.layouts import change_by_chance, cost_of, note_changes
from skyjo_action_agents.moves import draw_or_take, study_moves, value_of_draws
from skyjo_action_agents.player import NONE, scripted
from skyjo_action_agents.values import has_defence, rivalry, value_after, value_of_waiting
from skyjo_action_env.kernel.state import (
    CELLS,
    DEFENCE,
    DOUBLE,
    EXCHANGE,
    HAND,
    HIDDEN,
    KINDS,
    LOOK,
    PLACES,
    REMOVE,
    REPLAY,
    REPLAY_ANY,
    STEAL,
    SWAP,
    THREE,
)
from skyjo_action_env.kernel.view import (
    AT_ACTION_DISCARDS,
    AT_ACTION_TOP,
    AT_CELLS,
    AT_DISCARD_PILE,
    AT_DRAW_PILE,
    AT_OPEN,
    at_held,
)

PACE = 11  # its number: what a turn is usually worth
A_LITTLE = 0.1  # the worth of what hardly matters


@scripted
def held_of(view, rules, place, kind):
    """How many action cards of a kind lie beside a layout."""
    return view[at_held(rules) + len(KINDS) * place + kind]


@scripted
def is_near(view, rules, kind):
    """Is an action card of this kind open, held by somebody, or to be replayed?"""
    if view[AT_ACTION_TOP] == kind or (rules.replay == REPLAY_ANY and view[AT_ACTION_DISCARDS + kind] > 0):
        return True
    for place in range(PLACES):
        if view[AT_OPEN + place] == kind:
            return True
    for place in range(rules.players):
        if held_of(view, rules, place, kind) > 0:
            return True
    return False


@scripted
def cards_of(player, place):
    """The cards of a layout."""
    cards = 0
    for cell in range(CELLS):
        cards += player.cards[place, cell] != NONE
    return cards


@scripted
def note_swap(player, rules, first):
    """The best two cells to swap, the first one given if it is not -1; returns how the cost changes."""
    least = np.inf
    for cell in range(CELLS) if first < 0 else range(first, first + 1):
        for other in range(cell + 1, CELLS):
            mine, others = player.cards[0, cell], player.cards[0, other]
            if mine == NONE or others == NONE:
                continue
            change = 0.0
            if mine != others:
                player.cards[0, cell], player.cards[0, other] = others, mine
                change = cost_of(rules, player, 0, player.tried) - player.cost[0]
                player.cards[0, cell], player.cards[0, other] = mine, others
            if change < least:
                least, player.first, player.second = change, cell, other
    return least


@scripted
def harm_of(rules, player, place, cell, card):
    """How far the mean of the others rises by a card in this cell; negative if it helps them."""
    return 0.0 if place == 0 else player.changes[place, cell, card] / (rules.players - 1)


@scripted
def weigh_exchange(view, rules, player, one, other):
    """What it is worth that two cells, given by place and cell, change their cards; 0 if a defence stops that."""
    place, with_place, cell, with_cell = one // CELLS, other // CELLS, one % CELLS, other % CELLS
    if (place > 0 and has_defence(view, rules, place)) or has_defence(view, rules, with_place):
        return 0.0
    mine, others = player.cards[place, cell], player.cards[with_place, with_cell]
    gain = harm_of(rules, player, with_place, with_cell, mine) + harm_of(rules, player, place, cell, others)
    return gain * rivalry(player) - (player.changes[0, cell, others] if place == 0 else 0.0)


@scripted
def note_exchange(view, rules, player, first):
    """The best two cells of different layouts, the first one given if it is not -1; returns the gain."""
    most, end = -np.inf, CELLS * rules.players
    for one in range(end) if first < 0 else range(first, first + 1):
        if player.cards[one // CELLS, one % CELLS] == NONE:
            continue
        for other in range((one // CELLS + 1) * CELLS, end):
            if player.cards[other // CELLS, other % CELLS] == NONE:
                continue
            gain = weigh_exchange(view, rules, player, one, other)
            if gain > most:
                most, player.first, player.second = gain, one, other
    return most


@scripted
def best_removal(player, place):
    """(cell, change): which card of a layout costs its owner the most if a drawn one takes its place; -1 if none."""
    best, most = -1, -np.inf
    for cell in range(CELLS):
        if player.cards[place, cell] != NONE:
            change = change_by_chance(player, place, cell)
            if change > most:
                best, most = cell, change
    return best, most


@scripted
def harm_by_removing(view, rules, player):
    """How far a remove raises the mean of the others; -inf if nobody can be attacked."""
    harm, attacked = 0.0, 0
    for place in range(1, rules.players):
        cell, change = best_removal(player, place)
        has_actions = rules.remove_action_cards != 0 and player.held[place] > 0
        attacked += cell >= 0 or has_actions
        if cell >= 0 and not has_defence(view, rules, place):
            harm += change / (rules.players - 1)
    return harm if attacked > 0 else -np.inf


@scripted
def hidden_after_exchange(view, player):
    """The own hidden cards after the best exchange, 0 if it leaves somebody none."""
    hidden, moved = player.hidden[0], np.int64(view[AT_CELLS + player.first] == HIDDEN)
    moved -= view[AT_CELLS + player.second] == HIDDEN
    for k in range(2):
        place = (player.first if k == 0 else player.second) // CELLS
        left = player.hidden[place] - (moved if k == 0 else -moved)
        if left == 0:
            return 0
        if place == 0:
            hidden = left
    return hidden


@scripted
def note_exchange_gain(view, rules, player, now):
    """The gain by an exchange."""
    layouts = 0
    for place in range(rules.players):
        layouts += cards_of(player, place) > 0
    if layouts < 2:
        return
    gain = note_exchange(view, rules, player, -1)
    hidden, ahead = hidden_after_exchange(view, player), gain
    if gain > 0:
        ahead = value_after(view, rules, player, -gain, hidden, 0, 0.0, player.held[0]) - now
    player.kind_gains[EXCHANGE] = ahead


@scripted
def note_own_gains(view, rules, player, now):
    """The gains by action cards that attack nobody."""
    gains, cards = player.kind_gains, cards_of(player, 0)
    flip = study_moves(view, rules, player)
    _, move = draw_or_take(view, player, flip)
    normal = move - now if move > -np.inf else 0.0
    gains[DOUBLE] = normal + player.numbers[PACE]
    gains[DEFENCE] = normal
    if cards >= 2 and is_near(view, rules, SWAP):
        change = note_swap(player, rules, -1)
        gains[SWAP] = value_after(view, rules, player, change, player.hidden[0], 0, 0.0, player.held[0]) - now
    if cards > 0 and view[AT_DRAW_PILE] + view[AT_DISCARD_PILE] > HAND:
        gains[THREE] = value_of_draws(player, flip, HAND) - now
    for place in range(rules.players):
        if player.hidden[place] > 0:
            gains[LOOK] = A_LITTLE


@scripted
def best_victim(view, rules, player):
    """(place, kind, gain): whom to attack with a steal, and for which card; place -1 if nobody can be attacked."""
    best, best_kind, most = -1, -1, -np.inf
    for place in range(1, rules.players):
        kind, gain = best_loot(view, rules, player, place)
        if kind >= 0 and has_defence(view, rules, place):
            gain = 0.0
        if kind >= 0 and gain > most:
            best, best_kind, most = place, kind, gain
    return best, best_kind, most


@scripted
def best_loot(view, rules, player, place):
    """(kind, gain): the best card to steal from this player; -1 if there is none that can be carried out."""
    best, most = -1, -np.inf
    for kind in range(REPLAY):
        if held_of(view, rules, place, kind) > 0 and player.kind_gains[kind] > most:
            best, most = kind, player.kind_gains[kind]
    return best, most


@scripted
def best_replay(view, rules, player):
    """(kind, gain): the best discarded action card to replay; -1 if there is none that can be carried out."""
    best, most = -1, -np.inf
    for kind in range(len(KINDS)):
        there = view[AT_ACTION_DISCARDS + kind] > 0 if rules.replay == REPLAY_ANY else view[AT_ACTION_TOP] == kind
        if there and kind != REPLAY and player.kind_gains[kind] > most:
            best, most = kind, player.kind_gains[kind]
    return best, most


@scripted
def note_gains(view, rules, player):
    """What it is worth to carry out each action card now: `player.kind_gains`. What is played is no longer held.

    Swap, exchange and remove take time to think about, so what lies in the pile is left out.
    """
    held = player.held[0]
    player.held[0] = max(held - 1, 0)
    for kind in range(len(KINDS)):
        player.kind_gains[kind] = -np.inf
    now = value_of_waiting(view, rules, player, player.held[0])
    note_own_gains(view, rules, player, now)
    has_exchange, has_remove = is_near(view, rules, EXCHANGE), is_near(view, rules, REMOVE)
    for place in range(1, rules.players if has_exchange or has_remove else 1):
        note_changes(rules, player, place)
    if has_exchange:
        note_exchange_gain(view, rules, player, now)
    harm = harm_by_removing(view, rules, player) if has_remove else -np.inf
    if harm > -np.inf:
        removed = value_after(view, rules, player, 0.0, player.hidden[0], 0, harm, player.held[0])
        player.kind_gains[REMOVE] = removed - now
    _, _, player.kind_gains[STEAL] = best_victim(view, rules, player)
    _, player.kind_gains[REPLAY] = best_replay(view, rules, player)
    player.held[0] = held
