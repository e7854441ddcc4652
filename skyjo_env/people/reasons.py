"""Reasons why one action is better than another: which parts of their worth differ, by the estimates of `tempo`.

Pages run this code, too. Its weights were fitted to the values that `lookahead` gives all actions of 3,700 decisions at
tables of two to four; benchmarks/reasons.py counts the mistakes that it explains.
"""

import math

import numpy as np

from cardtable.table.compiling.compiler import compiler_of, source_of
from skyjo.table.phrases import REASON, UNSAID
from skyjo_agents.expected import best_flip, best_places, change_by, change_by_turning_up, parting, read_board
from skyjo_agents.own_board import own_hidden
from skyjo_agents.player import PLAYER_DTYPE
from skyjo_agents.scripted import TEMPO_NUMBERS
from skyjo_agents.tempo import study, value_after, value_of_ending
from skyjo_env.kernel.chance import NONE, card_at, cell_cost, value_beside
from skyjo_env.kernel.state import DRAW, EMPTY, FIRST_PLACE, HIDDEN, NOBODY, OPENING, TAKE
from skyjo_env.kernel.view import AT_CELLS, AT_DISCARD_TOP, AT_ENDER, AT_HAND, AT_PHASE, AT_SEAT, at_seats

COMPLETES, PAIRS, GIVES, ENDS, LAP, CARDS, OPENS, COLUMNS = range(8)  # the templates of `phrases.toml`, in their order
KINDS = 8
THIRD, EARLY, LAST, AVERAGE, MIDDLING = 1, 1, 1, 2, 3  # ways: of GIVES, of ENDS, and of CARDS; AVERAGE also of others

PAIR, GIFT, GIFT_THIRD, END, HIT = 0.85, 1.2, 2.4, 0.93, 0.6  # weights of what `tempo` estimates
END_BASE, PAIR_TURN = 6.1, 0.09  # more for an end; less for a pair, by turns left
MOST, MOST_LATE, BEND = 3.0, 3.2, 0.8  # what the highest card costs in the end, as it is replaced; more in few turns
HIDE, HIDE_TURN = 1.0, 0.09  # more for a hidden card, also by turns left
SPOILT = 0.5  # points for every open card of a column that does not match the others
GAINED = TEMPO_NUMBERS["gain"] + TEMPO_NUMBERS["spread"]  # points that others may well gain in their last turn

compiled = compiler_of(__file__, source_of(study), source_of(card_at), whole=True)
NUMBERS = np.array([*TEMPO_NUMBERS.values()])


@compiled
def set_costs(view, rules, player):
    """Write what cards cost in the end, before the final lap: high ones are mostly replaced, the lowest ones stay."""
    if player.turns == 0:
        return
    most, player.mean_cost = MOST + MOST_LATE / player.turns, 0.0
    for k in range(rules.values):
        player.costs[k] = most * (1 - math.exp(-(rules.low + k) / (BEND * most)))
        player.mean_cost += player.odds[k] * player.costs[k]
    player.hidden_cost = player.mean_cost + HIDE + HIDE_TURN * player.turns
    player.board_cost = read_board(view, rules, player, AT_CELLS)


@compiled
def spoilt(view, rules, cell, card):
    """Return how many open cards of a column do not match the others, with this card in a cell of it."""
    first, opened, most = cell - cell % rules.rows, 0, 0
    for one in range(first, first + rules.rows):
        shown, equal = card if one == cell else view[AT_CELLS + one], 0
        if shown != HIDDEN and shown != EMPTY:
            opened += 1
            for other in range(first, first + rules.rows):
                equal += shown == (card if other == cell else view[AT_CELLS + other])
        most = max(most, equal)
    return opened - most


@compiled
def is_third(view, rules, card):
    """Return whether this card completes a column of the next seat that costs points."""
    board = AT_CELLS + rules.cells
    if not 0 < card < HIDDEN:
        return False
    for first in range(board, board + rules.cells, rules.rows):
        equal, gone = 0, 0
        for at in range(first, first + rules.rows):
            equal += view[at] == card
            gone += view[at] == EMPTY
        if equal == rules.rows - 1 and gone == 0:
            return True
    return False


