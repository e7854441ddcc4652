"""Reasons why one action is better than another: which parts of the tables differ that each can lead to.

Pages run this code, too. The parts are those that `planner` values; the weights fit them to the values of all actions
in the game's examination, where a stock card counts more the nearer a seat is to winning.
"""

import numpy as np

from cardtable.table.compiling.compiler import compiler_of, source_of
from skipbo_agents.nearness import find_threats, reach
from skipbo_agents.planner import cost_on, count_hand, disorder, find_disorder
from skipbo_agents.player import DEEP, PLAYER_DTYPE, stock_card
from skipbo_agents.turn_search import (
    AT_HAND,
    AT_STOCK,
    bit,
    cards_left,
    has_played_stock,
    holds,
    is_refilled,
    last_rank,
    present_table,
    search_on,
    top_left,
    with_card_less,
    with_card_more,
    with_last_rank,
)
from skipbo_env.kernel import DISCARD, HAND, NONE, PASS, PLACES, PLAY_DISCARD, PLAY_HAND, WILD
from skipbo_env.kernel.play import CARD_POINTS, WIN_POINTS
from skipbo_env.kernel.view import AT_SEAT, AT_SEATS
from skyjo.table.phrases import REASON

STOCK, REACH, BLOCKS, WILDS, EMPTIES, ORDER = range(6)  # the templates of `phrases.toml`, in their order
KINDS = 6
LAST, OPENS = 1, 2  # ways of STOCK, which else is played at once
BURIES = 1  # way of REACH, WILDS and ORDER: the other action lays a card on one that it needs
EQUAL = 4  # of the planner's numbers

STOCK_CARD, NEAR, BLOCK = 10.8, 2.5, 8.3  # points: a stock card played; for certain the own one, or another's, next
WILD_CARD, LAID_WILD, NEW_HAND, TIDY = 2.4, 1.5, 8.8, 3.3  # points, the last for what discard piles cost the planner
PRIZE = 0.2  # a stock card counts more by this share of what a win brings, divided among the cards left

compiled = compiler_of(__file__, source_of(search_on), source_of(stock_card), whole=True)


@compiled
def scale(view, rules, seat):
    """Return how much more than in a long round a stock card of this seat, places clockwise, counts."""
    left, others = view[AT_SEATS + rules.players + seat], 0
    for other in range(rules.players):
        others += view[AT_SEATS + rules.players + other] if other != seat else 0
    return 1 + PRIZE * (WIN_POINTS / CARD_POINTS + others) / (left + 1)


@compiled
def open_wilds(player, table):
    """Return how many wild cards lie on the own discard piles with nothing else on them."""
    count = 0
    for pile in range(PLACES):
        left = cards_left(table, pile)
        while left > 0 and player.stacks[0, pile, left - 1] == WILD:
            left, count = left - 1, count + 1
    return count


@compiled
def likeliest(player, seat, table):
    """Return the chance that a seat, places clockwise, plays its stock card next."""
    most = 0.0
    for place in range(PLACES):
        most = max(most, player.threats[seat, last_rank(table, place)])
    return most


@compiled
def note_table(view, rules, player, table, is_over, rows):
    """Note the parts of the worth of a table at which the turn goes on with unknown cards or is over."""
    held, wilds, size = count_hand(player, table)
    own, on, laid = scale(view, rules, 0), has_played_stock(table), open_wilds(player, table)
    is_new = not is_over and is_refilled(player, rules, table)
    rows[WILDS].gain = own * (WILD_CARD * wilds + LAID_WILD * laid)
    rows[ORDER].gain, rows[BLOCKS].gain = -own * TIDY * disorder(player, table), 0.0
    for seat in range(1, rules.players):
        danger = BLOCK * scale(view, rules, seat) * likeliest(player, seat, table)
        rows[BLOCKS].gain -= danger / (rules.players - 1)
    rows[STOCK].gain = own * STOCK_CARD * on
    rows[EMPTIES].gain = own * NEW_HAND * (is_new and not on)
    near = 0.0 if on or is_new else reach(player, table, held, wilds + laid, HAND - size, np.int64(stock_card(view)))
    rows[REACH].gain = own * NEAR * near


@compiled
def note_discard(view, rules, player, table, k, pile, rows):
    """Note the parts of the worth of a table after hand card k has been laid on a discard pile."""
    card, top = player.hand[k], np.int64(top_left(player, 0, table, pile))
    cost = 0.0 if top == NONE else TIDY * scale(view, rules, 0) * cost_on(player, top, card)
    table &= ~bit(AT_HAND + k)
    table = with_card_less(table, pile) if cards_left(table, pile) == DEEP else table
    at = cards_left(table, pile)
    covered, player.stacks[0, pile, at] = player.stacks[0, pile, at], card
    before, player.disorder[pile, at + 1] = player.disorder[pile, at + 1], player.disorder[pile, at]
    note_table(view, rules, player, with_card_more(table, pile), True, rows)
    rows[ORDER].gain -= cost
    player.stacks[0, pile, at], player.disorder[pile, at + 1] = covered, before


@compiled
def sum_of(rows):
    """Return the worth that its parts add up to."""
    total = 0.0
    for row in rows:
        total += row.gain
    return total


