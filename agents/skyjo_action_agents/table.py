"""What a decision rests on: unseen cards, time, layouts, and what it costs to hold action cards."""

import math

from skyjo_action_agents.layouts import note_changes, read_layout
from skyjo_action_agents.player import NONE, STAR_CODE, UNKNOWN, scripted
from skyjo_action_env.kernel.scoring import HELD_POINTS
from skyjo_action_env.kernel.state import CARDS, CELLS, KINDS, LOWEST
from skyjo_action_env.kernel.view import (
    AT_DISCARD_TOP,
    AT_DISCARDS,
    AT_DRAW_PILE,
    AT_ENDER,
    AT_KNOWN_DRAWS,
    AT_TURNS,
    AT_TURNS_LEFT,
    AT_UNSEEN,
    at_held,
    at_seats,
)

CUT, EASE, HALF, HIDE, RUSH, GIFT, STUCK = range(1, 8)  # its numbers
MOST_EASE = 0.95  # a high card never costs less than a lower one
# After this many turns a player, turning up cards is worth more every turn: else two could wait for each other.
LONG, HASTE = 20, 0.5


@scripted
def study_cards(view, player):
    """How the unseen cards and the draw pile are made up."""
    cards, known, points, squares = 0, 0, 0, 0
    for k in range(CARDS):
        count, card = view[AT_UNSEEN + k], 0 if k == STAR_CODE else LOWEST + k
        cards += count
        known += view[AT_KNOWN_DRAWS + k]
        points += count * card
        squares += count * card * card
    share, draws, discards = 1.0 / max(cards, 1), view[AT_DRAW_PILE], 0
    for k in range(CARDS):
        discards += view[AT_DISCARDS + k]
    for k in range(CARDS):
        player.odds[k] = view[AT_UNSEEN + k] * share
        if draws > 0:
            player.draw_odds[k] = (view[AT_KNOWN_DRAWS + k] + (draws - known) * player.odds[k]) / draws
        else:  # the discards will be shuffled
            rest = view[AT_DISCARDS + k] - (view[AT_DISCARD_TOP] - LOWEST == k)
            player.draw_odds[k] = rest / max(discards - 1, 1)
    player.card_mean = points * share
    player.deviation = math.sqrt(max(squares * share - player.card_mean**2, 0.0))


@scripted
def study_time(view, rules, player):
    """How many turns are left at least: as many as a layout has hidden cards."""
    turns = CELLS
    for place in range(rules.players):
        player.hidden[place], player.held[place] = view[at_seats(rules) + place], 0
        turns = min(turns, player.hidden[place])
        for kind in range(len(KINDS)):
            player.held[place] += view[at_held(rules) + len(KINDS) * place + kind]
    player.turns = 0 if view[AT_ENDER] >= 0 else turns
    player.end_worth = HASTE * max(view[AT_TURNS] / rules.players - LONG, 0.0)
    player.flip_worth = player.end_worth + player.numbers[RUSH]


@scripted
def set_costs(player):
    """A high card will be replaced if there is time, so what it has above CUT counts the less the more turns are left.

    A hidden one costs somewhat more than the mean.
    """
    numbers, turns, mean = player.numbers, player.turns, 0.0
    ease = min(numbers[EASE] * turns / (turns + numbers[HALF]), MOST_EASE)
    for k in range(CARDS):
        card = 0.0 if k == STAR_CODE else float(LOWEST + k)
        player.costs[k] = card - ease * max(card - numbers[CUT], 0.0)
        mean += player.odds[k] * player.costs[k]
    player.costs[UNKNOWN] = mean + (numbers[HIDE] if turns > 0 else 0.0)
    player.costs[NONE] = 0.0


@scripted
def set_gifts(view, rules, player):
    """What it costs to leave a card on the discard pile: a share of what the next player gains by it, beyond a draw."""
    player.gifts[:] = 0.0
    if view[AT_TURNS_LEFT] == 1 or player.numbers[GIFT] == 0 or rules.players == 1:
        return
    note_changes(rules, player, 1)
    drawn = 0.0
    for k in range(CARDS):
        change = 0.0
        for cell in range(CELLS):
            if player.cards[1, cell] != NONE:
                change = min(change, player.changes[1, cell, k])
        player.gifts[k] = -change
        drawn -= player.draw_odds[k] * change
    for k in range(CARDS):
        player.gifts[k] = player.numbers[GIFT] * max(player.gifts[k] - drawn, 0.0)
        player.gifts[UNKNOWN] += player.odds[k] * player.gifts[k]


@scripted
def study(view, rules, player):
    """All of it."""
    study_cards(view, player)
    study_time(view, rules, player)
    set_costs(player)
    for place in range(rules.players):
        read_layout(view, rules, player, place)
    set_gifts(view, rules, player)
    note_changes(rules, player, 0)


@scripted
def chance_stuck(player, turns):
    """How likely the round ends before the player can use a card that needs this many turns."""
    return player.numbers[STUCK] ** max(player.turns - turns + 1, 0)


@scripted
def holding(player, cards):
    """What it is expected to cost to hold so many action cards."""
    cost = 0.0
    for turns in range(1, cards + 1):
        cost += HELD_POINTS * (chance_stuck(player, turns) if player.turns > 0 else 1.0)
    return cost
