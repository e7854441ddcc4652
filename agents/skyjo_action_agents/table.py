"""The basis of a decision: the expected cost of layouts, the value of a table, and the value of moves as in Skyjo.

A cell costs the fewer points, the more likely one of its two lines is to be cleared. A complete line
will be, and a line that lacks one or two cards may be. Place FINAL holds a layout as it would count if the round ended.
The value of a table is the expected score to `greedy`, and the expected margin to `planner`.
"""

import math

import numpy as np

from skyjo_action_agents.player import FINAL, NONE, STAR_CODE, UNKNOWN, scripted
from skyjo_action_env import kernel as state
from skyjo_action_env.kernel import CARDS, CELLS, COLUMNS, DRAW, EMPTY, HIDDEN, KINDS, LINES, LOWEST, ROWS, TAKE
from skyjo_action_env.kernel import view as seen
from skyjo_action_env.kernel.rounds import BONUS, HELD_POINTS, counts_as_line

GREEDY, PLANNER = range(2)  # the scripts
LOOKS, CUT, EASE, HIDE, RUSH, STUCK, GAIN, SPREAD, STAR_WORTH, PACE, TRUST, THREAT = range(12)  # their numbers
MAX_EASE = 0.95  # a high card never costs less than a lower one
# After this many turns a player, turning up cards is worth more every turn: else two could wait for each other.
LONG, HASTE = 20, 0.5
FAR = 4.0  # standard deviations off that count as certain
DEVIATION = 4.3  # of a card
SLIGHTLY = 0.01  # how much greedy minds the others: it prefers what is worse for them if it is the same for itself
MAX_LACKING = 2  # cards: a line that lacks more is not hoped for


@scripted
def costs_at(player, place):
    """Return the costs of the cards in a layout."""
    return player.final_costs if place == FINAL else player.costs


@scripted
def study_chances(player):
    """Write the probability that a cell of a line gets a card or a star; a hidden card may already be it."""
    for card in range(CARDS):
        odds = player.odds[STAR_CODE] + (player.odds[card] if card != STAR_CODE else 0.0)
        for ends in range(2):
            looks = 0.0 if ends else player.numbers[LOOKS] * player.turns * odds
            for is_hidden in range(2):
                player.chances[ends, card, is_hidden] = 1.0 - (1.0 - odds * is_hidden) / (1.0 + looks)


@scripted
def hope_for(player, place, card, numbers, hidden):
    """Return the probability that a line comes to hold only this card and stars. It has `numbers` cards of other
    numbers to replace, and `hidden` hidden cards.
    """
    if numbers + hidden > MAX_LACKING:
        return 0.0
    ends, chance = np.int64(place == FINAL), 1.0
    for k in range(numbers + hidden):
        chance *= player.chances[ends, card, np.int64(k < hidden)]
    return chance


@scripted
def weigh_line(rules, player, place, line):
    """Return (hope, bonus): the probability that a line will be cleared, and its points as a line of stars."""
    cards, stars, hidden, points, hope = 0, 0, 0, 0.0, 0.0
    first, step, length = (line * ROWS, 1, ROWS) if line < COLUMNS else (line - COLUMNS, ROWS, COLUMNS)
    for k in range(length):
        card = player.cards[place, first + k * step]
        cards += card != NONE
        stars += card == STAR_CODE
        hidden += card == UNKNOWN
        points += costs_at(player, place)[card]
    lacking = cards - stars
    if not counts_as_line(rules, line, cards):
        return 0.0, 0.0
    bonus = -BONUS * (cards - 1.0) * hope_for(player, place, STAR_CODE, lacking - hidden, hidden)
    if lacking == 0:
        return 0.0, bonus
    for k in range(length):
        card = player.cards[place, first + k * step]
        if card < STAR_CODE:
            others = 0
            for other in range(length):
                shown = player.cards[place, first + other * step]
                others += shown < STAR_CODE and shown != card
            if others + hidden == 0:
                hope = 1.0 if stars == 0 or rules.star_clear == state.CLEAR_AUTOMATIC or points > 0 else 0.0
            elif points > 0:
                hope = max(hope, hope_for(player, place, card, others, hidden))
    if lacking == hidden == 1 and stars > 0:
        hope = 1.0  # beside stars anything will do
    return hope, bonus * (1.0 - hope)


