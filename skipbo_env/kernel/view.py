"""What a seat may see: the observation vector and the mask of legal actions.

`skipbo_env.observation` names and explains the slices; a test holds the two together.
"""

import numpy as np

from cardtable.kernel.copying import copy_numbers
from skipbo_env.kernel.jit import inlined_kernel
from skipbo_env.kernel.piles import pile_top, stock_top
from skipbo_env.kernel.play import has_lower_empty, has_lower_equal
from skipbo_env.kernel.state import (
    ACTIONS,
    CARDS,
    DECK,
    DISCARD,
    HAND,
    NONE,
    PASS,
    PLACES,
    PLAY_DISCARD,
    PLAY_HAND,
    PLAY_STOCK,
    SYMMETRIC_LOWEST,
    TURN,
    UNSEEN,
    VIEW_OWN,
    VIEW_TABLE,
    WILD,
)

UNKNOWN = -1  # a count that the seat cannot know (8.2)
LARGEST = 32767  # an observation is 16 bits wide
ZERO, ONE = map(np.uint64, range(2))

# Where the single numbers stand, then the building places, the own hand, and what is counted by card.
(
    AT_PHASE,
    AT_DECIDER,
    AT_SEAT,
    AT_STARTER,
    AT_ROUND,
    AT_TURNS,
    AT_RECYCLES,
    AT_DRAW_PILE,
    AT_IS_STILL,
    AT_STILL_TURNS,
    AT_OLDER_HELD,
    AT_HEIGHTS,
) = range(12)
AT_WILD_RANKS = AT_HEIGHTS + PLACES
AT_HAND = AT_WILD_RANKS + PLACES
AT_HAND_COUNTS = AT_HAND + HAND
AT_COMPLETED = AT_HAND_COUNTS + CARDS
AT_OLDER = AT_COMPLETED + CARDS
AT_NEWER = AT_OLDER + CARDS
AT_DOUBTFUL = AT_NEWER + CARDS
AT_SEATS = AT_DOUBTFUL + CARDS  # by seat, the observer first: stock tops and sizes, sizes of hands, totals ...
SINGLE_BLOCKS = 4


@inlined_kernel
def at_sizes(players):
    """Where the sizes of the discard piles begin; their tops follow, then the chances of older cards in hands."""
    return AT_SEATS + SINGLE_BLOCKS * players


@inlined_kernel
def at_tops(players):
    """Where the tops of the discard piles begin."""
    return at_sizes(players) + PLACES * players


@inlined_kernel
def at_odds(players):
    """Where the chances of older cards in hands begin."""
    return at_tops(players) + PLACES * players


@inlined_kernel
def at_discards(players):
    """Where the cards of all discard piles begin."""
    return at_odds(players) + HAND * players


@inlined_kernel
def view_size(players):
    """How many numbers an observation has: every seat has a card in its stock pile while somebody decides."""
    return at_discards(players) + DECK - players


@inlined_kernel
def relative_seat(rules, seat, observer):
    """How many places clockwise from the observer a seat is."""
    return seat - observer if seat >= observer else seat - observer + rules.players


@inlined_kernel
def write_table(game, rules, observer, out):
    """The single numbers, and the building piles."""
    out[AT_PHASE] = game.phase
    out[AT_DECIDER] = relative_seat(rules, game.seat, observer)
    out[AT_SEAT] = observer
    out[AT_STARTER] = relative_seat(rules, game.starter, observer)
    out[AT_ROUND] = game.round_number
    out[AT_TURNS] = game.turns
    out[AT_RECYCLES] = game.recycles
    out[AT_DRAW_PILE] = game.draw_left
    out[AT_IS_STILL] = game.is_still
    out[AT_STILL_TURNS] = game.still_turns
    out[AT_OLDER_HELD] = game.older_held
    for place in range(np.uint64(PLACES)):
        out[AT_HEIGHTS + place] = game.heights[place]
        out[AT_WILD_RANKS + place] = game.wild_ranks[place]


@inlined_kernel
def write_hand(game, observer, out):
    """The observer's own hand: its cards as they were drawn, and counted; they are doubtful to itself (8.6)."""
    for k in range(np.uint64(CARDS)):
        out[AT_HAND_COUNTS + k] = 0
    seat = np.uint64(observer)
    for k in range(np.uint64(HAND)):
        out[AT_HAND + k] = game.hands[seat, k]
    for k in range(np.uint64(game.hand_size[seat])):
        card = np.uint64(game.hands[seat, k] - 1)
        out[AT_HAND_COUNTS + card] += 1
        out[AT_DOUBTFUL + card] += 1


@inlined_kernel
def write_counts(game, out):
    """What whoever watches can count, by card (8.1, 8.4)."""
    for k in range(np.uint64(CARDS)):
        out[AT_COMPLETED + k] = game.completed[k]
        out[AT_OLDER + k] = game.older[k]
        out[AT_NEWER + k] = game.newer[k]
        out[AT_DOUBTFUL + k] = game.doubtful[k]


@inlined_kernel
def write_seats(game, rules, observer, out):
    """Every seat's stock pile, hand and total, and its discard piles' sizes; the observer's first, then clockwise."""
    players, seat = np.uint64(rules.players), np.uint64(observer)
    sizes, odds = np.uint64(at_sizes(rules.players)), np.uint64(at_odds(rules.players))
    for place in range(players):
        out[AT_SEATS + place] = stock_top(game, rules, seat)
        out[AT_SEATS + place + players] = game.stock_left[seat]
        out[AT_SEATS + place + players + players] = game.hand_size[seat]
        out[AT_SEATS + place + players + players + players] = min(game.totals[seat], LARGEST)
        for pile in range(np.uint64(PLACES)):
            out[sizes + place * np.uint64(PLACES) + pile] = game.sizes[seat, pile]
        for k in range(np.uint64(HAND)):
            out[odds + place * np.uint64(HAND) + k] = game.older_odds[seat, k] if place > ZERO else 0
        seat = seat + ONE if seat + ONE < players else ZERO