@compiled
def has_beside(view, rules, cell, card):
    """Return whether another cell of the column shows this card."""
    first, equal = AT_CELLS + cell - cell % rules.rows, 0
    for at in range(first, first + rules.rows):
        equal += at != AT_CELLS + cell and view[at] == card
    return equal > 0 and card < HIDDEN


@compiled
def is_behind(view, rules, player, points):
    """Return whether another seat may well have as few points as these after its last turn."""
    at = at_seats(rules)
    for place in range(1, rules.players):
        if view[at + rules.players + place] + view[at + place] * player.card_mean - GAINED <= points:
            return True
    return False


@compiled
def note_gift(view, rules, card, cost, rows):
    """Note what it costs to leave this card on the discard pile."""
    row = rows[GIVES]
    row.card, row.seat = card, (view[AT_SEAT] + 1) % rules.players
    row.way = THIRD if is_third(view, rules, card) else 0
    row.gain = -(GIFT_THIRD if row.way == THIRD else GIFT) / rules.players * cost


@compiled
def note_turn(view, rules, player, change, saved, turned, unknown, rows):
    """Note what it is worth that the turn ends the round, turns up a card, or may have the ender doubled. `saved` are
    the points that it takes off the board.
    """
    hidden, cost = own_hidden(view, rules), player.board_cost + change
    if player.turns == 0:
        rest = value_after(view, rules, player, change, turned, unknown) - player.others + cost
        rows[LAP].gain, rows[LAP].seat = HIT * rest, (view[AT_SEAT] + view[AT_ENDER]) % rules.players
    elif hidden == turned:
        points = view[at_seats(rules) + rules.players] + hidden * player.card_mean - saved
        rest = value_of_ending(view, rules, player, points, unknown) - player.others + cost
        rows[ENDS].gain = END * rest + END_BASE
        rows[ENDS].way = 0 if is_behind(view, rules, player, points) else EARLY
    elif turned > 0:
        rows[OPENS].gain = player.hidden_cost - player.mean_cost + player.flip_worth


@compiled
def note_column(view, rules, player, cell, card, rows):
    """Note that a card in this cell, or one of no value, may leave a column in which cards differ."""
    if player.turns > 0:
        now = view[AT_CELLS + cell]
        rows[COLUMNS].gain = SPOILT * (spoilt(view, rules, cell, now) - spoilt(view, rules, cell, card))


@compiled
def note_place(view, rules, player, cell, card, rows):
    """Note the parts of the worth of placing a card in a cell."""
    column, shown = cell // rules.rows, card_at(view, player, cell)
    change, gift = change_by(view, rules, player, column, cell, card), parting(rules, player, shown)
    old, new = player.mean_cost if shown == HIDDEN else cell_cost(rules, player, shown), player.costs[card - rules.low]
    hide, points = cell_cost(rules, player, shown) - old, player.points[column]
    hope, hoped = points - player.cost[column], points - old - hide + new - (change - gift) - player.cost[column]
    completes = value_beside(rules, player, column, shown) == card
    row = rows[COMPLETES if completes else PAIRS]
    row.gain, row.card = hoped - hope, card
    if completes:
        row.points = (rules.rows - 1) * card + (player.card_mean if shown == HIDDEN else shown)
        row.way = UNSAID if card >= 0 > row.gain else 0  # only a column below zero would better stay
    elif has_beside(view, rules, cell, card if hoped > hope else shown):
        pairs = np.int64(hoped > 0) - np.int64(hope > 0)
        row.gain, row.card = PAIR * row.gain - PAIR_TURN * player.turns * pairs, card if hoped > hope else shown
    else:
        row.gain = 0.0
    row = rows[CARDS]
    row.gain, row.card, row.other = old - new, card, shown
    row.points = (player.card_mean if shown == HIDDEN else shown) - card
    note_gift(view, rules, shown, gift, rows)
    note_column(view, rules, player, cell, card, rows)
    saved = rows[COMPLETES].points if completes else row.points
    note_turn(view, rules, player, change, saved, shown == HIDDEN, 0, rows)


