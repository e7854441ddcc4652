"""What a board costs by columns, as everything that weighs boards reads it: the luck of a card, and scripted players.

`reader` is a record with what the cells are taken to cost (`costs` by value, `hidden_cost`), with the place of a board
in the observation (`board`), and with room for what its columns show.
"""

import numpy as np

from skyjo_env.kernel.jit import kernel
from skyjo_env.kernel.state import EMPTY, HIDDEN

NONE = 99  # no card
GAP = -9  # instead of a count
MOST_COLUMNS = 6


@kernel
def card_at(view, reader, cell):
    """What a cell of the board shows."""
    return view[np.uint64(reader.board) + np.uint64(cell)]


@kernel
def at_value(rules, card):
    """Where a card's value stands in the reader's tables; unsigned, so that nothing is counted from the end."""
    return np.uint64(card - rules.low)


@kernel
def cell_cost(rules, reader, card):
    """What a cell costs beside the column's hope."""
    return reader.hidden_cost if card == HIDDEN else reader.costs[at_value(rules, card)]


@kernel
def completed(rules, points):
    """What a complete column costs: nothing, or its points if it need not be cleared (5.5)."""
    return min(points, 0.0) if rules.clear_lines >= 0 else 0.0


@kernel
def read_column(view, rules, reader, column):
    """Note what the cells of a column cost and the first two values that are open in it, with their counts.

    A column with a gap, where a card was cleared with its row, can never be complete: its counts are GAP.
    """
    points, one, ones, two, twos, has_gap = 0.0, NONE, 0, NONE, 0, False
    first = column * rules.rows
    for cell in range(first, first + rules.rows):
        card = card_at(view, reader, cell)
        if card == EMPTY:
            has_gap = True
            continue
        points += cell_cost(rules, reader, card)
        if card == HIDDEN:
            continue
        if one == NONE or card == one:
            one = np.int64(card)
            ones += 1
        elif two == NONE or card == two:
            two = np.int64(card)
            twos += 1
    reader.points[column] = points
    reader.one[column], reader.two[column] = one, two
    reader.ones[column], reader.twos[column] = (GAP, GAP) if has_gap else (ones, twos)


@kernel
def value_beside(rules, reader, column, card):
    """The value that all other cells of a column show, beside one with this card; NONE if there is none."""
    if reader.ones[column] - (card == reader.one[column]) == rules.rows - 1:
        return reader.one[column]
    return reader.two[column] if reader.twos[column] - (card == reader.two[column]) == rules.rows - 1 else NONE
