"""Skyjo's network with its gradients written by hand: what `skyjo_agents.network` computes, for batches.

It shares that network's weights. A batch has most columns many times, so each different one is read once. Cells are
rated only where a card may be placed or turned up.
"""

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from cardtable.table.compiling.compiler import compiler_of
from skyjo_agents import network_play
from skyjo_agents.network import TableNetwork
from skyjo_agents.network_play import (
    USUAL_CARD,
    expect_sums,
    kind_of,
    margin_of,
    mean_of_pool,
    write_facts,
    write_gains,
    write_numbers,
)
from skyjo_agents.network_shapes import BOARD_NUMBERS, GAINS
from skyjo_env import kernel
from skyjo_env.kernel.state import FIRST_PLACE, HIDDEN
from skyjo_env.kernel.view import AT_CELLS, AT_DISCARD_TOP, AT_HAND
from skyjo_training.compiled import layers, losses
from skyjo_training.compiled.layers import Floats, gather, linear, linear_back, scatter, weight_of
from skyjo_training.compiled.learning_network import FlatWeights, LearningNetwork, TorchNetwork

compiled = compiler_of(__file__, network_play.__file__, layers.__file__, kernel.__file__, whole=True)
NONE = -1  # a slot that is free
BITS = np.uint64(6)  # of a number in a key: all are below 64, and a key has at most 6
GOLDEN = np.uint64(0x9E3779B97F4A7C15)  # spreads keys over slots
SCALES = np.array([1, 1, 0.1, 1, 1], np.float32)  # of a column's counts, as in skyjo_agents.network
ZERO, ONE = np.float32(0), np.float32(1)

LAYERS = (
    *("in_cell", "in_hand", "on_discard", "columns.0", "columns.2", "boards.0", "table.0", "table.2"),
    *("cell_of_cell", "cell_of_column", "cell_of_gains", "cell_of_table", "cell_logits", "other_logits"),
    *("beyond.0", "beyond.2"),
)
IN_CELL, IN_HAND, ON_DISCARD, COLUMNS_0, COLUMNS_2, BOARDS, TABLE_0, TABLE_2 = range(8)
OF_CELL, OF_COLUMN, OF_GAINS, OF_TABLE, CELL_LOGITS, OTHER_LOGITS, BEYOND_0, BEYOND_2 = range(8, 16)


class Network(NamedTuple):
    """The weights, where each layer is in them, room for their gradients, and the rules of the tables."""

    rules: NDArray[Any]  # [1]
    seats: int
    layout: NDArray[np.int64]  # [LAYERS, 3]
    weights: Floats
    gradients: Floats


class Columns(NamedTuple):
    """The different columns of a batch, and their features."""

    places: NDArray[np.int64]  # [N, P x columns] which of them every column is
    kinds: NDArray[np.int64]  # [columns, rows + 2] as `find_columns` writes them
    inputs: Floats
    hidden: Floats
    features: Floats


class Cells(NamedTuple):
    """The cells that are rated."""

    places: NDArray[np.int64]  # [cells, 4] as `find_cells` writes them
    gains: Floats
    hidden: Floats


class Batch(NamedTuple):
    """Results of a forward pass, for the backward pass; columns and cells are separate named tuples."""

    cards: NDArray[np.int64]  # [2, N] in hand and on the discard pile
    board_inputs: Floats
    boards: Floats
    inputs: Floats
    hidden: Floats
    table: Floats
    beyond: Floats


@compiled
def read_tables(observations, rules, seats, own, facts, table, boards, margins, cards):
    """Write what a table says in numbers into the inputs of its layer and of the other boards' layer; the expected
    margins; and the kinds of the cards in hand and on the discard pile.

    The numbers of a board begin at column `own`, those of the table at `facts`.
    """
    players, expected = rules.players, np.empty(rules.players)
    for n in range(len(observations)):
        view, mean, total = observations[n], mean_of_pool(observations[n], rules), 0.0
        expect_sums(view, rules, mean, expected)
        for place in range(players):
            total += expected[place]
        margins[n] = margin_of(expected, total, 0, players)
        cards[0, n], cards[1, n] = kind_of(rules, view[AT_HAND]), kind_of(rules, view[AT_DISCARD_TOP])
        write_numbers(view, 0, rules, expected, table[n, own:])
        write_facts(view, rules, seats, mean, table[n, facts:])
        for place in range(1, players):
            other = n * (players - 1) + place - 1
            write_numbers(view, place, rules, expected, boards[other, own:])
            boards[other, own + BOARD_NUMBERS + place - 1] = ONE


