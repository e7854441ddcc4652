"""What a board is taken to cost, column by column, and what placing or turning up a card changes.

A column costs what its cells cost, `player.costs` an open card and `player.hidden_cost` a hidden one. A complete column
costs nothing; one that lacks a single card saves the share `player.hopes` of its points. `at` is where a board begins
in the observation, so that the others' boards can be reckoned with as well as the own one.
"""

import numpy as np

from agents.player import scripted
from skyjo_env.kernel.state import EMPTY, HIDDEN

NONE = 99  # no card
ANY, ONLY_OPEN, ONLY_HIDDEN = range(3)  # cells


@scripted
def with_hope(rules, player, points, value):
    """What a column costs that lacks a single card of this value."""
    return points - player.hopes[value - rules.low] * max(points, 0.0)


@scripted
def completed(rules, points):
    """What a complete column costs: nothing, or its points if it need not be cleared (5.5)."""
    return min(points, 0.0) if rules.clear_lines >= 0 else 0.0


@scripted
def rest_of_column(view, rules, player, at, cell):
    """(points, ready, has_gap): what the other cells of a column cost, the card that all of them show or NONE, and
    whether one of them has been cleared with its row, because then the column can never be complete.
    """
    first, points, has_gap = cell - cell % rules.rows, 0.0, False
    ready, equal = NONE, 0
    for other in range(np.uint64(first), np.uint64(first + rules.rows)):
        if other == cell:
            continue
        card = view[np.uint64(at) + other]
        if card == EMPTY:
            has_gap = True
            continue
        if card == HIDDEN:
            points += player.hidden_cost
            continue
        points += player.costs[card - rules.low]
        equal += ready == NONE or ready == card
        ready = card
    return points, ready if equal == rules.rows - 1 else NONE, has_gap


@scripted
def equal_in_column(view, rules, at, cell, card):
    """How many of the other cells of a column show this card."""
    first, equal = cell - cell % rules.rows, 0
    for other in range(first, first + rules.rows):
        equal += other != cell and view[np.uint64(at + other)] == card
    return equal


@scripted
def cost_with(view, rules, player, at, cell, card, points, ready, has_gap):
    """What a column costs with this card lying open in this cell, beside the rest of the column."""
    points += player.costs[card - rules.low]
    if has_gap:
        return points
    if ready == card:
        return completed(rules, points)
    if ready != NONE:
        return with_hope(rules, player, points, ready)
    if equal_in_column(view, rules, at, cell, card) == rules.rows - 2:
        return with_hope(rules, player, points, card)
    return points


@scripted
def cost_now(view, rules, player, at, cell, points, ready, has_gap):
    """What a column costs as it is, seen from one of its cells."""
    card = view[np.uint64(at + cell)]
    if card != HIDDEN:
        return cost_with(view, rules, player, at, cell, card, points, ready, has_gap)
    points += player.hidden_cost
    return points if has_gap or ready == NONE else with_hope(rules, player, points, ready)


@scripted
def is_again(view, at, first, cell):
    """Does a cell before this one, from `first` on, show the same card?"""
    for other in range(first, cell):
        if view[np.uint64(at + other)] == view[np.uint64(at + cell)]:
            return True
    return False


@scripted
def cost_turned_up(view, rules, player, at, cell, points, ready, has_gap):
    """What a column is expected to cost when the hidden card in this cell is turned up."""
    cost = points + player.mean_cost
    if has_gap:
        return cost
    if ready != NONE or rules.rows == 2:
        cost = 0.0
        for k in range(rules.values):
            card = rules.low + k
            cost += player.odds[k] * cost_with(view, rules, player, at, cell, card, points, ready, has_gap)
        return cost
    first = cell - cell % rules.rows
    for other in range(first, first + rules.rows):  # only an equal of a card there makes a difference
        card = view[np.uint64(at + other)]
        if other == cell or card >= HIDDEN or is_again(view, at, first, other):
            continue
        k = card - rules.low
        with_equal = cost_with(view, rules, player, at, cell, card, points, ready, has_gap)
        cost += player.odds[k] * (with_equal - points - player.costs[k])
    return cost


