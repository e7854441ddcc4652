"""Moves as in Skyjo: what placing each card and turning one up is worth at best."""

import numpy as np

from skyjo_action_agents.player import NONE, UNKNOWN, scripted
from skyjo_action_agents.table import value_of_laying
from skyjo_action_env.kernel.state import CARDS, CELLS, DRAW, HIDDEN, LOWEST, TAKE
from skyjo_action_env.kernel.view import AT_CELLS, AT_DISCARD_PILE, AT_DISCARD_TOP, AT_DRAW_PILE


@scripted
def study_card(view, rules, player, card):
    """Find where a card is placed best, and what that is worth."""
    player.worths[card] = -np.inf
    for cell in range(CELLS):
        if player.cards[0, cell] != NONE:
            value = value_of_laying(view, rules, player, cell, card)
            if value > player.worths[card]:
                player.worths[card], player.places[card] = value, cell


@scripted
def best_flip(view, rules, player):
    """(cell, value): which hidden card is turned up best; -1 if there is none."""
    best, most = -1, -np.inf
    for cell in range(CELLS):
        if view[AT_CELLS + cell] == HIDDEN:
            known, value = player.cards[0, cell], 0.0
            if known != UNKNOWN:
                value = value_of_laying(view, rules, player, cell, known)
            else:
                for card in range(CARDS):
                    value += player.odds[card] * value_of_laying(view, rules, player, cell, card)
            if value > most:
                best, most = cell, value
    return best, most


@scripted
def study_moves(view, rules, player):
    """What every card is worth to the player who has it to place; returns the value of turning a card up instead."""
    for card in range(CARDS):
        study_card(view, rules, player, card)
    return best_flip(view, rules, player)[1]


@scripted
def draw_or_take(view, player, flip):
    """(action, value): the better of the two moves; -1 without a card in the layout."""
    if player.worths[0] == -np.inf:
        return -1, -np.inf
    top, may_draw, drawing = view[AT_DISCARD_TOP], view[AT_DRAW_PILE] > 0 or view[AT_DISCARD_PILE] >= 2, 0.0
    taking = player.worths[top - LOWEST] if top < HIDDEN else -np.inf
    for card in range(CARDS):
        drawing += player.draw_odds[card] * max(player.worths[card], flip)
    return (DRAW, drawing) if may_draw and drawing >= taking else (TAKE, taking)
