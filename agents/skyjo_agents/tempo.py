"""The player that is built to win: it estimates what its board will cost by the end, and ends rounds when that pays.

Every choice of a turn is given a value, the expected margin as far as this player can tell, and the best is taken.
"""

import math

import numpy as np

from skyjo_agents.expected import best_changes, best_flip, best_places, read_board
from skyjo_agents.own_board import own_hidden
from skyjo_agents.player import scripted
from skyjo_env.kernel.state import DRAW, DRAWN, FIRST_PLACE, PENALTY_OFF, TAKE, TURN
from skyjo_env.kernel.view import (
    AT_CELLS,
    AT_DISCARD_TOP,
    AT_ENDER,
    AT_HAND,
    AT_PHASE,
    AT_TURNS,
    AT_TURNS_LEFT,
    at_pools,
    at_seats,
)

CUT, EASE, HALF, HIDE, LOOKS, RUSH, STAY, GAIN, SPREAD, GIFT = range(10)  # its numbers
# After this many turns a player, turning up cards is worth more every turn: else two could wait for each other.
LONG, HASTE = 20, 0.5
MAX_EASE = 0.95  # a high card never costs less than a lower one
FAR = 4.0  # standard deviations off that count as certain


@scripted
def study_cards(view, rules, player):
    """Write the odds of the unseen cards and of the draw pile, and the mean and deviation of the unseen cards."""
    at, cards, draws, points, squares = at_pools(rules), 0, 0, 0, 0
    for k in range(rules.values):
        count, card = view[at + k], rules.low + k
        cards += count
        draws += view[at + rules.values + k]
        points += count * card
        squares += count * card * card
    share, draw_share = 1.0 / max(cards, 1), 1.0 / max(draws, 1)
    for k in range(rules.values):
        player.odds[k] = view[at + k] * share
        player.draw_odds[k] = view[at + rules.values + k] * draw_share
    player.card_mean = points * share
    player.deviation = math.sqrt(max(squares * share - player.card_mean**2, 0.0))


@scripted
def study_table(view, rules, player):
    """Write the mean score that the others may expect, and the smallest number of turns that may be left. That number
    is the fewest hidden cards on a board, or 0 in the final lap.
    """
    at, players = at_seats(rules), rules.players
    turns, others = view[at], 0.0
    for place in range(1, players):
        hidden = view[at + place]
        turns = min(turns, hidden)
        others += view[at + players + place] + hidden * player.card_mean
    player.others = others / (players - 1)
    player.turns = 0.0 if view[AT_ENDER] >= 0 else max(turns, 1)


@scripted
def set_costs(rules, player):
    """Set the costs of cards. A high card will be replaced if there is time: its points above CUT count the less the
    more turns are left.

    A column that lacks one card will be completed the sooner the more such cards and turns are left.
    """
    numbers, turns = player.numbers, player.turns
    ease = min(numbers[EASE] * turns / (turns + numbers[HALF]), MAX_EASE)
    player.mean_cost = 0.0
    for k in range(rules.values):
        card = float(rules.low + k)
        player.costs[k] = card - ease * max(card - numbers[CUT], 0.0)
        player.mean_cost += player.odds[k] * player.costs[k]
        looks = numbers[LOOKS] * turns * player.odds[k]
        player.completion_odds[k] = looks / (1.0 + looks)
    player.hidden_cost = player.mean_cost + (numbers[HIDE] if turns > 0 else 0.0)


@scripted
def set_discard_costs(view, rules, player):
    """Write the cost of leaving each card on the discard pile: a share of the next player's gain from it.

    A card worth less to that player than the expected draw costs the share of that draw. The last turn costs nothing.
    """
    for k in range(np.uint64(rules.values)):
        player.discard_costs[k] = 0.0
    player.hidden_discard_cost = 0.0
    if view[AT_TURNS_LEFT] == 1:
        return
    read_board(view, rules, player, AT_CELLS + rules.cells)
    best_changes(view, rules, player)
    drawn = 0.0
    for k in range(rules.values):
        drawn += player.draw_odds[k] * max(-min(player.by_open[k], player.by_hidden[k]), 0.0)
    for k in range(rules.values):
        gain = -min(player.by_open[k], player.by_hidden[k])
        player.discard_costs[k] = player.numbers[GIFT] * max(gain, drawn)
        player.hidden_discard_cost += player.odds[k] * player.discard_costs[k]


@scripted
def set_flip_worth(view, rules, player):
    """Write the value of ending the round, and of turning up a card, which brings the end nearer; both grow in long
    rounds.
    """
    player.end_worth = HASTE * max(view[AT_TURNS] / rules.players - LONG, 0.0)
    player.flip_worth = player.end_worth + player.numbers[RUSH]


@scripted
def study(view, rules, player):
    """Write to the player's record all quantities that a decision needs."""
    study_cards(view, rules, player)
    study_table(view, rules, player)
    set_costs(rules, player)
    set_discard_costs(view, rules, player)
    player.board_cost = read_board(view, rules, player, AT_CELLS)
    set_flip_worth(view, rules, player)


