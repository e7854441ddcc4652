"""What a board is taken to cost, column by column, and what placing or turning up a card changes.

A column costs what its cells cost, `player.costs` an open card and `player.hidden_cost` a hidden one. A complete column
costs nothing; one that lacks a single card saves the share `player.hopes` of its points. `at` is where a board begins
in the observation, so that the others' boards can be reckoned with as well as the own one.
"""

import numpy as np

from agents.player import scripted
from skyjo_env.kernel.state import EMPTY, HIDDEN

NONE = 99  # no card
GAP = -9  # instead of a count
ANY, ONLY_OPEN, ONLY_HIDDEN = range(3)  # cells


@scripted
def card_at(view, at, cell):
    """What a cell of a board shows."""
    return view[np.uint64(at) + np.uint64(cell)]


@scripted
def cell_cost(rules, player, card):
    """What a cell costs beside the column's hope."""
    return player.hidden_cost if card == HIDDEN else player.costs[card - rules.low]


@scripted
def read_column(view, rules, player, at, first):
    """(points, one, ones, two, twos): what the cells cost, and the first two values open there with their counts.

    A column with a gap, where a card was cleared with its row, can never be complete: its counts are GAP.
    """
    points, one, ones, two, twos, has_gap = 0.0, NONE, 0, NONE, 0, False
    for cell in range(first, first + rules.rows):
        card = card_at(view, at, cell)
        if card == EMPTY:
            has_gap = True
            continue
        points += cell_cost(rules, player, card)
        if card == HIDDEN:
            continue
        if one == NONE or card == one:
            one = np.int64(card)
            ones += 1
        elif two == NONE or card == two:
            two = np.int64(card)
            twos += 1
    return (points, NONE, GAP, NONE, GAP) if has_gap else (points, one, ones, two, twos)


@scripted
def with_hope(rules, player, points, value):
    """What a column costs that lacks a single card of this value."""
    return points - player.hopes[value - rules.low] * max(points, 0.0)


@scripted
def completed(rules, points):
    """What a complete column costs: nothing, or its points if it need not be cleared (5.5)."""
    return min(points, 0.0) if rules.clear_lines >= 0 else 0.0


@scripted
def cost_of(rules, player, column):
    """What a column costs as it is."""
    points, one, ones, two, twos = column
    if ones == rules.rows:
        return completed(rules, points)
    if ones == rules.rows - 1:
        return with_hope(rules, player, points, one)
    return with_hope(rules, player, points, two) if twos == rules.rows - 1 else points


@scripted
def value_beside(rules, column, card):
    """The value that all other cells of a column show, beside one with this card; NONE if there is none."""
    _, one, ones, two, twos = column
    if ones - (card == one) == rules.rows - 1:
        return one
    return two if twos - (card == two) == rules.rows - 1 else NONE


@scripted
def equal_beside(view, rules, at, cell, card):
    """How many of the other cells of a column show this card."""
    first, equal = cell - cell % rules.rows, 0
    for other in range(first, first + rules.rows):
        equal += other != cell and card_at(view, at, other) == card
    return equal


@scripted
def cost_with(view, rules, player, at, cell, card, column, beside):
    """What a column costs with this card lying open in this cell; `beside` is what all its other cells show."""
    rest = column[0] - cell_cost(rules, player, card_at(view, at, cell))
    points = rest + player.costs[card - rules.low]
    if beside == card:
        return completed(rules, points)
    if beside != NONE:
        return with_hope(rules, player, points, beside)
    if column[2] != GAP and equal_beside(view, rules, at, cell, card) == rules.rows - 2:
        return with_hope(rules, player, points, card)
    return points


@scripted
def is_again(view, at, cell, rows):
    """Does a cell above this one in its column show the same?"""
    for other in range(cell - cell % rows, cell):
        if card_at(view, at, other) == card_at(view, at, cell):
            return True
    return False


@scripted
def cost_turned_up(view, rules, player, at, cell, column):
    """What a column is expected to cost when the hidden card in this cell is turned up."""
    beside = value_beside(rules, column, HIDDEN)
    if beside != NONE or (rules.rows == 2 and column[2] != GAP):
        cost = 0.0
        for k in range(rules.values):
            cost += player.odds[k] * cost_with(view, rules, player, at, cell, rules.low + k, column, beside)
        return cost
    rest = column[0] - player.hidden_cost
    cost, first = rest + player.mean_cost, cell - cell % rules.rows
    for other in range(first, first + rules.rows):  # only an equal of a card there makes a difference
        card = card_at(view, at, other)
        if card < HIDDEN and not is_again(view, at, other, rules.rows):
            k = card - rules.low
            points = cost_with(view, rules, player, at, cell, card, column, beside)
            cost += player.odds[k] * (points - rest - player.costs[k])
    return cost


