"""The player by expected scores: of all actions in a turn, it takes the one with the lowest expected score. Other
scripts share its estimate of the change of a board's expected cost by a card in a column.
"""

import numpy as np

from skyjo_agents.own_board import mean_unseen, turn_down
from skyjo_agents.player import scripted
from skyjo_env.kernel.chance import (
    GAP,
    NONE,
    at_value,
    card_at,
    cell_cost,
    completed,
    read_column,
    value_beside,
)
from skyjo_env.kernel.state import DRAW, EMPTY, FIRST_PLACE, HIDDEN, TAKE, TAKEN, TURN
from skyjo_env.kernel.view import AT_CELLS, AT_DISCARD_TOP, AT_HAND, AT_PHASE, at_pools


@scripted
def with_hope(rules, player, points, value):
    """Return the cost of a column that lacks a single card of this value."""
    return points - player.completion_odds[at_value(rules, value)] * max(points, 0.0)


@scripted
def odds_beside(rules, player, last, k):
    """Return the odds of a column that lacks a card of one value and got another: in two rows either may come."""
    return (
        player.completion_odds[last] if rules.rows > 2 else max(player.completion_odds[last], player.completion_odds[k])
    )


@scripted
def with_odds_beside(rules, player, points, value, card):
    """Return the cost of a column that lacks a single card of this value, in the cell of another card."""
    return points - odds_beside(rules, player, at_value(rules, value), at_value(rules, card)) * max(points, 0.0)


@scripted
def cost_of(rules, player, column):
    """Return the cost of a column as it is."""
    points, short = player.points[column], rules.rows - 1
    if player.ones[column] == rules.rows:
        return completed(rules, points)
    if player.ones[column] == short and player.twos[column] == short:
        return with_odds_beside(rules, player, points, player.one[column], player.two[column])
    if player.ones[column] == short:
        return with_hope(rules, player, points, player.one[column])
    return with_hope(rules, player, points, player.two[column]) if player.twos[column] == short else points


@scripted
def read_board(view, rules, player, board):
    """Read the board that begins here in the observation; returns what it costs as it is."""
    player.board = board
    cost = 0.0
    for column in range(rules.columns):
        read_column(view, rules, player, column)
        player.cost[column] = cost_of(rules, player, column)
        cost += player.cost[column]
    return cost


@scripted
def finds_hope(view, rules, player, column, cell, card):
    """Return whether a card in this cell leaves the column lacking one card; False if all others are equal."""
    if player.ones[column] == GAP:
        return False
    first, equal = column * rules.rows, 0
    for other in range(first, first + rules.rows):
        equal += (other != cell) & (card_at(view, player, other) == card)
    return equal == rules.rows - 2


@scripted
def is_again(view, player, first, cell):
    """Return whether a cell before this one, from `first` on, shows the same card."""
    for other in range(first, cell):
        if card_at(view, player, other) == card_at(view, player, cell):
            return True
    return False


@scripted
def parting(rules, player, card):
    """Return the cost of leaving the card of a cell on the discard pile."""
    return player.hidden_discard_cost if card == HIDDEN else player.discard_costs[at_value(rules, card)]


@scripted
def change_by(view, rules, player, column, cell, card):
    """Return the change of the cost by placing this card in this cell."""
    shown = card_at(view, player, cell)
    points = player.points[column] - cell_cost(rules, player, shown) + player.costs[at_value(rules, card)]
    beside = value_beside(rules, player, column, shown)
    if beside == card:
        points = completed(rules, points)
    elif beside != NONE:
        points = with_odds_beside(rules, player, points, beside, card)
    elif finds_hope(view, rules, player, column, cell, card):
        points = with_hope(rules, player, points, card)
    return points - player.cost[column] + parting(rules, player, shown)


@scripted
def best_places(view, rules, player, card):
    """Return (cell, change, cell, change): where placing this card changes the cost the most for the better, among the
    open cells and among the hidden ones; -1 if there is none.
    """
    open_cell, open_change, hidden_cell, hidden_change = -1, np.inf, -1, np.inf
    for column in range(rules.columns):
        has_hidden = False
        for cell in range(column * rules.rows, (column + 1) * rules.rows):
            shown = card_at(view, player, cell)
            if shown == EMPTY or (shown == HIDDEN and has_hidden):  # hidden cards of a column are alike
                continue
            change = change_by(view, rules, player, column, cell, card)
            if shown == HIDDEN:
                has_hidden = True
                if change < hidden_change:
                    hidden_cell, hidden_change = cell, change
            elif change < open_change:
                open_cell, open_change = cell, change
    return open_cell, open_change, hidden_cell, hidden_change


@scripted
def change_by_turning_up(view, rules, player, column, cell):
    """Return the expected change of the cost by turning up the hidden card in this cell."""
    rest, beside = player.points[column] - player.hidden_cost, value_beside(rules, player, column, HIDDEN)
    cost = 0.0
    if beside != NONE:
        last = at_value(rules, beside)
        for k in range(np.uint64(rules.values)):
            points, odds = rest + player.costs[k], odds_beside(rules, player, last, k)
            cost += player.odds[k] * (completed(rules, points) if k == last else points - odds * max(points, 0.0))
    elif rules.rows == 2 and player.ones[column] != GAP:  # any single card may get another
        for k in range(rules.values):
            cost += player.odds[k] * with_hope(rules, player, rest + player.costs[k], rules.low + k)
    else:
        first, cost = column * rules.rows, rest + player.mean_cost
        for other in range(first, first + rules.rows):  # only an equal of a card there makes a difference
            card = card_at(view, player, other)
            if card >= HIDDEN or is_again(view, player, first, other):
                continue
            if finds_hope(view, rules, player, column, cell, card):
                k = at_value(rules, card)
                cost -= player.odds[k] * player.completion_odds[k] * max(rest + player.costs[k], 0.0)
    return cost - player.cost[column]


