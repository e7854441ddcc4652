"""The observation of a seat as a vector, and from that alone a guess at the cards that it does not see.

The class `View` lists every part of an observation; places in the vector follow from it.
"""

from functools import partial
from typing import Any

import numpy as np

from cardtable.table.game.slices import Numbers, TableView, codes, others, place_of, seen
from cardtable.table.kernel.chance import GAMMA, mix, shuffle
from cardtable.table.kernel.copying import copy_numbers
from cardtable.table.kernel.piles import deal_hidden, lay_discards, write_counted
from cardtable.table.kernel.views import relative_seat
from skyjo_action_env import kernel as state
from skyjo_action_env.kernel import CARDS, CELLS, EMPTY, HIDDEN, KINDS, LOWEST, NO_KIND, NOBODY, inlined_kernel, kernel
from skyjo_action_env.kernel.cards import discard_top, lay_action, pile_up_actions, top_action
from skyjo_action_env.kernel.rounds import clear_counters

MAX_INT16 = 32767  # an observation is 16 bits wide
ZERO, ONE = map(np.uint64, range(2))
N_CELLS, N_KINDS = np.uint64(CELLS), np.uint64(len(KINDS))

MAX_BONUS = 75  # points of all lines of stars of a layout
LAST_KIND, LAST_LINE = len(KINDS) - 1, state.LINES - 1
choice, number = partial(seen, "choice"), partial(seen, "number")
MARKS = f"{state.STAR} star, {HIDDEN} hidden, {EMPTY} none"


def most_turns(rules: Any) -> int:
    """Return the turns of the longest round: the last turn allowed may still begin a final lap."""
    return int(rules.max_turns) + others(rules)


def last_cell(rules: Any) -> int:
    """Return the last cell of all layouts."""
    return CELLS * int(rules.players) - 1


def all_knowers(rules: Any) -> int:
    """Return all seats, as bits."""
    return (1 << int(rules.players)) - 1


def cards(meaning: str, *shape: int | str) -> Any:
    """Return a field of cards, or marks in their place."""
    return seen("card", LOWEST, EMPTY, meaning, *shape)


def seat_of(meaning: str, low: int = NOBODY) -> Any:
    """Return a seat, in places clockwise from the observer."""
    return choice(low, others, meaning)


def by_card(meaning: str) -> Any:
    """Return a field of counts by card."""
    return number(0, max(state.COUNTS), meaning, CARDS)


def by_kind(meaning: str, *shape: int | str) -> Any:
    """Return a field of counts by kind of action card."""
    return number(0, state.COPIES, meaning, *shape, len(KINDS))


def by_seat(low: int, high: int, meaning: str, usual: int | str | None = None) -> Any:
    """Return a field of a number for each seat."""
    return number(low, high, meaning, "players", usual=usual)