@scripted
def cost_of(rules, player, place, column, row):
    """Return the cost of a layout, after weighing these two lines again, or all lines for -1."""
    cost = 0.0
    for line in range(LINES):
        if column < 0 or line in (column, row):
            player.hopes[place, line], player.bonuses[place, line] = weigh_line(rules, player, place, line)
        cost += player.bonuses[place, line]
    for k in range(COLUMNS):
        for j in range(ROWS):  # WebAssembly divides slowly, which a cell's lines would need
            keeps = (1.0 - player.hopes[place, k]) * (1.0 - player.hopes[place, COLUMNS + j])
            cost += costs_at(player, place)[player.cards[place, ROWS * k + j]] * keeps
    return cost


@scripted
def read_layout(view, rules, player, place):
    """Read a layout with the hidden cards that the player knows."""
    at = CELLS * place
    for cell in range(CELLS):
        known = view[seen.at_known(rules) + at + cell]
        player.cards[place, cell] = (view[seen.AT_CELLS + at + cell] if known == EMPTY else known) - LOWEST
    player.cost[place] = cost_of(rules, player, place, -1, -1)


@scripted
def note_cell(rules, player, place, cell, first, last):
    """Note how each card from `first` to `last` in this cell would change what a layout costs."""
    shown, column, row = player.cards[place, cell], cell // ROWS, COLUMNS + cell % ROWS
    for card in range(first, last + 1):
        player.cards[place, cell] = card
        player.changes[place, cell, card] = cost_of(rules, player, place, column, row) - player.cost[place]
    player.cards[place, cell] = shown
    cost_of(rules, player, place, column, row)


@scripted
def note_changes(rules, player, place):
    """Note how every card in every cell would change what a layout costs."""
    for cell in range(CELLS):
        if player.cards[place, cell] != NONE:
            note_cell(rules, player, place, cell, 0, UNKNOWN)


@scripted
def note_needed(view, rules, player):
    """Note the changes of the own layout that a decision asks for."""
    phase, k = view[seen.AT_PHASE], 0
    if phase == state.THREE_PLACE:
        k = view[seen.AT_PICKED]
    if phase not in (state.DRAWN, state.TAKEN, state.THREE_PLACE):
        note_changes(rules, player, 0)
        return
    for cell in range(CELLS):
        if player.cards[0, cell] != NONE:
            may_flip = phase == state.DRAWN and view[seen.AT_CELLS + cell] == HIDDEN
            card = view[seen.AT_HAND + k] - LOWEST
            note_cell(rules, player, 0, cell, 0 if may_flip else card, UNKNOWN if may_flip else card)


@scripted
def final_cost(rules, player, place, cell, card):
    """Return the cost of a layout at the end of the round with this card in this cell, or as it is for cell -1."""
    player.cards[FINAL] = player.cards[place]
    if cell >= 0:
        player.cards[FINAL, cell] = card
    player.cost[FINAL] = cost_of(rules, player, FINAL, -1, -1)
    return player.cost[FINAL]


# Tables


@scripted
def study_cards(view, player):
    """Write the odds of the unseen cards and of the draw pile, and the mean of the unseen cards."""
    draws, cards = view[seen.AT_DRAW_PILE], view[seen.AT_UNSEEN : seen.AT_UNSEEN + CARDS].sum()
    known = view[seen.AT_KNOWN_DRAWS : seen.AT_KNOWN_DRAWS + CARDS].sum()
    discards, player.card_mean = view[seen.AT_DISCARDS : seen.AT_DISCARDS + CARDS].sum(), 0.0
    for k in range(CARDS):
        player.odds[k] = view[seen.AT_UNSEEN + k] / max(cards, 1)
        player.card_mean += player.odds[k] * (0 if k == STAR_CODE else LOWEST + k)
        if draws > 0:
            player.draw_odds[k] = (view[seen.AT_KNOWN_DRAWS + k] + (draws - known) * player.odds[k]) / draws
        else:  # the discards will be shuffled
            player.draw_odds[k] = view[seen.AT_DISCARDS + k] / max(discards, 1)


