"""Reasons why one action is better than another: which parts of their worth differ, by the estimates of `tempo`.

Pages run this code, too. The weights fit these parts to the values that `lookahead` gives all actions of 3,600
decisions at tables of two to four (benchmarks/reasons.py).
"""

import numpy as np

from cardtable.table.compiling.compiler import compiler_of, source_of
from skyjo.table.phrases import REASON
from skyjo_agents.expected import best_flip, best_places, change_by, change_by_turning_up, parting
from skyjo_agents.own_board import own_hidden
from skyjo_agents.player import PLAYER_DTYPE
from skyjo_agents.scripted import TEMPO_NUMBERS
from skyjo_agents.tempo import study, value_after
from skyjo_env.kernel.chance import NONE, card_at, cell_cost, value_beside
from skyjo_env.kernel.state import DRAW, EMPTY, FIRST_PLACE, HIDDEN, OPENING, TAKE
from skyjo_env.kernel.view import AT_CELLS, AT_DISCARD_TOP, AT_ENDER, AT_HAND, AT_PHASE, AT_SEAT, AT_TURNS_LEFT

COMPLETES, PAIRS, GIVES, ENDS, LAP, CARDS, OPENS, COLUMNS = range(8)  # the templates of `phrases.toml`, in their order
KINDS = 8
THIRD, EARLY, LAST, AVERAGE = 1, 1, 1, 2  # ways: of GIVES, of ENDS, and of CARDS

CARD, PAIR, GIFT, END, END_BASE, HIT = 0.9, 0.8, 1.4, 1.85, 7.1, 0.6  # weights of what `tempo` estimates
OPEN, OPEN_EARLY, PAIR_EARLY, LONG = 0.9, 0.6, 1.1, 8  # more and less with this many turns left
SPOILT = 0.5  # points for every open card of a column that does not match the others
DOUBLING = 5.0  # points that the end costs at least if it is the doubling that counts

compiled = compiler_of(__file__, source_of(study), source_of(card_at), whole=True)
NUMBERS = np.array([*TEMPO_NUMBERS.values()])


@compiled
def earliness(player):
    """Return 0 in the final lap, and 1 with many turns left."""
    return min(player.turns, LONG) / LONG


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
    """Return whether this card completes a column of the next seat."""
    board = AT_CELLS + rules.cells
    for first in range(board, board + rules.cells, rules.rows):
        equal, gone = 0, 0
        for at in range(first, first + rules.rows):
            equal += view[at] == card
            gone += view[at] == EMPTY
        if equal == rules.rows - 1 and gone == 0:
            return True
    return False


@compiled
def note_gift(view, rules, card, cost, rows):
    """Note what it costs to leave this card on the discard pile."""
    row = rows[GIVES]
    row.gain, row.card = -GIFT / rules.players * cost, card
    row.seat = (view[AT_SEAT] + 1) % rules.players
    row.way = THIRD if is_third(view, rules, card) else 0


@compiled
def note_turn(view, rules, player, change, turned, unknown, rows):
    """Note what it is worth that the turn ends the round, turns up a card, or may have the ender doubled."""
    cost = player.board_cost + change
    rest = value_after(view, rules, player, change, turned, unknown) - player.others + cost
    if player.turns == 0:
        rows[LAP].gain, rows[LAP].seat = HIT * rest, (view[AT_SEAT] + view[AT_ENDER]) % rules.players
    elif own_hidden(view, rules) == turned:
        rows[ENDS].gain, rows[ENDS].way = END * rest + END_BASE, EARLY if rest > -DOUBLING else 0
    else:
        rows[OPENS].gain += (OPEN + OPEN_EARLY * earliness(player)) * rest


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
    else:
        early = PAIR_EARLY * earliness(player) * (np.int64(hoped > 0) - np.int64(hope > 0))
        row.gain = PAIR * row.gain - early
    if hoped < hope:
        row.card = player.one[column] if player.ones[column] > 1 else player.two[column]
    row = rows[CARDS]
    row.gain, row.card, row.other = CARD * (old - new), card, shown
    row.points = (player.card_mean if shown == HIDDEN else shown) - card
    rows[OPENS].gain = (OPEN + OPEN_EARLY * earliness(player)) * hide
    note_gift(view, rules, shown, gift, rows)
    note_column(view, rules, player, cell, card, rows)
    note_turn(view, rules, player, change, shown == HIDDEN, 0, rows)


@compiled
def note_flip(view, rules, player, cell, card, rows):
    """Note the parts of the worth of turning up a card, after laying this one on the discard pile."""
    note_column(view, rules, player, cell, NONE, rows)
    if view[AT_PHASE] == OPENING:
        return
    rows[OPENS].gain = (OPEN + OPEN_EARLY * earliness(player)) * (player.hidden_cost - player.mean_cost)
    note_gift(view, rules, card, player.discard_costs[card - rules.low], rows)
    change = change_by_turning_up(view, rules, player, cell // rules.rows, cell)
    note_turn(view, rules, player, change, 1, 1, rows)


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
    rows[CARDS].way = AVERAGE


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
    note_action(view, rules, player, better, reasons)
    note_action(view, rules, player, other, flaws)


@compiled
def write_reasons(view, rules, better, other, reasons):
    """Write by how much every part of their worth speaks for the better action, and what is to be said of it: of that
    action, or of the other one if the part is its flaw.
    """
    players, flaws = np.zeros(1, PLAYER_DTYPE), np.zeros(KINDS, REASON)  # compiled code needs the array, not its record
    note_both(view, rules, players, better, other, reasons, flaws)
    saved = reasons[CARDS].points - flaws[CARDS].points
    for kind in range(KINDS):
        gain = reasons[kind].gain - flaws[kind].gain
        loss = flaws[kind].points if kind == CARDS else flaws[kind].gain
        own = reasons[kind].points if kind == CARDS else reasons[kind].gain
        if -loss > own:
            reasons[kind] = flaws[kind]
            reasons[kind].flaw = 1
        reasons[kind].gain = gain
    cards = reasons[CARDS]
    cards.gain = min(cards.gain, saved) if cards.gain > 0 else cards.gain
    cards.way = LAST if view[AT_TURNS_LEFT] == 1 else cards.way
