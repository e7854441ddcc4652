"""The luck of a round: how much better than expected the cards fell for each seat, whoever played them.

Whenever a card becomes known it is uniform over cards that can be counted. What it brings less what it was expected to
bring has mean 0 under any strategy, so a share of it can be subtracted from a score without bias. Three sums are kept
for every seat: of the cards it turned up, against their mean; of its draws, by the most that a draw can take off its
board's expected sum; and of the hidden cards that the seat before it laid on the discard pile, by the same measure.
"""

import numpy as np

from skyjo_env.kernel.board_costs import (
    MOST_COLUMNS,
    NONE,
    card_at,
    cell_cost,
    completed,
    read_column,
    value_beside,
)
from skyjo_env.kernel.jit import kernel
from skyjo_env.kernel.play import ENDS
from skyjo_env.kernel.state import (
    DRAW,
    EMPTY,
    FIRST_PLACE,
    HIDDEN,
    LOWEST,
    OVER,
    SPAN,
)
from skyjo_env.kernel.view import AT_CELLS, at_pools

TURNED_UP, DREW, GIVEN = range(3)  # the terms
TERMS = 3
NO_VALUE = NONE + 1  # a card of no value that there is

WEIGHTS = np.array([-0.42, 0.41, 0.28])  # points of margin for each point of a term; for 2 to 8 players alike

ROOM_DTYPE = np.dtype(
    (
        np.record,
        [
            ("board", "i8"),  # where the board that is read begins in the observation
            ("hidden_cost", "f8"),
            ("costs", "f8", SPAN),  # of an open card, by value
            ("points", "f8", MOST_COLUMNS),  # what the cells of a column cost
            ("one", "i8", MOST_COLUMNS),  # the first value that is open in a column ...
            ("ones", "i8", MOST_COLUMNS),  # ... and how often
            ("two", "i8", MOST_COLUMNS),  # the second
            ("twos", "i8", MOST_COLUMNS),
            ("by_open", "f8", SPAN),  # the dearest cell where a card of this value completes nothing
            ("worths", "f8", SPAN),  # what completing a column with a card of this value saves
        ],
    ),
    align=True,
)  # room to look at a board


@kernel
def pool_mean(view, rules):
    """(mean, cards) of the hidden cards as the seat that decides counts them."""
    cards, points, at = 0, 0, at_pools(rules)
    for k in range(rules.values):
        cards += view[at + k]
        points += view[at + k] * (rules.low + k)
    return (points / cards if cards > 0 else 0.0), cards


@kernel
def dearest_cell(view, rules, room, value):
    """The most that a cell costs, in columns that are not complete, where a card of this value completes nothing."""
    dearest = -np.inf
    for column in range(rules.columns):
        if room.ones[column] == rules.rows:  # complete, and kept by choice (5.5)
            continue
        for cell in range(column * rules.rows, (column + 1) * rules.rows):
            shown = card_at(view, room, cell)
            completes = value != NO_VALUE and value_beside(rules, room, column, shown) == value
            if shown != EMPTY and not completes:
                dearest = max(dearest, cell_cost(rules, room, shown))
    return dearest


@kernel
def note_completion(view, rules, room, column, value):
    """What a card of this value saves by completing a column, or elsewhere."""
    k = value - rules.low
    room.worths[k] = max(room.worths[k], room.points[column] - completed(rules, float(rules.rows * value)))
    room.by_open[k] = dearest_cell(view, rules, room, value)


@kernel
def read_gains(view, rules, room, board):
    """Look at a board: by value, the dearest cell to replace and what completing a column saves."""
    room.hidden_cost, _ = pool_mean(view, rules)
    room.board = board
    for k in range(rules.values):
        room.costs[k], room.worths[k] = rules.low + k, 0.0
    for column in range(rules.columns):
        read_column(view, rules, room, column)
    dearest = dearest_cell(view, rules, room, NO_VALUE)
    for k in range(rules.values):
        room.by_open[k] = dearest
    for column in range(rules.columns):
        if room.ones[column] == rules.rows - 1:
            note_completion(view, rules, room, column, room.one[column])
        if room.twos[column] == rules.rows - 1:
            note_completion(view, rules, room, column, room.two[column])


@kernel
def gain(rules, room, card):
    """The most that this card takes off the expected sum of the board that was read."""
    k = card - rules.low
    return max(room.by_open[k] - card, room.worths[k], 0.0)


@kernel
def beyond_expected(rules, room, card, counts, first):
    """What a card gains more than one drawn from these counts by value, the lowest card's at `first`, on average."""
    cards, gains = 0, 0.0
    for k in range(rules.values):
        count = counts[first + k]
        cards += count
        gains += count * gain(rules, room, rules.low + k)
    return gain(rules, room, card) - gains / cards if cards > 0 else 0.0


@kernel
def luck_of_draw(game, rules, room, view, luck):
    """A card has been drawn; `view` is what its seat saw before."""
    read_gains(view, rules, room, AT_CELLS)
    low = rules.low - LOWEST
    luck[game.seat, DREW] += beyond_expected(rules, room, game.hand, game.draw_pool, low)


@kernel
def luck_of_gift(rules, room, view, card, taker, luck):
    """A hidden card was replaced and lies on the discard pile, for the next seat to take."""
    read_gains(view, rules, room, AT_CELLS + rules.cells)
    luck[taker, GIVEN] += beyond_expected(rules, room, card, view, at_pools(rules))


@kernel
def luck_of_reveal(before, rules, seen, mean, luck):
    """The round is over, and all cards that were hidden before its last action are turned up; `seen` is the cell
    of the seat that decided which this action already revealed.
    """
    for seat in range(rules.players):
        for cell in range(rules.cells):
            if before.shown[seat, cell] == HIDDEN and not (seat == before.seat and cell == seen):
                luck[seat, TURNED_UP] += before.cards[seat, cell] - mean


@kernel
def luck_of_cell(before, game, rules, room, view, action, luck):
    """A card was placed or turned up: the table before it and after it, and what its seat saw."""
    seat = before.seat
    is_scored = game.phase == ENDS
    mean, cards = pool_mean(view, rules)
    cell = -1
    if rules.first_flip <= action < rules.first_flip + rules.cells:
        cell = action - rules.first_flip
    elif FIRST_PLACE <= action < rules.first_flip:
        cell = action - FIRST_PLACE
    seen = -1
    if cell >= 0 and before.shown[seat, cell] == HIDDEN:
        seen, card = cell, before.cards[seat, cell]
        if action >= rules.first_flip:
            luck[seat, TURNED_UP] += card - mean
        elif not is_scored and game.phase < OVER and game.shown[seat, cell] != EMPTY:
            luck_of_gift(rules, room, view, card, game.seat, luck)
        mean = (mean * cards - card) / (cards - 1) if cards > 1 else 0.0
    if is_scored:
        luck_of_reveal(before, rules, seen, mean, luck)


@kernel
def note_luck(before, game, rules, action, view, room, luck):
    """Add what an action has brought to light to the luck of the seats; only cells need the table before it."""
    if action == DRAW:
        luck_of_draw(game, rules, room, view, luck)
    elif action >= FIRST_PLACE:
        luck_of_cell(before, game, rules, room, view, action, luck)
