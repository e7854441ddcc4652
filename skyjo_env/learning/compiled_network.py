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


@inlined
def is_rated(masks, n, cell, rules):
    """May a card be placed there, or the card there be turned up?"""
    return masks[n, FIRST_PLACE + cell] or masks[n, rules.first_flip + cell]


@compiled
def rate_cells(observations, masks, rules, places, cards, of_gains, columns, tables, out, bias, hidden, gains, logits):
    """Write the logits of placing a card on every cell and of turning it up, where one of them is legal.

    `columns` and `tables` say what the column and the table add to the hidden layer of a cell; that layer and the gains
    of the card are kept.
    """
    width, mean, gain = cards.shape[1], 0.0, np.empty(GAINS, np.float32)
    for n in range(len(observations)):
        view, mean = observations[n], mean_of_pool(observations[n], rules)
        card = view[AT_HAND] if view[AT_HAND] < HIDDEN else view[AT_DISCARD_TOP]
        card = np.int64(card) if card < HIDDEN else USUAL_CARD
        for cell in range(rules.cells):
            if not is_rated(masks, n, cell, rules):
                continue
            at, column, kind = n * rules.cells + cell, cell // rules.rows, kind_of(rules, view[AT_CELLS + cell])
            write_gains(view, column, cell % rules.rows, rules, card, mean, gain)
            for k in range(GAINS):
                gains[at, k] = gain[k]
            place, flip = bias[0], bias[1]
            for k in range(width):
                hidden[at, k] = cards[kind, k] + columns[places[n, column], k] + tables[n, k]
            for k in range(width):
                hidden[at, k] += gain[0] * of_gains[k, 0] + gain[1] * of_gains[k, 1]
                hidden[at, k] += gain[2] * of_gains[k, 2] + gain[3] * of_gains[k, 3]
            for k in range(width):
                hidden[at, k] = max(hidden[at, k], ZERO)
                place += hidden[at, k] * out[0, k]
                flip += hidden[at, k] * out[1, k]
            logits[n, FIRST_PLACE + cell], logits[n, rules.first_flip + cell] = place, flip


