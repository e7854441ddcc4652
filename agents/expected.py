"""The player by expected scores: of all that can be done in a turn, what leaves the lowest expected score."""

import numpy as np

from agents.board import confirm, mean_unseen, own_card, random_hidden, turn_down
from agents.jit import scripted
from agents.scripted import ScriptedAgent
from skyjo_env.kernel.state import CONFIRM, DRAW, EMPTY, FIRST_PLACE, HIDDEN, OPENING, TAKE, TAKEN, TURN
from skyjo_env.kernel.view import AT_DISCARD_TOP, AT_HAND, AT_PHASE, at_pools
from skyjo_env.rules import OFFICIAL, Rules


@scripted
def card_with(view, cell, placed_cell, placed_card):
    """What lies in a cell once a card has been placed."""
    return placed_card if cell == placed_cell else own_card(view, cell)


@scripted
def column_score(view, rules, column, mean, pair, placed_cell, placed_card):
    """What a column is expected to cost with a card placed in it: 0 once complete, less if one card is missing.

    `pair` is the share of the points at stake that a column of which all cards but one are alike is taken to save.
    """
    first, rows = column * rules.rows, rules.rows
    points, most = 0.0, 0
    for cell in range(first, first + rows):
        card = card_with(view, cell, placed_cell, placed_card)
        if card == EMPTY:
            return 0.0
        points += mean if card == HIDDEN else card
        alike = 0
        for other in range(first, first + rows):
            alike += card < HIDDEN and card_with(view, other, placed_cell, placed_card) == card
        most = max(most, alike)
    if most == rows:
        return min(points, 0.0) if rules.clear_lines >= 0 else 0.0
    return points - pair * points if most == rows - 1 and points > 0 else points


@scripted
def best_place(view, rules, card, mean, pair):
    """(cell, change): where placing this card changes the expected score the most for the better."""
    best, least = -1, np.inf
    for column in range(rules.columns):
        before, has_tried_hidden = column_score(view, rules, column, mean, pair, -1, 0), False
        for cell in range(column * rules.rows, (column + 1) * rules.rows):
            there = own_card(view, cell)
            if there == EMPTY or (there == HIDDEN and has_tried_hidden):
                continue
            has_tried_hidden |= there == HIDDEN
            change = column_score(view, rules, column, mean, pair, cell, card) - before
            if change < least:
                best, least = cell, change
    return best, least


@scripted
def mean_after_draw(view, rules, mean, pair):
    """The expected change of the score by a draw: every card it may be, placed or turned down as is best."""
    cards, change, at = 0, 0.0, at_pools(rules) + rules.values
    for k in range(rules.values):
        count = view[at + k]
        if count > 0:
            cards += count
            change += count * min(best_place(view, rules, rules.low + k, mean, pair)[1], 0.0)
    return change / cards if cards > 0 else 0.0


@scripted
def expected(view, mask, rules, pair, chances, table):
    """One decision."""
    phase = view[AT_PHASE]
    if phase == OPENING:
        return rules.first_flip + random_hidden(view, rules, chances, table)
    if phase == CONFIRM:
        return confirm(view, rules)
    mean = mean_unseen(view, rules)
    if phase == TURN:
        _, by_taking = best_place(view, rules, view[AT_DISCARD_TOP], mean, pair)
        takes = not mask[DRAW] or by_taking < mean_after_draw(view, rules, mean, pair)
        return TAKE if takes else DRAW
    cell, change = best_place(view, rules, view[AT_HAND], mean, pair)
    if change < 0 or phase == TAKEN:
        return FIRST_PLACE + cell
    return turn_down(view, mask, rules, mean, chances, table)


@scripted
def decide(observations, masks, rules, numbers, chances, actions):
    """One decision at every table."""
    for table in range(len(observations)):
        actions[table] = expected(observations[table], masks[table], rules[0], numbers[0], chances, table)


class ExpectedAgent(ScriptedAgent):
    """Does what leaves its own expected score lowest, one turn ahead: hidden cards count as the mean of the unseen, a
    draw as the mean of what can be made of every card it may be, a complete column as nothing, and a column that lacks
    one card as saving the share `pair` of its points. So it keeps pairs unless something better is to be had.
    """

    decide = decide

    def __init__(self, rules: Rules = OFFICIAL, pair: float = 0.2) -> None:
        super().__init__(rules, pair)