@scripted
def best_flip(view, rules, player):
    """Return (cell, change) of the hidden card whose turning up improves the cost most."""
    best, least = -1, np.inf
    for column in range(rules.columns):
        for cell in range(column * rules.rows, (column + 1) * rules.rows):
            if card_at(view, player, cell) == HIDDEN:
                change = change_by_turning_up(view, rules, player, column, cell)
                if change < least:
                    best, least = cell, change
                break  # hidden cards of a column are alike
    return best, least


@scripted
def note_changes(view, rules, player, column, cell, best):
    """Note for every value of the deck how placing such a card in this cell changes the cost, where that is less than
    in `best`. Returns what a card that costs nothing and finds no equal would change.
    """
    shown = card_at(view, player, cell)
    rest = player.points[column] - cell_cost(rules, player, shown)
    base = parting(rules, player, shown) - player.cost[column]
    beside = value_beside(rules, player, column, shown)
    if beside != NONE:
        last = at_value(rules, beside)
        completing = min(best[last], completed(rules, rest + player.costs[last]) + base)
        for k in range(np.uint64(rules.values)):
            points, odds = rest + player.costs[k], odds_beside(rules, player, last, k)
            best[k] = min(best[k], points - odds * max(points, 0.0) + base)
        best[last] = completing
        return np.inf
    if player.ones[column] == GAP:
        return rest + base
    if rules.rows == 2:  # any single card may get another
        for k in range(rules.values):
            best[k] = min(best[k], with_hope(rules, player, rest + player.costs[k], rules.low + k) + base)
        return np.inf
    first = column * rules.rows
    for other in range(first, first + rules.rows):
        card = card_at(view, player, other)
        if other == cell or card >= HIDDEN:
            continue
        if rules.rows == 3 or finds_hope(view, rules, player, column, cell, card):
            k = at_value(rules, card)
            best[k] = min(best[k], with_hope(rules, player, rest + player.costs[k], card) + base)
    return rest + base


@scripted
def best_changes(view, rules, player):
    """Write for every value of the deck how placing such a card changes the cost at best: `by_open`, `by_hidden`.

    In most cells a card merely adds its cost; only where it finds an equal, or where all the others are equal, is it
    worth a closer look.
    """
    for k in range(np.uint64(rules.values)):
        player.by_open[k], player.by_hidden[k] = np.inf, np.inf
    plain_open, plain_hidden = np.inf, np.inf
    for column in range(rules.columns):
        has_hidden = False
        for cell in range(column * rules.rows, (column + 1) * rules.rows):
            shown = card_at(view, player, cell)
            if shown == HIDDEN and not has_hidden:  # hidden cards of a column are alike
                has_hidden = True
                plain = note_changes(view, rules, player, column, cell, player.by_hidden)
                plain_hidden = min(plain_hidden, plain)
            elif shown < HIDDEN:
                plain = note_changes(view, rules, player, column, cell, player.by_open)
                plain_open = min(plain_open, plain)
    for k in range(np.uint64(rules.values)):
        player.by_open[k] = min(player.by_open[k], plain_open + player.costs[k])
        player.by_hidden[k] = min(player.by_hidden[k], plain_hidden + player.costs[k])


PAIR = 0  # its number
ROUNDING = 1e-9  # what is less is no change


@scripted
def study_board(view, rules, player):
    """Open cards cost what they are, hidden ones the mean; any column may hope alike."""
    player.hidden_cost = mean_unseen(view, rules)
    for k in range(rules.values):
        player.costs[k] = rules.low + k
        player.completion_odds[k] = player.numbers[PAIR]
    read_board(view, rules, player, AT_CELLS)


@scripted
def change_by_drawing(view, rules, player):
    """Return the expected change by a draw: each card that it may be, placed as is best or turned down."""
    cards, sum_of_changes, at = 0, 0.0, at_pools(rules) + rules.values
    for k in range(rules.values):
        cards += view[at + k]
        sum_of_changes += view[at + k] * min(player.by_open[k], player.by_hidden[k], 0.0)
    return sum_of_changes / cards if cards > 0 else 0.0


@scripted
def expected(view, rules, player):
    """Return one decision in a turn."""
    study_board(view, rules, player)
    if view[AT_PHASE] == TURN:
        best_changes(view, rules, player)
        top = view[AT_DISCARD_TOP] - rules.low
        by_taking = min(player.by_open[top], player.by_hidden[top])
        return TAKE if by_taking < change_by_drawing(view, rules, player) else DRAW
    open_cell, open_change, hidden_cell, hidden_change = best_places(view, rules, player, view[AT_HAND])
    cell, change = (open_cell, open_change) if open_change <= hidden_change else (hidden_cell, hidden_change)
    if change < -ROUNDING or view[AT_PHASE] == TAKEN:
        return FIRST_PLACE + cell
    return turn_down(view, rules, player.hidden_cost, player)
