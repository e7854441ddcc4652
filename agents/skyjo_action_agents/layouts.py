"""What a layout is expected to cost, and how a card in a cell changes that.

A cell costs what its card counts, less the more likely one of its two lines will be cleared: a complete line is, and
one that lacks a single card may be.
"""

from skyjo_action_agents.player import NONE, STAR_CODE, UNKNOWN, scripted
from skyjo_action_env.kernel.lines import BONUS, counts_as_line
from skyjo_action_env.kernel.state import CELLS, CLEAR_AUTOMATIC, COLUMNS, EMPTY, LINES, LOWEST, ROWS
from skyjo_action_env.kernel.view import AT_CELLS, at_known

LOOKS = 0  # its number: how soon a card comes that a line lacks


@scripted
def weigh_line(rules, player, place, line):
    """(hope, bonus): how likely a line will be cleared, and what it counts as a line of stars."""
    cards, stars, hidden, one, ones, two, twos, points = 0, 0, 0, NONE, 0, NONE, 0, 0.0
    first, step, length = (line * ROWS, 1, ROWS) if line < COLUMNS else (line - COLUMNS, ROWS, COLUMNS)
    for k in range(length):
        card = player.cards[place, first + k * step]
        cards += card != NONE
        points += player.costs[card]
        if card == STAR_CODE:
            stars += 1
        elif card == UNKNOWN:
            hidden += 1
        elif card != NONE and one in (NONE, card):
            one, ones = card, ones + 1
        elif card != NONE:
            twos = twos + 1 if two in (NONE, card) else CELLS  # a third number
            two = card
        if hidden + min(ones, twos) > 1:
            return 0.0, 0.0
    if not counts_as_line(rules, line, cards) or twos >= CELLS:
        return 0.0, 0.0
    if stars == cards:
        return 0.0, -BONUS * (stars - 1.0)
    return hope_of(rules, player, stars, hidden, one, ones, two, twos, points), 0.0


@scripted
def hope_of(rules, player, stars, hidden, one, ones, two, twos, points):
    """How likely a line will be cleared. It may lack one card: of up to two numbers either may be the one to stay."""
    if hidden + twos == 0:
        return 1.0 if stars == 0 or rules.star_clear == CLEAR_AUTOMATIC or points > 0 else 0.0
    if points <= 0 or hidden * twos > 0:
        return 0.0
    odds = player.odds[STAR_CODE]
    if ones == 0:
        odds = 1.0  # beside stars anything will do
    elif hidden + twos == 1:
        odds += player.odds[one]
    if twos > 0 and ones == 1:
        odds += player.odds[two]
    looks = player.numbers[LOOKS] * player.turns * odds
    by_hidden = odds if hidden > 0 else 0.0  # a hidden card may be it
    return 1.0 - (1.0 - looks / (1.0 + looks)) * (1.0 - by_hidden)


@scripted
def cost_of(rules, player, place, cell):
    """What a layout costs; looks at the lines of this cell again, or at all for -1."""
    cost = 0.0
    for line in range(LINES):
        if cell < 0 or line in (cell // ROWS, COLUMNS + cell % ROWS):
            player.hopes[place, line], player.bonuses[place, line] = weigh_line(rules, player, place, line)
        cost += player.bonuses[place, line]
    for k in range(CELLS):
        keeps = (1.0 - player.hopes[place, k // ROWS]) * (1.0 - player.hopes[place, COLUMNS + k % ROWS])
        cost += player.costs[player.cards[place, k]] * keeps
    return cost


@scripted
def read_layout(view, rules, player, place):
    """Read a layout with the hidden cards that the player knows."""
    at = CELLS * place
    for cell in range(CELLS):
        known = view[at_known(rules) + at + cell]
        player.cards[place, cell] = (view[AT_CELLS + at + cell] if known == EMPTY else known) - LOWEST
    player.cost[place] = cost_of(rules, player, place, -1)


@scripted
def note_changes(rules, player, place):
    """Note how every card in every cell would change what a layout costs."""
    for cell in range(CELLS):
        shown = player.cards[place, cell]
        if shown != NONE:
            for card in range(UNKNOWN + 1):
                player.cards[place, cell] = card
                player.changes[place, cell, card] = cost_of(rules, player, place, cell) - player.cost[place]
            player.cards[place, cell] = shown
            cost_of(rules, player, place, cell)
