"""What a seat may see: the observation vector and the mask of legal actions.

`skyjo_env.observation` names and explains the slices; a test holds the two together.
"""

import numpy as np

from cardtable.table.kernel.copying import copy_numbers
from skyjo_env.kernel.deal import can_draw
from skyjo_env.kernel.jit import inlined_kernel
from skyjo_env.kernel.play import may_flip, may_place
from skyjo_env.kernel.state import (
    CONFIRM,
    DRAW,
    DRAWN,
    EMPTY,
    FIRST_PLACE,
    HIDDEN,
    LOWEST,
    NOBODY,
    TAKE,
    TURN,
)

LARGEST = 32767  # an observation is 16 bits wide
ZERO, ONE = map(np.uint64, range(2))

# Where the single numbers stand; the boards follow, then what is counted by seat, then what is counted by value.
(
    AT_PHASE,
    AT_DECIDER,
    AT_HAND,
    AT_DISCARD_TOP,
    AT_DRAW_PILE,
    AT_DISCARD_PILE,
    AT_ENDER,
    AT_TURNS_LEFT,
    AT_STARTER,
    AT_SEAT,
    AT_ROUND,
    AT_TURNS,
    AT_RESHUFFLES,
    AT_CELLS,
) = range(14)


@inlined_kernel
def at_seats(rules):
    """Where the numbers by seat begin: hidden cards, open sums, totals."""
    return AT_CELLS + rules.players * rules.cells


@inlined_kernel
def at_pools(rules):
    """Where the counts by value begin: hidden cards, draws, discards."""
    return at_seats(rules) + 3 * rules.players


@inlined_kernel
def relative_seat(rules, seat, observer):
    """How many places clockwise from the observer a seat is; NOBODY stays NOBODY."""
    if seat < 0:
        return NOBODY
    return seat - observer if seat >= observer else seat - observer + rules.players


@inlined_kernel
def visible_hand(game, observer):
    """The card in hand: all have seen a taken one, only its holder sees a drawn one (4.1)."""
    if game.phase == DRAWN and game.seat != observer:
        return HIDDEN
    return game.hand


@inlined_kernel
def write_table(game, rules, observer, out):
    """The single numbers: whose decision, hand, piles, lap and counters."""
    out[AT_PHASE] = game.phase
    out[AT_DECIDER] = relative_seat(rules, game.seat, observer)
    out[AT_HAND] = visible_hand(game, observer)
    out[AT_DISCARD_TOP] = game.piles[game.discard_size - 1] if game.discard_size > 0 else EMPTY
    out[AT_DRAW_PILE] = game.pile_left
    out[AT_DISCARD_PILE] = game.discard_size
    out[AT_ENDER] = relative_seat(rules, game.ender, observer)
    out[AT_TURNS_LEFT] = game.turns_left
    out[AT_STARTER] = relative_seat(rules, game.starter, observer)
    out[AT_SEAT] = observer
    out[AT_ROUND] = game.round_number
    out[AT_TURNS] = game.turns
    out[AT_RESHUFFLES] = game.reshuffles


@inlined_kernel
def write_seats(game, rules, observer, out):
    """Every seat's cells, hidden cards, open sum and total, the observer's first, then clockwise."""
    players, cells = np.uint64(rules.players), np.uint64(rules.cells)
    at_cells, at_counts = np.uint64(AT_CELLS), np.uint64(at_seats(rules))
    seat = np.uint64(observer)
    for place in range(players):
        copy_numbers(game.shown[seat], ZERO, cells, out, at_cells + place * cells)
        at = at_counts + place
        out[at] = game.hidden_left[seat]
        out[at + players] = game.open_sum[seat]
        out[at + players + players] = min(max(game.totals[seat], -LARGEST), LARGEST)
        seat = seat + ONE if seat + ONE < players else ZERO


@inlined_kernel
def write_pools(game, rules, observer, out):
    """What hidden cards and draws may be, and what lies on the discard pile, counted by value."""
    low, values = np.uint64(rules.low - LOWEST), np.uint64(rules.values)
    hidden = np.uint64(at_pools(rules))
    draw = hidden + values
    copy_numbers(game.hidden_pool, low, values, out, hidden)
    copy_numbers(game.draw_pool, low, values, out, draw)
    copy_numbers(game.discard_counts, low, values, out, draw + values)
    knows_drawn = game.phase == DRAWN and game.seat == observer  # its holder knows the drawn card
    in_hand = np.uint64(game.hand - rules.low if knows_drawn else 0)
    out[draw + in_hand] -= knows_drawn
    out[hidden + in_hand] -= knows_drawn and game.reshuffles == 0


@inlined_kernel
def write_view(game, rules, observer, out):
    """Write one seat's observation: all it could know from having watched that can still matter, and nothing else."""
    write_table(game, rules, observer, out)
    write_seats(game, rules, observer, out)
    write_pools(game, rules, observer, out)


@inlined_kernel
def mask_places(game, rules, mask):
    """Every cell that is not cleared may take the card in hand (4.2, 4.3, 4.7); return how many there are."""
    seat, first, legal = np.uint64(game.seat), np.uint64(FIRST_PLACE), 0
    for cell in range(np.uint64(rules.cells)):
        is_there = game.shown[seat, cell] != EMPTY
        mask[first + cell] = is_there
        legal += is_there
    return legal


@inlined_kernel
def mask_flips(game, rules, mask):
    """Every hidden cell may be turned up (2.2, 4.4); return how many there are."""
    seat, first, legal = np.uint64(game.seat), np.uint64(rules.first_flip), 0
    for cell in range(np.uint64(rules.cells)):
        is_hidden = game.shown[seat, cell] == HIDDEN
        mask[first + cell] = is_hidden
        legal += is_hidden
    return legal


@inlined_kernel
def write_mask(game, rules, mask):
    """Write 1 for every action that is legal now and 0 for the others; return how many are."""
    phase, legal = game.phase, 0
    for action in range(np.uint64(rules.actions)):
        mask[action] = 0
    if phase == TURN:
        mask[DRAW] = can_draw(game)
        mask[TAKE] = 1
        return 1 + mask[DRAW]
    if may_place(phase):
        legal += mask_places(game, rules, mask)
    if may_flip(rules, phase):
        legal += mask_flips(game, rules, mask)
    if phase == DRAWN and rules.discard_drawn >= 0:
        mask[np.uint64(rules.discard_drawn)] = 1
        legal += 1
    if phase == CONFIRM:
        mask[np.uint64(rules.clear_lines)] = 1
        mask[np.uint64(rules.keep_lines)] = 1
        legal += 2
    return legal