# Columns


@compiled
def find_columns(observations, rules, columns, places):
    """Write the different columns, each as the kinds of its cards in order and how many are like the hand and like the
    discard, and which of them every column is; return how many there are.
    """
    rows, count, column = rules.rows, 0, np.empty(rules.rows + 2, np.int64)
    bits = np.uint64(np.log2(len(columns) + 1)) + np.uint64(2)
    slots, keys = np.full(1 << bits, NONE), np.empty(len(columns), np.uint64)  # a hash table, and the key of each entry
    for n in range(len(observations)):
        hand, discard = observations[n, AT_HAND], observations[n, AT_DISCARD_TOP]
        for number in range(places.shape[1]):
            column[rows], column[rows + 1], key = 0, 0, np.uint64(0)
            for row in range(rows):
                card = observations[n, AT_CELLS + number * rows + row]
                column[rows] += card == hand
                column[rows + 1] += card == discard
                at, kind = row, kind_of(rules, card)
                while at > 0 and column[at - 1] > kind:
                    column[at] = column[at - 1]
                    at -= 1
                column[at] = kind
            for k in range(rows + 2):
                key = key << BITS | np.uint64(column[k])
            slot = key * GOLDEN >> np.uint64(64) - bits
            while slots[slot] != NONE and keys[slots[slot]] != key:
                slot = slot + np.uint64(1) & np.uint64(len(slots) - 1)
            if slots[slot] == NONE:
                slots[slot], keys[count] = count, key
                for k in range(rows + 2):
                    columns[count, k] = column[k]
                count += 1
            places[n, number] = slots[slot]
    return count


@compiled
def read_columns(observations, network):
    """Return the different columns with their features."""
    rules, layout, weights = network.rules[0], network.layout, network.weights
    places = np.empty((len(observations), rules.players * rules.columns), np.int64)
    kinds = np.empty((places.size, rules.rows + 2), np.int64)
    kinds = kinds[: find_columns(observations, rules, kinds, places)]
    cards, inputs = weight_of(weights, layout[IN_CELL]), np.zeros((len(kinds), layout[COLUMNS_0, 2]), np.float32)
    cell = cards.shape[1]
    for n in range(len(kinds)):
        for row in range(rules.rows):
            kind = kinds[n, row]
            for k in range(np.uint64(cell)):
                inputs[n, k] += cards[kind, k]
            if kind < rules.values:
                inputs[n, cell + 2] += SCALES[2] * np.float32(kind + rules.low)
            else:
                inputs[n, cell + kind - rules.values] += ONE
        inputs[n, cell + 3], inputs[n, cell + 4] = kinds[n, rules.rows], kinds[n, rules.rows + 1]
    hidden = linear(weights, layout[COLUMNS_0], inputs, True)
    return Columns(places, kinds, inputs, hidden, linear(weights, layout[COLUMNS_2], hidden, True))


@compiled
def columns_back(columns, network, d_features):
    """Write the gradients of what `read_columns` reads from that of the features."""
    layout, weights, gradients = network.layout, network.weights, network.gradients
    inputs, hidden, features = columns.inputs, columns.hidden, columns.features
    width = features.shape[1]
    d_hidden = linear_back(weights, gradients, layout[COLUMNS_2], hidden, features, d_features, True, width)
    d_cards = weight_of(gradients, layout[IN_CELL])
    d_cards[:] = ZERO
    cell = np.uint64(d_cards.shape[1])
    d_inputs = linear_back(weights, gradients, layout[COLUMNS_0], inputs, hidden, d_hidden, True, d_cards.shape[1])
    for n in range(np.uint64(len(d_inputs))):
        for row in range(network.rules[0].rows):
            kind = np.uint64(columns.kinds[n, row])
            for k in range(cell):
                d_cards[kind, k] += d_inputs[n, k]


