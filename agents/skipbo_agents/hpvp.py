"""Hierarchical Positional Value Play, the player of the paper (section 3): stock, hand, discard piles, then a discard.

What the paper leaves open is a parameter each; docs/skipbo_agents.md has the readings.
"""

import numpy as np

from skipbo_agents.own_cards import (
    find_places,
    hand_card,
    has_hand,
    height,
    highest_place,
    lay_down,
    pile_card,
    place_for,
    play_hand,
    stock_card,
)
from skipbo_agents.player import inlined_script, scripted
from skipbo_env.kernel.state import HAND, NONE, PASS, PLACES, PLAY_DISCARD, PLAY_STOCK, RANKS, WILD

GAP, EMPTY, WILD_USE, TIE = range(4)  # its numbers
GAPS = ("nearest", "farthest")
NEAREST, FARTHEST = range(2)
EMPTIES = ("ignored", "as_zero", "first")
IGNORED, AS_ZERO, FIRST = range(3)
WILD_USES = ("literal", "last")
LITERAL, LAST = range(2)
TIES = ("natural", "wild")
NATURAL_FIRST, WILD_FIRST = range(2)


@inlined_script
def hand_value(view, card, player):
    """How much priority 2 likes to play a card: the higher its pile then is the better, and ties as said."""
    if card == WILD:
        return 2 * height(view, place_for(player, card)) + 2 + (player.numbers[TIE] == WILD_FIRST)
    value = 2 * np.int64(card) + (player.numbers[TIE] == NATURAL_FIRST)
    return value + 2 * RANKS if player.numbers[WILD_USE] == LAST else value


@inlined_script
def best_hand_card(view, player):
    """The hand card that priority 2 plays, or NONE."""
    best, most = NONE, -1
    for k in range(HAND):
        card = hand_card(view, k)
        if place_for(player, card) >= 0:
            value = hand_value(view, card, player)
            if value > most:
                best, most = np.int64(card), value
    return best


@inlined_script
def highest_card(view):
    """The highest hand card."""
    best = hand_card(view, 0)
    for k in range(1, HAND):
        best = max(best, hand_card(view, k))
    return best


@inlined_script
def pile_value(card, player):
    """How much priority 4 likes a discard pile with this top card; -1 if it is no candidate.

    A top below 12 is one, by its rank. An empty pile is one unless it is ignored; a wild card has no rank.
    """
    if card == NONE and player.numbers[EMPTY] != AS_ZERO:
        return 2 * RANKS if player.numbers[EMPTY] == FIRST else -1
    if card >= RANKS:
        return -1
    return card if player.numbers[GAP] == NEAREST else RANKS - card


@inlined_script
def positional_pile(view, rules, player):
    """The discard pile by priority 4: the leftmost if none is a candidate."""
    best, most = 0, -1
    for pile in range(PLACES):
        value = pile_value(pile_card(view, rules, pile), player)
        if value > most:
            best, most = pile, value
    return best


@scripted
def hpvp(view, rules, player):
    """One decision."""
    find_places(view, player, highest_place(view))
    place = place_for(player, stock_card(view))
    if place >= 0:
        return PLAY_STOCK + place
    card = best_hand_card(view, player)
    if card != NONE:
        return play_hand(card, place_for(player, card))
    for pile in range(PLACES):
        place = place_for(player, pile_card(view, rules, pile))
        if place >= 0:
            return PLAY_DISCARD + PLACES * pile + place
    return lay_down(highest_card(view), positional_pile(view, rules, player)) if has_hand(view) else PASS