@scripted
def cost_of_board(view, rules, player, at):
    """What a board costs as it is."""
    cost = 0.0
    for first in range(0, rules.cells, rules.rows):
        for cell in range(first, first + rules.rows):
            if view[np.uint64(at + cell)] != EMPTY:
                points, ready, has_gap = rest_of_column(view, rules, player, at, cell)
                cost += cost_now(view, rules, player, at, cell, points, ready, has_gap)
                break
    return cost


@scripted
def is_worth_trying(view, rules, at, cell):
    """Not a cleared cell, and of the hidden cells of a column only the first."""
    card = view[np.uint64(at + cell)]
    if card != HIDDEN:
        return card != EMPTY
    return not is_again(view, at, cell - cell % rules.rows, cell)


@scripted
def parting(view, rules, player, at, cell):
    """What it costs to leave the card of this cell on the discard pile."""
    card = view[np.uint64(at + cell)]
    return player.hidden_gift if card == HIDDEN else player.gifts[card - rules.low]


@scripted
def best_place(view, rules, player, at, card, among):
    """(cell, change): where placing this card, on a hidden or an open one, changes the cost the most for the better."""
    best, least = -1, np.inf
    for cell in range(rules.cells):
        if among == ONLY_OPEN and view[np.uint64(at + cell)] == HIDDEN:
            continue
        if among == ONLY_HIDDEN and view[np.uint64(at + cell)] != HIDDEN:
            continue
        if is_worth_trying(view, rules, at, cell):
            points, ready, has_gap = rest_of_column(view, rules, player, at, cell)
            change = cost_with(view, rules, player, at, cell, card, points, ready, has_gap)
            change -= cost_now(view, rules, player, at, cell, points, ready, has_gap)
            change += parting(view, rules, player, at, cell)
            if change < least:
                best, least = cell, change
    return best, least


@scripted
def best_flip(view, rules, player, at):
    """(cell, change): where turning up a hidden card changes the cost the most for the better."""
    best, least = -1, np.inf
    for cell in range(rules.cells):
        if view[np.uint64(at + cell)] == HIDDEN and is_worth_trying(view, rules, at, cell):
            points, ready, has_gap = rest_of_column(view, rules, player, at, cell)
            change = cost_turned_up(view, rules, player, at, cell, points, ready, has_gap)
            change -= cost_now(view, rules, player, at, cell, points, ready, has_gap)
            if change < least:
                best, least = cell, change
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
    for cell in range(rules.cells):
        if not is_worth_trying(view, rules, at, cell):
            continue
        points, ready, has_gap = rest_of_column(view, rules, player, at, cell)
        before = cost_now(view, rules, player, at, cell, points, ready, has_gap)
        before -= parting(view, rules, player, at, cell)
        is_hidden = view[np.uint64(at + cell)] == HIDDEN
        best = player.by_hidden if is_hidden else player.by_open
        if not has_gap and (ready != NONE or rules.rows == 2):
            for k in range(rules.values):
                change = cost_with(view, rules, player, at, cell, rules.low + k, points, ready, has_gap) - before
                best[k] = min(best[k], change)
            continue
        if is_hidden:
            plain_hidden = min(plain_hidden, points - before)
        else:
            plain_open = min(plain_open, points - before)
        first = cell - cell % rules.rows
        for other in range(first, first + rules.rows):
            card = view[np.uint64(at + other)]
            if other != cell and card < HIDDEN:
                change = cost_with(view, rules, player, at, cell, card, points, ready, has_gap) - before
                best[card - rules.low] = min(best[card - rules.low], change)
    for k in range(rules.values):
        player.by_open[k] = min(player.by_open[k], plain_open + player.costs[k])
        player.by_hidden[k] = min(player.by_hidden[k], plain_hidden + player.costs[k])