@scripted
def study_time(view, rules, player):
    """Write hidden cards and action cards by place, and the smallest number of turns that may be left: the fewest
    hidden cards in a layout, or 0 in the final lap.
    """
    player.turns = CELLS
    for place in range(rules.players):
        player.hidden[place], at = view[seen.at_seats(rules) + place], seen.at_held(rules) + len(KINDS) * place
        player.held[place] = view[at : at + len(KINDS)].sum()
        player.turns = min(player.turns, player.hidden[place])
    if view[seen.AT_ENDER] >= 0:
        player.turns = 0
    player.rivalry = (1.0 if player.script == PLANNER else SLIGHTLY) / (rules.players - 1)
    player.flip_worth = player.numbers[RUSH] + HASTE * max(view[seen.AT_TURNS] / rules.players - LONG, 0.0)


@scripted
def set_costs(player):
    """Set the costs of cards. A high card may still be replaced: its points above CUT count the less the more turns are
    left.
    """
    numbers, turns, mean = player.numbers, player.turns, 0.0
    ease = min(numbers[EASE] * turns / (turns + 1.0), MAX_EASE)
    for k in range(CARDS):
        card = 0.0 if k == STAR_CODE else float(LOWEST + k)
        player.final_costs[k] = card
        player.costs[k] = card - ease * max(card - numbers[CUT], 0.0)
        mean += player.odds[k] * player.costs[k]
    player.costs[UNKNOWN] = mean + (numbers[HIDE] if turns > 0 else 0.0)
    player.final_costs[UNKNOWN], player.final_costs[NONE], player.costs[NONE] = player.card_mean, 0.0, 0.0


@scripted
def study(view, rules, player):
    """Write to the player's record all quantities that a decision needs."""
    study_cards(view, player)
    study_time(view, rules, player)
    study_chances(player)
    set_costs(player)
    for place in range(rules.players):
        read_layout(view, rules, player, place)
    note_needed(view, rules, player)
    note_standing(rules, player)
    if player.script == PLANNER and player.hidden[0] <= 1 and view[seen.AT_ENDER] < 0:
        for place in range(1, rules.players):
            player.finals[place] = final_score(view, rules, player, place)


@scripted
def chance_stuck(player, turns):
    """Return the probability that the round ends before the player can use a card that needs this many turns."""
    return player.numbers[STUCK] ** max(player.turns - turns + 1, 0) if player.turns > 0 else 1.0


@scripted
def holding(player, cards):
    """Return the expected cost of holding so many action cards."""
    cost = 0.0
    for turns in range(1, cards + 1):
        cost += HELD_POINTS * chance_stuck(player, turns)
    return cost


@scripted
def below(limit, deviation):
    """Return the chance that a normal number with mean 0 is at most this, by a logistic curve close to it."""
    if abs(limit) >= FAR * deviation:
        return 1.0 if limit >= 0 else 0.0
    return 1.0 / (1.0 + math.exp(-1.702 * limit / deviation))


@scripted
def points_beside(view, rules, player, place):
    """Return the points that count at the end besides the layout: cleared lines of stars, and action cards."""
    return view[seen.at_seats(rules) + 4 * rules.players + place] + HELD_POINTS * player.held[place]


@scripted
def final_score(view, rules, player, place):
    """Return the expected score of another player after one more turn, with a drawn card in the best cell."""
    score, gain = final_cost(rules, player, place, -1, NONE) + points_beside(view, rules, player, place), 0.0
    note_changes(rules, player, FINAL)
    for card in range(CARDS):
        most = 0.0
        for cell in range(CELLS):
            if player.cards[place, cell] != NONE:
                most = max(most, -player.changes[FINAL, cell, card])
        gain += player.draw_odds[card] * most
    return score - player.numbers[GAIN] * gain


