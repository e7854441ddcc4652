"""The observation of a seat, its mask of legal actions, and a guess at the hidden cards, `sample`.

The class `View` lists every part of an observation; places in the vector follow from it.
"""

from typing import Any

import numpy as np

from cardtable.table.game.slices import Numbers, TableView, codes, others, place_of, seen
from cardtable.table.kernel.chance import GAMMA, mix, shuffle
from cardtable.table.kernel.copying import copy_numbers
from cardtable.table.kernel.piles import deal_hidden, lay_discards, move_to_end, top_card, write_counted
from cardtable.table.kernel.views import relative_seat
from skyjo_env.kernel import inlined_kernel, kernel, state
from skyjo_env.kernel.cards import can_draw, divide_pile
from skyjo_env.kernel.play import may_flip, may_place
from skyjo_env.kernel.state import DRAWN, EMPTY, FIRST_PLACE, HIDDEN, LOWEST, NOBODY

MAX_INT16 = 32767  # an observation is 16 bits wide
ZERO, ONE = map(np.uint64, range(2))

MARKS = f"{HIDDEN} hidden, {EMPTY} none"


def lowest(rules: Any) -> int:
    """Return the lowest card of the deck."""
    return int(rules.values[0])


def most_turns(rules: Any) -> int:
    """Return the turns of the longest round: the last turn allowed may still begin a final lap."""
    return int(rules.max_turns) + others(rules)


def highest_sum(rules: Any) -> int:
    """Return the greatest sum of a board, positive or negative."""
    return int(rules.cells) * max(abs(int(value)) for value in rules.values)


def lowest_sum(rules: Any) -> int:
    """Return the lowest sum of a board, as far below 0 as the highest is above."""
    return -highest_sum(rules)


def usual_sum(rules: Any) -> int:
    """Return the usual sum of the open cards of a board, which scales its number."""
    return 4 * int(rules.cells)


def most_of_a_value(rules: Any) -> int:
    """Return the most cards of one value in the deck."""
    return max(int(count) for _, count in rules.deck)


def by_value(meaning: str) -> Any:
    """Return a field of counts by card value."""
    return seen("number", 0, "deck_size", meaning, "values", usual=most_of_a_value)


class View(TableView):
    """The observation of a seat."""

    phase: Numbers = seen("choice", 0, state.TRUNCATED, codes(state.PHASES))
    decider: Numbers = seen("choice", 0, others, "who decides, in places clockwise from the observer (0: the observer)")
    hand: Numbers = seen("card", lowest, EMPTY, f"the card in hand; {MARKS}")
    discard_top: Numbers = seen("card", lowest, EMPTY, f"the card on top of the discard pile; {EMPTY} none")
    draw_pile_size: Numbers = seen("number", 0, "deck_size", "cards in the draw pile")
    discard_pile_size: Numbers = seen("number", 0, "deck_size", "cards in the discard pile")
    ender: Numbers = seen("choice", NOBODY, others, "who ended the round, in places clockwise; -1 nobody yet")
    turns_left: Numbers = seen(
        "number", 0, others, "turns left in the final lap, the current one included; 0 before it"
    )
    starter: Numbers = seen("choice", NOBODY, others, "who starts this round, in places clockwise; -1 not yet known")
    seat: Numbers = seen("choice", 0, others, "the observer's own seat number")
    round: Numbers = seen("number", 1, "max_rounds", "number of the round", usual=10)
    turns: Numbers = seen("number", 0, most_turns, "turns completed in this round", usual=50)
    reshuffles: Numbers = seen(
        "number", 0, most_turns, "how often the discards became the draw pile in this round", usual=1
    )
    cells: Numbers = seen(
        "card", lowest, EMPTY, f"every board, the observer's first, then clockwise; {MARKS}", "players", "cells"
    )
    hidden_left: Numbers = seen("number", 0, "cells", "hidden cards on each board", "players")
    open_sums: Numbers = seen(
        "number", lowest_sum, highest_sum, "sum of the open cards on each board", "players", usual=usual_sum
    )
    totals: Numbers = seen(
        "number", -MAX_INT16, MAX_INT16, "totals of all rounds scored", "players", usual="target_score"
    )
    hidden_pool: Numbers = by_value("what hidden cards may be: unseen cards by value, the lowest first")
    draw_pool: Numbers = by_value("the same for the next draw; differs only after a reshuffle")
    discards: Numbers = by_value("cards in the discard pile by value")


at_seats, at_pools = place_of(View, "hidden_left"), place_of(View, "hidden_pool")

# Where the single numbers stand.
AT_PHASE, AT_DECIDER, AT_HAND, AT_DISCARD_TOP, AT_DRAW_PILE, AT_DISCARD_PILE, AT_ENDER, AT_TURNS_LEFT = range(8)
AT_STARTER, AT_SEAT, AT_ROUND, AT_TURNS, AT_RESHUFFLES, AT_CELLS = range(8, 14)


@inlined_kernel
def visible_hand(game, observer):
    """Return the card in hand: all have seen a taken one, only its holder sees a drawn one (4.1)."""
    if game.phase == DRAWN and game.seat != observer:
        return HIDDEN
    return game.hand


@inlined_kernel
def write_table(game, rules, observer, out):
    """Write the single numbers: whose decision, hand, piles, lap and counters."""
    out[AT_PHASE] = game.phase
    out[AT_DECIDER] = relative_seat(rules, game.seat, observer)
    out[AT_HAND] = visible_hand(game, observer)
    out[AT_DISCARD_TOP] = top_card(game, EMPTY)
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
    """Write every seat's cells, hidden cards, open sum and total, the observer's first, then clockwise."""
    players, cells = np.uint64(rules.players), np.uint64(rules.cells)
    at_cells, at_counts = np.uint64(AT_CELLS), np.uint64(at_seats(rules))
    seat = np.uint64(observer)
    for place in range(players):
        copy_numbers(game.shown[seat], ZERO, cells, out, at_cells + place * cells)
        at = at_counts + place
        out[at] = game.hidden_left[seat]
        out[at + players] = game.open_sum[seat]
        out[at + players + players] = min(max(game.totals[seat], -MAX_INT16), MAX_INT16)
        seat = seat + ONE if seat + ONE < players else ZERO