@compiled
def note_end(view, rules, player, table, spare, rows):
    """Note the parts of a table, with the best discard where the turn has to end with one."""
    note_table(view, rules, player, table, False, rows)
    if has_played_stock(table) or is_refilled(player, rules, table):
        return
    most = -np.inf
    for k in range(HAND):
        for pile in range(PLACES):
            if holds(table, k) and (player.hand[k] != WILD or rules.discard_wild):
                note_discard(view, rules, player, table, k, pile, spare)
                if sum_of(spare) > most:
                    most = sum_of(spare)
                    rows[:] = spare


@compiled
def hand_place(player, card):
    """Return the number of the first hand card of this rank."""
    for k in range(HAND):
        if player.hand[k] == card:
            return k
    return 0


@compiled
def after_play(player, action):
    """Return the table after a play, packed."""
    table, place = player.tables[0], action % PLACES
    table = with_last_rank(table, place, last_rank(table, place) + 1)
    if action < PLAY_HAND:
        return table | bit(AT_STOCK)
    if action < PLAY_DISCARD:
        return table & ~bit(AT_HAND + hand_place(player, (action - PLAY_HAND) // PLACES + 1))
    return with_card_less(table, (action - PLAY_DISCARD) // PLACES)


@compiled
def note_action(view, rules, player, action, rows):
    """Note the parts of the best table that an action leads to; return that table."""
    table, spare, tried = player.tables[0], np.zeros(KINDS, REASON), np.zeros(KINDS, REASON)
    if action == PASS:
        note_table(view, rules, player, table, True, rows)
    elif action >= DISCARD:
        k = hand_place(player, (action - DISCARD) // PLACES + 1)
        note_discard(view, rules, player, table, k, action % PLACES, rows)
    else:
        player.tables[1], player.firsts[1], player.reached = after_play(player, action), action, 2
        search_on(rules, player, np.int64(stock_card(view)), 1)
        most = -np.inf
        for number in range(1, player.reached):
            note_end(view, rules, player, player.tables[number], spare, tried)
            if sum_of(tried) > most:
                most, table = sum_of(tried), player.tables[number]
                rows[:] = tried
    return table


@compiled
def used_card(player, action):
    """Return the card of the hand or of a discard pile that an action plays or discards, else NONE."""
    if action < PLAY_HAND or action == PASS:
        return np.int64(NONE)
    if action >= DISCARD:
        return np.int64((action - DISCARD) // PLACES + 1)
    if action >= PLAY_DISCARD:
        return np.int64(top_left(player, 0, player.tables[0], (action - PLAY_DISCARD) // PLACES))
    return np.int64((action - PLAY_HAND) // PLACES + 1)


@compiled
def reach_beside(view, rules, player, card):
    """Return the part of REACH with this hand card laid aside, and no card of the discard piles covered."""
    table = player.tables[0] & ~bit(AT_HAND + hand_place(player, card))
    held, wilds, size = count_hand(player, table)
    near = reach(player, table, held, wilds + open_wilds(player, table), HAND - size, np.int64(stock_card(view)))
    return scale(view, rules, 0) * NEAR * near


@compiled
def note_threat(view, rules, player, tables, row):
    """Note which seat's stock card the other action brings nearest, and whether it does so beyond the present table."""
    most = 0.0
    for seat in range(1, rules.players):
        now, safer = likeliest(player, seat, player.tables[0]), likeliest(player, seat, tables[0])
        risen = likeliest(player, seat, tables[1]) - safer
        if risen > most:
            most, row.flaw = risen, safer >= now
            row.seat, row.card = (view[AT_SEAT] + seat) % rules.players, view[AT_SEATS + seat]


@compiled
def note_words(view, rules, player, better, other, tables, lost, reasons):
    """Note what the templates name: cards, a seat, and which wording fits. `lost` is the other's part of REACH."""
    card, top, stock = used_card(player, other), np.int64(NONE), np.int64(stock_card(view))
    if DISCARD <= other < PASS:
        top = np.int64(top_left(player, 0, player.tables[0], other % PLACES))
    for row in reasons:
        row.card, row.other = card, top
    is_last = view[AT_SEATS + rules.players] == 1
    reasons[STOCK].card, reasons[REACH].points = stock, stock
    reasons[STOCK].way = LAST if is_last else OPENS if better >= PLAY_HAND else 0
    reasons[WILDS].way = BURIES if top == WILD and card != WILD else 0
    if top != NONE and 2 * (reach_beside(view, rules, player, card) - lost) > reasons[REACH].gain:
        reasons[REACH].way = BURIES
    reasons[ORDER].way = BURIES if top != NONE and cost_on(player, top, card) > 0 else 0
    note_threat(view, rules, player, tables, reasons[BLOCKS])


@compiled
def note_both(view, rules, players, better, other, reasons, flaws):
    """Note the parts of the worth of two actions, and what is to be said of their differences."""
    player, tables = players[0], np.zeros(2, np.uint64)
    player.numbers[EQUAL] = 0.05
    player.tables[0] = present_table(view, rules, player)
    find_threats(view, rules, player)
    find_disorder(player)
    tables[0] = note_action(view, rules, player, better, reasons)
    tables[1] = note_action(view, rules, player, other, flaws)
    for kind in range(KINDS):
        reasons[kind].gain -= flaws[kind].gain
    note_words(view, rules, player, better, other, tables, flaws[REACH].gain, reasons)


@compiled
def write_reasons(view, rules, better, other, reasons):
    """Write by how much every part of their worth speaks for the better action, and what is to be said of it."""
    players, flaws = np.zeros(1, PLAYER_DTYPE), np.zeros(KINDS, REASON)  # compiled code needs the array, not its record
    note_both(view, rules, players, better, other, reasons, flaws)
