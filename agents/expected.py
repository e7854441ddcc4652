"""The player by expected scores: of all that can be done in a turn, what leaves the lowest expected score."""

import numpy as np

from agents.board import confirm, may_draw, mean_unseen, own_card, random_hidden, turn_down
from agents.player import scripted
from skyjo_env.kernel.state import CONFIRM, DRAW, EMPTY, FIRST_PLACE, HIDDEN, OPENING, TAKE, TAKEN, TURN
from skyjo_env.kernel.view import AT_DISCARD_TOP, AT_HAND, AT_PHASE, at_pools

NEVER = -1


@scripted
def score_of(rules, points, most, pair):
    """What a column with so many points, and at most so many equal open cards, is expected to cost.

    A complete one costs nothing. One that lacks a single card is taken to save the share `pair` of its points.
    """
    if most == rules.rows:
        return min(points, 0.0) if rules.clear_lines >= 0 else 0.0
    return points - pair * points if most == rules.rows - 1 and points > 0 else points


@scripted
def rest_of_column(view, rules, cell, mean):
    """(points, most): the expected points of the other cells of a column, and how many equal open cards they have.

    `most` is NEVER if one of them has been cleared with its row, because then the column can never be complete.
    """
    first, points, most, has_gap = cell - cell % rules.rows, 0.0, 0, False
    for other in range(first, first + rules.rows):
        if other == cell:
            continue
        card, alike = own_card(view, other), 0
        if card == EMPTY:
            has_gap = True
            continue
        if card == HIDDEN:
            points += mean
            continue
        points += card
        for third in range(other, first + rules.rows):  # the first of equal cards counts them all
            alike += third != cell and own_card(view, third) == card
        most = max(most, alike)
    return points, NEVER if has_gap else most


@scripted
def equal_in_column(view, rules, cell, card):
    """How many of the other cells of a column show this card."""
    first, equal = cell - cell % rules.rows, 0
    for other in range(first, first + rules.rows):
        equal += other != cell and own_card(view, other) == card
    return equal


@scripted
def score_with(view, rules, cell, card, rest, most, mean, pair):
    """What a column is expected to cost with this card, or a hidden one, in this cell."""
    if card == HIDDEN:
        return score_of(rules, rest + mean, most, pair)
    if most == NEVER:
        return rest + card
    return score_of(rules, rest + card, max(most, 1 + equal_in_column(view, rules, cell, card)), pair)


@scripted
def is_worth_trying(view, rules, cell):
    """Not a cleared cell, and of the hidden cells of a column only the first."""
    if own_card(view, cell) != HIDDEN:
        return own_card(view, cell) != EMPTY
    for other in range(cell - cell % rules.rows, cell):
        if own_card(view, other) == HIDDEN:
            return False
    return True


@scripted
def best_place(view, rules, card, mean, pair):
    """(cell, change): where placing this card changes the expected score the most for the better."""
    best, least = -1, np.inf
    for cell in range(rules.cells):
        if is_worth_trying(view, rules, cell):
            rest, most = rest_of_column(view, rules, cell, mean)
            before = score_with(view, rules, cell, own_card(view, cell), rest, most, mean, pair)
            change = score_with(view, rules, cell, card, rest, most, mean, pair) - before
            if change < least:
                best, least = cell, change
    return best, least


@scripted
def best_changes(view, rules, mean, pair, best):
    """Write for every value of the deck how placing such a card changes the expected score at best."""
    best[:] = np.inf
    plain = np.inf  # what placing a card of 0 changes at best where cards only add up
    for cell in range(rules.cells):
        if not is_worth_trying(view, rules, cell):
            continue
        rest, most = rest_of_column(view, rules, cell, mean)
        before = score_with(view, rules, cell, own_card(view, cell), rest, most, mean, pair)
        if most != NEVER and max(most, 1) == rules.rows - 1:  # any card leaves the column complete or one short
            for k in range(rules.values):
                change = score_with(view, rules, cell, rules.low + k, rest, most, mean, pair) - before
                best[k] = min(best[k], change)
            continue
        plain = min(plain, rest - before)
        first = cell - cell % rules.rows
        for other in range(first, first + rules.rows):  # the cards that have an equal there
            card = own_card(view, other)
            if other != cell and card < HIDDEN:
                change = score_with(view, rules, cell, card, rest, most, mean, pair) - before
                best[card - rules.low] = min(best[card - rules.low], change)
    for k in range(rules.values):
        best[k] = min(best[k], plain + rules.low + k)


@scripted
def change_by_drawing(view, rules, best):
    """The expected change by a draw: each card that it may be, placed as is best or turned down."""
    cards, sum_of_changes, at = 0, 0.0, at_pools(rules) + rules.values
    for k in range(rules.values):
        cards += view[at + k]
        sum_of_changes += view[at + k] * min(best[k], 0.0)
    return sum_of_changes / cards if cards > 0 else 0.0


@scripted
def expected(view, rules, player):
    """One decision."""
    phase = view[AT_PHASE]
    if phase == OPENING:
        return rules.first_flip + random_hidden(view, rules, player)
    if phase == CONFIRM:
        return confirm(view, rules)
    mean, pair = mean_unseen(view, rules), player.numbers[0]
    if phase == TURN:
        if not may_draw(view):
            return TAKE
        best = player.room
        best_changes(view, rules, mean, pair, best)
        by_taking = best[view[AT_DISCARD_TOP] - rules.low]
        return TAKE if by_taking < change_by_drawing(view, rules, best) else DRAW
    cell, change = best_place(view, rules, view[AT_HAND], mean, pair)
    if change < 0 or phase == TAKEN:
        return FIRST_PLACE + cell
    return turn_down(view, rules, mean, player)
