"""The distance of a building pile from a card: the number of missing cards, and the chance to get them."""

import numpy as np

from skipbo_agents.player import scripted
from skipbo_agents.turn_search import last_rank, top_left, with_card_less
from skipbo_env.kernel import COPIES, DECK, HAND, PLACES, RANKS, UNSEEN, WILD, WILDS
from skipbo_env.kernel.view import AT_SEATS


def _chances():
    """Return the probabilities of drawing given cards or wild cards in their place, by number of draws and of missing
    ranks. Every card of the deck is equally likely.
    """
    chances = np.zeros((HAND + 1, HAND + 1))
    chances[:, 0] = 1.0
    for draws in range(1, HAND + 1):
        for missing in range(1, HAND + 1):
            hit = (WILDS + missing * COPIES) / DECK
            chances[draws, missing] = hit * chances[draws - 1, missing - 1] + (1 - hit) * chances[draws - 1, missing]
    return chances


CHANCES = _chances()


@scripted
def take_top(player, seat, sizes, rank):
    """Return the packed sizes of a seat's discard piles without a top card of this rank; the same if there is none."""
    for pile in range(PLACES):
        if top_left(player, seat, sizes, pile) == rank:
            return with_card_less(sizes, pile)
    return sizes


@scripted
def missing_cards(player, seat, sizes, held, rank, target, most):
    """Return the number of cards missing to bring a pile from its last rank to just below the target, at most `most` +
    1.

    The seat has discard piles of these packed sizes, and the ranks in `held` in its hand, bit r for rank r.
    """
    missing = 0
    if target == WILD:
        return missing
    while rank + 1 != target:
        rank += 1
        after = take_top(player, seat, sizes, rank)
        if after == sizes and held >> rank & 1 == 0:
            missing += 1
            if missing > most:
                return missing
        sizes = after
        rank = rank if rank < RANKS else 0
    return missing


@scripted
def find_threats(view, rules, player):
    """Find how likely each other seat plays its stock card in its next turn, by the last rank of a building pile.

    What it holds is not known: it is taken to draw five cards.
    """
    for seat in range(1, rules.players):
        stock = np.int64(view[AT_SEATS + seat])
        for rank in range(RANKS):
            missing = HAND + 1
            if stock != UNSEEN:
                missing = missing_cards(player, seat, player.stack_sizes[seat], 0, rank, stock, HAND)
            player.threats[seat, rank] = CHANCES[HAND, missing] if missing <= HAND else 0.0


@scripted
def threat(rules, player, table):
    """Return the mean probability that another player plays its stock card next, if the building piles stay as they
    are.
    """
    total = 0.0
    for seat in range(1, rules.players):
        likeliest = 0.0
        for place in range(PLACES):
            likeliest = max(likeliest, player.threats[np.uint64(seat), np.uint64(last_rank(table, place))])
        total += likeliest
    return total / (rules.players - 1)


@scripted
def reach(player, table, held, wilds, draws, stock):
    """Return the probability that the own stock card can be played after this many draws. The building piles are
    assumed to stay as they are.
    """
    likeliest, most = 0.0, draws + wilds
    for place in range(PLACES):
        missing = missing_cards(player, 0, table, held, last_rank(table, place), stock, most)
        if missing <= most:
            likeliest = max(likeliest, CHANCES[draws, max(0, missing - wilds)])
    return likeliest