@compiled
def add_columns(features, places, rules, table, boards):
    """Add up the columns of every board: the own ones in the inputs of `table`, the others' in those of `boards`."""
    width, others = np.uint64(features.shape[1]), rules.players - 1
    for n in range(len(places)):
        for number in range(places.shape[1]):
            at, place = np.uint64(places[n, number]), number // rules.columns
            sums, row = (table, np.uint64(n)) if place == 0 else (boards, np.uint64(n * others + place - 1))
            for k in range(width):
                sums[row, k] += features[at, k]


@compiled
def add_columns_back(d_table, d_boards, places, rules, d_features):
    """Add the gradient of every board to its columns."""
    width, others = np.uint64(d_features.shape[1]), rules.players - 1
    for n in range(len(places)):
        for number in range(places.shape[1]):
            at, place = np.uint64(places[n, number]), number // rules.columns
            sums, row = (d_table, np.uint64(n)) if place == 0 else (d_boards, np.uint64(n * others + place - 1))
            for k in range(width):
                d_features[at, k] += sums[row, k]


# Cells


@compiled
def find_cells(observations, masks, rules, columns, cells, gains):
    """Write the cells where a card may be placed, or the card there be turned up: the row and the cell, the kind of
    that card, and which column it lies in; and what a card would gain there. Return how many there are.
    """
    count = 0
    for n in range(len(observations)):
        view, mean = observations[n], mean_of_pool(observations[n], rules)
        card = view[AT_HAND] if view[AT_HAND] < HIDDEN else view[AT_DISCARD_TOP]
        card = np.int64(card) if card < HIDDEN else USUAL_CARD
        for cell in range(rules.cells):
            if masks[n, FIRST_PLACE + cell] or masks[n, rules.first_flip + cell]:
                column = cell // rules.rows
                cells[count, 0], cells[count, 1] = n, cell
                cells[count, 2], cells[count, 3] = kind_of(rules, view[AT_CELLS + cell]), columns[n, column]
                write_gains(view, column, cell % rules.rows, rules, card, mean, gains[count])
                count += 1
    return count


@compiled
def read_cells(observations, masks, network, columns, table):
    """Return the cells that are rated, with their hidden layer, from gains, card, column and table."""
    rules, layout, weights = network.rules[0], network.layout, network.weights
    places = np.empty((len(observations) * rules.cells, 4), np.int64)
    gains = np.empty((len(places), GAINS), np.float32)
    count = find_cells(observations, masks, rules, columns.places, places, gains)
    places, gains = places[:count], gains[:count]
    hidden, cards = linear(weights, layout[OF_GAINS], gains, False), weight_of(weights, layout[OF_CELL])
    of_columns = linear(weights, layout[OF_COLUMN], columns.features, False)
    of_tables = linear(weights, layout[OF_TABLE], table, False)
    width = np.uint64(hidden.shape[1])
    for at in range(np.uint64(count)):
        n, kind, column = np.uint64(places[at, 0]), np.uint64(places[at, 2]), np.uint64(places[at, 3])
        for k in range(width):
            hidden[at, k] = max(hidden[at, k] + cards[kind, k] + of_columns[column, k] + of_tables[n, k], ZERO)
    return Cells(places, gains, hidden)