@scripted
def below(limit, deviation):
    """Return the chance that a normal number with mean 0 is at most this, by a logistic curve close to it."""
    if abs(limit) >= FAR * deviation:
        return 1.0 if limit >= 0 else 0.0
    return 1.0 / (1.0 + math.exp(-1.702 * limit / deviation))


@scripted
def surcharge(rules):
    """Return the multiple of its score that an ender pays in addition if its score is not the lowest (7.6)."""
    return 0 if rules.ender_penalty_mode == PENALTY_OFF else rules.penalty_factor - 1


@scripted
def value_of_ending(view, rules, player, cost, unknown):
    """Return the expected margin if this turn ends the round with such a score: the others have a turn left (7.2), and
    the score is doubled unless it is the lowest (7.6). `unknown` cards were turned up unseen.
    """
    at, players, numbers = at_seats(rules), rules.players, player.numbers
    lowest, points = 1.0, 0.0
    for place in range(1, players):
        hidden = view[at + place]
        final = view[at + players + place] + hidden * player.card_mean - numbers[GAIN]
        variance = (hidden + unknown) * player.deviation**2 + numbers[SPREAD] ** 2
        lowest *= below(final - cost - 0.5, math.sqrt(variance))
        points += final
    penalty = (1.0 - lowest) * max(cost, 0.0) * surcharge(rules)
    return points / (players - 1) - cost - penalty - numbers[STAY] + player.end_worth


@scripted
def value_in_lap(view, rules, player, cost, hidden):
    """Return the expected margin in the final lap: a seat that comes as low as the ender doubles its score (7.6)."""
    value, ender = player.others - cost, view[AT_ENDER]
    points = view[at_seats(rules) + rules.players + ender]
    if points > 0:
        chance = below(points + 0.5 - cost, player.deviation * math.sqrt(hidden))
        value += chance * points * surcharge(rules) / (rules.players - 1)
    return value


@scripted
def value_after(view, rules, player, change, turned, unknown):
    """Return the expected margin after a turn that changes the board's cost and turns up this many hidden cards."""
    hidden, cost = own_hidden(view, rules) - turned, player.board_cost + change
    if player.turns == 0:
        return value_in_lap(view, rules, player, cost, hidden + unknown)
    if hidden == 0:
        return value_of_ending(view, rules, player, cost, unknown)
    return player.others - cost + turned * player.flip_worth


@scripted
def value_of_card(view, rules, player, k):
    """Return the value of having the k-th card of the deck's values to place."""
    value = -np.inf
    if player.by_open[k] < np.inf:
        value = value_after(view, rules, player, player.by_open[k], 0, 0)
    if player.by_hidden[k] < np.inf:
        value = max(value, value_after(view, rules, player, player.by_hidden[k], 1, 0))
    return value


@scripted
def set_worths(view, rules, player):
    """Set the value of having each card to place."""
    best_changes(view, rules, player)
    if player.turns > 0 and own_hidden(view, rules) > 1:  # by far the most common case, in short
        now, rush = player.others - player.board_cost, player.flip_worth
        for k in range(np.uint64(rules.values)):
            player.worths[k] = now - min(player.by_open[k], player.by_hidden[k] - rush)
        return
    for k in range(rules.values):
        player.worths[k] = value_of_card(view, rules, player, k)


@scripted
def turning_down(view, rules, player):
    """Return (action, value) of discarding the drawn card, not counting the gift; action -1 if it must stay (4.7)."""
    if rules.discard_drawn >= 0:
        return rules.discard_drawn, value_after(view, rules, player, 0.0, 0, 0)
    if own_hidden(view, rules) == 0:
        return -1, -np.inf
    cell, change = best_flip(view, rules, player)
    return rules.first_flip + cell, value_after(view, rules, player, change, 1, 1)


@scripted
def draw_or_take(view, rules, player):
    """Take the discard if it is worth more than the mean of all cards that may be drawn."""
    set_worths(view, rules, player)
    _, down = turning_down(view, rules, player)
    drawing = 0.0
    for k in range(np.uint64(rules.values)):
        if player.draw_odds[k] > 0:
            drawing += player.draw_odds[k] * max(player.worths[k], down - player.discard_costs[k])
    return TAKE if player.worths[view[AT_DISCARD_TOP] - rules.low] > drawing else DRAW


@scripted
def place_or_turn_down(view, rules, player):
    """Place the card in hand where it is worth most, or discard it if that is worth more."""
    card, best, most = view[AT_HAND], -1, -np.inf
    open_cell, open_change, hidden_cell, hidden_change = best_places(view, rules, player, card)
    if open_cell >= 0:
        best, most = FIRST_PLACE + open_cell, value_after(view, rules, player, open_change, 0, 0)
    if hidden_cell >= 0:
        value = value_after(view, rules, player, hidden_change, 1, 0)
        if value > most:
            best, most = FIRST_PLACE + hidden_cell, value
    if view[AT_PHASE] == DRAWN:
        action, value = turning_down(view, rules, player)
        if value - player.discard_costs[card - rules.low] > most:
            best = action
    return best


@scripted
def tempo(view, rules, player):
    """Return one decision in a turn."""
    study(view, rules, player)
    return draw_or_take(view, rules, player) if view[AT_PHASE] == TURN else place_or_turn_down(view, rules, player)