class View(TableView):
    """The observation of a seat."""

    phase: Numbers = choice(0, state.TRUNCATED, codes(state.PHASES))
    decider: Numbers = seat_of("who decides, in places clockwise from the observer (0: the observer)", 0)
    mover: Numbers = seat_of("whose turn it is, in places clockwise; -1 in the opening")
    discard_top: Numbers = cards(f"the card on top of the discard pile; {MARKS}")
    draw_pile_size: Numbers = number(0, state.DECK, "cards in the draw pile")
    discard_pile_size: Numbers = number(0, state.DECK, "cards in the discard pile")
    buried: Numbers = number(0, state.DECK, "cards of the discard pile that nobody has seen")
    ender: Numbers = seat_of("who ended the round, in places clockwise; -1 nobody yet")
    turns_left: Numbers = number(0, others, "turns left after the round was ended, the current one included")
    extra_turns: Numbers = number(0, 2 * state.ACTION_DECK, "extra turns that follow the current turn", usual=2)
    starter: Numbers = seat_of("who starts this round, in places clockwise; -1 not yet known")
    played: Numbers = choice(NO_KIND, LAST_KIND, f"the action card that is being carried out, -1 none: {codes(KINDS)}")
    attacked: Numbers = seat_of("whom it attacks, in places clockwise; -1 nobody")
    line: Numbers = choice(
        NOBODY, state.LINES - 1, "the line that its owner is asked about: columns 0 to 3, rows 4 to 6"
    )
    accepted: Numbers = number(0, state.ALL_LINES, "lines that are to be cleared with it, as bits")
    is_reveal: Numbers = choice(0, 1, "1 once all cards are turned up at the end of a round")
    chosen: Numbers = number(NOBODY, last_cell, "first cell of a swap or an exchange: 12 × place + cell")
    chosen_with: Numbers = number(NOBODY, last_cell, "the second one, while a defence is asked about")
    picked: Numbers = choice(NOBODY, state.NO_CARD, "which of three drawn cards is laid; 3 none, -1 not yet known")
    seat: Numbers = seat_of("the observer's own seat number", 0)
    round: Numbers = number(1, "max_rounds", "number of the round", usual=10)
    turns: Numbers = number(0, most_turns, "turns completed in this round", usual=50)
    reshuffles: Numbers = number(0, MAX_INT16, "how often the discards became the draw pile in this round", usual=1)
    action_pile_size: Numbers = number(0, state.ACTION_DECK, "cards in the action pile")
    action_top: Numbers = choice(NO_KIND, LAST_KIND, "the top of the discard pile of action cards; -1 none")
    hand: Numbers = cards(f"cards in hand; {MARKS}", state.HAND)
    strays: Numbers = choice(0, 1, "1 for a card the observer drew that was no known draw", state.HAND)
    open_actions: Numbers = choice(NO_KIND, LAST_KIND, "the open action cards; -1 none", state.PLACES)
    fresh: Numbers = by_kind("action cards that cannot be used in extra turns yet, by kind")
    action_discards: Numbers = by_kind("discarded action cards by kind")
    unseen: Numbers = by_card(f"what hidden cards may be: cards from {LOWEST} to {state.HIGHEST}, then stars")
    known_draws: Numbers = by_card("cards known to be in the draw pile; its other cards are unseen")
    discards: Numbers = by_card("cards in the discard pile that were seen")
    cells: Numbers = cards(f"every layout, the observer's first, then clockwise; {MARKS}", "players", CELLS)
    known: Numbers = cards(f"hidden cards that the observer knows; {EMPTY} elsewhere", "players", CELLS)
    knowers: Numbers = number(0, all_knowers, "who knows a hidden card, as bits by place", "players", CELLS)
    held: Numbers = by_kind("action cards beside each layout, by kind", "players")
    hidden_left: Numbers = by_seat(0, CELLS, "hidden cards of each layout", 12)
    open_sums: Numbers = by_seat(LOWEST * CELLS, state.HIGHEST * CELLS, "sums of open cards, by layout", 48)
    totals: Numbers = by_seat(-MAX_INT16, MAX_INT16, "totals of all rounds scored", "target_score")
    claims: Numbers = by_seat(0, CELLS, "action cards earned by stars and not yet taken", 2)
    bonus: Numbers = by_seat(-MAX_BONUS, 0, "points of lines of stars that were cleared", 10)
    changed: Numbers = by_seat(0, state.ALL_LINES, "lines that changed since they were looked at, as bits")


