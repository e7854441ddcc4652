"""Scripted players with habits that people have: each plays as `threshold` with columns does, except for one habit."""

from skyjo_agents.own_board import (
    completed_by,
    mean_unseen,
    own_card,
    own_hidden,
    random_hidden,
    turn_down,
    worst_open,
)
from skyjo_agents.player import scripted
from skyjo_agents.threshold import threshold
from skyjo_env.kernel.state import EMPTY, FIRST_PLACE, HIDDEN, NOBODY, TAKE, TAKEN, TURN
from skyjo_env.kernel.view import AT_DISCARD_TOP, AT_ENDER, AT_HAND, AT_PHASE, AT_TURNS, at_seats

HURRIED, COLLECTOR, CAUTIOUS, COPYCAT = range(4, 8)  # codes in addition to those of skyjo_agents.all_scripts

AHEAD = 5.0  # points that a cautious player must seem to lead by to end the round
PATIENCE = 20  # turns after which it ends the round in any case


@scripted
def hurried(view, rules, player):
    """Turns up a card in every turn, unless the card in hand completes a column."""
    card = view[AT_HAND]
    if view[AT_PHASE] == TURN or own_hidden(view, rules) == 0 or completed_by(view, rules, card) >= 0:
        return threshold(view, rules, player)
    mean = mean_unseen(view, rules)
    if view[AT_PHASE] == TAKEN or card < mean:
        return FIRST_PLACE + random_hidden(view, rules, player)
    return turn_down(view, rules, mean, player)


@scripted
def pair_cell(view, rules, card):
    """Return the cell where this card makes a pair in a column, preferably a hidden cell; -1 if there is none."""
    best = -1
    for cell in range(rules.cells):
        shown, first, equal = own_card(view, cell), cell - cell % rules.rows, 0
        if shown == EMPTY or (shown != HIDDEN and shown <= card):
            continue
        for other in range(first, first + rules.rows):
            equal += own_card(view, other) == card
        if equal == 1 and (best < 0 or shown == HIDDEN):
            best = cell
    return best


@scripted
def collector(view, rules, player):
    """Collects equal cards in columns before anything else."""
    if view[AT_PHASE] == TURN:
        makes_pair = pair_cell(view, rules, view[AT_DISCARD_TOP]) >= 0
        return TAKE if makes_pair else threshold(view, rules, player)
    card = view[AT_HAND]
    cell = pair_cell(view, rules, card)
    if cell < 0 or completed_by(view, rules, card) >= 0:
        return threshold(view, rules, player)
    return FIRST_PLACE + cell


@scripted
def seems_ahead(view, rules):
    """Return whether the own board, with one hidden card, is expected to be at least AHEAD points below every other."""
    at, mean = at_seats(rules), mean_unseen(view, rules)
    own = view[at + rules.players] + mean
    for place in range(1, rules.players):
        if own + AHEAD > view[at + rules.players + place] + view[at + place] * mean:
            return False
    return True


@scripted
def cautious(view, rules, player):
    """Act like `threshold`, but do not turn up the last hidden card unless well ahead or late in the round."""
    action, worst = threshold(view, rules, player), worst_open(view, rules)
    has_time = view[AT_TURNS] < PATIENCE * rules.players and view[AT_ENDER] == NOBODY
    if view[AT_PHASE] == TURN or own_hidden(view, rules) != 1 or worst < 0 or not has_time:
        return action
    cell = action - FIRST_PLACE if action < rules.first_flip else action - rules.first_flip
    turns_up = cell < rules.cells and own_card(view, cell) == HIDDEN
    return FIRST_PLACE + worst if turns_up and not seems_ahead(view, rules) else action


@scripted
def copycat(view, rules, player):
    """Plays as `hurried` does while another player has fewer hidden cards."""
    at, hidden = at_seats(rules), own_hidden(view, rules)
    for place in range(1, rules.players):
        if view[at + place] < hidden:
            return hurried(view, rules, player)
    return threshold(view, rules, player)


@scripted
def with_habit(view, rules, player):
    """Return one decision in a turn."""
    if player.script == HURRIED:
        return hurried(view, rules, player)
    if player.script == COLLECTOR:
        return collector(view, rules, player)
    return cautious(view, rules, player) if player.script == CAUTIOUS else copycat(view, rules, player)