@scripted
def value_of_ending(view, rules, player, cell, card):
    """Return the expected margin if this card ends the round: the score is doubled unless it is the lowest (9.6)."""
    lowest, points, numbers = 1.0, 0.0, player.numbers
    cost = final_cost(rules, player, 0, cell, card) + points_beside(view, rules, player, 0)
    for place in range(1, rules.players):
        variance = player.hidden[place] * DEVIATION**2 + numbers[SPREAD] ** 2
        lowest *= below(player.finals[place] - cost - 0.5, math.sqrt(variance))
        points += player.finals[place]
    return points / (rules.players - 1) - cost - (1.0 - lowest) * max(cost, 0.0) + player.flip_worth


@scripted
def note_standing(rules, player):
    """Note what the others are expected to score on average, and what the own action cards cost."""
    player.others = 0.0
    for place in range(1, rules.players if player.script == PLANNER else 1):
        player.others += (player.cost[place] + holding(player, player.held[place])) / (rules.players - 1)
    player.holding = holding(player, player.held[0])


@scripted
def value_after(view, rules, player, change, hidden):
    """Return the value after the own layout's cost has changed, with so many hidden cards, while the round goes on."""
    cost, points = player.cost[0] + change + view[seen.at_seats(rules) + 4 * rules.players], player.others
    if player.script == PLANNER and view[seen.AT_ENDER] >= 0:  # as low as the ender, it doubles the ender's score (9.6)
        place = view[seen.AT_ENDER]
        ender = max(player.cost[place] + points_beside(view, rules, player, place), 0.0)
        final = cost + HELD_POINTS * player.held[0]
        points += below(ender + 0.5 - final, DEVIATION * math.sqrt(hidden)) * ender / (rules.players - 1)
    return points - cost - player.holding + (player.hidden[0] - hidden) * player.flip_worth


@scripted
def value_of_laying(view, rules, player, cell, card):
    """Return the value after a card has been laid, or turned up, in an own cell; a star earns an action card."""
    hidden = player.hidden[0] - (view[seen.AT_CELLS + cell] == HIDDEN)
    if hidden == 0 and view[seen.AT_ENDER] < 0 and player.script == PLANNER:
        return value_of_ending(view, rules, player, cell, card)
    earned = player.numbers[STAR_WORTH] if card == STAR_CODE and player.turns > 0 else 0.0
    return value_after(view, rules, player, player.changes[0, cell, card], hidden) + earned


# Moves as in Skyjo


@scripted
def study_card(view, rules, player, card):
    """Find where a card is placed best, and what that is worth."""
    player.worths[card] = -np.inf
    for cell in range(CELLS):
        if player.cards[0, cell] != NONE:
            value = value_of_laying(view, rules, player, cell, card)
            if value > player.worths[card]:
                player.worths[card], player.places[card] = value, cell


@scripted
def best_flip(view, rules, player):
    """Return (cell, value) of the best hidden card to turn up; -1 if there is none."""
    best, most = -1, -np.inf
    for cell in range(CELLS):
        if view[seen.AT_CELLS + cell] == HIDDEN:
            known, value = player.cards[0, cell], 0.0
            if known != UNKNOWN:
                value = value_of_laying(view, rules, player, cell, known)
            else:
                for card in range(CARDS):
                    value += player.odds[card] * value_of_laying(view, rules, player, cell, card)
            if value > most:
                best, most = cell, value
    return best, most


@scripted
def study_moves(view, rules, player):
    """Write the value of every card to a player who has it to place; return the value of turning a card up instead."""
    for card in range(CARDS):
        study_card(view, rules, player, card)
    return best_flip(view, rules, player)[1]


@scripted
def draw_or_take(view, player, flip):
    """Return (action, value) of the better of the two moves; -1 without a card in the layout."""
    if player.worths[0] == -np.inf:
        return -1, -np.inf
    top, drawing = view[seen.AT_DISCARD_TOP], 0.0
    may_draw = view[seen.AT_DRAW_PILE] > 0 or view[seen.AT_DISCARD_PILE] >= 2
    taking = player.worths[top - LOWEST] if top < HIDDEN else -np.inf
    for card in range(CARDS):
        drawing += player.draw_odds[card] * max(player.worths[card], flip)
    return (DRAW, drawing) if may_draw and drawing >= taking else (TAKE, taking)