@scripted
def cost_of_board(view, rules, player, at):
    """What a board costs as it is."""
    cost = 0.0
    for first in range(0, rules.cells, rules.rows):
        cost += cost_of(rules, player, read_column(view, rules, player, at, first))
    return cost


@scripted
def is_worth_trying(view, rules, at, cell):
    """Not a cleared cell, and of the hidden cells of a column only the first."""
    card = card_at(view, at, cell)
    if card != HIDDEN:
        return card != EMPTY
    return not is_again(view, at, cell, rules.rows)


@scripted
def parting(view, rules, player, at, cell):
    """What it costs to leave the card of this cell on the discard pile."""
    card = card_at(view, at, cell)
    return player.hidden_gift if card == HIDDEN else player.gifts[card - rules.low]


@scripted
def is_among(view, at, cell, among):
    """Is a cell one of the kind that is asked for?"""
    return among == ANY or (among == ONLY_HIDDEN) == (card_at(view, at, cell) == HIDDEN)


@scripted
def best_place(view, rules, player, at, card, among):
    """(cell, change): where placing this card, on a hidden or an open one, changes the cost the most for the better."""
    best, least = -1, np.inf
    for first in range(0, rules.cells, rules.rows):
        column = read_column(view, rules, player, at, first)
        before = cost_of(rules, player, column)
        for cell in range(first, first + rules.rows):
            if not is_among(view, at, cell, among) or not is_worth_trying(view, rules, at, cell):
                continue
            beside = value_beside(rules, column, card_at(view, at, cell))
            change = cost_with(view, rules, player, at, cell, card, column, beside) - before
            change += parting(view, rules, player, at, cell)
            if change < least:
                best, least = cell, change
    return best, least


@scripted
def best_flip(view, rules, player, at):
    """(cell, change): where turning up a hidden card changes the cost the most for the better."""
    best, least = -1, np.inf
    for first in range(0, rules.cells, rules.rows):
        column = read_column(view, rules, player, at, first)
        for cell in range(first, first + rules.rows):
            if card_at(view, at, cell) == HIDDEN:
                change = cost_turned_up(view, rules, player, at, cell, column) - cost_of(rules, player, column)
                if change < least:
                    best, least = cell, change
                break  # the other hidden cells of the column are worth the same
    return best, least


@scripted
def best_changes(view, rules, player, at):
    """Write for every value of the deck how placing such a card changes the cost at best: `by_open`, `by_hidden`.

    In most cells a card merely adds its cost; only where it finds an equal, or where all the others are equal, is it
    worth a closer look.
    """
    player.by_open[:] = np.inf
    player.by_hidden[:] = np.inf
    plain_open, plain_hidden = np.inf, np.inf  # what placing a card that costs nothing changes at best
    for first in range(0, rules.cells, rules.rows):
        column = read_column(view, rules, player, at, first)
        before = cost_of(rules, player, column)
        for cell in range(first, first + rules.rows):
            if not is_worth_trying(view, rules, at, cell):
                continue
            shown = card_at(view, at, cell)
            best = player.by_hidden if shown == HIDDEN else player.by_open
            beside = value_beside(rules, column, shown)
            base = parting(view, rules, player, at, cell) - before
            if beside != NONE or (rules.rows == 2 and column[2] != GAP):
                for k in range(rules.values):
                    cost = cost_with(view, rules, player, at, cell, rules.low + k, column, beside)
                    best[k] = min(best[k], cost + base)
                continue
            rest = column[0] - cell_cost(rules, player, shown)
            if shown == HIDDEN:
                plain_hidden = min(plain_hidden, rest + base)
            else:
                plain_open = min(plain_open, rest + base)
            for other in range(first, first + rules.rows):
                card = card_at(view, at, other)
                if other != cell and card < HIDDEN:
                    k = card - rules.low
                    best[k] = min(best[k], cost_with(view, rules, player, at, cell, card, column, beside) + base)
    for k in range(rules.values):
        player.by_open[k] = min(player.by_open[k], plain_open + player.costs[k])
        player.by_hidden[k] = min(player.by_hidden[k], plain_hidden + player.costs[k])
