"""What a turn can lead to: the tables that plays reach from the present one, with the first action of each way.

The ways with the fewest wild cards are followed first, and among them the shortest. No wild card is spent once the
stock card can be played without it. A way ends where the stock card is played or the hand is empty and new cards come:
what these are nobody knows. At most MOST_TABLES tables are found.
"""

import numpy as np

from skipbo_agents.own_cards import hand_card, height, play_hand, stock_card
from skipbo_agents.packed_table import (
    AT_HAND,
    AT_STOCK,
    bit,
    has_no_hand,
    has_played_stock,
    holds,
    last_rank,
    top_left,
    with_card_less,
    with_card_more,
    with_last_rank,
)
from skipbo_agents.player import DEEP, MOST_TABLES, scripted
from skipbo_env.kernel.state import (
    HAND,
    NONE,
    PLACES,
    PLAY_DISCARD,
    PLAY_STOCK,
    REFILL_AT_ONCE,
    UNSEEN,
    VIEW_TABLE,
    WILD,
)
from skipbo_env.kernel.view import at_discards, at_sizes, at_tops


@scripted
def read_whole_piles(view, rules, player):
    """Read the uppermost cards of all discard piles where the view shows them (8.1)."""
    size_at, start = at_sizes(rules.players), at_discards(rules.players)
    for seat in range(rules.players):
        player.stack_sizes[seat] = 0
        for pile in range(PLACES):
            size = np.int64(view[size_at])
            for k in range(max(0, size - DEEP), size):
                player.stacks[seat, pile, k - max(0, size - DEEP)] = view[start + k]
                player.stack_sizes[seat] = with_card_more(player.stack_sizes[seat], pile)
            start += size
            size_at += 1


@scripted
def read_tops(view, rules, player):
    """Read the top cards of all discard piles, as far as they are seen (8.2)."""
    top_at = at_tops(rules.players)
    for seat in range(rules.players):
        player.stack_sizes[seat] = 0
        for pile in range(PLACES):
            top = view[top_at]
            if top != NONE and top != UNSEEN:
                player.stacks[seat, pile, 0] = top
                player.stack_sizes[seat] = with_card_more(player.stack_sizes[seat], pile)
            top_at += 1


@scripted
def present_table(view, rules, player):
    """Read the table as it is; packed."""
    if rules.visible == VIEW_TABLE:
        read_whole_piles(view, rules, player)
    else:
        read_tops(view, rules, player)
    table = player.stack_sizes[0]
    for place in range(PLACES):
        table = with_last_rank(table, place, height(view, place))
    for k in range(HAND):
        player.hand[k] = hand_card(view, k)
        if player.hand[k] != NONE:
            table |= bit(AT_HAND + k)
    return table


@scripted
def is_refilled(player, rules, table):
    """Has the last hand card been played, so that new ones come (3.7)?"""
    return rules.refill == REFILL_AT_ONCE and has_no_hand(table) and not has_no_hand(player.tables[0])


@scripted
def add_table(player, before, action, table):
    """Note a table that is reached by an action from table number `before`, unless it has been found already."""
    for number in range(np.uint64(player.reached)):
        if player.tables[number] == table:
            return
    if player.reached < MOST_TABLES:
        player.tables[player.reached] = table
        player.firsts[player.reached] = action if before == 0 else player.firsts[before]
        player.reached += 1


@scripted
def is_twin(table, place):
    """Does a lower building place take the same rank? Then it does for both."""
    for other in range(place):
        if last_rank(table, other) == last_rank(table, place):
            return True
    return False


@scripted
def play_on_place(player, number, place, card):
    """Find what comes of playing this card of the hand or of the discard piles on a place, from a table found."""
    table = player.tables[number]
    raised = with_last_rank(table, place, last_rank(table, place) + 1)
    for k in range(HAND):
        if holds(table, k) and player.hand[k] == card:
            add_table(player, number, play_hand(card, place), raised & ~bit(AT_HAND + k))
            break
    for pile in range(PLACES):
        if top_left(player, 0, table, pile) == card:
            action = PLAY_DISCARD + PLACES * pile + place
            add_table(player, number, action, with_card_less(raised, pile))


@scripted
def play_naturals(player, number, stock):
    """Find what comes of every play without a hand's or pile's wild card; tells whether the stock card fits."""
    table, is_found = player.tables[number], False
    for place in range(PLACES):
        if is_twin(table, place):
            continue
        rank = last_rank(table, place) + 1
        if stock in (rank, WILD):
            add_table(player, number, PLAY_STOCK + place, with_last_rank(table, place, rank) | bit(AT_STOCK))
            is_found = True
        play_on_place(player, number, place, rank)
    return is_found


@scripted
def play_wilds(player, number):
    """Find what comes of every play of a wild card."""
    for place in range(PLACES):
        if not is_twin(player.tables[number], place):
            play_on_place(player, number, place, WILD)


@scripted
def goes_on(player, rules, number):
    """Can the player go on from this table, knowing its cards?"""
    table = player.tables[number]
    return not has_played_stock(table) and not is_refilled(player, rules, table)


@scripted
def search_turn(view, rules, player):
    """Find the tables that this turn can lead to."""
    stock = np.int64(stock_card(view))
    player.tables[0], player.firsts[0], player.reached = present_table(view, rules, player), -1, 1
    first, is_found = 0, False
    while first < player.reached:
        number = first
        while number < player.reached:  # all tables with this many wild cards played
            if goes_on(player, rules, number):
                is_found |= play_naturals(player, number, stock)
            number += 1
        if is_found:
            return
        last = player.reached
        for number in range(first, last):
            if goes_on(player, rules, number):
                play_wilds(player, number)
        first = last
