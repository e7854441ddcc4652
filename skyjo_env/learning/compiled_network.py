"""Skyjo's network with its gradients written by hand: what `skyjo_agents.network` computes, for batches.

It shares that network's weights. A batch has most columns many times, so each different one is read once. Cells are
rated only where a card may be placed or turned up.
"""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from cardtable.table.compiling.compiler import compiler_of
from skyjo_agents import network_play
from skyjo_agents.network import TableNetwork
from skyjo_agents.network_play import (
    USUAL_CARD,
    add_facts,
    add_numbers,
    expect_sums,
    kind_of,
    margin_of,
    mean_of_pool,
    write_gains,
)
from skyjo_agents.network_shapes import BOARD_NUMBERS, COUNTS, GAINS, facts_of
from skyjo_env import kernel
from skyjo_env.kernel.state import FIRST_PLACE, HIDDEN
from skyjo_env.kernel.view import AT_CELLS, AT_DISCARD_TOP, AT_HAND
from skyjo_training.compiled import layers
from skyjo_training.compiled.layers import Arrays, Embedding, Floats, Linear
from skyjo_training.compiled.learning_network import LearningNetwork, TorchNetwork

compiled = compiler_of(__file__, network_play.__file__, layers.__file__, kernel.__file__, whole=True)
inlined = compiler_of(__file__, network_play.__file__, layers.__file__, kernel.__file__, inline=True)
NONE = -1  # a slot that is free
GOLDEN = np.uint64(0x9E3779B97F4A7C15)  # spreads keys over slots
SCALES = np.array([1, 1, 0.1, 1, 1], np.float32)  # of a column's counts, as in skyjo_agents.network
ZERO, ONE = np.float32(0), np.float32(1)


@compiled
def read_tables(observations, rules, seats, own, facts, table, boards, margins, cards):
    """Write what a table says in numbers into the inputs of its layer and of the other boards' layer; the expected
    margins; and the kinds of the cards in hand and on the discard pile.

    The numbers of a board begin at column `own`, those of the table at `facts`. A layer with the identity as weights
    adds its inputs as they are.
    """
    players, expected = rules.players, np.empty(rules.players)
    alone, about = np.eye(BOARD_NUMBERS, dtype=np.float32), np.eye(table.shape[1] - facts, dtype=np.float32)
    for n in range(len(observations)):
        view, mean, total = observations[n], mean_of_pool(observations[n], rules), 0.0
        expect_sums(view, rules, mean, expected)
        for place in range(players):
            total += expected[place]
        margins[n] = margin_of(expected, total, 0, players)
        cards[0, n], cards[1, n] = kind_of(rules, view[AT_HAND]), kind_of(rules, view[AT_DISCARD_TOP])
        add_numbers(view, 0, rules, expected, alone, table[n, own : own + BOARD_NUMBERS])
        add_facts(view, rules, seats, mean, about, table[n, facts:])
        for place in range(1, players):
            other = n * (players - 1) + place - 1
            add_numbers(view, place, rules, expected, alone, boards[other, own : own + BOARD_NUMBERS])
            boards[other, own + BOARD_NUMBERS + place - 1] = ONE


# Columns


@compiled
def find_columns(observations, rules, slots, columns, places):
    """Write the different columns, each as the kinds of its cards in order and how many are like the hand and like the
    discard, and which of them every column is; return how many there are. `slots` is a hash table without entries.
    """
    rows, count, column = rules.rows, 0, np.empty(rules.rows + 2, np.int64)
    shift = np.uint64(64) - np.uint64(np.log2(len(slots)))
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
                key = key * np.uint64(61) + np.uint64(column[k])
            slot = key * GOLDEN >> shift
            while slots[slot] != NONE and not is_same(columns, slots[slot], column):
                slot = slot + np.uint64(1) if slot + np.uint64(1) < np.uint64(len(slots)) else np.uint64(0)
            if slots[slot] == NONE:
                slots[slot] = count
                for k in range(rows + 2):
                    columns[count, k] = column[k]
                count += 1
            places[n, number] = slots[slot]
    return count


@inlined
def is_same(columns, at, column):
    """Is the column at this place the same?"""
    same = True
    for k in range(len(column)):
        same = same and columns[at, k] == column[k]
    return same


@compiled
def write_columns(columns, rules, cards, inputs):
    """Write the inputs of the columns' first layer: the sum of the cells, and the counts."""
    cell, rows = cards.shape[1], rules.rows
    for n in range(len(columns)):
        for row in range(rows):
            kind = columns[n, row]
            for k in range(cell):
                inputs[n, k] += cards[kind, k]
            if kind < rules.values:
                inputs[n, cell + 2] += SCALES[2] * np.float32(kind + rules.low)
            else:
                inputs[n, cell + kind - rules.values] += ONE
        inputs[n, cell + 3], inputs[n, cell + 4] = columns[n, rows], columns[n, rows + 1]