@compiled
def cells_back(cells, network, columns, table, d_hidden):
    """Write the gradients of what `read_cells` reads; return those of the columns and of the table."""
    layout, weights, gradients = network.layout, network.weights, network.gradients
    d_columns = np.zeros((len(columns.features), d_hidden.shape[1]), np.float32)
    d_tables = np.zeros((len(table), d_hidden.shape[1]), np.float32)
    d_cards = weight_of(gradients, layout[OF_CELL])
    d_cards[:] = ZERO
    width = np.uint64(d_hidden.shape[1])
    for at in range(np.uint64(len(d_hidden))):
        n, kind = np.uint64(cells.places[at, 0]), np.uint64(cells.places[at, 2])
        column = np.uint64(cells.places[at, 3])
        for k in range(width):
            d_hidden[at, k] = d_hidden[at, k] if cells.hidden[at, k] > ZERO else ZERO
        for k in range(width):
            d_cards[kind, k] += d_hidden[at, k]
        for k in range(width):
            d_columns[column, k] += d_hidden[at, k]
        for k in range(width):
            d_tables[n, k] += d_hidden[at, k]
    features, wide = columns.features, columns.features.shape[1]
    linear_back(weights, gradients, layout[OF_GAINS], cells.gains, cells.hidden, d_hidden, False, 0)
    d_features = linear_back(weights, gradients, layout[OF_COLUMN], features, d_columns, d_columns, False, wide)
    return d_features, linear_back(
        weights, gradients, layout[OF_TABLE], table, d_tables, d_tables, False, table.shape[1]
    )


@compiled
def write_logits(cells, rules, pairs, choices, logits):
    """Write the logits of all actions: by cell those of placing and of turning up, then the others'."""
    for at in range(len(cells)):
        n, cell = cells[at, 0], cells[at, 1]
        logits[n, FIRST_PLACE + cell], logits[n, rules.first_flip + cell] = pairs[at, 0], pairs[at, 1]
    for n in range(len(choices)):
        for choice in range(choices.shape[1]):
            logits[n, choice + (2 * rules.cells if choice >= FIRST_PLACE else 0)] = choices[n, choice]


@compiled
def write_logits_back(cells, rules, d_logits, d_pairs, d_choices):
    """Write the gradients of what `write_logits` reads."""
    for at in range(len(cells)):
        n, cell = cells[at, 0], cells[at, 1]
        d_pairs[at, 0], d_pairs[at, 1] = d_logits[n, FIRST_PLACE + cell], d_logits[n, rules.first_flip + cell]
    for n in range(len(d_choices)):
        for choice in range(d_choices.shape[1]):
            d_choices[n, choice] = d_logits[n, choice + (2 * rules.cells if choice >= FIRST_PLACE else 0)]


# The network


