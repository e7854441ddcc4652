"""The players of Strittmatter's paper: random, greedy (5.1), and Hierarchical Positional Value Play (section 3).

Each point that the paper leaves open is a parameter; docs/reference/agents.md lists the readings.
"""

import numpy as np

from cardtable.table.kernel.chance import next_number, share
from skipbo_agents.player import (
    find_places,
    hand_card,
    has_hand,
    height,
    highest_place,
    inlined_script,
    lay_down,
    pile_card,
    pile_size,
    place_for,
    play_hand,
    scripted,
    stock_card,
)
from skipbo_env.kernel import HAND, NONE, PASS, PLACES, PLAY_DISCARD, PLAY_STOCK, RANKS, SYMMETRIC_LOWEST, WILD

# Random: any legal action, each equally likely

PLAYS_FIRST, OVER_SLOTS = range(2)  # its numbers


@scripted
def fits(view, card, place):
    """Return whether the building place takes this card (3.3, 3.4); never for NONE."""
    return card == WILD or card == height(view, place) + 1


@scripted
def stands_for_it(view, rules, place):
    """Return whether a lower building place takes the same rank and stands for this one too (7.4)."""
    for other in range(place):
        if rules.symmetric == SYMMETRIC_LOWEST and height(view, other) == height(view, place):
            return True
    return False


@scripted
def is_spare(view, rules, pile):
    """Return whether this discard pile is empty and a lower empty pile stands for it too (7.4)."""
    for other in range(pile):
        if rules.symmetric == SYMMETRIC_LOWEST and pile_size(view, rules, pile) + pile_size(view, rules, other) == 0:
            return True
    return False


@scripted
def is_counted(view, player, k):
    """Return whether this hand card is a separate choice: the first of its rank, or any card where all are counted."""
    for other in range(k):
        if player.numbers[OVER_SLOTS] == 0 and hand_card(view, other) == hand_card(view, k):
            return False
    return hand_card(view, k) != NONE


@scripted
def add_plays(view, rules, card, first, player, found):
    """Add every place on which the card may be played, `first` being the action for place 0; return how many there are
    now.
    """
    for place in range(PLACES):
        if fits(view, card, place) and not stands_for_it(view, rules, place):
            player.choices[found] = first + place
            found += 1
    return found


@scripted
def list_plays(view, rules, player):
    """Write down every play; return how many there are."""
    found = add_plays(view, rules, stock_card(view), PLAY_STOCK, player, 0)
    for k in range(HAND):
        if is_counted(view, player, k):
            card = hand_card(view, k)
            found = add_plays(view, rules, card, play_hand(card, 0), player, found)
    for pile in range(PLACES):
        found = add_plays(view, rules, pile_card(view, rules, pile), PLAY_DISCARD + PLACES * pile, player, found)
    return found


@scripted
def add_endings(view, rules, player, found):
    """Add every way to end the turn; return how many choices there are now."""
    if not has_hand(view):
        player.choices[found] = PASS
        return found + 1
    for pile in range(PLACES):
        for k in range(HAND):
            card = hand_card(view, k)
            if (
                not is_counted(view, player, k)
                or is_spare(view, rules, pile)
                or (card == WILD and not rules.discard_wild)
            ):
                continue
            player.choices[found] = lay_down(card, pile)
            found += 1
    return found


@scripted
def random_play(view, rules, player):
    """Return one decision."""
    found = list_plays(view, rules, player)
    must_play = player.numbers[PLAYS_FIRST] == 1 or (rules.compulsory and has_hand(view))
    if found == 0 or not must_play:
        found = add_endings(view, rules, player, found)
    return player.choices[share(next_number(view, player), found)]


# Greedy: the first play there is in a fixed order, and a discard without a thought

PILE, HAND_ORDER = range(2)  # its numbers
PILES = ("leftmost", "smallest", "random")
LEFTMOST, SMALLEST, ANY = range(3)
HAND_ORDERS = ("drawn", "rank")
DRAWN, RANK = range(2)


@inlined_script
def first_fitting(view, player):
    """Return the first hand card in order that a building place takes, or NONE."""
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
    """Return the first hand card in order."""
    first = np.int64(hand_card(view, 0))
    for k in range(1, HAND):
        card = np.int64(hand_card(view, k))
        if player.numbers[HAND_ORDER] == RANK and card != NONE:
            first = min(first, card)
    return first


@scripted
def smallest_pile(view, rules):
    """Return the own discard pile with the fewest cards, the first among equals."""
    best = 0
    for pile in range(1, PLACES):
        if pile_size(view, rules, pile) < pile_size(view, rules, best):
            best = pile
    return best


@scripted
def random_pile(view, rules, player):
    """Return one of the own discard piles, each equally likely; of those that no other stands for (7.4)."""
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
    """Return the discard pile for a card that is not wanted."""
    if player.numbers[PILE] == SMALLEST:
        return smallest_pile(view, rules)
    if player.numbers[PILE] == ANY:
        return random_pile(view, rules, player)
    return 0


@scripted
def greedy(view, rules, player):
    """Return one decision."""
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


# Hierarchical Positional Value Play: stock, hand, discard piles, then a discard

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
    """Return the rating of a card to play by priority 2: the height of its pile afterwards; `TIE` breaks ties."""
    if card == WILD:
        return 2 * height(view, place_for(player, card)) + 2 + (player.numbers[TIE] == WILD_FIRST)
    value = 2 * np.int64(card) + (player.numbers[TIE] == NATURAL_FIRST)
    return value + 2 * RANKS if player.numbers[WILD_USE] == LAST else value


@inlined_script
def best_hand_card(view, player):
    """Return the hand card that priority 2 plays, or NONE."""
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
    """Return the highest hand card."""
    best = hand_card(view, 0)
    for k in range(1, HAND):
        best = max(best, hand_card(view, k))
    return best


@inlined_script
def pile_value(card, player):
    """Return the rating of a discard pile with this top card by priority 4; -1 if the pile is no candidate.

    A top below 12 is rated by its rank. An empty pile is a candidate unless the player ignores it; a wild card is none.
    """
    if card == NONE and player.numbers[EMPTY] != AS_ZERO:
        return 2 * RANKS if player.numbers[EMPTY] == FIRST else -1
    if card >= RANKS:
        return -1
    return card if player.numbers[GAP] == NEAREST else RANKS - card


@inlined_script
def positional_pile(view, rules, player):
    """Return the discard pile by priority 4: the leftmost if none is a candidate."""
    best, most = 0, -1
    for pile in range(PLACES):
        value = pile_value(pile_card(view, rules, pile), player)
        if value > most:
            best, most = pile, value
    return best


@scripted
def hpvp(view, rules, player):
    """Return one decision."""
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