@compiled
def write_columns_back(columns, rules, gradient, d_cards):
    """Add the gradient of the cells' sum to every card in it."""
    for n in range(len(columns)):
        for row in range(rules.rows):
            for k in range(d_cards.shape[1]):
                d_cards[columns[n, row], k] += gradient[n, k]


@compiled
def add_columns(features, places, rules, table, boards):
    """Add up the columns of every board: the own ones in the inputs of `table`, the others' in those of `boards`."""
    for n in range(len(places)):
        for number in range(places.shape[1]):
            at, place = places[n, number], number // rules.columns
            for k in range(features.shape[1]):
                if place == 0:
                    table[n, k] += features[at, k]
                else:
                    boards[n * (rules.players - 1) + place - 1, k] += features[at, k]


@compiled
def add_columns_back(d_table, d_boards, places, rules, d_features):
    """Add the gradient of every board to its columns."""
    for n in range(len(places)):
        for number in range(places.shape[1]):
            at, place = places[n, number], number // rules.columns
            for k in range(d_features.shape[1]):
                if place == 0:
                    d_features[at, k] += d_table[n, k]
                else:
                    d_features[at, k] += d_boards[n * (rules.players - 1) + place - 1, k]


# Cells


@compiled
def find_cells(observations, masks, rules, places, cells, gains):
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
                cells[count, 2], cells[count, 3] = kind_of(rules, view[AT_CELLS + cell]), places[n, column]
                write_gains(view, column, cell % rules.rows, rules, card, mean, gains[count])
                count += 1
    return count


@compiled
def add_parts(cells, cards, columns, tables, hidden):
    """Add what the card, the column and the table say of a cell, and replace negative sums by 0."""
    width = np.uint64(hidden.shape[1])
    for at in range(np.uint64(len(cells))):
        n, kind, column = np.uint64(cells[at, 0]), np.uint64(cells[at, 2]), np.uint64(cells[at, 3])
        for k in range(width):
            hidden[at, k] = max(hidden[at, k] + cards[kind, k] + columns[column, k] + tables[n, k], ZERO)


@compiled
def add_parts_back(cells, hidden, gradient, d_cards, d_columns, d_tables):
    """Remove the gradient where a sum is 0, and add it to those of the card, the column and the table."""
    width = np.uint64(hidden.shape[1])
    for at in range(np.uint64(len(cells))):
        n, kind, column = np.uint64(cells[at, 0]), np.uint64(cells[at, 2]), np.uint64(cells[at, 3])
        for k in range(width):
            gradient[at, k] = gradient[at, k] if hidden[at, k] > ZERO else ZERO
        for k in range(width):
            d_cards[kind, k] += gradient[at, k]
        for k in range(width):
            d_columns[column, k] += gradient[at, k]
        for k in range(width):
            d_tables[n, k] += gradient[at, k]


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


