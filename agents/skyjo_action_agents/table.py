"""What a decision rests on, and what a table is worth: to `greedy` its expected score, to `planner` its margin."""

import math

from skyjo_action_agents.layouts import final_cost, note_changes, read_layout
from skyjo_action_agents.player import FINAL, NONE, STAR_CODE, UNKNOWN, scripted
from skyjo_action_env.kernel import view as seen
from skyjo_action_env.kernel.scoring import HELD_POINTS
from skyjo_action_env.kernel.state import CARDS, CELLS, HIDDEN, KINDS, LOWEST

GREEDY, PLANNER = range(2)  # the scripts
CUT, EASE, HIDE, RUSH, STUCK, GAIN, SPREAD, STAR_WORTH = range(1, 9)  # their numbers
MOST_EASE = 0.95  # a high card never costs less than a lower one
# After this many turns a player, turning up cards is worth more every turn: else two could wait for each other.
LONG, HASTE = 20, 0.5
FAR = 4.0  # standard deviations off that count as certain
DEVIATION = 4.3  # of a card
SLIGHTLY = 0.01  # how much greedy minds the others: it prefers what is worse for them if it is the same for itself


@scripted
def study_cards(view, player):
    """How the unseen cards and the draw pile are made up."""
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
    """How many turns are left at least: as many as a layout has hidden cards."""
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
    """A high card may still be replaced, so what it has above CUT counts the less the more turns are left."""
    numbers, turns, mean = player.numbers, player.turns, 0.0
    ease = min(numbers[EASE] * turns / (turns + 1.0), MOST_EASE)
    for k in range(CARDS):
        card = 0.0 if k == STAR_CODE else float(LOWEST + k)
        player.final_costs[k] = card
        player.costs[k] = card - ease * max(card - numbers[CUT], 0.0)
        mean += player.odds[k] * player.costs[k]
    player.costs[UNKNOWN] = mean + (numbers[HIDE] if turns > 0 else 0.0)
    player.final_costs[UNKNOWN], player.final_costs[NONE], player.costs[NONE] = player.card_mean, 0.0, 0.0


@scripted
def study(view, rules, player):
    """All that a decision rests on."""
    study_cards(view, player)
    study_time(view, rules, player)
    set_costs(player)
    for place in range(rules.players):
        read_layout(view, rules, player, place)
    note_changes(rules, player, 0)
    if player.script == PLANNER and player.hidden[0] <= 1 and view[seen.AT_ENDER] < 0:
        for place in range(1, rules.players):
            player.finals[place] = final_score(view, rules, player, place)


@scripted
def chance_stuck(player, turns):
    """How likely the round ends before the player can use a card that needs this many turns."""
    return player.numbers[STUCK] ** max(player.turns - turns + 1, 0) if player.turns > 0 else 1.0


@scripted
def holding(player, cards):
    """What it is expected to cost to hold so many action cards."""
    cost = 0.0
    for turns in range(1, cards + 1):
        cost += HELD_POINTS * chance_stuck(player, turns)
    return cost


@scripted
def below(limit, deviation):
    """The chance that a normal number with mean 0 is at most this, by a logistic curve close to it."""
    if abs(limit) >= FAR * deviation:
        return 1.0 if limit >= 0 else 0.0
    return 1.0 / (1.0 + math.exp(-1.702 * limit / deviation))


@scripted
def points_beside(view, rules, player, place):
    """What counts at the end beside the layout: lines of stars that were cleared, and action cards."""
    return view[seen.at_seats(rules) + 4 * rules.players + place] + HELD_POINTS * player.held[place]


@scripted
def final_score(view, rules, player, place):
    """What another player is expected to score after one more turn: they lay a drawn card where it does most."""
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
    """The expected margin if this card ends the round: the score is doubled unless it is the lowest (9.6)."""
    lowest, points, numbers = 1.0, 0.0, player.numbers
    cost = final_cost(rules, player, 0, cell, card) + points_beside(view, rules, player, 0)
    for place in range(1, rules.players):
        variance = player.hidden[place] * DEVIATION**2 + numbers[SPREAD] ** 2
        lowest *= below(player.finals[place] - cost - 0.5, math.sqrt(variance))
        points += player.finals[place]
    return points / (rules.players - 1) - cost - (1.0 - lowest) * max(cost, 0.0) + player.flip_worth


@scripted
def value_after(view, rules, player, change, hidden):
    """The value after the own layout's cost has changed, with so many hidden cards, while the round goes on."""
    cost, points = player.cost[0] + change + view[seen.at_seats(rules) + 4 * rules.players], 0.0
    if player.script == PLANNER:
        for place in range(1, rules.players):
            points += (player.cost[place] + holding(player, player.held[place])) / (rules.players - 1)
        if view[seen.AT_ENDER] >= 0:  # who comes as low as the ender doubles the ender's score (9.6)
            place = view[seen.AT_ENDER]
            ender = max(player.cost[place] + points_beside(view, rules, player, place), 0.0)
            final = cost + HELD_POINTS * player.held[0]
            points += below(ender + 0.5 - final, DEVIATION * math.sqrt(hidden)) * ender / (rules.players - 1)
    return points - cost - holding(player, player.held[0]) + (player.hidden[0] - hidden) * player.flip_worth


@scripted
def value_of_laying(view, rules, player, cell, card):
    """The value after a card has been laid, or turned up, in an own cell; a star earns an action card."""
    hidden = player.hidden[0] - (view[seen.AT_CELLS + cell] == HIDDEN)
    if hidden == 0 and view[seen.AT_ENDER] < 0 and player.script == PLANNER:
        return value_of_ending(view, rules, player, cell, card)
    earned = player.numbers[STAR_WORTH] if card == STAR_CODE and player.turns > 0 else 0.0
    return value_after(view, rules, player, player.changes[0, cell, card], hidden) + earned
