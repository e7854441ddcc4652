"""The player that is built to win: it searches its turn and takes the way to the table with the highest value.

Values are counted in stock cards played: the promise of the own stock card, wild cards, draws and tidy discard piles,
minus the chances that the table offers the others.
"""

import numpy as np

from skipbo_agents.nearness import find_threats, reach, threat
from skipbo_agents.player import DEEP, has_hand, lay_down, pile_card, pile_size, scripted, stock_card
from skipbo_agents.turn_search import (
    AT_HAND,
    bit,
    cards_left,
    has_played_stock,
    holds,
    is_refilled,
    search_turn,
    with_card_less,
    with_card_more,
)
from skipbo_env.kernel import HAND, NONE, PASS, PLACES, WILD
from skipbo_env.kernel.view import AT_IS_STILL

THREAT, WILD_CARD, DRAW, REACH, EQUAL = range(5)  # its numbers

# What it does not let others choose, in stock cards as well: found with the numbers by playing against itself.
STOCK_CARD = 1.5  # a stock card played, and that the turn goes on
NEW_HAND = 0.4  # a turn that goes on with five new cards, beyond these being drawn
LATER_THREAT = 0.2  # what a turn that goes on leaves to the others, which it can still change
PLAY = 0.12  # a card that is played to get there
COVERED, STEP = 0.2, 0.02  # a lower card covered by a higher one; each rank between a card and a lower one on it
HIGH = 0.005  # each rank of a card that is kept: high cards are discarded first


@scripted
def count_hand(player, table):
    """Return the ranks in hand as bits, the number of wild cards, and the number of cards."""
    held, wilds, size = 0, 0, 0
    for k in range(HAND):
        if holds(table, k):
            size += 1
            wilds += player.hand[k] == WILD
            held |= 1 << player.hand[k]
    return held, wilds, size


@scripted
def cost_on(player, top, card):
    """Return the cost of laying a card on this top card of a discard pile."""
    if card == top:
        return -player.numbers[EQUAL]
    if card > top:
        return COVERED
    return STEP * (top - 1 - card)


@scripted
def find_disorder(player):
    """Find what each own discard pile costs, by how many of its known cards are left."""
    for pile in range(PLACES):
        player.disorder[pile, 0], player.disorder[pile, 1] = 0.0, 0.0
        for k in range(1, cards_left(player.tables[0], pile)):
            cost = cost_on(player, player.stacks[0, pile, k - 1], player.stacks[0, pile, k])
            player.disorder[pile, k + 1] = player.disorder[pile, k] + cost


@scripted
def disorder(player, table):
    """Return the cost of the own discard piles."""
    cost = 0.0
    for pile in range(PLACES):
        cost += player.disorder[np.uint64(pile), np.uint64(cards_left(table, pile))]
    return cost


@scripted
def cards_played(player, table):
    """Return the number of cards played from the hand and the discard piles to reach this table."""
    played = count_hand(player, player.tables[0])[2] - count_hand(player, table)[2]
    for pile in range(PLACES):
        played += cards_left(player.tables[0], pile) - cards_left(table, pile)
    return played


@scripted
def worth(rules, player, table, stock):
    """Return the value of a table at which the turn continues with unknown cards or ends with a discard."""
    numbers = player.numbers
    held, wilds, size = count_hand(player, table)
    value = numbers[WILD_CARD] * wilds - disorder(player, table)
    threatened = threat(rules, player, table)
    if has_played_stock(table):
        value += STOCK_CARD + numbers[DRAW] * (HAND - size) - PLAY * cards_played(player, table)
        return value - LATER_THREAT * threatened
    value -= numbers[THREAT] * threatened
    if is_refilled(player, rules, table):
        return value + numbers[DRAW] * HAND + NEW_HAND
    if size > 0 and wilds == size:  # one of them has to be discarded
        value -= numbers[WILD_CARD]
    draws = HAND - max(size - 1, 0)
    return value + numbers[DRAW] * draws + numbers[REACH] * reach(player, table, held, wilds, draws, stock)


@scripted
def discard_worth(view, rules, player, k, pile, stock):
    """Return the value of ending the turn with hand card k on this pile."""
    card, table = player.hand[k], player.tables[0] & ~bit(AT_HAND + k)
    top, left = np.int64(pile_card(view, rules, pile)), cards_left(table, pile)
    if left == DEEP:
        table, left = with_card_less(table, pile), left - 1
    covered = player.stacks[0, pile, left]
    player.stacks[0, pile, left] = card
    held, wilds, size = count_hand(player, table)
    likely = reach(player, with_card_more(table, pile), held, wilds, HAND - size, stock)
    player.stacks[0, pile, left] = covered
    value = player.numbers[WILD_CARD] * wilds + player.numbers[REACH] * likely + HIGH * card
    return value if top == NONE else value - cost_on(player, top, card)


@scripted
def best_discard(view, rules, player, stock):
    """Return the best discard, PASS without a card in hand; -1 if no hand card may be discarded (3.10)."""
    best, most = -1, -np.inf
    for k in range(HAND):
        card = player.hand[k]
        if card == NONE or (card == WILD and not rules.discard_wild):
            continue
        is_first_empty = True
        for pile in range(PLACES):
            if pile_size(view, rules, pile) == 0:
                if not is_first_empty:
                    continue
                is_first_empty = False
            value = discard_worth(view, rules, player, k, pile, stock)
            if value > most:
                best, most = lay_down(card, pile), value
    return best if has_hand(view) else PASS


@scripted
def must_play(view, rules):
    """Return whether the player must play if it can, by the rules (3.9) or because it would pass without having moved.

    If every player passed, the round would stand still until it is stopped (5.5).
    """
    return rules.compulsory != 0 if has_hand(view) else view[AT_IS_STILL] != 0


@scripted
def planner(view, rules, player):
    """Return one decision."""
    stock = np.int64(stock_card(view))
    search_turn(view, rules, player)
    find_threats(view, rules, player)
    find_disorder(player)
    best, most = 0, -np.inf
    for number in range(1 if player.reached > 1 and must_play(view, rules) else 0, player.reached):
        value = worth(rules, player, player.tables[number], stock)
        if value > most:
            best, most = number, value
    ending = best_discard(view, rules, player, stock) if best == 0 else -1
    return ending if ending >= 0 else player.firsts[max(best, 1)]
