"""The tables that plays of a turn reach from the present one, each with the first action on the way to it.

A table is one number here, and holds only the changes by the player's own plays. Four bits each stand for the last
ranks of the building piles. Four bits each count the known cards left on the own discard piles. One bit stands for each
hand card, and one tells whether the stock card has been played.

The search follows the ways with the fewest wild cards first, and among them the shortest. It spends no wild card once
the stock card can be played without it. A way ends where the stock card is played, or where the hand is empty and
unknown cards come. The search finds at most MAX_TABLES tables.
"""

import numpy as np

from skipbo_agents.player import DEEP, MAX_TABLES, hand_card, height, inlined_script, play_hand, scripted, stock_card
from skipbo_env.kernel import (
    HAND,
    NONE,
    PLACES,
    PLAY_DISCARD,
    PLAY_STOCK,
    RANKS,
    REFILL_AT_ONCE,
    UNSEEN,
    VIEW_TABLE,
    WILD,
)
from skipbo_env.kernel.view import at_discards, at_sizes, at_tops

ONE, FOUR_BITS = np.uint64(1), np.uint64(15)
AT_PILES, AT_HAND, AT_STOCK = 16, 32, 37  # the first bits


@inlined_script
def bit(at):
    """Return a one at this place."""
    return ONE << np.uint64(at)


@inlined_script
def last_rank(table, place):
    """Return the last rank of a building pile."""
    return np.int64(table >> np.uint64(4 * place) & FOUR_BITS)


@inlined_script
def with_last_rank(table, place, rank):
    """Return the table with this last rank on a building pile; one that has reached 12 is gone (3.5)."""
    cleared = table & ~(FOUR_BITS << np.uint64(4 * place))
    return cleared | np.uint64(rank if rank < RANKS else 0) << np.uint64(4 * place)


@inlined_script
def cards_left(table, pile):
    """Return the number of known cards left on a discard pile."""
    return np.int64(table >> np.uint64(AT_PILES + 4 * pile) & FOUR_BITS)


@inlined_script
def with_card_more(table, pile):
    """Return the table with one more card on a discard pile."""
    return table + bit(AT_PILES + 4 * pile)


@inlined_script
def with_card_less(table, pile):
    """Return the table without the top card of a discard pile."""
    return table - bit(AT_PILES + 4 * pile)


@inlined_script
def top_left(player, seat, table, pile):
    """Return the top card of a discard pile of this seat, places clockwise from the player; NONE if no known card is
    left.
    """
    left = cards_left(table, pile)
    return player.stacks[np.uint64(seat), np.uint64(pile), np.uint64(left - 1)] if left > 0 else NONE


@inlined_script
def holds(table, k):
    """Return whether hand card k is still in hand."""
    return table >> np.uint64(AT_HAND + k) & ONE != 0


@inlined_script
def has_no_hand(table):
    """Return whether the hand is empty."""
    return table & (bit(AT_STOCK) - bit(AT_HAND)) == 0


@inlined_script
def has_played_stock(table):
    """Return whether the stock card has been played."""
    return table & bit(AT_STOCK) != 0


@scripted
def read_whole_piles(view, rules, player):
    """Read the uppermost cards of all discard piles where the view shows them (8.1)."""
    size_at, start = at_sizes(rules), at_discards(rules)
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
    top_at = at_tops(rules)
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
    """Return whether the last hand card has been played, after which five new cards come at once (3.7)."""
    return rules.refill == REFILL_AT_ONCE and has_no_hand(table) and not has_no_hand(player.tables[0])


@scripted
def add_table(player, before, action, table):
    """Note a table that is reached by an action from table number `before`, unless it has been found already."""
    for number in range(np.uint64(player.reached)):
        if player.tables[number] == table:
            return
    if player.reached < MAX_TABLES:
        player.tables[player.reached] = table
        player.firsts[player.reached] = action if before == 0 else player.firsts[before]
        player.reached += 1


@scripted
def is_twin(table, place):
    """Return whether a lower building place takes the same rank, so that a play there stands for both."""
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
    """Return whether the player can go on from this table with the cards that it knows."""
    table = player.tables[number]
    return not has_played_stock(table) and not is_refilled(player, rules, table)


@scripted
def search_on(rules, player, stock, first):
    """Find the tables that this turn can lead to from the last one found, number `first`."""
    is_found = False
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


@scripted
def search_turn(view, rules, player):
    """Find the tables that this turn can lead to."""
    player.tables[0], player.firsts[0], player.reached = present_table(view, rules, player), -1, 1
    search_on(rules, player, np.int64(stock_card(view)), 0)
