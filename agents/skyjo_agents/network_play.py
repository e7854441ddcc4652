"""The network of the learned players in compiled code: what `skyjo_agents.network` computes, for one observation.

`weights` is the address of the blocks, and `layout` tells where each of them lies (`skyjo_agents.network_blocks`). Sums
are taken in another order than torch takes them, so numbers agree to about six digits.
"""

import numpy as np

from cardtable.table.kernel.copying import floats_at
from cardtable.table.kernel.scoring import POINTS
from skyjo_agents.network_blocks import (
    ALIKE,
    BOARD,
    BOARD_BIAS,
    BOARD_NUMBERS,
    BOARD_PLACES,
    CARDS,
    CELL_BIAS,
    CELL_CARDS,
    CELL_COLUMN,
    CELL_GAINS,
    CELL_LAST,
    CELL_OUT,
    CELL_TABLE,
    CHOICES,
    CHOICES_BIAS,
    COLUMN,
    COLUMN_BIAS,
    COLUMN_OUT,
    COLUMNS,
    DISCARD,
    FACTS,
    FIRST,
    HAND,
    INPUTS,
    LIKENESSES,
    OTHERS,
    OUTPUTS,
    OWN,
    OWN_NUMBERS,
    RIVAL_BIAS,
    RIVAL_BOARD,
    RIVAL_LAST,
    RIVAL_OUT,
    RIVAL_TABLE,
    TABLE,
    TABLE_BIAS,
    TABLE_OUT,
    TABLED_ROWS,
    VALUE,
    VALUE_BIAS,
    VALUE_LAST,
    VALUE_OUT,
)
from skyjo_agents.player import scripted
from skyjo_env.kernel.state import EMPTY, FIRST_PLACE, HIDDEN, PHASES
from skyjo_env.kernel.view import (
    AT_CELLS,
    AT_DISCARD_TOP,
    AT_DRAW_PILE,
    AT_ENDER,
    AT_HAND,
    AT_PHASE,
    AT_RESHUFFLES,
    AT_TURNS,
    AT_TURNS_LEFT,
    at_pools,
    at_seats,
)

KINDS_OF_PHASE = len(PHASES)
USUAL_CARD, SPREAD = 5, 6.0  # as in skyjo_agents.network
MAX_TURNS, MAX_RESHUFFLES = 200, 3


@scripted
def block(weights, layout, number):
    """Return a block as a matrix."""
    return floats_at(weights + np.uint64(layout[number, FIRST]), layout[number, INPUTS], layout[number, OUTPUTS])


@scripted
def copy_to(row, out):
    """Copy a row; this compiles faster than `out[:] = row`."""
    for k in range(len(out)):
        out[k] = row[k]


@scripted
def clear(out):
    """Set all to 0."""
    for k in range(len(out)):
        out[k] = 0


@scripted
def add(share, row, out):
    """Add `share` times a row."""
    for k in range(len(row)):
        out[k] += share * row[k]


@scripted
def add_product(inputs, matrix, out):
    """Add a layer's sums. Inputs that are 0 are passed over: after a relu that is about half of them."""
    for k in range(len(matrix)):
        if inputs[k] != 0:
            add(inputs[k], matrix[k], out)


@scripted
def dot(one, other):
    """Return the sum of products, in four parts that the processor can take at the same time."""
    a, b, c, d = np.float32(0), np.float32(0), np.float32(0), np.float32(0)
    whole = len(one) // 4 * 4
    for k in range(0, whole, 4):
        a += one[k] * other[k]
        b += one[k + 1] * other[k + 1]
        c += one[k + 2] * other[k + 2]
        d += one[k + 3] * other[k + 3]
    for k in range(whole, len(one)):
        a += one[k] * other[k]
    return (a + b) + (c + d)


@scripted
def relu(numbers):
    """Replace negative numbers by 0."""
    for k in range(len(numbers)):
        numbers[k] = max(numbers[k], np.float32(0))


# Columns and boards


@scripted
def within(number, most):
    """Return a number from 0 to the last row of a matrix, even for a value that no valid observation holds."""
    return min(max(np.int64(number), 0), most)


