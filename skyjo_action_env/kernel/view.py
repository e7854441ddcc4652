"""What a seat may see: the observation vector and the mask of legal actions.

`skyjo_action_env.observation` names and explains the slices; a test holds the two together.
"""

import numpy as np

from cardtable.table.kernel.copying import copy_numbers
from skyjo_action_env.kernel import play, state
from skyjo_action_env.kernel.action_cards import can_play, seat_after
from skyjo_action_env.kernel.jit import inlined_kernel, kernel
from skyjo_action_env.kernel.layout import cards_left
from skyjo_action_env.kernel.piles import can_draw, discard_top, has_next_action, top_action
from skyjo_action_env.kernel.state import CARDS, CELLS, EMPTY, HIDDEN, KINDS, LOWEST, NO_KIND, NOBODY

LARGEST = 32767  # an observation is 16 bits wide
ZERO, ONE = map(np.uint64, range(2))
N_CELLS, N_KINDS = np.uint64(CELLS), np.uint64(len(KINDS))

# Where the single numbers stand; then what is counted by kind and by card, then what follows by seat.
AT_PHASE, AT_DECIDER, AT_MOVER, AT_DISCARD_TOP, AT_DRAW_PILE, AT_DISCARD_PILE, AT_BURIED, AT_ENDER = range(8)
AT_TURNS_LEFT, AT_EXTRA_TURNS, AT_STARTER, AT_PLAYED, AT_ATTACKED, AT_LINE, AT_ACCEPTED = range(8, 15)
AT_IS_REVEAL, AT_CHOSEN, AT_CHOSEN_WITH, AT_PICKED, AT_SEAT, AT_ROUND, AT_TURNS = range(15, 22)
AT_RESHUFFLES, AT_ACTION_PILE, AT_ACTION_TOP, AT_HAND = range(22, 26)
AT_STRAYS = AT_HAND + state.HAND
AT_OPEN = AT_STRAYS + state.HAND
AT_FRESH = AT_OPEN + state.PLACES
AT_ACTION_DISCARDS = AT_FRESH + len(KINDS)
AT_UNSEEN = AT_ACTION_DISCARDS + len(KINDS)
AT_KNOWN_DRAWS = AT_UNSEEN + CARDS
AT_DISCARDS = AT_KNOWN_DRAWS + CARDS
AT_CELLS = AT_DISCARDS + CARDS


@inlined_kernel
def at_known(rules):
    """Where the hidden cards begin that the observer knows; as many places on, who knows a hidden card."""
    return AT_CELLS + CELLS * rules.players


@inlined_kernel
def at_held(rules):
    """Where the action cards beside the layouts begin."""
    return AT_CELLS + 3 * CELLS * rules.players


@inlined_kernel
def at_seats(rules):
    """Where the numbers by seat begin: hidden cards, open sums, totals, claims, bonuses, changed lines."""
    return AT_CELLS + (3 * CELLS + len(KINDS)) * rules.players


@inlined_kernel
def relative_seat(rules, seat, observer):
    """How many places clockwise from the observer a seat is; NOBODY stays NOBODY."""
    return NOBODY if seat < 0 else seat - observer + rules.players * (seat < observer)


