"""Stock, discard and building piles, and hands: what lies where, one card laid down or taken up (sections 1, 3)."""

import numpy as np

from cardtable.kernel.copying import move_down, move_up
from skipbo_env.kernel.jit import kernel
from skipbo_env.kernel.state import MAX_PLAYERS, NONE, PLACES, RANKS, RECYCLED_WILD, WILD


@kernel
def stock_top(game, rules, seat):
    """The top card of a stock pile, or NONE."""
    left = game.stock_left[seat]
    return game.stocks[seat * rules.stock + left - 1] if left > 0 else NONE


@kernel
def pile_end(game, seat, pile):
    """Where a discard pile ends among the cards of all discard piles."""
    end = np.int64(game.starts[seat])
    for each in range(np.uint64(PLACES)):
        end += game.sizes[np.uint64(seat), each] if each <= pile else 0
    return end


@kernel
def count_laid(game, seat, pile, cards):
    """So many cards more lie on a discard pile."""
    game.sizes[seat, pile] = np.int64(game.sizes[seat, pile]) + cards
    game.laid += cards
    for other in range(MAX_PLAYERS):
        game.starts[other] = np.int64(game.starts[other]) + (cards if other > seat else 0)


@kernel
def pile_top(game, seat, pile):
    """The top card of a discard pile, or NONE."""
    return game.piles[pile_end(game, seat, pile) - 1] if game.sizes[seat, pile] > 0 else NONE


@kernel
def lay_on_pile(game, seat, pile, card):
    """Lay a card on a discard pile."""
    at = np.uint64(pile_end(game, seat, pile))
    move_up(game.piles, at, np.uint64(game.laid))
    game.piles[at] = card
    count_laid(game, seat, pile, 1)


@kernel
def take_from_pile(game, seat, pile):
    """Take the top card of a discard pile."""
    end = np.uint64(pile_end(game, seat, pile))
    card = game.piles[end - np.uint64(1)]
    move_down(game.piles, end, np.uint64(game.laid))
    count_laid(game, seat, pile, -1)
    return card


@kernel
def has_card(game, seat, card):
    """Does the seat hold such a card?"""
    for k in range(game.hand_size[seat]):
        if game.hands[seat, k] == card:
            return True
    return False


@kernel
def take_from_hand(game, seat, card):
    """Take such a card from a hand that holds one: the one that was drawn first (7.2)."""
    size = game.hand_size[seat] - 1
    at = 0
    while game.hands[seat, at] != card:
        at += 1
    for k in range(at, size):
        game.hands[seat, k] = game.hands[seat, k + 1]
    game.hands[seat, size] = NONE
    game.hand_size[seat] = size


@kernel
def add_to_hand(game, seat, card):
    """Add a drawn card to a hand that is not full."""
    size = game.hand_size[seat]
    game.hands[seat, size] = card
    game.hand_size[seat] = size + 1


@kernel
def fits(game, card, place):
    """May this card be played on a building place (3.3, 3.4)? NONE never may."""
    return card == WILD or card == game.heights[place] + 1


@kernel
def build(game, card, place):
    """Put a card on a building pile."""
    if card == WILD:
        game.wild_ranks[place] |= 1 << game.heights[place]
    game.heights[place] += 1


@kernel
def is_complete(game, place):
    """Has the building pile reached 12?"""
    return game.heights[place] == RANKS


@kernel
def clear_place(game, rules, place):
    """A pile leaves the table, and its cards join the completed cards (3.5, 4.4)."""
    for rank in range(1, game.heights[place] + 1):
        is_wild = game.wild_ranks[place] >> (rank - 1) & 1
        card = WILD if is_wild and rules.recycled_wild == RECYCLED_WILD else rank
        game.completed[card - 1] += 1
    game.heights[place] = 0
    game.wild_ranks[place] = 0
