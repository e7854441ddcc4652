"""The parts of an observation that scripted agents read, and the choices that all of them make alike.

Functions take one observation (`view`), the rules' record, and for random choices the record of the player.
"""

import numpy as np

from cardtable.table.kernel.chance import next_number, share
from skyjo_agents.player import scripted
from skyjo_env.kernel.state import DRAWN, EMPTY, FIRST_PLACE, HIDDEN, LOWEST
from skyjo_env.kernel.view import (
    AT_CELLS,
    AT_DISCARD_PILE,
    AT_DRAW_PILE,
    AT_HAND,
    AT_PHASE,
    AT_RESHUFFLES,
    at_pools,
    at_seats,
)


@scripted
def own_card(view, cell):
    """Return the content of an own cell: an open card, HIDDEN or EMPTY."""
    return view[np.uint64(AT_CELLS) + np.uint64(cell)]  # unsigned: no check for an index from the end


@scripted
def own_hidden(view, rules):
    """Return the number of own cells that are hidden."""
    return view[at_seats(rules)]


@scripted
def mean_unseen(view, rules):
    """Return the mean of all cards that were unseen when the turn began, the card that was then drawn included."""
    cards, points, card, at = 0, 0, rules.low, np.uint64(at_pools(rules))
    for k in range(at, at + np.uint64(rules.values)):
        cards += view[k]
        points += view[k] * card
        card += 1
    if view[AT_PHASE] == DRAWN and view[AT_RESHUFFLES] == 0:
        cards += 1
        points += view[AT_HAND]
    return points / cards if cards > 0 else 0.0


@scripted
def expected_card(view, cell, mean):
    """Return the value of a card in an own cell that is not empty: its number if open, else the mean of the unseen
    cards.
    """
    card = own_card(view, cell)
    return mean if card == HIDDEN else float(card)


@scripted
def highest_open(view, rules):
    """Return the highest open card, below every card if none is open."""
    highest = LOWEST - 1
    for cell in range(np.uint64(rules.cells)):
        card = own_card(view, cell)
        highest = max(highest, card if card < HIDDEN else LOWEST - 1)
    return highest


@scripted
def worst_open(view, rules):
    """Return the cell of the highest open card, the first by rows as in the paper's program; -1 if none is open."""
    highest = highest_open(view, rules)
    for row in range(rules.rows):
        for cell in range(row, rules.cells, rules.rows):
            if own_card(view, cell) == highest:
                return cell
    return -1


@scripted
def random_hidden(view, rules, player):
    """Return one of the own hidden cells, each equally likely; -1 if there is none."""
    hidden = own_hidden(view, rules)
    if hidden == 0:
        return -1
    nth = share(next_number(view, player), hidden)
    for cell in range(np.uint64(rules.cells)):
        nth -= own_card(view, cell) == HIDDEN
        if nth < 0:
            return np.int64(cell)
    return -1


@scripted
def completed_by(view, rules, card):
    """Return the cell where this card completes a column and so removes the most expected points; -1 if there is none.

    Only columns that cost points count: to clear two cards of -2 under a hidden one is no gain.
    """
    equal = 0
    for cell in range(np.uint64(rules.cells)):
        equal += own_card(view, cell) == card
    if equal < rules.rows - 1:
        return -1
    best, most, first, rows = -1, 0.0, np.uint64(0), np.uint64(rules.rows)
    for _ in range(rules.columns):
        alike, other = 0, first
        for cell in range(first, first + rows):
            if own_card(view, cell) == card:
                alike += 1
            else:
                other = cell
        first += rows
        if alike == rules.rows - 1 and own_card(view, other) != EMPTY:
            points = alike * card + expected_card(view, other, mean_unseen(view, rules))
            if points > most:
                best, most = np.int64(other), points
    return best


@scripted
def complete_points(view, rules):
    """Return the points in complete columns, and in complete rows if these count: what clearing them removes."""
    points = 0
    for cell in range(rules.cells):
        card, in_column, in_row = own_card(view, cell), True, rules.row_clear == 1
        if card >= HIDDEN:
            continue
        for row in range(rules.rows):
            in_column &= own_card(view, cell - cell % rules.rows + row) == card
        for column in range(rules.columns):
            in_row &= own_card(view, column * rules.rows + cell % rules.rows) == card
        points += card if in_column or in_row else 0
    return points


@scripted
def least_harm(view, rules, mean, player):
    """Return the action that places an unwanted card with least expected harm: on the highest open card or on a hidden
    one.
    """
    worst = worst_open(view, rules)
    if worst >= 0 and (own_hidden(view, rules) == 0 or own_card(view, worst) >= mean):
        return FIRST_PLACE + worst
    return FIRST_PLACE + random_hidden(view, rules, player)


@scripted
def may_draw(view):
    """Return whether there is a card to draw, after a reshuffle if need be (6.4)."""
    return view[AT_DRAW_PILE] > 0 or view[AT_DISCARD_PILE] >= 2


@scripted
def turn_down(view, rules, mean, player):
    """Get rid of the card in hand: discard it and turn up a hidden card if that must be; place it if it was taken."""
    if view[AT_PHASE] == DRAWN:
        if rules.discard_drawn >= 0:
            return rules.discard_drawn
        if own_hidden(view, rules) > 0:
            return rules.first_flip + random_hidden(view, rules, player)
    return least_harm(view, rules, mean, player)


@scripted
def confirm(view, rules):
    """Clear complete lines if they cost points, else keep them (5.5)."""
    return rules.clear_lines if complete_points(view, rules) > 0 else rules.keep_lines
