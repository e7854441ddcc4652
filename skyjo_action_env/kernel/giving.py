"""Chance may be chosen: cards that come to light for the seat that decides are given to the table, one by one.

While `watching`, every card that comes to light calls here just before it does. What it may be is counted from what
that seat knows, never from what lies there. A given card is exchanged for the one that lies there: all cards that the
seat cannot tell apart are equally likely to be exchanged, so a table that was a fair guess before is one afterwards.
Strays (12.3) count as likely as section 12.4 has it.
"""

import numpy as np

from cardtable.kernel.chance import below
from skyjo_action_env.kernel import state
from skyjo_action_env.kernel.jit import kernel
from skyjo_action_env.kernel.state import CARDS, CELLS, DECK, EMPTY, HIDDEN, KINDS, LOWEST, NOBODY

UNSEEN, KNOWN = range(2)  # rows of counts


@kernel
def is_secret_cell(game, seat, cell):
    """Does a hidden card lie here that the seat does not know that decides?"""
    return game.shown[seat, cell] == HIDDEN and game.knowers[seat, cell] >> game.last_seat & 1 == 0


@kernel
def is_buried(game, at):
    """Is this card of the discard pile one that nobody has seen?"""
    return game.piles[at] >= state.BURIED + LOWEST


@kernel
def count_known_draws(game, known):
    """The cards known to be in the draw pile, without those in hand."""
    for k in range(CARDS):
        known[k] = game.known_draws[k]
    for k in range(state.HAND):
        if game.hand[k] != EMPTY and known[game.hand[k] - LOWEST] > 0:
            known[game.hand[k] - LOWEST] -= 1


@kernel
def count_places(game, counts):
    """What lies where this seat cannot see it, by card: unseen cards, and those known to be in the draw pile."""
    count_known_draws(game, counts[KNOWN])
    for k in range(CARDS):
        counts[UNSEEN, k] = -counts[KNOWN, k]
    for seat in range(state.MAX_PLAYERS):
        for cell in range(CELLS):
            if is_secret_cell(game, seat, cell):
                counts[UNSEEN, game.cards[seat, cell] - LOWEST] += 1
    for at in range(game.discard_size):
        if is_buried(game, at):
            counts[UNSEEN, game.piles[at] - state.BURIED - LOWEST] += 1
    for at in range(DECK - game.pile_left, DECK):
        counts[UNSEEN, game.piles[at] - LOWEST] += 1


@kernel
def weigh_draws(game, counts, weights):
    """How likely each card is to be drawn next, in whole numbers: one known to be there, or a stray."""
    unseen = counts[UNSEEN].sum()
    strays = game.pile_left - counts[KNOWN].sum()
    for k in range(CARDS):
        weights[k] = counts[KNOWN, k] * max(unseen, 1) + strays * counts[UNSEEN, k]


@kernel
def place_in_pile(game, card):
    """Where such a card lies in the draw pile; there must be one."""
    at = DECK - game.pile_left
    while game.piles[at] != card:
        at += 1
    return at


@kernel
def exchange_outside(game, card, other, nth):
    """Put `other` in the place of the nth such card that lies hidden or buried; returns how many are left to go, or
    NOBODY.
    """
    for seat in range(state.MAX_PLAYERS):
        for cell in range(CELLS):
            if is_secret_cell(game, seat, cell) and game.cards[seat, cell] == card:
                if nth == 0:
                    game.cards[seat, cell] = other
                    return NOBODY
                nth -= 1
    for at in range(game.discard_size):
        if is_buried(game, at) and game.piles[at] - state.BURIED == card:
            if nth == 0:
                game.piles[at] = other + state.BURIED
                return NOBODY
            nth -= 1
    return nth


@kernel
def pick_stray(game, counts):
    """A stray of the draw pile, each equally likely."""
    lying = np.zeros(CARDS, np.int64)
    for at in range(DECK - game.pile_left, DECK):
        lying[game.piles[at] - LOWEST] += 1
    nth = below(game, game.pile_left - counts[KNOWN].sum())
    for k in range(CARDS):
        nth -= lying[k] - counts[KNOWN, k]
        if nth < 0:
            return LOWEST + k
    return EMPTY


