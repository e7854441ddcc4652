"""Stock, discard and building piles, and hands: what lies where, one card laid down or taken up (sections 1, 3)."""

import numpy as np

from cardtable.table.compiling.intrinsics import move
from skipbo_env.kernel.jit import inlined_kernel, kernel
from skipbo_env.kernel.state import HAND, MAX_PLAYERS, NONE, RANKS, RECYCLED_WILD, WILD

ZERO, ONE, TWO, THREE = map(np.uint64, range(4))
BYTE, LAST_BYTE, ONES = map(np.uint64, (8, 0xFF, 0x01010101))


@kernel
def stock_top(game, rules, seat):
    """The top card of a stock pile, or NONE."""
    left = game.stock_left[seat]
    return game.stocks[seat * rules.stock + left - 1] if left > 0 else NONE


@inlined_kernel
def pack(a, b, c, d):
    """Four numbers as one, a byte each: one for every building place, or for every discard pile of a seat."""
    return np.uint64(a) | np.uint64(b) << BYTE | np.uint64(c) << TWO * BYTE | np.uint64(d) << THREE * BYTE


@inlined_kernel
def pile_end(game, seat, pile):
    """Where a discard pile ends among the cards of all discard piles."""
    sizes = game.sizes[np.uint64(seat)]
    ends = pack(sizes[ZERO], sizes[ONE], sizes[TWO], sizes[THREE]) * ONES  # byte k: the cards on the piles up to k
    return np.uint64(game.starts[np.uint64(seat)]) + (ends >> BYTE * np.uint64(pile) & LAST_BYTE)


@inlined_kernel
def count_laid(game, seat, pile, cards):
    """Note that a discard pile has so many cards more, or fewer if the number is negative."""
    game.sizes[seat, pile] = np.int64(game.sizes[seat, pile]) + cards
    game.laid += cards
    for other in range(MAX_PLAYERS):
        game.starts[other] = np.int64(game.starts[other]) + (cards if other > seat else 0)


@kernel
def pile_top(game, seat, pile):
    """The top card of a discard pile, or NONE."""
    return game.piles[pile_end(game, seat, pile) - ONE] if game.sizes[seat, pile] > 0 else NONE


@inlined_kernel
def lay_on_pile(game, seat, pile, card):
    """Lay a card on a discard pile."""
    at = pile_end(game, seat, pile)
    move(game.piles, at, np.uint64(game.laid) - at, at + ONE)
    game.piles[at] = card
    count_laid(game, seat, pile, 1)


@inlined_kernel
def take_from_pile(game, seat, pile):
    """Take the top card of a discard pile."""
    end = pile_end(game, seat, pile)
    card = game.piles[end - ONE]
    move(game.piles, end, np.uint64(game.laid) - end, end - ONE)
    count_laid(game, seat, pile, -1)
    return card


@kernel
def has_card(game, seat, card):
    """Does the seat hold such a card?"""
    for k in range(game.hand_size[seat]):
        if game.hands[seat, k] == card:
            return True
    return False


@inlined_kernel
def take_from_hand(game, seat, card):
    """Take such a card from a hand that holds one: the one that was drawn first (7.2). Places past its end are NONE."""
    holder, is_beyond = np.uint64(seat), False
    for k in range(np.uint64(HAND - 1)):
        here, following = game.hands[holder, k], game.hands[holder, k + ONE]
        is_beyond |= here == card
        game.hands[holder, k] = following if is_beyond else here
    game.hands[holder, np.uint64(HAND - 1)] = NONE
    game.hand_size[holder] -= 1


@inlined_kernel
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