@inlined_kernel
def write_discards(game, rules, observer, out):
    """The cards of all discard piles, the observer's first, then clockwise; and the tops of the piles."""
    players = np.uint64(rules.players)
    sizes, tops = np.uint64(at_sizes(rules.players)), np.uint64(at_tops(rules.players))
    start, size, laid = np.uint64(at_discards(rules.players)), np.uint64(view_size(rules.players)), np.uint64(game.laid)
    before = ZERO
    for seat in range(np.uint64(observer)):
        for pile in range(np.uint64(PLACES)):
            before += np.uint64(game.sizes[seat, pile])
    copy_numbers(game.piles, before, laid - before, out, start)
    copy_numbers(game.piles, ZERO, before, out, start + laid - before)
    for k in range(start + laid, size):
        out[k] = NONE
    end = start
    for k in range(players * np.uint64(PLACES)):
        end += np.uint64(out[sizes + k])
        out[tops + k] = out[end - ONE] if out[sizes + k] > 0 else NONE


@inlined_kernel
def hide_discards(rules, out):
    """A view without the cards below the tops, and without what follows from them (8.2)."""
    for k in range(AT_COMPLETED, AT_SEATS):
        out[k] = UNKNOWN
    out[AT_OLDER_HELD] = UNKNOWN
    for k in range(at_odds(rules.players), at_discards(rules.players)):
        out[k] = UNKNOWN
    for k in range(at_discards(rules.players), view_size(rules.players)):
        out[k] = UNSEEN


@inlined_kernel
def hide_others(rules, out):
    """A view without the tops of the others' stock and discard piles (8.2)."""
    for place in range(1, rules.players):
        out[AT_SEATS + place] = UNSEEN
    for k in range(at_tops(rules.players) + PLACES, at_odds(rules.players)):
        if out[k] != NONE:
            out[k] = UNSEEN


@inlined_kernel
def write_view(game, rules, observer, out):
    """Write one seat's observation: all it could know from having watched that can still matter, and nothing else."""
    write_table(game, rules, observer, out)
    write_counts(game, out)
    write_hand(game, observer, out)
    write_seats(game, rules, observer, out)
    write_discards(game, rules, observer, out)
    if rules.visible != VIEW_TABLE:
        hide_discards(rules, out)
    if rules.visible == VIEW_OWN:
        hide_others(rules, out)


@inlined_kernel
def rank_taken(game, rules, place):
    """The rank that a building place takes, or NONE if a lower place takes it too and stands for both (7.4)."""
    if rules.symmetric == SYMMETRIC_LOWEST and has_lower_equal(game, place):
        return NONE
    return game.heights[np.uint64(place)] + 1


@inlined_kernel
def mask_card(card, ranks, first, mask):
    """Mark the places on which this card may be played, `first` being the action for place 0; return how many."""
    legal = 0
    at = np.uint64(first)
    for place in range(PLACES):
        may = (ranks[place] == card or card == WILD) and ranks[place] != NONE
        mask[at + np.uint64(place)] = may
        legal += may
    return legal


@inlined_kernel
def mask_plays(game, rules, mask):
    """Mark every play (3.2 to 3.4); return how many there are."""
    ranks = (
        rank_taken(game, rules, 0),
        rank_taken(game, rules, 1),
        rank_taken(game, rules, 2),
        rank_taken(game, rules, 3),
    )
    seat, legal = np.uint64(game.seat), 0
    top = stock_top(game, rules, seat)
    if top != NONE:
        legal += mask_card(top, ranks, PLAY_STOCK, mask)
    for k in range(np.uint64(game.hand_size[seat])):
        first = PLAY_HAND + PLACES * (game.hands[seat, k] - 1)
        if not is_masked(mask, first):  # an equal card was counted
            legal += mask_card(game.hands[seat, k], ranks, first, mask)
    for pile in range(PLACES):
        top = pile_top(game, seat, pile)
        if top != NONE:
            legal += mask_card(top, ranks, PLAY_DISCARD + PLACES * pile, mask)
    return legal


@inlined_kernel
def is_masked(mask, first):
    """Is any of four actions marked?"""
    at = np.uint64(first)
    return (mask[at] | mask[at + ONE] | mask[at + ONE + ONE] | mask[at + ONE + ONE + ONE]) != 0


@inlined_kernel
def mask_discards(game, rules, mask):
    """Mark every card that may end the turn on a discard pile (3.8, 3.10); return how many there are."""
    seat, legal = np.uint64(game.seat), 0
    for pile in range(PLACES):
        if rules.symmetric == SYMMETRIC_LOWEST and has_lower_empty(game, game.seat, pile):
            continue
        for k in range(np.uint64(game.hand_size[seat])):
            card = game.hands[seat, k]
            at = np.uint64(DISCARD + PLACES * (card - 1) + pile)
            if mask[at] == 0 and (card != WILD or rules.discard_wild):
                mask[at] = 1
                legal += 1
    return legal


@inlined_kernel
def write_mask(game, rules, mask):
    """Write 1 for every action that is legal now and 0 for the others; return how many are."""
    for action in range(np.uint64(ACTIONS)):
        mask[action] = 0
    if game.phase != TURN:
        return 0
    legal = mask_plays(game, rules, mask)
    if game.hand_size[game.seat] == 0:
        mask[np.uint64(PASS)] = 1
        return legal + 1
    if not rules.compulsory or legal == 0:
        legal += mask_discards(game, rules, mask)
    return legal
