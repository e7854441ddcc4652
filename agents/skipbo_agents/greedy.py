"""The greedy player of the paper (5.1): the first play there is in a fixed order, and a discard without a thought."""

import numpy as np

from cardtable.table.kernel.chance import next_number, share
from skipbo_agents.own_cards import (
    find_places,
    hand_card,
    has_hand,
    lay_down,
    pile_card,
    pile_size,
    place_for,
    play_hand,
    stock_card,
)
from skipbo_agents.player import inlined_script, scripted
from skipbo_agents.random_play import is_spare
from skipbo_env.kernel.state import HAND, NONE, PASS, PLACES, PLAY_DISCARD, PLAY_STOCK

PILE, HAND_ORDER = range(2)  # its numbers
PILES = ("leftmost", "smallest", "random")
LEFTMOST, SMALLEST, RANDOM = range(3)
HAND_ORDERS = ("drawn", "rank")
DRAWN, RANK = range(2)


@inlined_script
def first_fitting(view, player):
    """The first hand card in order that a building place takes, or NONE."""
    found = NONE
    for k in range(HAND):
        card = np.int64(hand_card(view, k))
        if place_for(player, card) >= 0 and (found == NONE or card < found):
            if player.numbers[HAND_ORDER] == DRAWN:
                return card
            found = card
    return found


@inlined_script
def first_card(view, player):
    """The first hand card in order."""
    first = np.int64(hand_card(view, 0))
    for k in range(1, HAND):
        card = np.int64(hand_card(view, k))
        if player.numbers[HAND_ORDER] == RANK and card != NONE:
            first = min(first, card)
    return first


@scripted
def smallest_pile(view, rules):
    """The own discard pile with the fewest cards, the first among equals."""
    best = 0
    for pile in range(1, PLACES):
        if pile_size(view, rules, pile) < pile_size(view, rules, best):
            best = pile
    return best


@scripted
def random_pile(view, rules, player):
    """One of the own discard piles, each equally likely; of those that no other stands for (7.4)."""
    piles = 0
    for pile in range(PLACES):
        piles += not is_spare(view, rules, pile)
    nth = share(next_number(view, player), piles)
    for pile in range(PLACES):
        nth -= not is_spare(view, rules, pile)
        if nth < 0:
            return pile
    return -1


@scripted
def chosen_pile(view, rules, player):
    """The discard pile for a card that is not wanted."""
    if player.numbers[PILE] == SMALLEST:
        return smallest_pile(view, rules)
    if player.numbers[PILE] == RANDOM:
        return random_pile(view, rules, player)
    return 0


@scripted
def greedy(view, rules, player):
    """One decision."""
    find_places(view, player, 0)
    place = place_for(player, stock_card(view))
    if place >= 0:
        return PLAY_STOCK + place
    card = first_fitting(view, player)
    if card != NONE:
        return play_hand(card, place_for(player, card))
    for pile in range(PLACES):
        place = place_for(player, pile_card(view, rules, pile))
        if place >= 0:
            return PLAY_DISCARD + PLACES * pile + place
    return lay_down(first_card(view, player), chosen_pile(view, rules, player)) if has_hand(view) else PASS
