"""The scripted players: their record, the compilation of their scripts, and the parts of an observation that they read.

A script is a function `script(view, rules, player)` that decides: `view` is one observation, `rules` the rules' record,
`player` a record with the script's parameters, its generator's state and working space. Only the generator's state
outlives a decision. Scripts are compiled like the kernel, in a separate cache.

Every view shows the parts that are read (8.2): the building places, the hand, and the tops of the own piles. Unsigned
numbers are never checked for an index from the end.
"""

import numpy as np

from cardtable.table.agents.scripted_agent import PLAYER_DTYPE as SCRIPT_DTYPE
from cardtable.table.compiling.compiler import compiler_of
from skipbo_env import kernel
from skipbo_env.kernel import CARDS, DISCARD, HAND, MAX_PLAYERS, NONE, PLACES, PLAY_HAND, RANKS, WILD
from skipbo_env.kernel.view import AT_HAND, AT_HEIGHTS, AT_SEATS, at_sizes, at_tops

MAX_CHOICES = PLACES + PLACES * HAND + PLACES * PLACES + PLACES * HAND  # stock, hand, discard piles; discards
DEEP = 12  # cards of a discard pile that a search looks at
MAX_TABLES = 256  # that a search finds

PLAYER_DTYPE = np.dtype(
    (
        np.record,
        [
            *SCRIPT_DTYPE.descr,
            ("places", "i8", CARDS + 1),  # the building place for every card, -1 where none takes it
            ("choices", "i8", MAX_CHOICES),  # legal actions
            # The tables that this turn can lead to (skipbo_agents.turn_search), the present one first
            ("hand", "i8", HAND),  # the own hand cards, as they were drawn
            ("stacks", "i8", (MAX_PLAYERS, PLACES, DEEP)),  # the uppermost cards of all discard piles, lowest first
            ("stack_sizes", "u8", MAX_PLAYERS),  # how many of these are known, packed as in a table
            ("reached", "i8"),  # how many tables were found
            ("tables", "u8", MAX_TABLES),  # each of them packed
            ("firsts", "i8", MAX_TABLES),  # the first action on the way there
            # What they are worth (skipbo_agents.planner)
            ("threats", "f8", (MAX_PLAYERS, RANKS)),  # each other's chance to play its stock card, by last rank
            ("disorder", "f8", (PLACES, DEEP + 1)),  # of every own discard pile, by how many known cards are left
        ],
    ),
    align=True,
)

scripted = compiler_of(__file__, kernel.__file__, whole=True)
inlined_script = compiler_of(__file__, kernel.__file__, inline=True)  # short functions: a call costs more than they do


@inlined_script
def height(view, place):
    """Return the last rank of a building pile, 0 for an empty place."""
    return view[np.uint64(AT_HEIGHTS) + np.uint64(place)]


@inlined_script
def hand_card(view, k):
    """Return the hand card that was drawn as number k, from 0, of those left; NONE behind the last."""
    return view[np.uint64(AT_HAND) + np.uint64(k)]


@inlined_script
def has_hand(view):
    """Return whether there is a card in hand."""
    return hand_card(view, 0) != NONE


@inlined_script
def stock_card(view):
    """Return the top card of the own stock pile."""
    return view[np.uint64(AT_SEATS)]


@inlined_script
def pile_card(view, rules, pile):
    """Return the top card of an own discard pile, or NONE."""
    return view[np.uint64(at_tops(rules)) + np.uint64(pile)]


@inlined_script
def pile_size(view, rules, pile):
    """Return the number of cards on one of the own discard piles."""
    return view[np.uint64(at_sizes(rules)) + np.uint64(pile)]


@inlined_script
def highest_place(view):
    """Return the highest building pile, the first among equals."""
    best = 0
    for place in range(1, PLACES):
        best = place if height(view, place) > height(view, best) else best
    return best


@inlined_script
def find_places(view, player, wild_place):
    """Find the building place for every card, the first that takes it (3.3, 3.4); a wild card goes where said."""
    for card in range(np.uint64(CARDS)):
        player.places[card] = -1
    for k in range(PLACES):
        place = PLACES - 1 - k
        player.places[np.uint64(height(view, place) + 1)] = place
    player.places[np.uint64(WILD)] = wild_place


@inlined_script
def place_for(player, card):
    """Return the building place that was found for a card, or -1."""
    return player.places[np.uint64(card)]


@inlined_script
def play_hand(card, place):
    """Return the action that plays a hand card (7.1)."""
    return PLAY_HAND + PLACES * (np.int64(card) - 1) + place


@inlined_script
def lay_down(card, pile):
    """Return the action that discards a hand card (7.1)."""
    return DISCARD + PLACES * (np.int64(card) - 1) + pile