class CompiledTableNetwork:
    """The forward and backward pass of a `TableNetwork` at tables of one size."""

    def __init__(self, network: TableNetwork, rules: Any, weights: Arrays, gradients: Arrays) -> None:
        self.rules, self.record, self.seats, self.widths = rules, rules.params[0], network.seats, network.widths

        def linear(name: str, relu: bool = False, learned: int | None = None) -> Linear:
            return Linear(weights, gradients, name, relu, learned)

        self.weights, self.gradients = weights, gradients
        column, cell = self.widths["column"], self.widths["cell"]
        self.at_others = column + BOARD_NUMBERS
        self.at_cards = self.at_others + column, self.at_others + column + cell
        self.at_facts = self.at_others + column + 2 * cell
        self.columns = linear("columns.0", relu=True, learned=cell), linear("columns.2", relu=True)
        self.boards = linear("boards.0", relu=True, learned=column)
        self.table = linear("table.0", relu=True, learned=self.at_facts), linear("table.2", relu=True)
        self.cards = tuple(Embedding(weights, gradients, name) for name in ("in_hand", "on_discard"))
        self.of_column, self.of_table = linear("cell_of_column"), linear("cell_of_table")
        self.of_gains, self.cell_logits = linear("cell_of_gains", learned=0), linear("cell_logits")
        self.other_logits = linear("other_logits")
        self.beyond = linear("beyond.0", relu=True), linear("beyond.2")

    def forward(self, observations: NDArray[np.int16], masks: NDArray[np.int8]) -> tuple[Floats, Floats]:
        """The logits [N, A], those of illegal actions without meaning, and the values [N]."""
        n, rules, column = len(observations), self.record, self.widths["column"]
        inputs = np.zeros((n, self.at_facts + facts_of(self.rules, self.seats)), np.float32)
        boards = np.zeros((n * (self.rules.players - 1), self.at_others + self.seats - 1), np.float32)
        values, cards = np.empty(n, np.float32), np.empty((2, n), np.int64)
        read_tables(observations, rules, self.seats, column, self.at_facts, inputs, boards, values, cards)
        features = self._read_columns(observations)
        add_columns(features, self.places, rules, inputs, boards)
        others = self.boards.forward(boards).reshape(n, -1, column)
        inputs[:, self.at_others : self.at_others + column] = others.mean(1)
        for embedding, kinds, at in zip(self.cards, cards, self.at_cards, strict=True):
            embedding.forward(kinds, inputs, at)
        table = self.table[1].forward(self.table[0].forward(inputs))
        values += self.beyond[1].forward(self.beyond[0].forward(table))[:, 0]
        return self._rate(observations, masks, features, table), values

    def _read_columns(self, observations: NDArray[np.int16]) -> Floats:
        n, rules = len(observations), self.rules
        count = n * rules.players * rules.columns
        columns, self.places = np.empty((count, rules.rows + 2), np.int64), np.empty((n, count // n), np.int64)
        slots = np.full(2 ** int(2 * count).bit_length(), NONE)
        self.distinct = columns[: find_columns(observations, self.record, slots, columns, self.places)]
        inputs = np.zeros((len(self.distinct), self.widths["cell"] + COUNTS), np.float32)
        write_columns(self.distinct, self.record, self.weights["in_cell.weight"], inputs)
        return self.columns[1].forward(self.columns[0].forward(inputs))

    def _rate(self, observations: Any, masks: Any, features: Floats, table: Floats) -> Floats:
        """The logits of all actions, those of cells where they are legal."""
        n, rules = len(table), self.record
        cells, gains = np.empty((n * rules.cells, 4), np.int64), np.empty((n * rules.cells, GAINS), np.float32)
        count = find_cells(observations, masks, rules, self.places, cells, gains)
        self.cells, self.hidden = cells[:count], self.of_gains.forward(gains[:count])
        parts = self.weights["cell_of_cell.weight"], self.of_column.forward(features), self.of_table.forward(table)
        add_parts(self.cells, *parts, self.hidden)
        pairs, choices = self.cell_logits.forward(self.hidden), self.other_logits.forward(table)
        logits = np.empty((n, self.rules.actions), np.float32)
        write_logits(self.cells, rules, pairs, choices, logits)
        return logits

    def backward(self, d_logits: Floats, d_values: Floats) -> None:
        """Write the gradients of all weights from those of legal logits and of the values."""
        column = self.widths["column"]
        d_columns, d_tables, d_choices = self._rate_back(d_logits)
        d_table = self.other_logits.backward(d_choices)
        d_table += self.beyond[0].backward(self.beyond[1].backward(d_values[:, None]))
        d_table += self.of_table.backward(d_tables)
        d_features = self.of_column.backward(d_columns)
        d_inputs = self.table[0].backward(self.table[1].backward(d_table))
        for embedding in self.cards:
            embedding.backward(d_inputs)
        shared = d_inputs[:, self.at_others : self.at_others + column] / (self.rules.players - 1)
        d_boards = self.boards.backward(np.repeat(shared, self.rules.players - 1, axis=0))
        add_columns_back(d_inputs, d_boards, self.places, self.record, d_features)
        d_cells = self.columns[0].backward(self.columns[1].backward(d_features))
        d_cards = self.gradients["in_cell.weight"]
        d_cards[:] = 0
        write_columns_back(self.distinct, self.record, d_cells, d_cards)

    def _rate_back(self, d_logits: Floats) -> tuple[Floats, Floats, Floats]:
        """Write the gradients of the cells' own weights; return those of columns, tables and other logits."""
        n, d_cards = len(d_logits), self.gradients["cell_of_cell.weight"]
        d_pairs = np.empty((len(self.cells), 2), np.float32)
        d_choices = np.empty((n, len(self.other_logits.bias)), np.float32)
        write_logits_back(self.cells, self.record, d_logits, d_pairs, d_choices)
        d_hidden = self.cell_logits.backward(d_pairs)
        d_columns, d_tables = (np.zeros((size, d_hidden.shape[1]), np.float32) for size in (len(self.distinct), n))
        d_cards[:] = 0
        add_parts_back(self.cells, self.hidden, d_hidden, d_cards, d_columns, d_tables)
        self.of_gains.backward(d_hidden)
        return d_columns, d_tables, d_choices


def learning_network(network: TableNetwork, rules: Any, weights: Arrays, gradients: Arrays) -> LearningNetwork:
    """How self-play learns with a network: by torch if it has a value network, else in compiled code."""
    kind = CompiledTableNetwork if network.value_network is None else TorchNetwork
    return kind(network, rules, weights, gradients)