at_known, at_held, at_seats = place_of(View, "known"), place_of(View, "held"), place_of(View, "hidden_left")

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
def relative_cell(rules, place, observer):
    """Return a cell of a seat, counted from the observer; NOBODY stays NOBODY."""
    if place < 0:
        return NOBODY
    return relative_seat(rules, place // CELLS, observer) * CELLS + place % CELLS


@inlined_kernel
def is_secret(phase):
    """Return whether there are cards in hand that only their holder sees (12.1)."""
    return phase in (state.DRAWN, state.THREE_CARD, state.THREE_PLACE, state.THREE_TOP)


@inlined_kernel
def write_table(game, rules, observer, out):
    """Write the single numbers: whose decision, piles, lap, what is being carried out, and counters."""
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
    """Write the cards in hand, open action cards, and what is counted by kind and by card."""
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
    """Write the hidden cards of a layout that the observer knows, and the seats that know each (12.2)."""
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
    """Write every seat's layout, action cards and counts, the observer's first, then clockwise."""
    players, seat = np.uint64(rules.players), np.uint64(observer)
    for place in range(players):
        at = place * N_CELLS
        copy_numbers(game.shown[seat], ZERO, N_CELLS, out, np.uint64(AT_CELLS) + at)
        write_known(game, rules, observer, np.int64(seat), np.int64(at), out)
        copy_numbers(game.held[seat], ZERO, N_KINDS, out, np.uint64(at_held(rules)) + place * N_KINDS)
        at = np.uint64(at_seats(rules)) + place
        out[at] = game.hidden_left[seat]
        out[at + players] = game.open_sum[seat]
        out[at + players + players] = min(max(game.totals[seat], -MAX_INT16), MAX_INT16)
        at += players + players + players
        out[at] = game.claims[seat]
        out[at + players] = game.bonus[seat]
        out[at + players + players] = game.changed[seat]
        seat = seat + ONE if seat + ONE < players else ZERO


@inlined_kernel
def write_observation(game, rules, observer, out):
    """Write one seat's observation: all it could know from having watched that can still matter, and nothing else."""
    write_table(game, rules, observer, out)
    write_counts(game, observer, out)
    write_seats(game, rules, observer, out)


# A guess at what a seat does not see: a full game consistent with one observation, uniform over the unseen cards. It
# reads nothing but the observation, so a search that starts from here cannot see more than its seat. Other seats keep
# the hidden cards that they know: everybody knows which (12.2).


@kernel
def read_table(game, rules, view):
    """Take over the single numbers of the observation."""
    zero = (rules.players - view[AT_SEAT]) % rules.players  # seat 0, counted from the observer
    game.phase = view[AT_PHASE]
    game.seat = relative_seat(rules, view[AT_DECIDER], zero)
    game.mover = relative_seat(rules, view[AT_MOVER], zero)
    game.ender = relative_seat(rules, view[AT_ENDER], zero)
    game.starter = relative_seat(rules, view[AT_STARTER], zero)
    game.attacked = relative_seat(rules, view[AT_ATTACKED], zero)
    game.chosen = relative_cell(rules, view[AT_CHOSEN], zero)
    game.chosen_with = relative_cell(rules, view[AT_CHOSEN_WITH], zero)
    game.last_seat, game.last_action = NOBODY, NOBODY
    game.turns_left, game.extra_turns = view[AT_TURNS_LEFT], view[AT_EXTRA_TURNS]
    game.played, game.picked = view[AT_PLAYED], view[AT_PICKED]
    game.line, game.accepted, game.is_reveal = view[AT_LINE], view[AT_ACCEPTED], view[AT_IS_REVEAL]
    game.round_number, game.turns, game.reshuffles = view[AT_ROUND], view[AT_TURNS], view[AT_RESHUFFLES]


@kernel
def read_layouts(game, rules, view):
    """Take over what lies open or is known, who knows it, and the counts of every seat."""
    players, observer = rules.players, view[AT_SEAT]
    for place in range(players):
        seat = (observer + place) % players
        for cell in range(CELLS):
            at = CELLS * place + cell
            shown, known = view[AT_CELLS + at], view[at_known(rules) + at]
            bits = view[at_known(rules) + CELLS * players + at]
            game.shown[seat, cell] = shown
            game.cards[seat, cell] = shown if known == EMPTY else known
            game.knowers[seat, cell] = (bits << observer | bits >> players - observer) & (1 << players) - 1
        for kind in range(len(KINDS)):
            game.held[seat, kind] = view[at_held(rules) + len(KINDS) * place + kind]
        at = at_seats(rules) + place
        game.hidden_left[seat], game.open_sum[seat] = view[at], view[at + players]
        game.totals[seat] = view[at + 2 * players]
        game.claims[seat], game.bonus[seat] = view[at + 3 * players], view[at + 4 * players]
        game.changed[seat] = view[at + 5 * players]
        game.round_scores[seat] = 0


@kernel
def count_unseen(game, rules, view):
    """Write the public counts: cards that only the observer knows count as unseen."""
    game.unseen[:] = view[AT_UNSEEN:AT_KNOWN_DRAWS]
    game.known_draws[:] = view[AT_KNOWN_DRAWS:AT_DISCARDS]
    game.discards[:] = view[AT_DISCARDS:AT_CELLS]
    for at in range(CELLS * rules.players):
        card = view[at_known(rules) + at]
        if card != EMPTY:
            game.unseen[card - LOWEST] += 1
    if is_secret(game.phase) and game.seat == view[AT_SEAT]:
        for k in range(state.HAND):
            card = view[AT_HAND + k]
            if card != EMPTY and view[AT_STRAYS + k]:
                game.unseen[card - LOWEST] += 1
            elif card != EMPTY:
                game.known_draws[card - LOWEST] += 1


@kernel
def deal_draws(game, view, start, end):
    """Deal the cards in game.piles[start:end], shuffled, to the hand where it is not seen, and to the draw pile."""
    shuffle(game, game.piles[start:], end - start)
    for k in range(state.HAND):
        game.hand[k] = view[AT_HAND + k]
        if game.hand[k] == HIDDEN:
            end -= 1
            game.hand[k] = game.piles[end]
    game.pile_left = end - start
    for k in range(game.pile_left - 1, -1, -1):
        game.piles[state.DECK - game.pile_left + k] = game.piles[start + k]


@kernel
def bury(game, top):
    """Bury the first cards of game.piles, the last of them on top if that is hidden."""
    above = game.piles[game.buried - 1] + state.BURIED if top == HIDDEN else top
    game.discard_size = game.buried - 1 if top == HIDDEN else game.buried
    for k in range(game.discard_size):
        game.piles[k] += state.BURIED
    return above


@kernel
def lay_cards(game, rules, view):
    """Deal the playing cards that the observer does not see: buried ones, hidden ones, and the draw pile."""
    game.buried = view[AT_BURIED]
    end = write_counted(view[AT_UNSEEN:AT_KNOWN_DRAWS], LOWEST, game.piles, 0)
    shuffle(game, game.piles, end)
    end = deal_hidden(game, rules, CELLS, HIDDEN, end)
    end = write_counted(view[AT_KNOWN_DRAWS:AT_DISCARDS], LOWEST, game.piles, end)
    deal_draws(game, view, np.int64(game.buried), end)
    lay_discards(game, game.discards, LOWEST, bury(game, view[AT_DISCARD_TOP]), EMPTY)


@kernel
def lay_actions(game, rules, view):
    """Lay the action cards: those that lie nowhere else are in the action pile."""
    size, top = 0, view[AT_ACTION_TOP]
    game.open_actions[:] = view[AT_OPEN:AT_FRESH]
    game.fresh[:] = view[AT_FRESH:AT_ACTION_DISCARDS]
    for kind in range(len(KINDS)):
        left = state.COPIES if kind < state.CERTAIN_KINDS or rules.action_deck == state.DECK_ALL else 0
        left -= view[AT_ACTION_DISCARDS + kind]
        for k in range(state.PLACES):
            left -= game.open_actions[k] == kind
        for seat in range(rules.players):
            left -= game.held[seat, kind]
        for _ in range(left):
            game.action_piles[size] = kind
            size += 1
    pile_up_actions(game, size)
    for kind in range(len(KINDS)):
        for _ in range(view[AT_ACTION_DISCARDS + kind] - (kind == top)):
            lay_action(game, kind)
    if top != NO_KIND:
        lay_action(game, top)


@kernel
def sample(game, rules, observation, key, episode):
    """Make `game` a full game that the observation's seat cannot tell from the real one; `key` decides the guess."""
    game.chance = mix(key + GAMMA)
    game.episode = episode
    clear_counters(game, rules)
    read_table(game, rules, observation)
    read_layouts(game, rules, observation)
    count_unseen(game, rules, observation)
    lay_cards(game, rules, observation)
    lay_actions(game, rules, observation)
    game.key = mix(game.chance)
