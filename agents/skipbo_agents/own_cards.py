"""What a scripted agent reads from its observation: the building places, its hand, and the tops of its own piles.

Every view shows these (8.2). Functions take one observation (`view`), the rules' record and the record of the player.
Unsigned numbers are never checked for an index from the end.
"""

import numpy as np

from skipbo_agents.player import inlined_script
from skipbo_env.kernel.state import CARDS, DISCARD, NONE, PLACES, PLAY_HAND, WILD
from skipbo_env.kernel.view import AT_HAND, AT_HEIGHTS, AT_SEATS, at_sizes, at_tops


@inlined_script
def height(view, place):
    """The last rank of a building pile, 0 for an empty place."""
    return view[np.uint64(AT_HEIGHTS) + np.uint64(place)]


@inlined_script
def hand_card(view, k):
    """The hand card that was drawn as number k, from 0, of those left; NONE behind the last."""
    return view[np.uint64(AT_HAND) + np.uint64(k)]


@inlined_script
def has_hand(view):
    """Is there a card in hand?"""
    return hand_card(view, 0) != NONE


@inlined_script
def stock_card(view):
    """The top card of the own stock pile."""
    return view[np.uint64(AT_SEATS)]


@inlined_script
def pile_card(view, rules, pile):
    """The top card of an own discard pile, or NONE."""
    return view[np.uint64(at_tops(rules.players)) + np.uint64(pile)]


@inlined_script
def pile_size(view, rules, pile):
    """How many cards lie on an own discard pile."""
    return view[np.uint64(at_sizes(rules.players)) + np.uint64(pile)]


@inlined_script
def highest_place(view):
    """The highest building pile, the first among equals."""
    best = 0
    for place in range(1, PLACES):
        best = place if height(view, place) > height(view, best) else best
    return best


@inlined_script
def find_places(view, player, wild_place):
    """Find the building place for every card, the first that takes it (3.3, 3.4); a wild card goes where said."""
    for card in range(np.uint64(CARDS)):
        player.places[card] = -1
    for k in range(PLACES):
        place = PLACES - 1 - k
        player.places[np.uint64(height(view, place) + 1)] = place
    player.places[np.uint64(WILD)] = wild_place


@inlined_script
def place_for(player, card):
    """The building place that was found for a card, or -1."""
    return player.places[np.uint64(card)]


@inlined_script
def play_hand(card, place):
    """The action that plays a hand card (7.1)."""
    return PLAY_HAND + PLACES * (np.int64(card) - 1) + place


@inlined_script
def lay_down(card, pile):
    """The action that discards a hand card (7.1)."""
    return DISCARD + PLACES * (np.int64(card) - 1) + pile
