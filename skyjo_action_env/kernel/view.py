"""What a seat may see and do: the observation vector, what is legal (10.3, 10.4), and the mask of all that is.

`skyjo_action_env.observation` names and explains the slices; a test holds the two together.
"""

import numpy as np

from cardtable.table.kernel.copying import copy_numbers
from skyjo_action_env.kernel import inlined_kernel, kernel, state
from skyjo_action_env.kernel.cards import can_draw, cards_left, discard_top, has_next_action, top_action
from skyjo_action_env.kernel.lines import cell_of, line_length
from skyjo_action_env.kernel.state import CARDS, CELLS, EMPTY, HIDDEN, KINDS, LINES, LOWEST, NO_KIND, NOBODY

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


@kernel
def seat_after(rules, seat, places):
    """The seat that is so many places clockwise from another one (1.3)."""
    return seat + places if seat + places < rules.players else seat + places - rules.players


# What can be carried out (4.2)


@kernel
def can_lose_card(game, rules, seat):
    """Can this player be attacked by a remove (7.7)?"""
    return cards_left(game, seat) > 0 or (rules.remove_action_cards != 0 and game.held[seat].sum() > 0)


@kernel
def can_do(game, rules, kind):
    """Can an action card that takes no other one be carried out?"""
    if kind == state.SWAP:
        return cards_left(game, game.mover) >= 2
    if kind == state.THREE:
        return cards_left(game, game.mover) > 0 and game.pile_left + game.discard_size > state.HAND
    if kind == state.LOOK:
        return game.hidden_left.max() > 0  # 7.5
    if kind == state.EXCHANGE:
        layouts = 0
        for seat in range(rules.players):
            layouts += cards_left(game, seat) > 0
        return layouts >= 2  # 7.6
    if kind == state.REMOVE:
        for seat in range(rules.players):
            if seat != game.mover and can_lose_card(game, rules, seat):
                return True
        return False
    return kind in (state.DOUBLE, state.DEFENCE)


@kernel
def can_steal(game, rules, seat, kind):
    """Does this player hold such a card, and can it be carried out when they hold it no more (7.9)?"""
    if game.held[seat, kind] == 0:
        return False
    game.held[seat, kind] -= 1
    is_possible = can_do(game, rules, kind)
    game.held[seat, kind] += 1
    return is_possible


@kernel
def can_steal_from(game, rules, seat):
    """Can this player be attacked by a steal (7.9)?"""
    if seat == game.mover:
        return False
    for kind in range(len(KINDS)):
        if can_steal(game, rules, seat, kind):
            return True
    return False


@kernel
def can_carry_out(game, rules, kind):
    """Can an action card be carried out, unless it is a replay?"""
    if kind == state.STEAL:
        for seat in range(rules.players):
            if can_steal_from(game, rules, seat):
                return True
        return False
    return kind != state.REPLAY and can_do(game, rules, kind)


@kernel
def can_replay(game, rules, kind):
    """Is this a card that a replay can carry out (7.8)?"""
    if rules.replay == state.REPLAY_ANY:
        return game.action_discards[kind] > 0 and can_carry_out(game, rules, kind)
    return top_action(game) == kind and can_carry_out(game, rules, kind)


@kernel
def can_play(game, rules, kind):
    """Can the player carry out an action card of this kind that they hold?"""
    if kind != state.REPLAY:
        return can_carry_out(game, rules, kind)
    for other in range(len(KINDS)):
        if can_replay(game, rules, other):
            return True
    return False


# What is legal (10.4)


@kernel
def may_place(phase):
    """Is a card to be laid on a cell?"""
    return phase in (state.DRAWN, state.TAKEN, state.THREE_PLACE)


@kernel
def may_flip(phase):
    """May a hidden card be turned up?"""
    return phase in (state.OPENING, state.DRAWN, state.THREE_FLIP)


@kernel
def may_take_action(game, rules):
    """May an action card be taken now, if there is one (4.1, 4.6, 5.4)?"""
    if game.phase == state.TURN:
        return game.ender == NOBODY or rules.final_lap_take != 0
    return game.phase == state.CLAIM


@kernel
def is_ready(game, kind):
    """May the player use an action card of this kind in this turn (4.3, 4.4, 4.6)?"""
    return game.phase == state.TURN and game.ender == NOBODY and game.held[game.mover, kind] > game.fresh[kind]


@kernel
def may_play(game, rules, kind):
    """May a card of this kind be played, or be chosen by a replay or a steal?"""
    if game.phase == state.TURN:
        return is_ready(game, kind) and can_play(game, rules, kind)
    if game.phase == state.REPLAY_KIND:
        return can_replay(game, rules, kind)
    return game.phase == state.STEAL_KIND and can_steal(game, rules, game.attacked, kind)


@kernel
def is_later(game, rules, seat, other):
    """Does this seat come after another one, clockwise from the mover (7.11)?"""
    players = rules.players
    return (seat - game.mover + players) % players > (other - game.mover + players) % players