@kernel
def give_hidden(game, seat, cell, card, counts):
    """Let this card lie in a hidden cell; False if no unseen card is such a card."""
    lying = game.cards[seat, cell]
    if lying == card:
        return True
    if counts[UNSEEN, card - LOWEST] == 0:
        return False
    if exchange_outside(game, card, lying, below(game, counts[UNSEEN, card - LOWEST])) != NOBODY:
        game.piles[place_in_pile(game, card)] = lying
    game.cards[seat, cell] = card
    return True


@kernel
def give_draw(game, card, counts):
    """Let this card be the next to draw; False if it cannot be."""
    weights, k, top = np.zeros(CARDS, np.int64), card - LOWEST, DECK - game.pile_left
    weigh_draws(game, counts, weights)
    if game.piles[top] == card:
        return True
    if weights[k] == 0:
        return False
    if below(game, weights[k]) >= counts[KNOWN, k] * max(counts[UNSEEN].sum(), 1):  # a stray
        stray = pick_stray(game, counts)
        if exchange_outside(game, card, stray, below(game, counts[UNSEEN, k])) == NOBODY:
            game.piles[place_in_pile(game, stray)] = card
    at = place_in_pile(game, card)
    game.piles[at], game.piles[top] = game.piles[top], card
    return True


@kernel
def next_given(game):
    """The next given card, or NOBODY if none is left: then `watching` says whether its odds are still to be told."""
    game.brought += 1
    return game.given[game.brought - 1] if game.brought <= game.given_size else NOBODY - CARDS


@kernel
def is_awaited(game):
    """Is this the first card that is not given?"""
    return game.watching == state.WATCHING and game.brought == game.given_size + 1


@kernel
def tell(game, first, weights):
    """Write down how likely each card is that comes now; no given card is needed any more."""
    for k in range(len(weights)):
        game.odds[first + k] = weights[k]
    game.watching = state.TOLD


@kernel
def watch_hidden(game, seat, cell):
    """A hidden card comes to light."""
    if not is_secret_cell(game, seat, cell) or game.watching == state.REFUSED:
        return
    counts, card = np.zeros((2, CARDS), np.int64), next_given(game)
    count_places(game, counts)
    if is_awaited(game):
        tell(game, 0, counts[UNSEEN])
    elif game.watching == state.WATCHING and (
        card >= state.FIRST_KIND or not give_hidden(game, seat, cell, card, counts)
    ):
        game.watching = state.REFUSED


@kernel
def watch_draw(game):
    """The next card of the draw pile comes to light."""
    if game.watching == state.REFUSED:
        return
    counts, card = np.zeros((2, CARDS), np.int64), next_given(game)
    count_places(game, counts)
    if is_awaited(game):
        weights = np.zeros(CARDS, np.int64)
        weigh_draws(game, counts, weights)
        tell(game, 0, weights)
    elif game.watching == state.WATCHING and (card >= state.FIRST_KIND or not give_draw(game, card, counts)):
        game.watching = state.REFUSED


@kernel
def watch_action(game):
    """The top card of the action pile comes to light."""
    if game.watching == state.REFUSED:
        return
    kind, top = next_given(game) - state.FIRST_KIND, state.ACTION_DECK - game.action_pile_left
    if is_awaited(game):
        counts = np.zeros(len(KINDS), np.int64)
        for at in range(top, state.ACTION_DECK):
            counts[game.action_piles[at]] += 1
        tell(game, state.FIRST_KIND - LOWEST, counts)
    elif game.watching == state.WATCHING:
        at = top
        while at < state.ACTION_DECK and game.action_piles[at] != kind:
            at += 1
        if at == state.ACTION_DECK:
            game.watching = state.REFUSED
        else:
            game.action_piles[at], game.action_piles[top] = game.action_piles[top], kind
