"""What a seat may see: the observation vector and the mask of legal actions.

`skyjo_env.observation` names and explains the slices; a test holds the two together.
"""

import numpy as np

from skyjo_env.kernel.deal import can_draw
from skyjo_env.kernel.jit import kernel
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


@kernel
def at_seats(rules):
    """Where the numbers by seat begin: hidden cards, open sums, totals."""
    return AT_CELLS + rules.players * rules.cells


@kernel
def at_pools(rules):
    """Where the counts by value begin: hidden cards, draws, discards."""
    return at_seats(rules) + 3 * rules.players


@kernel
def relative_seat(rules, seat, observer):
    """How many places clockwise from the observer a seat is; NOBODY stays NOBODY."""
    if seat < 0:
        return NOBODY
    return seat - observer if seat >= observer else seat - observer + rules.players


@kernel
def visible_hand(game, observer):
    """The card in hand: all have seen a taken one, only its holder sees a drawn one (4.1)."""
    if game.phase == DRAWN and game.seat != observer:
        return HIDDEN
    return game.hand


@kernel
def write_table(game, rules, observer, out):
    """The single numbers: whose decision, hand, piles, lap and counters."""
    out[AT_PHASE] = game.phase
    out[AT_DECIDER] = relative_seat(rules, game.seat, observer)
    out[AT_HAND] = visible_hand(game, observer)
    out[AT_DISCARD_TOP] = game.discard[game.discard_size - 1] if game.discard_size > 0 else EMPTY
    out[AT_DRAW_PILE] = game.pile_left
    out[AT_DISCARD_PILE] = game.discard_size
    out[AT_ENDER] = relative_seat(rules, game.ender, observer)
    out[AT_TURNS_LEFT] = game.turns_left
    out[AT_STARTER] = relative_seat(rules, game.starter, observer)
    out[AT_SEAT] = observer
    out[AT_ROUND] = game.round_number
    out[AT_TURNS] = game.turns
    out[AT_RESHUFFLES] = game.reshuffles


@kernel
def write_seat(game, rules, seat, place, out):
    """One seat's cells, hidden cards, open sum and total, `place` places clockwise from the observer."""
    players, cells = rules.players, rules.cells
    first = np.uint64(AT_CELLS + place * cells)  # unsigned indices spare the check for negative ones
    for cell in range(np.uint64(cells)):
        out[first + cell] = game.shown[seat, cell]
    at = at_seats(rules) + place
    out[at] = game.hidden_left[seat]
    out[at + players] = game.open_sum[seat]
    out[at + 2 * players] = min(max(game.totals[seat], -LARGEST), LARGEST)


@kernel
def write_pools(game, rules, observer, out):
    """What hidden cards and draws may be, and what lies on the discard pile, counted by value."""
    values = np.uint64(rules.values)
    low = np.uint64(rules.low - LOWEST)
    hidden = np.uint64(at_pools(rules))
    draw = hidden + values
    discard = draw + values
    for k in range(values):
        out[hidden + k] = game.hidden_pool[low + k]
    for k in range(values):
        out[draw + k] = game.draw_pool[low + k]
    for k in range(values):
        out[discard + k] = game.discard_counts[low + k]
    if game.phase == DRAWN and game.seat == observer:  # its holder knows the drawn card
        in_hand = np.uint64(game.hand - rules.low)
        out[draw + in_hand] -= 1
        if game.reshuffles == 0:
            out[hidden + in_hand] -= 1


@kernel
def write_view(game, rules, observer, out):
    """Write one seat's observation: all it could know from having watched that can still matter, and nothing else."""
    players = rules.players
    write_table(game, rules, observer, out)
    for place in range(players):
        seat = observer + place
        write_seat(game, rules, seat if seat < players else seat - players, place, out)
    write_pools(game, rules, observer, out)


@kernel
def write_mask(game, rules, mask):
    """Write 1 for every action that is legal now and 0 for the others; return how many are."""
    phase, seat = game.phase, game.seat
    placing, flipping = may_place(phase), may_flip(rules, phase)
    mask[DRAW] = phase == TURN and can_draw(game)
    mask[TAKE] = phase == TURN
    legal = mask[DRAW] + mask[TAKE]
    first_place, first_flip = np.uint64(FIRST_PLACE), np.uint64(rules.first_flip)
    for cell in range(np.uint64(rules.cells)):
        shown = game.shown[seat, cell]
        can_place = placing and shown != EMPTY
        can_flip = flipping and shown == HIDDEN
        mask[first_place + cell] = can_place
        mask[first_flip + cell] = can_flip
        legal += can_place + can_flip
    for action in range(rules.first_flip + rules.cells, rules.actions):
        mask[action] = phase == CONFIRM if action != rules.discard_drawn else phase == DRAWN
        legal += mask[action]
    return legal