@compiled
def note_flip(view, rules, player, cell, card, rows):
    """Note the parts of the worth of turning up a card, after laying this one on the discard pile."""
    note_column(view, rules, player, cell, NONE, rows)
    if view[AT_PHASE] == OPENING:
        return
    note_gift(view, rules, card, player.discard_costs[card - rules.low], rows)
    change = change_by_turning_up(view, rules, player, cell // rules.rows, cell)
    note_turn(view, rules, player, change, 0.0, 1, 1, rows)


@compiled
def note_best(view, rules, player, card, may_flip, rows):
    """Note the parts of the best use of a card, which may be to turn up another card."""
    open_cell, _, hidden_cell, _ = best_places(view, rules, player, card)
    flipped = best_flip(view, rules, player)[0] if may_flip and own_hidden(view, rules) > 0 else -1
    spare, best = np.zeros(KINDS, REASON), -np.inf
    for way in range(3):
        cell = open_cell if way == 0 else hidden_cell if way == 1 else flipped
        if cell < 0:
            continue
        for row in spare:
            row.gain = 0.0
        if way < 2:
            note_place(view, rules, player, cell, card, spare)
        else:
            note_flip(view, rules, player, cell, card, spare)
        worth = 0.0
        for row in spare:
            worth += row.gain
        if worth > best:
            best = worth
            rows[:] = spare


@compiled
def note_draw(view, rules, player, rows):
    """Note the parts of the worth of drawing: the mean over all cards, each put to its best use."""
    used = np.zeros(KINDS, REASON)
    for k in range(rules.values):
        if player.draw_odds[k] > 0:
            note_best(view, rules, player, rules.low + k, True, used)
            for kind in range(KINDS):
                rows[kind].gain += player.draw_odds[k] * used[kind].gain
            rows[CARDS].points += player.draw_odds[k] * max(used[CARDS].points, 0.0)
    rows[CARDS].way, rows[COMPLETES].way = AVERAGE, AVERAGE


@compiled
def note_action(view, rules, player, action, rows):
    """Note the parts of the worth of an action."""
    card = view[AT_HAND]
    if action == DRAW:
        note_draw(view, rules, player, rows)
    elif action == TAKE:
        note_best(view, rules, player, view[AT_DISCARD_TOP], False, rows)
    elif action < rules.first_flip:
        note_place(view, rules, player, action - FIRST_PLACE, card, rows)
    elif action < rules.first_flip + rules.cells:
        note_flip(view, rules, player, action - rules.first_flip, card, rows)


@compiled
def note_both(view, rules, players, better, other, reasons, flaws):
    """Note the parts of the worth of two actions."""
    player = players[0]
    player.numbers[: len(NUMBERS)] = NUMBERS
    study(view, rules, player)
    set_costs(view, rules, player)
    note_action(view, rules, player, better, reasons)
    note_action(view, rules, player, other, flaws)


@compiled
def note_cards(view, rules, better, other, saved, row):
    """Note what to say of cards, of which the better action saves so many points more; its numbers must speak for it,
    not for the other action.
    """
    if view[AT_ENDER] != NOBODY and row.way != AVERAGE:
        row.way = LAST
    elif row.gain > 0 and saved <= 0:
        is_middling = other.other == HIDDEN and (better == DRAW or better >= rules.first_flip)
        row.way, row.card = MIDDLING if is_middling else UNSAID, other.card


@compiled
def write_reasons(view, rules, better, other, reasons):
    """Write by how much every part of their worth speaks for the better action, and what is to be said of it: of that
    action, or of the other one if the part is its flaw.
    """
    players, flaws = np.zeros(1, PLAYER_DTYPE), np.zeros(KINDS, REASON)  # compiled code needs the array, not its record
    note_both(view, rules, players, better, other, reasons, flaws)
    saved = reasons[CARDS].points - flaws[CARDS].points
    for kind in range(KINDS):
        row, flaw = reasons[kind], flaws[kind]
        gain = row.gain - flaw.gain
        is_flaw = -flaw.gain > row.gain
        if kind == CARDS:
            is_flaw = -flaw.points > row.points and better != DRAW
        is_vague = other == DRAW if is_flaw else better == DRAW and kind != CARDS and kind != COMPLETES
        if is_flaw:
            reasons[kind] = flaws[kind]
            row.flaw = 1
        if is_vague or (kind == GIVES and flaw.card == HIDDEN):  # nobody knows what such a card would be
            row.way = UNSAID
        row.gain = gain
    note_cards(view, rules, better, flaws[CARDS], saved, reasons[CARDS])