@scripted
def kind_of(rules, card):
    """Return a card as a number from 0 on, hidden and empty last."""
    kind = np.int64(card) - HIDDEN + rules.values if card >= HIDDEN else np.int64(card) - rules.low
    return within(kind, rules.values + 1)


@scripted
def work_out_column(kinds, like_hand, like_discard, weights, layout, first, out):
    """Work out the features of a column of these kinds of cards; `first` is room."""
    copy_to(block(weights, layout, COLUMN_BIAS)[0], first)
    cards, alike = block(weights, layout, CARDS), block(weights, layout, ALIKE)
    for row in range(len(kinds)):
        add(np.float32(1), cards[kinds[row]], first)
    add(np.float32(like_hand), alike[0], first)
    add(np.float32(like_discard), alike[1], first)
    relu(first)
    copy_to(block(weights, layout, COLUMN_OUT)[0], out)
    add_product(first, block(weights, layout, COLUMN), out)
    relu(out)


@scripted
def place_of(one, two, three):
    """Return the index of three kinds among all sets of three."""
    low, high = min(one, two, three), max(one, two, three)
    middle = one + two + three - low - high
    return high * (high + 1) * (high + 2) // 6 + middle * (middle + 1) // 2 + low


@scripted
def work_out_columns(kinds, weights, layout):
    """Fill the block with the features of all columns of three cells."""
    columns, three = block(weights, layout, COLUMNS), np.zeros(TABLED_ROWS, np.int64)
    first = np.empty(columns.shape[1], np.float32)
    for high in range(kinds):
        for middle in range(high + 1):
            for low in range(middle + 1):
                three[0], three[1], three[2] = low, middle, high
                at = LIKENESSES * place_of(low, middle, high)
                for alike in range(LIKENESSES):
                    work_out_column(three, alike // 4, alike % 4, weights, layout, first, columns[at + alike])


@scripted
def read_column(view, at, rules, weights, layout, scratch, out):
    """Read the features of the column whose first cell stands there."""
    like_hand, like_discard = 0, 0
    for row in range(rules.rows):
        like_hand += view[at + row] == view[AT_HAND]
        like_discard += view[at + row] == view[AT_DISCARD_TOP]
    if layout[COLUMNS, INPUTS] > 0:
        one, two, three = kind_of(rules, view[at]), kind_of(rules, view[at + 1]), kind_of(rules, view[at + 2])
        columns = block(weights, layout, COLUMNS)
        copy_to(columns[LIKENESSES * place_of(one, two, three) + 4 * like_hand + like_discard], out)
        return
    kinds, first = np.empty(rules.rows, np.int64), scratch[: len(out)]
    for row in range(rules.rows):
        kinds[row] = kind_of(rules, view[at + row])
    work_out_column(kinds, like_hand, like_discard, weights, layout, first, out)


@scripted
def read_board(view, place, rules, weights, layout, scratch, out):
    """Read the sum of the features of a board's columns."""
    clear(out)
    for column in range(rules.columns):
        at = AT_CELLS + place * rules.cells + column * rules.rows
        read_column(view, at, rules, weights, layout, scratch[len(out) :], scratch[: len(out)])
        add(np.float32(1), scratch[: len(out)], out)


@scripted
def mean_of_pool(view, rules):
    """Return the mean of the cards that a hidden card may be."""
    cards, points, at = 0, 0, at_pools(rules)
    for k in range(rules.values):
        cards += view[at + k]
        points += view[at + k] * (rules.low + k)
    return points / max(cards, 1)


# The table


@scripted
def expect_sums(view, rules, mean, expected):
    """Write the expected sum of every board, hidden cards counted as the mean."""
    at = at_seats(rules)
    for place in range(rules.players):
        expected[place] = view[at + rules.players + place] + view[at + place] * mean


@scripted
def write_numbers(view, place, rules, expected, numbers):
    """Write the inputs for a board that are numbers."""
    at = at_seats(rules)
    numbers[0] = view[at + place] / rules.cells
    numbers[1] = view[at + rules.players + place] / 50
    numbers[2] = expected[place] / 50


@scripted
def add_numbers(view, place, rules, expected, matrix, out):
    """Add the inputs for a board that are numbers."""
    numbers = np.empty(len(matrix), np.float32)
    write_numbers(view, place, rules, expected, numbers)
    add_product(numbers, matrix, out)


@scripted
def read_others(view, rules, expected, weights, layout, scratch, boards, out):
    """Read the features of every other board, and their mean."""
    width = boards.shape[1]
    own, scratch = scratch[:width], scratch[width:]
    clear(out)
    for place in range(1, rules.players):
        each = boards[place]
        read_board(view, place, rules, weights, layout, scratch, own)
        copy_to(block(weights, layout, BOARD_BIAS)[0], each)
        add_product(own, block(weights, layout, BOARD), each)
        add_numbers(view, place, rules, expected, block(weights, layout, BOARD_NUMBERS), each)
        add(np.float32(1), block(weights, layout, BOARD_PLACES)[place - 1], each)
        relu(each)
        add(np.float32(1 / (rules.players - 1)), each, out)


@scripted
def write_facts(view, rules, seats, mean, facts):
    """Write the inputs for the phase, the lap and the piles, over zeros."""
    at = KINDS_OF_PHASE
    facts[within(view[AT_PHASE], at - 1)] = 1
    facts[at + within(view[AT_ENDER] + 1, seats)] = 1
    at += seats + 1
    facts[at + within(view[AT_TURNS_LEFT], seats)] = 1
    at += seats + 1
    pool = at_pools(rules)
    for _ in range(2):
        cards = 0
        for k in range(rules.values):
            cards += view[pool + k]
        for k in range(rules.values):
            facts[at + k] = view[pool + k] / max(cards, 1)
        at += rules.values
        pool += rules.values
    facts[at] = mean / 5
    facts[at + 1] = min(view[AT_TURNS], MAX_TURNS) / 20
    facts[at + 2] = view[AT_DRAW_PILE] / 50
    facts[at + 3] = min(view[AT_RESHUFFLES], MAX_RESHUFFLES)
    facts[at + 4] = rules.players / 8


@scripted
def read_table(view, rules, weights, layout, boards, expected, table):
    """Write the features of the table, and those of the other boards and every board's expected sum."""
    width, mean = layout[COLUMN, OUTPUTS], mean_of_pool(view, rules)
    expect_sums(view, rules, mean, expected)
    scratch = np.empty(4 * width, np.float32)
    first, board, scratch = np.empty(len(table), np.float32), scratch[:width], scratch[width:]
    copy_to(block(weights, layout, TABLE_BIAS)[0], first)
    read_board(view, 0, rules, weights, layout, scratch, board)
    add_product(board, block(weights, layout, OWN), first)
    add_numbers(view, 0, rules, expected, block(weights, layout, OWN_NUMBERS), first)
    read_others(view, rules, expected, weights, layout, scratch, boards, board)
    add_product(board, block(weights, layout, OTHERS), first)
    add(np.float32(1), block(weights, layout, HAND)[kind_of(rules, view[AT_HAND])], first)
    add(np.float32(1), block(weights, layout, DISCARD)[kind_of(rules, view[AT_DISCARD_TOP])], first)
    facts = np.zeros(layout[FACTS, INPUTS], np.float32)
    write_facts(view, rules, len(block(weights, layout, BOARD_PLACES)) + 1, mean, facts)
    add_product(facts, block(weights, layout, FACTS), first)
    relu(first)
    copy_to(block(weights, layout, TABLE_OUT)[0], table)
    add_product(first, block(weights, layout, TABLE), table)
    relu(table)


# Values


@scripted
def head(hidden, out, last):
    """Return the one number that a head makes of its hidden layer."""
    relu(hidden)
    return last[0, 0] + dot(hidden, out[0])


@scripted
def margin_of(expected, total, place, players):
    """Return the expected margin of a seat, in units of the reward."""
    return ((total - expected[place]) / (players - 1) - expected[place]) / POINTS


@scripted
def center(values, players):
    """Let the values of all seats add up to 0, as margins do."""
    mean = 0.0
    for place in range(players):
        mean += values[place] / players
    for place in range(players):
        values[place] -= mean


@scripted
def seat_values(view, rules, weights, layout, values):
    """Write the value of the round for every seat, the observer's first, then clockwise, in units of the reward."""
    players, width = rules.players, layout[TABLE, OUTPUTS]
    boards, expected = np.empty((players, layout[COLUMN, OUTPUTS]), np.float32), np.empty(players)
    table = np.empty(width, np.float32)
    read_table(view, rules, weights, layout, boards, expected, table)
    total = expected.sum()
    hidden = block(weights, layout, VALUE_BIAS)[0].copy()
    add_product(table, block(weights, layout, VALUE), hidden)
    beyond = head(hidden, block(weights, layout, VALUE_OUT), block(weights, layout, VALUE_LAST))
    values[0] = margin_of(expected, total, 0, players) + beyond
    if players == 2:
        values[1] = -values[0]
        return
    of_table = block(weights, layout, RIVAL_BIAS)[0].copy()
    add_product(table, block(weights, layout, RIVAL_TABLE), of_table)
    for place in range(1, players):
        rival = of_table.copy()
        add_product(boards[place], block(weights, layout, RIVAL_BOARD), rival)
        beyond = head(rival, block(weights, layout, RIVAL_OUT), block(weights, layout, RIVAL_LAST))
        values[place] = margin_of(expected, total, place, players) + beyond
    center(values, players)


# Logits


@scripted
def write_gains(view, column, row, rules, card, mean, gains):
    """Write the gains of a card in an own cell, as in `TableNetwork._gains`."""
    at = AT_CELLS + column * rules.rows
    worths, beside, worth = 0.0, 0, 0.0
    for other in range(rules.rows):
        shown = view[at + other]
        here = mean if shown == HIDDEN else 0.0 if shown == EMPTY else np.float64(shown)
        worths += here
        if other == row:
            worth = here
        else:
            beside += shown == card
    points = (worth - card) / SPREAD
    gains[0], gains[1], gains[2] = points, max(points, 0.0), beside
    gains[3] = worths / SPREAD if beside == rules.rows - 1 else 0.0


@scripted
def write_logits(view, rules, weights, layout, logits):
    """Write the logits of all actions, legal or not."""
    width = layout[COLUMN, OUTPUTS]
    boards, expected = np.empty((rules.players, width), np.float32), np.empty(rules.players)
    table, scratch = np.empty(layout[TABLE, OUTPUTS], np.float32), np.empty(width, np.float32)
    read_table(view, rules, weights, layout, boards, expected, table)
    around_all = block(weights, layout, CELL_BIAS)[0].copy()
    add_product(table, block(weights, layout, CELL_TABLE), around_all)
    card = view[AT_HAND] if view[AT_HAND] < HIDDEN else view[AT_DISCARD_TOP]
    card = np.int64(card) if card < HIDDEN else USUAL_CARD
    mean, gains = mean_of_pool(view, rules), np.empty(4, np.float32)
    out, last = block(weights, layout, CELL_OUT), block(weights, layout, CELL_LAST)
    column_features, around = np.empty(width, np.float32), np.empty(width, np.float32)
    for column in range(rules.columns):
        at = AT_CELLS + column * rules.rows
        read_column(view, at, rules, weights, layout, scratch, column_features)
        copy_to(around_all, around)
        add_product(column_features, block(weights, layout, CELL_COLUMN), around)
        for row in range(rules.rows):
            copy_to(around, scratch)
            add(np.float32(1), block(weights, layout, CELL_CARDS)[kind_of(rules, view[at + row])], scratch)
            write_gains(view, column, row, rules, card, mean, gains)
            add_product(gains, block(weights, layout, CELL_GAINS), scratch)
            relu(scratch)
            cell = column * rules.rows + row
            logits[FIRST_PLACE + cell] = last[0, 0] + dot(scratch, out[0])
            logits[rules.first_flip + cell] = last[0, 1] + dot(scratch, out[1])
    others, bias = block(weights, layout, CHOICES), block(weights, layout, CHOICES_BIAS)[0]
    for choice in range(len(bias)):
        action = choice if choice < FIRST_PLACE else rules.first_flip + rules.cells + choice - FIRST_PLACE
        logits[action] = bias[choice] + dot(table, others[choice])