@kernel
def has_later(game, rules, seat, cell):
    """Is there another card to choose after this one: of the same layout to swap with (7.2), of a later one (7.6)?"""
    if game.phase == state.SWAP_FIRST:
        return cell + 1 < CELLS and game.shown[seat, cell + 1 :].min() < EMPTY
    for other in range(rules.players):
        if is_later(game, rules, other, seat) and cards_left(game, other) > 0:
            return True
    return False


@kernel
def may_choose(game, rules, seat, cell):
    """May this cell be chosen now (7.2, 7.6, 7.7, 7.9)?"""
    phase = game.phase
    if phase == state.STEAL_FROM:
        return cell == 0 and can_steal_from(game, rules, seat)
    if game.shown[seat, cell] == EMPTY:
        return False
    if phase == state.SWAP_FIRST:
        return seat == game.mover and has_later(game, rules, seat, cell)
    if phase == state.SWAP_WITH:
        return seat == game.mover and cell > game.chosen % CELLS
    if phase == state.EXCHANGE_FIRST:
        return has_later(game, rules, seat, cell)
    if phase == state.EXCHANGE_WITH:
        return is_later(game, rules, seat, game.chosen // CELLS)
    return phase == state.REMOVE_CARD and seat == game.attacked


@kernel
def may_look(game, seat, line):
    """Has this line a hidden card to look at (7.5)?"""
    if game.phase == state.LOOK_AT:
        for k in range(line_length(line)):
            if game.shown[seat, cell_of(line, k)] == HIDDEN:
                return True
    return False


@kernel
def is_legal_choice(game, rules, action):
    """May this cell, line, card or answer be chosen (10.3)?"""
    phase = game.phase
    if action < rules.first_line:
        at = action - state.CHOOSE
        return may_choose(game, rules, seat_after(rules, game.seat, at // CELLS), at % CELLS)
    if action < rules.first_card:
        at = action - rules.first_line
        return may_look(game, seat_after(rules, game.seat, at // LINES), at % LINES)
    if action == rules.first_card + state.NO_CARD:  # none of three is laid (7.3)
        return phase == state.THREE_CARD and game.hidden_left[game.seat] > 0
    if action < rules.clear_line:
        return phase in (state.THREE_CARD, state.THREE_TOP) and game.hand[action - rules.first_card] != EMPTY
    return phase == (state.LINE if action < rules.defend else state.DEFEND_ASKED)


@kernel
def is_legal_card(game, rules, action):
    """May an action card be taken (4.1, 5.4), played or discarded so (4.2), or a claim refused (5.3)?"""
    phase, kind = game.phase, (action - state.PLAY) % len(KINDS)
    if action < state.ACTION_PILE:
        return may_take_action(game, rules) and game.open_actions[action - state.OPEN] != NO_KIND
    if action == state.ACTION_PILE:
        is_usable = phase == state.TURN or rules.star_source == state.FROM_OPEN_OR_PILE
        return may_take_action(game, rules) and is_usable and has_next_action(game, rules)
    if action == state.PASS:
        must_pass = phase == state.TURN and cards_left(game, game.seat) == 0  # 3.5
        return must_pass or (phase == state.CLAIM and rules.star_claim == state.CLAIM_MAY)
    if action < state.DISCARD:
        return may_play(game, rules, kind)
    if phase == state.REMOVE_CARD:  # 7.7
        return rules.remove_action_cards != 0 and game.held[game.attacked, kind] > 0
    return is_ready(game, kind)


@kernel
def is_legal(game, rules, action):
    """May the seat that decides do this now (10.3, 10.4)? Any number may be asked about."""
    if action < 0 or action >= rules.actions:
        return False
    if action < state.PLACE:
        has_cards = cards_left(game, game.seat) > 0
        return game.phase == state.TURN and has_cards and (action == state.TAKE or can_draw(game))
    if action < state.FLIP:
        return may_place(game.phase) and game.shown[game.seat, action - state.PLACE] != EMPTY
    if action < state.OPEN:
        return may_flip(game.phase) and game.shown[game.seat, action - state.FLIP] == HIDDEN
    if action < state.CHOOSE:
        return is_legal_card(game, rules, action)
    return is_legal_choice(game, rules, action)


# What is legal, all at once


@kernel
def mask_turn(game, rules, mask):
    """What a turn may be (3.1)."""
    has_cards = cards_left(game, game.seat) > 0
    mask[state.DRAW], mask[state.TAKE], mask[state.PASS] = has_cards and can_draw(game), has_cards, not has_cards
    if may_take_action(game, rules):
        for place in range(state.PLACES):
            mask[state.OPEN + place] = game.open_actions[place] != NO_KIND
        mask[state.ACTION_PILE] = has_next_action(game, rules)
    for kind in range(len(KINDS)):
        if is_ready(game, kind):
            mask[state.PLAY + kind], mask[state.DISCARD + kind] = can_play(game, rules, kind), 1


@kernel
def mask_rest(game, rules, mask):
    """What any other phase asks for."""
    first, end = state.DISCARD, state.CHOOSE
    if may_place(game.phase) or may_flip(game.phase):
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
            mask[state.CHOOSE + at] = may_choose(game, rules, seat, at % CELLS)
    for action in range(first, end):
        mask[action] = is_legal(game, rules, action)


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