@inlined_kernel
def write_pools(game, rules, observer, out):
    """Write counts by value: of the cards that hidden cards and draws may be, and of the discard pile."""
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
def write_observation(game, rules, observer, out):
    """Write one seat's observation: all it could know from having watched that can still matter, and nothing else."""
    write_table(game, rules, observer, out)
    write_seats(game, rules, observer, out)
    write_pools(game, rules, observer, out)


@inlined_kernel
def mask_places(game, rules, mask):
    """Allow the card in hand in every cell that is not cleared (4.2, 4.3, 4.7); return how many there are."""
    seat, first, legal = np.uint64(game.seat), np.uint64(FIRST_PLACE), 0
    for cell in range(np.uint64(rules.cells)):
        is_there = game.shown[seat, cell] != EMPTY
        mask[first + cell] = is_there
        legal += is_there
    return legal


@inlined_kernel
def mask_flips(game, rules, mask):
    """Allow every hidden cell to be turned up (2.2, 4.4); return how many there are."""
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
    if phase == state.TURN:
        mask[state.DRAW] = can_draw(game)
        mask[state.TAKE] = 1
        return 1 + mask[state.DRAW]
    if may_place(phase):
        legal += mask_places(game, rules, mask)
    if may_flip(rules, phase):
        legal += mask_flips(game, rules, mask)
    if phase == DRAWN and rules.discard_drawn >= 0:
        mask[np.uint64(rules.discard_drawn)] = 1
        legal += 1
    if phase == state.CONFIRM:
        mask[np.uint64(rules.clear_lines)] = 1
        mask[np.uint64(rules.keep_lines)] = 1
        legal += 2
    return legal


@kernel
def read_table(game, rules, observation):
    """Take over the single numbers of the observation."""
    zero = (rules.players - observation[AT_SEAT]) % rules.players  # seat 0, counted from the observer
    game.phase, game.hand = observation[AT_PHASE], observation[AT_HAND]
    game.seat = relative_seat(rules, observation[AT_DECIDER], zero)
    game.ender = relative_seat(rules, observation[AT_ENDER], zero)
    game.starter = relative_seat(rules, observation[AT_STARTER], zero)
    game.last_seat, game.last_action = NOBODY, NOBODY
    game.turns_left, game.reshuffles = observation[AT_TURNS_LEFT], observation[AT_RESHUFFLES]
    game.round_number, game.turns = observation[AT_ROUND], observation[AT_TURNS]


@kernel
def read_boards(game, rules, observation):
    """Take over what lies open, and the counts and totals of every seat."""
    players, cells = rules.players, rules.cells
    for place in range(players):
        seat = (observation[AT_SEAT] + place) % players
        for cell in range(cells):
            shown = observation[AT_CELLS + place * cells + cell]
            game.shown[seat, cell] = shown
            game.cards[seat, cell] = shown
        at = at_seats(rules) + place
        game.hidden_left[seat] = observation[at]
        game.open_sum[seat] = observation[at + players]
        game.totals[seat] = observation[at + 2 * players]
        game.round_scores[seat] = 0
    game.opening_left = 0
    if game.phase == state.OPENING:
        game.opening_left = rules.opening_flips - cells + game.hidden_left[game.seat]


@kernel
def read_pools(game, rules, observation):
    """Take over the public counts: without the observer's own knowledge of a card it drew."""
    hidden = at_pools(rules)
    first = rules.low - LOWEST
    game.hidden_pool[:] = 0
    game.draw_pool[:] = 0
    game.discard_counts[:] = 0
    for k in range(rules.values):
        game.hidden_pool[first + k] = observation[hidden + k]
        game.draw_pool[first + k] = observation[hidden + rules.values + k]
        game.discard_counts[first + k] = observation[hidden + 2 * rules.values + k]
    if game.phase == DRAWN and game.hand != HIDDEN:
        game.draw_pool[game.hand - LOWEST] += 1
        if game.reshuffles == 0:
            game.hidden_pool[game.hand - LOWEST] += 1


@kernel
def shuffle_pool(game, rules, observation, at):
    """Write the cards that the observer counts in a pool to game.piles, in random order; return how many."""
    size = write_counted(observation[at : at + rules.values], rules.low, game.piles, 0)
    shuffle(game, game.piles, size)
    return size


@kernel
def sample(game, rules, observation, key, episode):
    """Make `game` a full game that the observation's seat cannot tell from the real one; `key` decides the guess."""
    game.chance = mix(key + GAMMA)
    game.episode = episode
    read_table(game, rules, observation)
    read_boards(game, rules, observation)
    read_pools(game, rules, observation)
    hidden = at_pools(rules)
    size = deal_hidden(game, rules, rules.cells, HIDDEN, shuffle_pool(game, rules, observation, hidden))
    if game.reshuffles > 0:
        size = shuffle_pool(game, rules, observation, hidden + rules.values)
    if game.hand == HIDDEN:
        size -= 1
        game.hand = game.piles[size]
    divide_pile(game, rules, move_to_end(game, size, rules.deck_size), rules.deck_size)
    game.discard_size = 0
    lay_discards(game, game.discard_counts, LOWEST, observation[AT_DISCARD_TOP], EMPTY)
    game.key = mix(game.chance)
