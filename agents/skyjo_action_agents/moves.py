"""Moves as in Skyjo: what placing each card and turning one up is worth at best."""

import numpy as np

from skyjo_action_agents.player import NONE, STAR_CODE, UNKNOWN, scripted
from skyjo_action_agents.table import value_after
from skyjo_action_env.kernel.state import CARDS, CELLS, DRAW, HIDDEN, LOWEST, TAKE
from skyjo_action_env.kernel.view import AT_CELLS, AT_DISCARD_PILE, AT_DISCARD_TOP, AT_DRAW_PILE

STAR_WORTH = 8  # its number: what the action card is worth that a star earns


@scripted
def change_by(player, cell, card):
    """How placing a card changes the cost of the own layout; a star earns an action card."""
    earned = player.numbers[STAR_WORTH] if card == STAR_CODE and player.turns > 0 else 0.0
    return player.changes[0, cell, card] - earned


@scripted
def change_by_chance(player, place, cell):
    """How any unseen card in a cell is expected to change what a layout costs."""
    change = 0.0
    for card in range(CARDS):
        change += player.odds[card] * player.changes[place, cell, card]
    return change


@scripted
def study_card(view, rules, player, card):
    """Find where a card is placed best, and what that is worth."""
    changes, cells, hidden = [np.inf, np.inf], [-1, -1], player.hidden[0]  # on an open card, and on a hidden one
    for cell in range(CELLS):
        if player.cards[0, cell] != NONE:
            k, change = np.int64(view[AT_CELLS + cell] == HIDDEN), change_by(player, cell, card)
            if change < changes[k]:
                changes[k], cells[k] = change, cell
    player.worths[card] = -np.inf
    for k in range(2):
        if cells[k] >= 0:
            value = value_after(view, rules, player, changes[k], hidden - k, 0)
            if value > player.worths[card]:
                player.worths[card], player.places[card] = value, cells[k]


@scripted
def best_flip(view, rules, player):
    """(cell, value): which hidden card is turned up best; -1 if there is none."""
    best, most = -1, -np.inf
    for cell in range(CELLS):
        if view[AT_CELLS + cell] == HIDDEN:
            card, unknown = player.cards[0, cell], np.int64(player.cards[0, cell] == UNKNOWN)
            change = change_by(player, cell, card) if unknown == 0 else change_by_chance(player, 0, cell)
            change -= unknown * player.odds[STAR_CODE] * player.numbers[STAR_WORTH]
            value = value_after(view, rules, player, change, player.hidden[0] - 1, unknown)
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
