"""Chance may be chosen: cards that come to light for the seat that decides are given to the table, one by one.

While `watching`, every card that comes to light calls here just before it does. What it may be is counted from what
that seat knows, never from what lies there. A given card is exchanged for the one that lies there: all cards that the
seat cannot tell apart are equally likely to be exchanged, so a table that was a fair guess before is one afterwards.
Strays (12.3) count as likely as section 12.4 has it.
"""

import numpy as np

from cardtable.table.kernel.chance import below
from skyjo_action_env.kernel import state
from skyjo_action_env.kernel.jit import kernel
from skyjo_action_env.kernel.state import CARDS, CELLS, DECK, EMPTY, HIDDEN, KINDS, LOWEST, NOBODY

UNSEEN, KNOWN, DRAWS = range(3)  # rows of counts


@kernel
def is_secret_cell(game, seat, cell):
    """Does a hidden card lie here that the seat does not know that decides?"""
    return game.shown[seat, cell] == HIDDEN and game.knowers[seat, cell] >> game.last_seat & 1 == 0


@kernel
def is_buried(game, at):
    """Is this card of the discard pile one that nobody has seen?"""
    return game.piles[at] >= state.BURIED + LOWEST


@kernel
def count_places(game):
    """What lies where this seat cannot see it, by card: unseen cards, those known to be in the draw pile, and all cards
    of the draw pile.
    """
    counts = np.zeros((3, CARDS), np.int64)
    counts[KNOWN] = game.known_draws
    for k in range(state.HAND):  # cards in hand count as known draws, but are there no more
        if game.hand[k] != EMPTY and counts[KNOWN, game.hand[k] - LOWEST] > 0:
            counts[KNOWN, game.hand[k] - LOWEST] -= 1
    for seat in range(state.MAX_PLAYERS):
        for cell in range(CELLS):
            if is_secret_cell(game, seat, cell):
                counts[UNSEEN, game.cards[seat, cell] - LOWEST] += 1
    for at in range(game.discard_size):
        if is_buried(game, at):
            counts[UNSEEN, game.piles[at] - state.BURIED - LOWEST] += 1
    for at in range(DECK - game.pile_left, DECK):
        counts[DRAWS, game.piles[at] - LOWEST] += 1
    counts[UNSEEN] += counts[DRAWS] - counts[KNOWN]
    return counts


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
    nth = below(game, game.pile_left - counts[KNOWN].sum())
    for k in range(CARDS):
        nth -= counts[DRAWS, k] - counts[KNOWN, k]
        if nth < 0:
            return LOWEST + k
    return EMPTY


@kernel
def take_given(game, first, weights):
    """A card comes to light: which of those with these weights, the codes from `first` on, is given? NOBODY if none is.

    Of the first card that is not given the weights are written down; no given card is needed any more.
    """
    game.brought += 1
    if game.watching != state.WATCHING:
        return NOBODY
    if game.brought > game.given_size:
        for k in range(len(weights)):
            game.odds[first + k] = weights[k]
        game.watching = state.TOLD
        return NOBODY
    given = game.given[game.brought - 1] - LOWEST - first
    if given < 0 or given >= len(weights) or weights[given] == 0:
        game.watching = state.REFUSED
        return NOBODY
    return given


@kernel
def watch_hidden(game, seat, cell):
    """A hidden card comes to light."""
    if not is_secret_cell(game, seat, cell):
        return
    counts, lying = count_places(game), game.cards[seat, cell]
    given = take_given(game, 0, counts[UNSEEN])
    if given == NOBODY or LOWEST + given == lying:
        return
    if exchange_outside(game, LOWEST + given, lying, below(game, counts[UNSEEN, given])) != NOBODY:
        game.piles[place_in_pile(game, LOWEST + given)] = lying
    game.cards[seat, cell] = LOWEST + given


@kernel
def watch_draw(game):
    """The next card of the draw pile comes to light: one known to be there, or a stray."""
    counts, top = count_places(game), DECK - game.pile_left
    strays = game.pile_left - counts[KNOWN].sum()
    known = counts[KNOWN] * max(counts[UNSEEN].sum(), 1)
    weights = known + strays * counts[UNSEEN]
    given = take_given(game, 0, weights)
    if given == NOBODY or LOWEST + given == game.piles[top]:
        return
    if below(game, weights[given]) >= known[given]:
        stray = pick_stray(game, counts)
        if exchange_outside(game, LOWEST + given, stray, below(game, counts[UNSEEN, given])) == NOBODY:
            game.piles[place_in_pile(game, stray)] = LOWEST + given
    at = place_in_pile(game, LOWEST + given)
    game.piles[at], game.piles[top] = game.piles[top], LOWEST + given


@kernel
def watch_action(game):
    """The top card of the action pile comes to light."""
    top, counts = state.ACTION_DECK - game.action_pile_left, np.zeros(len(KINDS), np.int64)
    for at in range(top, state.ACTION_DECK):
        counts[game.action_piles[at]] += 1
    kind, at = take_given(game, state.FIRST_KIND - LOWEST, counts), top
    if kind != NOBODY:
        while game.action_piles[at] != kind:
            at += 1
        game.action_piles[at], game.action_piles[top] = game.action_piles[top], kind
