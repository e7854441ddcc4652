"""A table as one number, for a player who looks ahead in its own turn: only what its own plays change.

Four bits each for the last ranks of the building piles, then four each for how many of the known cards are left on the
own discard piles, a bit for each hand card, and one that tells that the stock card has been played.
"""

import numpy as np

from skipbo_agents.player import inlined_script
from skipbo_env.kernel.state import NONE, RANKS

ONE, FOUR_BITS = np.uint64(1), np.uint64(15)
AT_PILES, AT_HAND, AT_STOCK = 16, 32, 37  # the first bits


@inlined_script
def bit(at):
    """A one at this place."""
    return ONE << np.uint64(at)


@inlined_script
def last_rank(table, place):
    """The last rank of a building pile."""
    return np.int64(table >> np.uint64(4 * place) & FOUR_BITS)


@inlined_script
def with_last_rank(table, place, rank):
    """The table with this last rank on a building pile; one that has reached 12 is gone (3.5)."""
    cleared = table & ~(FOUR_BITS << np.uint64(4 * place))
    return cleared | np.uint64(rank if rank < RANKS else 0) << np.uint64(4 * place)


@inlined_script
def cards_left(table, pile):
    """How many of the known cards are left on a discard pile."""
    return np.int64(table >> np.uint64(AT_PILES + 4 * pile) & FOUR_BITS)


@inlined_script
def with_card_more(table, pile):
    """The table with one more card on a discard pile."""
    return table + bit(AT_PILES + 4 * pile)


@inlined_script
def with_card_less(table, pile):
    """The table without the top card of a discard pile."""
    return table - bit(AT_PILES + 4 * pile)


@inlined_script
def top_left(player, seat, table, pile):
    """The top card of a discard pile of this seat, places clockwise from the player; NONE if no known card is left."""
    left = cards_left(table, pile)
    return player.stacks[np.uint64(seat), np.uint64(pile), np.uint64(left - 1)] if left > 0 else NONE


@inlined_script
def holds(table, k):
    """Is hand card k still in hand?"""
    return table >> np.uint64(AT_HAND + k) & ONE != 0


@inlined_script
def has_no_hand(table):
    """Is the hand empty?"""
    return table & (bit(AT_STOCK) - bit(AT_HAND)) == 0


@inlined_script
def has_played_stock(table):
    """Has the stock card been played?"""
    return table & bit(AT_STOCK) != 0
