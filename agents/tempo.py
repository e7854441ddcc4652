"""prototype"""

import math

import numpy as np

from agents.board import confirm, may_draw, own_hidden, random_hidden
from agents.columns import ONLY_HIDDEN, ONLY_OPEN, best_changes, best_flip, best_place, cost_of_board
from agents.player import scripted
from skyjo_env.kernel.state import CONFIRM, DRAW, DRAWN, EMPTY, FIRST_PLACE, HIDDEN, OPENING, TAKE, TAKEN, TURN
from skyjo_env.kernel.view import AT_CELLS, AT_DISCARD_TOP, AT_ENDER, AT_HAND, AT_PHASE, AT_TURNS, AT_TURNS_LEFT, at_pools, at_seats

CUT, EASE, HALF, HIDE, PAIR, LOOKS, RUSH, LEAD, STAY, GAIN, SPREAD, GIFT, LONG, HASTE = range(14)


@scripted
def study_cards(view, rules, player):
    at, cards, points, squares = at_pools(rules), 0, 0, 0
    for k in range(rules.values):
        count, card = view[at + k], rules.low + k
        cards += count
        points += count * card
        squares += count * card * card
        player.odds[k] = count
    share = 1.0 / max(cards, 1)
    for k in range(rules.values):
        player.odds[k] *= share
    player.mean = points * share
    player.deviation = math.sqrt(max(squares * share - player.mean**2, 0.0))


@scripted
def study_table(view, rules, player):
    at, players = at_seats(rules), rules.players
    turns, others = view[at], 0.0
    for place in range(1, players):
        hidden = view[at + place]
        turns = min(turns, hidden)
        others += view[at + players + place] + hidden * player.mean
    player.others = others / (players - 1)
    player.turns = 0.0 if view[AT_ENDER] >= 0 else max(turns, 1)


@scripted
def set_costs(rules, player):
    numbers, turns = player.numbers, player.turns
    ease = numbers[EASE] * turns / (turns + numbers[HALF])
    mean = 0.0
    for k in range(rules.values):
        card = float(rules.low + k)
        player.costs[k] = card - ease * max(card - numbers[CUT], 0.0)
        mean += player.odds[k] * player.costs[k]
        looks = numbers[LOOKS] * turns * player.odds[k]
        player.hopes[k] = numbers[PAIR] * looks / (1.0 + looks)
    player.mean_cost = mean
    player.hidden_cost = mean + (numbers[HIDE] if turns > 0 else 0.0)


@scripted
def below(x, deviation):
    """roughly the chance that a normal number with mean 0 is below x"""
    if deviation == 0.0:
        return 1.0 if x >= 0 else 0.0
    return 1.0 / (1.0 + math.exp(-1.702 * x / deviation))


@scripted
def end_value(view, rules, player, cost, unknown):
    """expected margin if the round is ended with this score"""
    at, players = at_seats(rules), rules.players
    alone, points = 1.0, 0.0
    for place in range(1, players):
        hidden = view[at + place]
        final = view[at + players + place] + hidden * player.mean - player.numbers[GAIN]
        variance = (hidden + unknown) * player.deviation**2 + player.numbers[SPREAD] ** 2
        alone *= below(final - cost - 0.5, math.sqrt(variance))
        points += final
    double = (1.0 - alone) * max(cost, 0.0) * (rules.penalty_factor - 1)
    return points / (players - 1) - cost - double - player.numbers[STAY]


@scripted
def lap_value(view, rules, player, cost, hidden):
    ender, value = view[AT_ENDER], player.others - cost
    points = view[at_seats(rules) + rules.players + ender]
    if points > 0 and ender > 0:
        chance = below(points + 0.5 - cost, player.deviation * math.sqrt(hidden))
        value += chance * points * (rules.penalty_factor - 1) / (rules.players - 1)
    return value


@scripted
def value_of(view, rules, player, change, turned, unknown):
    """value of the own board after the turn: its cost changes, hidden cards `turned` up, card unknown yet"""
    hidden, cost = own_hidden(view, rules) - turned, player.board_cost + change
    if player.turns == 0:
        return lap_value(view, rules, player, cost, hidden + unknown)
    haste = player.numbers[HASTE] * max(view[AT_TURNS] / rules.players - player.numbers[LONG], 0.0)
    if hidden == 0:
        return end_value(view, rules, player, cost, unknown) + haste
    rush = haste + player.numbers[RUSH] + player.numbers[LEAD] * (player.others - player.board_cost)
    return player.others - cost + turned * rush


@scripted
def place_value(view, rules, player, k):
    """The value of having a card of value k to place"""
    by_open = value_of(view, rules, player, player.by_open[k], 0, 0) if player.by_open[k] < np.inf else -np.inf
    if own_hidden(view, rules) == 0:
        return by_open
    return max(by_open, value_of(view, rules, player, player.by_hidden[k], 1, 0))


@scripted
def discard_value(view, rules, player):
    """(action, value)"""
    if rules.discard_drawn >= 0:
        return rules.discard_drawn, value_of(view, rules, player, 0.0, 0, 0)
    if own_hidden(view, rules) == 0:
        return -1, -np.inf
    cell, change = best_flip(view, rules, player, AT_CELLS)
    return rules.first_flip + cell, value_of(view, rules, player, change, 1, 1)


@scripted
def set_gifts(view, rules, player):
    player.gifts[:] = 0.0
    player.hidden_gift = 0.0
    if player.numbers[GIFT] == 0 or view[AT_TURNS_LEFT] == 1:
        return
    best_changes(view, rules, player, AT_CELLS + rules.cells)
    mean = 0.0
    for k in range(rules.values):
        mean += player.odds[k] * max(-min(player.by_open[k], player.by_hidden[k]), 0.0)
    for k in range(rules.values):
        gain = -min(player.by_open[k], player.by_hidden[k])
        player.gifts[k] = player.numbers[GIFT] * max(gain, mean)
        player.hidden_gift += player.odds[k] * player.gifts[k]


@scripted
def tempo(view, rules, player):
    phase = view[AT_PHASE]
    if phase == CONFIRM:
        return confirm(view, rules)
    if phase == OPENING:
        return rules.first_flip + random_hidden(view, rules, player)
    study_cards(view, rules, player)
    study_table(view, rules, player)
    set_costs(rules, player)
    set_gifts(view, rules, player)
    player.board_cost = cost_of_board(view, rules, player, AT_CELLS)
    if phase == TURN:
        if not may_draw(view):
            return TAKE
        best_changes(view, rules, player, AT_CELLS)
        _, down = discard_value(view, rules, player)
        by_drawing = 0.0
        for k in range(rules.values):
            if player.odds[k] > 0:
                by_drawing += player.odds[k] * max(place_value(view, rules, player, k), down - player.gifts[k])
        return TAKE if place_value(view, rules, player, view[AT_DISCARD_TOP] - rules.low) > by_drawing else DRAW
    cell, change = best_place(view, rules, player, AT_CELLS, view[AT_HAND], ONLY_OPEN)
    action, most = FIRST_PLACE + cell, value_of(view, rules, player, change, 0, 0) if cell >= 0 else -np.inf
    if own_hidden(view, rules) > 0:
        cell, change = best_place(view, rules, player, AT_CELLS, view[AT_HAND], ONLY_HIDDEN)
        value = value_of(view, rules, player, change, 1, 0)
        if value > most:
            action, most = FIRST_PLACE + cell, value
    if phase == DRAWN:
        discard, value = discard_value(view, rules, player)
        if value - player.gifts[view[AT_HAND] - rules.low] > most:
            action = discard
    return action