@inlined_kernel
def relative_cell(rules, place, observer):
    """A cell of a seat, counted from the observer; NOBODY stays NOBODY."""
    if place < 0:
        return NOBODY
    return relative_seat(rules, place // CELLS, observer) * CELLS + place % CELLS


@inlined_kernel
def is_secret(phase):
    """Are cards in hand that their holder alone sees (12.1)?"""
    return phase in (state.DRAWN, state.THREE_CARD, state.THREE_PLACE, state.THREE_TOP)


@inlined_kernel
def write_table(game, rules, observer, out):
    """The single numbers: whose decision, piles, lap, what is being carried out, and counters."""
    out[AT_PHASE] = game.phase
    out[AT_DECIDER] = relative_seat(rules, game.seat, observer)
    out[AT_MOVER] = relative_seat(rules, game.mover, observer)
    out[AT_DISCARD_TOP] = discard_top(game)
    out[AT_DRAW_PILE] = game.pile_left
    out[AT_DISCARD_PILE] = game.discard_size
    out[AT_BURIED] = game.buried
    out[AT_ENDER] = relative_seat(rules, game.ender, observer)
    out[AT_TURNS_LEFT] = game.turns_left
    out[AT_EXTRA_TURNS] = game.extra_turns
    out[AT_STARTER] = relative_seat(rules, game.starter, observer)
    out[AT_PLAYED] = game.played
    out[AT_ATTACKED] = relative_seat(rules, game.attacked, observer)
    out[AT_LINE] = game.line
    out[AT_ACCEPTED] = game.accepted
    out[AT_IS_REVEAL] = game.is_reveal
    out[AT_CHOSEN] = relative_cell(rules, game.chosen, observer)
    out[AT_CHOSEN_WITH] = relative_cell(rules, game.chosen_with, observer)
    out[AT_PICKED] = game.picked
    out[AT_SEAT] = observer
    out[AT_ROUND] = game.round_number
    out[AT_TURNS] = game.turns
    out[AT_RESHUFFLES] = game.reshuffles
    out[AT_ACTION_PILE] = game.action_pile_left
    out[AT_ACTION_TOP] = top_action(game)


@inlined_kernel
def write_counts(game, observer, out):
    """The cards in hand, open action cards, and what is counted by kind and by card."""
    is_unseen = is_secret(game.phase) and game.seat != observer
    for k in range(np.uint64(state.HAND)):
        card = game.hand[k]
        out[np.uint64(AT_HAND) + k] = HIDDEN if is_unseen and card != EMPTY else card
        out[np.uint64(AT_STRAYS) + k] = 0
    copy_numbers(game.open_actions, ZERO, np.uint64(state.PLACES), out, np.uint64(AT_OPEN))
    copy_numbers(game.fresh, ZERO, N_KINDS, out, np.uint64(AT_FRESH))
    copy_numbers(game.action_discards, ZERO, N_KINDS, out, np.uint64(AT_ACTION_DISCARDS))
    copy_numbers(game.unseen, ZERO, np.uint64(CARDS), out, np.uint64(AT_UNSEEN))
    copy_numbers(game.known_draws, ZERO, np.uint64(CARDS), out, np.uint64(AT_KNOWN_DRAWS))
    copy_numbers(game.discards, ZERO, np.uint64(CARDS), out, np.uint64(AT_DISCARDS))
    if is_secret(game.phase) and game.seat == observer:
        for k in range(state.HAND):
            card = game.hand[k]
            if card != EMPTY:
                is_stray = out[AT_KNOWN_DRAWS + card - LOWEST] == 0  # as in `see_drawn_card`
                out[(AT_UNSEEN if is_stray else AT_KNOWN_DRAWS) + card - LOWEST] -= 1
                out[AT_STRAYS + k] = is_stray


@inlined_kernel
def write_known(game, rules, observer, seat, at, out):
    """The hidden cards of a layout that the observer knows, and who knows which (12.2)."""
    players, known = rules.players, at_known(rules) + at
    knowers = known + CELLS * players
    for cell in range(CELLS):
        bits = np.int64(game.knowers[seat, cell])
        is_known = bits >> observer & 1
        out[known + cell] = game.cards[seat, cell] if is_known else EMPTY
        out[knowers + cell] = (bits >> observer | bits << players - observer) & (1 << players) - 1
        if is_known:
            out[AT_UNSEEN + game.cards[seat, cell] - LOWEST] -= 1


@inlined_kernel
def write_seats(game, rules, observer, out):
    """Every seat's layout, action cards and counts, the observer's first, then clockwise."""
    players, seat = np.uint64(rules.players), np.uint64(observer)
    for place in range(players):
        at = place * N_CELLS
        copy_numbers(game.shown[seat], ZERO, N_CELLS, out, np.uint64(AT_CELLS) + at)
        write_known(game, rules, observer, np.int64(seat), np.int64(at), out)
        copy_numbers(game.held[seat], ZERO, N_KINDS, out, np.uint64(at_held(rules)) + place * N_KINDS)
        at = np.uint64(at_seats(rules)) + place
        out[at] = game.hidden_left[seat]
        out[at + players] = game.open_sum[seat]
        out[at + players + players] = min(max(game.totals[seat], -LARGEST), LARGEST)
        at += players + players + players
        out[at] = game.claims[seat]
        out[at + players] = game.bonus[seat]
        out[at + players + players] = game.changed[seat]
        seat = seat + ONE if seat + ONE < players else ZERO


@inlined_kernel
def write_view(game, rules, observer, out):
    """Write one seat's observation: all it could know from having watched that can still matter, and nothing else."""
    write_table(game, rules, observer, out)
    write_counts(game, observer, out)
    write_seats(game, rules, observer, out)


# What is legal, all at once


@kernel
def mask_turn(game, rules, mask):
    """What a turn may be (3.1)."""
    has_cards = cards_left(game, game.seat) > 0
    mask[state.DRAW], mask[state.TAKE], mask[state.PASS] = has_cards and can_draw(game), has_cards, not has_cards
    if play.may_take_action(game, rules):
        for place in range(state.PLACES):
            mask[state.OPEN + place] = game.open_actions[place] != NO_KIND
        mask[state.ACTION_PILE] = has_next_action(game, rules)
    for kind in range(len(KINDS)):
        if play.is_ready(game, kind):
            mask[state.PLAY + kind], mask[state.DISCARD + kind] = can_play(game, rules, kind), 1


@kernel
def mask_rest(game, rules, mask):
    """What any other phase asks for."""
    first, end = state.DISCARD, state.CHOOSE
    if play.may_place(game.phase) or play.may_flip(game.phase):
        first, end = state.PLACE, state.OPEN
    elif game.phase == state.LOOK_AT:
        first, end = rules.first_line, rules.first_card
    elif game.phase in (state.LINE, state.THREE_CARD, state.THREE_TOP, state.DEFEND_ASKED):
        first, end = rules.first_card, rules.actions
    elif game.phase in (state.CLAIM, state.REPLAY_KIND, state.STEAL_KIND):
        first, end = state.OPEN, state.DISCARD
    else:
        for at in range(CELLS * rules.players):
            seat = seat_after(rules, game.seat, at // CELLS)
            mask[state.CHOOSE + at] = play.may_choose(game, rules, seat, at % CELLS)
    for action in range(first, end):
        mask[action] = play.is_legal(game, rules, action)


@inlined_kernel
def write_mask(game, rules, mask):
    """Write 1 for every action that is legal now and 0 for the others; return how many are."""
    mask[:] = 0
    if game.phase == state.TURN:
        mask_turn(game, rules, mask)
    else:
        mask_rest(game, rules, mask)
    return mask.sum()


@kernel
def write_masks(games, rules, masks):
    """The same for many tables; the rules are an array of one record."""
    for table in range(len(games)):
        write_mask(games[table], rules[0], masks[table])