@compiled
def rate_cells_back(
    observations,
    masks,
    rules,
    places,
    out,
    hidden,
    gains,
    d_logits,
    d_cards,
    d_gains,
    d_columns,
    d_tables,
    d_out,
    d_bias,
):
    """Add the gradients of all that `rate_cells` reads; `hidden` is overwritten."""
    width = out.shape[1]
    for n in range(len(observations)):
        for cell in range(rules.cells):
            if not is_rated(masks, n, cell, rules):
                continue
            at, column = n * rules.cells + cell, places[n, cell // rules.rows]
            kind = kind_of(rules, observations[n, AT_CELLS + cell])
            place, flip = d_logits[n, FIRST_PLACE + cell], d_logits[n, rules.first_flip + cell]
            d_bias[0] += place
            d_bias[1] += flip
            for k in range(width):
                d_out[0, k] += place * hidden[at, k]
                d_out[1, k] += flip * hidden[at, k]
            for k in range(width):
                hidden[at, k] = place * out[0, k] + flip * out[1, k] if hidden[at, k] > ZERO else ZERO
            for k in range(width):
                d_cards[kind, k] += hidden[at, k]
                d_columns[column, k] += hidden[at, k]
                d_tables[n, k] += hidden[at, k]
            for gain in range(GAINS):
                for k in range(width):
                    d_gains[gain, k] += gains[at, gain] * hidden[at, k]


class CompiledTableNetwork:
    """The forward and backward pass of a `TableNetwork` at tables of one size."""

    def __init__(self, network: TableNetwork, rules: Any, weights: Arrays, gradients: Arrays) -> None:
        self.rules, self.record, self.seats, self.widths = rules, rules.params[0], network.seats, network.widths

        def linear(name: str, relu: bool = False) -> Linear:
            return Linear(weights, gradients, name, relu)

        self.weights, self.gradients = weights, gradients
        self.columns = linear("columns.0", relu=True), linear("columns.2", relu=True)
        self.boards = linear("boards.0", relu=True)
        self.table = linear("table.0", relu=True), linear("table.2", relu=True)
        self.cards = tuple(Embedding(weights, gradients, name) for name in ("in_hand", "on_discard"))
        self.of_column, self.of_table = linear("cell_of_column"), linear("cell_of_table")
        self.other_logits = linear("other_logits")
        self.beyond = linear("beyond.0", relu=True), linear("beyond.2")
        column, cell = self.widths["column"], self.widths["cell"]
        self.at_others = column + BOARD_NUMBERS
        self.at_cards = self.at_others + column, self.at_others + column + cell
        self.at_facts = self.at_others + column + 2 * cell

    def forward(self, observations: NDArray[np.int16], masks: NDArray[np.int8]) -> tuple[Floats, Floats]:
        """The logits [N, A], those of illegal actions without meaning, and the values [N]."""
        n, rules, column = len(observations), self.record, self.widths["column"]
        self.observations, self.masks = observations, masks
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
        return self._rate(features, table), values

    def _read_columns(self, observations: NDArray[np.int16]) -> Floats:
        n, rules = len(observations), self.rules
        count = n * rules.players * rules.columns
        columns, self.places = np.empty((count, rules.rows + 2), np.int64), np.empty((n, count // n), np.int64)
        slots = np.full(2 ** int(2 * count).bit_length(), NONE)
        self.found = columns[: find_columns(observations, self.record, slots, columns, self.places)]
        inputs = np.zeros((len(self.found), self.widths["cell"] + COUNTS), np.float32)
        write_columns(self.found, self.record, self.weights["in_cell.weight"], inputs)
        return self.columns[1].forward(self.columns[0].forward(inputs))

    def _rate(self, features: Floats, table: Floats) -> Floats:
        """The logits of all actions."""
        n, rules, weights = len(table), self.rules, self.weights
        choices, logits = self.other_logits.forward(table), np.empty((n, rules.actions), np.float32)
        logits[:, :FIRST_PLACE] = choices[:, :FIRST_PLACE]
        logits[:, FIRST_PLACE + 2 * rules.cells :] = choices[:, FIRST_PLACE:]
        self.hidden = np.empty((n * rules.cells, features.shape[1]), np.float32)
        self.gains = np.empty((n * rules.cells, GAINS), np.float32)
        added = self.of_column.forward(features), self.of_table.forward(table) + weights["cell_of_gains.bias"]
        out = weights["cell_logits.weight"], weights["cell_logits.bias"]
        of_cell = weights["cell_of_cell.weight"], weights["cell_of_gains.weight"]
        seen = self.observations, self.masks, self.record, self.places
        rate_cells(*seen, *of_cell, *added, *out, self.hidden, self.gains, logits)
        return logits

    def backward(self, d_logits: Floats, d_values: Floats) -> None:
        """Write the gradients of all weights from those of legal logits and of the values."""
        column = self.widths["column"]
        others = slice(FIRST_PLACE, FIRST_PLACE + 2 * self.rules.cells)
        d_table = self.other_logits.backward(np.delete(d_logits, others, axis=1))
        d_table += self.beyond[0].backward(self.beyond[1].backward(d_values[:, None]))
        d_columns, d_tables = self._rate_back(d_logits)
        d_table += self.of_table.backward(d_tables)
        self.gradients["cell_of_gains.bias"][:] = self.of_table.d_bias
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
        write_columns_back(self.found, self.record, d_cells, d_cards)

    def _rate_back(self, d_logits: Floats) -> tuple[Floats, Floats]:
        """Write the gradients of the cells' own weights; return those of what columns and tables add."""
        out, width = self.weights["cell_logits.weight"], self.hidden.shape[1]
        d_columns, d_tables = (
            np.zeros((len(self.found), width), np.float32),
            np.zeros((len(d_logits), width), np.float32),
        )
        d_gains = np.zeros((GAINS, width), np.float32)
        own = [self.gradients[name] for name in ("cell_of_cell.weight", "cell_logits.weight", "cell_logits.bias")]
        for gradient in own:
            gradient[:] = 0
        seen = self.observations, self.masks, self.record, self.places, out, self.hidden, self.gains, d_logits
        rate_cells_back(*seen, own[0], d_gains, d_columns, d_tables, *own[1:])
        self.gradients["cell_of_gains.weight"][:] = d_gains.T
        return d_columns, d_tables


def learning_network(network: TableNetwork, rules: Any, weights: Arrays, gradients: Arrays) -> LearningNetwork:
    """How self-play learns with a network: by torch if it has a value network, else in compiled code."""
    kind = CompiledTableNetwork if network.value_network is None else TorchNetwork
    return kind(network, rules, weights, gradients)
