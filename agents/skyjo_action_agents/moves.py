"""Moves as in Skyjo: what placing each card and turning one up is worth at best."""

import numpy as np

from skyjo_action_agents.layouts import change_by_chance
from skyjo_action_agents.player import NONE, STAR_CODE, UNKNOWN, scripted
from skyjo_action_agents.values import value_after
from skyjo_action_env.kernel.state import (
    CARDS,
    CELLS,
    CLAIM_MUST,
    DRAW,
    DRAWN,
    FLIP,
    HIDDEN,
    LOWEST,
    PLACE,
    TAKE,
    THREE_PLACE,
)
from skyjo_action_env.kernel.view import (
    AT_CELLS,
    AT_DISCARD_PILE,
    AT_DISCARD_TOP,
    AT_DRAW_PILE,
    AT_HAND,
    AT_PHASE,
    AT_PICKED,
)

STAR_WORTH = 12  # its number: what the action card is worth that a star earns


@scripted
def star_cost(rules, player):
    """What it costs that a star is laid: an action card is earned, and in the final lap is of no use."""
    if player.turns > 0:
        return -player.numbers[STAR_WORTH]
    return 10.0 if rules.star_claim == CLAIM_MUST else 0.0


@scripted
def note_places(view, rules, player):
    """Note for every card where placing it changes the cost the most for the better, on an open and a hidden cell."""
    for k in range(CARDS):
        player.open_change[k], player.hidden_change[k] = np.inf, np.inf
        extra = star_cost(rules, player) if k == STAR_CODE else 0.0
        for cell in range(CELLS):
            card = player.cards[0, cell]
            if card == NONE:
                continue
            is_hidden = view[AT_CELLS + cell] == HIDDEN
            change = player.changes[0, cell, k] + player.gifts[card] + extra
            if is_hidden and change < player.hidden_change[k]:
                player.hidden_change[k], player.hidden_cell[k] = change, cell
            elif not is_hidden and change < player.open_change[k]:
                player.open_change[k], player.open_cell[k] = change, cell


@scripted
def best_place(view, rules, player, k):
    """(cell, value): where a card is placed best."""
    best, most, held, hidden = -1, -np.inf, player.held[0], player.hidden[0]
    if player.open_change[k] < np.inf:
        best, most = player.open_cell[k], value_after(view, rules, player, player.open_change[k], hidden, 0, 0.0, held)
    if player.hidden_change[k] < np.inf:
        value = value_after(view, rules, player, player.hidden_change[k], hidden - 1, 0, 0.0, held)
        if value > most:
            best, most = player.hidden_cell[k], value
    return best, most


@scripted
def best_flip(view, rules, player):
    """(cell, value): which hidden card is turned up best; -1 if there is none."""
    best, least, is_unknown = -1, np.inf, 1
    for cell in range(CELLS):
        if view[AT_CELLS + cell] != HIDDEN:
            continue
        card = player.cards[0, cell]
        if card == UNKNOWN:
            change = change_by_chance(player, 0, cell) + player.odds[STAR_CODE] * star_cost(rules, player)
        else:
            change = star_cost(rules, player) if card == STAR_CODE else 0.0
        if change < least:
            best, least, is_unknown = cell, change, np.int64(card == UNKNOWN)
    if best < 0:
        return best, -np.inf
    return best, value_after(view, rules, player, least, player.hidden[0] - 1, is_unknown, 0.0, player.held[0])


@scripted
def may_draw(view):
    """Is there a card to draw, after a reshuffle if need be (3.4)?"""
    return view[AT_DRAW_PILE] > 0 or view[AT_DISCARD_PILE] >= 2


@scripted
def study_moves(view, rules, player):
    """What every card is worth to the player who has it to place; returns the value of turning a card up instead."""
    note_places(view, rules, player)
    for k in range(CARDS):
        _, player.worths[k] = best_place(view, rules, player, k)
    _, flip = best_flip(view, rules, player)
    return flip


@scripted
def value_of_draws(player, flip, draws):
    """The value of the best of some drawn cards, or of discarding them and turning a card up."""
    value = 0.0
    for k in range(CARDS):
        if player.draw_odds[k] == 0:
            continue
        mine, lower, equal = max(player.worths[k], flip - player.gifts[k]), 0.0, 0.0
        if draws == 1:
            value += player.draw_odds[k] * mine
            continue
        for other in range(CARDS):
            theirs = max(player.worths[other], flip - player.gifts[other])
            lower += player.draw_odds[other] if theirs < mine else 0.0
            equal += player.draw_odds[other] if theirs == mine else 0.0
        value += player.draw_odds[k] / equal * ((lower + equal) ** draws - lower**draws) * mine
    return value


@scripted
def draw_or_take(view, player, flip):
    """(action, value): the better of the two moves; -1 without a card in the layout."""
    if player.worths[0] == -np.inf:
        return -1, -np.inf
    top = view[AT_DISCARD_TOP]
    taking = player.worths[top - LOWEST] if top < HIDDEN else -np.inf
    drawing = value_of_draws(player, flip, 1) if may_draw(view) else -np.inf
    return (TAKE, taking) if taking > drawing or not may_draw(view) else (DRAW, drawing)


@scripted
def place_or_flip(view, rules, player):
    """Place the card in hand where it is worth most, or discard it and turn one up if that is worth more."""
    k = view[AT_PICKED] if view[AT_PHASE] == THREE_PLACE else 0
    code = view[AT_HAND + k] - LOWEST
    study_moves(view, rules, player)
    cell, value = best_place(view, rules, player, code)
    if view[AT_PHASE] == DRAWN:
        flipped, worth = best_flip(view, rules, player)
        if worth - player.gifts[code] > value:
            return FLIP + flipped
    return PLACE + cell