@compiled
def forward(network, observations, masks):
    """Return the logits, the values, and the batch for the backward pass."""
    rules, layout, weights = network.rules[0], network.layout, network.weights
    n, players, column, cell = len(observations), rules.players, layout[COLUMNS_2, 1], layout[IN_CELL, 2]
    at_others = column + BOARD_NUMBERS
    at_hand, at_discard, at_facts = at_others + column, at_others + column + cell, at_others + column + 2 * cell
    inputs = np.zeros((n, layout[TABLE_0, 2]), np.float32)
    board_inputs = np.zeros((n * (players - 1), layout[BOARDS, 2]), np.float32)
    values, cards = np.empty(n, np.float32), np.empty((2, n), np.int64)
    read_tables(observations, rules, network.seats, column, at_facts, inputs, board_inputs, values, cards)
    columns = read_columns(observations, network)
    add_columns(columns.features, columns.places, rules, inputs, board_inputs)
    boards = linear(weights, layout[BOARDS], board_inputs, True)
    for other in range(len(boards)):
        for k in range(column):
            inputs[other // (players - 1), at_others + k] += boards[other, k] / np.float32(players - 1)
    gather(weight_of(weights, layout[IN_HAND]), cards[0], inputs, at_hand)
    gather(weight_of(weights, layout[ON_DISCARD]), cards[1], inputs, at_discard)
    hidden = linear(weights, layout[TABLE_0], inputs, True)
    table = linear(weights, layout[TABLE_2], hidden, True)
    beyond = linear(weights, layout[BEYOND_0], table, True)
    values += linear(weights, layout[BEYOND_2], beyond, False)[:, 0]
    cells = read_cells(observations, masks, network, columns, table)
    pairs = linear(weights, layout[CELL_LOGITS], cells.hidden, False)
    choices = linear(weights, layout[OTHER_LOGITS], table, False)
    logits = np.empty(masks.shape, np.float32)
    write_logits(cells.places, rules, pairs, choices, logits)
    return logits, values, Batch(cards, board_inputs, boards, inputs, hidden, table, beyond), columns, cells


@compiled
def backward(network, batch, columns, cells, d_logits, d_values):
    """Write the gradients of all weights."""
    rules, layout, weights, gradients = network.rules[0], network.layout, network.weights, network.gradients
    n, players, column, cell = len(batch.inputs), rules.players, layout[COLUMNS_2, 1], layout[IN_CELL, 2]
    at_others = column + BOARD_NUMBERS
    at_hand, at_discard, at_facts = at_others + column, at_others + column + cell, at_others + column + 2 * cell
    d_pairs = np.empty((len(cells.places), 2), np.float32)
    d_choices = np.empty((n, layout[OTHER_LOGITS, 1]), np.float32)
    write_logits_back(cells.places, rules, d_logits, d_pairs, d_choices)
    wide, table = batch.table.shape[1], batch.table
    d_cells = linear_back(weights, gradients, layout[CELL_LOGITS], cells.hidden, d_pairs, d_pairs, False, column)
    d_features, d_table = cells_back(cells, network, columns, table, d_cells)
    d_table += linear_back(weights, gradients, layout[OTHER_LOGITS], table, d_choices, d_choices, False, wide)
    d_out = d_values.reshape(n, 1)
    d_beyond = linear_back(weights, gradients, layout[BEYOND_2], batch.beyond, d_out, d_out, False, wide)
    d_table += linear_back(weights, gradients, layout[BEYOND_0], table, batch.beyond, d_beyond, True, wide)
    d_hidden = linear_back(weights, gradients, layout[TABLE_2], batch.hidden, table, d_table, True, wide)
    d_inputs = linear_back(weights, gradients, layout[TABLE_0], batch.inputs, batch.hidden, d_hidden, True, at_facts)
    scatter(d_inputs, at_hand, batch.cards[0], weight_of(gradients, layout[IN_HAND]))
    scatter(d_inputs, at_discard, batch.cards[1], weight_of(gradients, layout[ON_DISCARD]))
    d_boards = np.empty_like(batch.boards)
    for other in range(len(d_boards)):
        for k in range(column):
            d_boards[other, k] = d_inputs[other // (players - 1), at_others + k] / np.float32(players - 1)
    inputs, boards = batch.board_inputs, batch.boards
    d_sums = linear_back(weights, gradients, layout[BOARDS], inputs, boards, d_boards, True, column)
    add_columns_back(d_inputs, d_sums, columns.places, rules, d_features)
    columns_back(columns, network, d_features)


@compiled
def decide(network, observations, masks, luck, decisions):
    """Decide as `losses.decide` does, and note the values."""
    answers = forward(network, observations, masks)
    decisions.values[:] = answers[1]
    losses.decide(answers[0], masks, luck, decisions)


@compiled
def learn(network, observations, masks, rows, decisions, loss, parts):
    """Write the gradients of all weights, and add up the parts of the loss."""
    logits, values, batch, columns, cells = forward(network, observations, masks)
    losses.loss_back(logits, values, masks, rows, decisions, loss, parts)
    backward(network, batch, columns, cells, logits, values)


class CompiledTableNetwork:
    """The forward and backward pass of a `TableNetwork` at tables of one size."""

    def __init__(self, network: TableNetwork, rules: Any, weights: FlatWeights, gradients: Floats) -> None:
        layout = np.array([weights.places[f"{name}.weight"] for name in LAYERS])
        self.network = Network(rules.params, network.seats, layout, weights.values, gradients)

    def decide(self, *arrays: Any) -> None:
        """See `LearningNetwork`."""
        decide(self.network, *arrays)

    def learn(self, *batch: Any) -> NDArray[np.float64]:
        """See `LearningNetwork`."""
        parts = np.zeros(len(losses.LOSSES))
        learn(self.network, *batch, parts)
        return parts


def learning_network(network: TableNetwork, rules: Any, weights: FlatWeights, gradients: Floats) -> LearningNetwork:
    """Return the learning network of self-play: by torch if there is a value network, else in compiled code."""
    kind = CompiledTableNetwork if network.value_network is None else TorchNetwork
    return kind(network, rules, weights, gradients)
