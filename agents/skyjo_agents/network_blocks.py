"""A network's weights as compiled code reads them: all in one array, block by block, with embeddings multiplied out.

Every block is a matrix from inputs to outputs, or from outputs to inputs where there are few outputs. `pack` makes the
array from the weights of `skyjo_agents.network` by their names, and needs no torch.
"""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from cardtable.table.agents.policies.model_card import Weights
from skyjo_env.rules import Rules

# The blocks, in their order. Of a column: its cards, of which each adds a row; how many are like the card in hand and
# like the discard; then the second layer.
CARDS, ALIKE, COLUMN_BIAS, COLUMN, COLUMN_OUT = range(5)
# Of another board: its columns, its numbers, its place at the table
BOARD, BOARD_NUMBERS, BOARD_PLACES, BOARD_BIAS = range(5, 9)
# Of the table: the own board, the others', and what lies between them
OWN, OWN_NUMBERS, OTHERS, HAND, DISCARD, FACTS, TABLE_BIAS, TABLE, TABLE_OUT = range(9, 18)
# What the values have beyond the expected margin: the own one, and those of the others
VALUE, VALUE_BIAS, VALUE_OUT, VALUE_LAST = range(18, 22)
RIVAL_BOARD, RIVAL_TABLE, RIVAL_BIAS, RIVAL_OUT, RIVAL_LAST = range(22, 27)
# The logits: of a cell from its card, its column, what a card gains there and the table; then those of the table alone
CELL_CARDS, CELL_COLUMN, CELL_GAINS, CELL_TABLE, CELL_BIAS, CELL_OUT, CELL_LAST, CHOICES, CHOICES_BIAS = range(27, 36)
# Columns of three cells, worked out in advance: by their cards, and by how many equal the hand and the discard
# (skyjo_agents.network_play.work_out_columns)
COLUMNS = 36
BLOCKS = 37
FIRST, INPUTS, OUTPUTS = range(3)  # where a block begins, and its size
BYTES = 4  # of a number

# Columns of this many cells, of at most this many kinds, with at most this many features, are worked out in advance
TABLED_ROWS, TABLED_KINDS, TABLED_WIDTH = 3, 20, 256
LIKENESSES = 16  # how many cells are like the hand and like the discard: from 0 to 3 each
COUNT_SCALE = 0.1  # of a column's sum, as the network takes it


def pack(rules: Rules, weights: Weights) -> tuple[NDArray[np.float32], NDArray[np.int64]]:
    """Return all blocks in one array, and the place of each in bytes, [BLOCKS, 3]; the columns are still zeros."""
    blocks: list[Any] = [None] * BLOCKS
    with np.errstate(over="ignore", invalid="ignore"):  # weights may be absurd
        _pack_columns(rules, weights, blocks)
        _pack_table(weights, blocks)
        _pack_heads(weights, blocks)
    kinds = len(rules.values) + 2
    width = blocks[COLUMN].shape[1]
    if rules.rows == TABLED_ROWS and kinds <= TABLED_KINDS and width <= TABLED_WIDTH:
        sets = kinds * (kinds + 1) * (kinds + 2) // 6
        blocks[COLUMNS] = np.zeros((LIKENESSES * sets, width), np.float32)
    layout, at = np.zeros((BLOCKS, 3), np.int64), 0
    for number, block in enumerate(blocks):
        if block is not None:
            layout[number] = at, *block.shape
            at += BYTES * block.size
    return np.concatenate([block.ravel() for block in blocks if block is not None]).astype(np.float32), layout


def _linear(weights: Weights, name: str) -> tuple[NDArray[Any], NDArray[Any]]:
    """Return a layer's matrix from inputs to outputs, and its bias as a matrix of one row."""
    return weights[f"{name}.weight"].T, weights[f"{name}.bias"][None]


def _rows(weights: Weights, name: str) -> tuple[NDArray[Any], NDArray[Any]]:
    """Return the same with a row for every output, for layers of few of these."""
    return weights[f"{name}.weight"], weights[f"{name}.bias"][None]


def _pack_columns(rules: Rules, weights: Weights, blocks: list[Any]) -> None:
    embedded = weights["in_cell.weight"]
    first, blocks[COLUMN_BIAS] = _linear(weights, "columns.0")
    blocks[COLUMN], blocks[COLUMN_OUT] = _linear(weights, "columns.2")
    cell = embedded.shape[1]
    of_hidden, of_empty, of_sum, *alike = first[cell:]
    low, kinds = rules.values[0], len(embedded)
    cards = embedded @ first[:cell]
    cards[: kinds - 2] += COUNT_SCALE * np.arange(low, low + kinds - 2)[:, None] * of_sum
    cards[kinds - 2] += of_hidden
    cards[kinds - 1] += of_empty
    blocks[CARDS], blocks[ALIKE] = cards, np.stack(alike)
    board, blocks[BOARD_BIAS] = _linear(weights, "boards.0")
    column = len(blocks[COLUMN])
    blocks[BOARD], blocks[BOARD_NUMBERS], blocks[BOARD_PLACES] = np.split(board, [column, column + 3])


def _pack_table(weights: Weights, blocks: list[Any]) -> None:
    first, blocks[TABLE_BIAS] = _linear(weights, "table.0")
    column, cell = len(blocks[COLUMN]), weights["in_cell.weight"].shape[1]
    parts = np.split(first, np.cumsum([column, 3, column, cell, cell]))
    blocks[OWN], blocks[OWN_NUMBERS], blocks[OTHERS], of_hand, of_discard, blocks[FACTS] = parts
    blocks[HAND] = weights["in_hand.weight"] @ of_hand
    blocks[DISCARD] = weights["on_discard.weight"] @ of_discard
    blocks[TABLE], blocks[TABLE_OUT] = _linear(weights, "table.2")


def _pack_heads(weights: Weights, blocks: list[Any]) -> None:
    blocks[VALUE], blocks[VALUE_BIAS] = _linear(weights, "beyond.0")
    blocks[VALUE_OUT], blocks[VALUE_LAST] = _rows(weights, "beyond.2")
    if "rivals.0.weight" in weights:
        rival, blocks[RIVAL_BIAS] = _linear(weights, "rivals.0")
        blocks[RIVAL_BOARD], blocks[RIVAL_TABLE] = np.split(rival, [len(blocks[BOARD])])
        blocks[RIVAL_OUT], blocks[RIVAL_LAST] = _rows(weights, "rivals.2")
    blocks[CELL_CARDS] = weights["cell_of_cell.weight"]
    layers = [_linear(weights, f"cell_of_{part}") for part in ("column", "gains", "table")]
    (blocks[CELL_COLUMN], _), (blocks[CELL_GAINS], _), (blocks[CELL_TABLE], _) = layers
    blocks[CELL_BIAS] = sum(bias for _, bias in layers)
    blocks[CELL_OUT], blocks[CELL_LAST] = _rows(weights, "cell_logits")
    blocks[CHOICES], blocks[CHOICES_BIAS] = _rows(weights, "other_logits")
