"""What a layout is expected to cost, and how a card in a cell changes that.

A cell costs what its card counts, less the more likely one of its two lines will be cleared: a complete line is, and
one that lacks one card or two may be. Place FINAL holds a layout as it would count if the round ended.
"""

from skyjo_action_agents.player import FINAL, NONE, STAR_CODE, UNKNOWN, scripted
from skyjo_action_env.kernel.lines import BONUS, counts_as_line
from skyjo_action_env.kernel.state import CELLS, CLEAR_AUTOMATIC, COLUMNS, EMPTY, LINES, LOWEST, ROWS
from skyjo_action_env.kernel.view import AT_CELLS, at_known

LOOKS = 0  # its number: how soon a card comes that a line lacks
MOST_LACKING = 2  # cards: a line that lacks more is not hoped for


@scripted
def costs_at(player, place):
    """What the cards of a layout count."""
    return player.final_costs if place == FINAL else player.costs


@scripted
def chance_of(player, place, odds, is_hidden):
    """How likely a cell of a line gets a card that comes with these odds; a hidden one may be it already."""
    looks = player.numbers[LOOKS] * player.turns * odds if place != FINAL else 0.0
    return 1.0 - (1.0 - odds * is_hidden) / (1.0 + looks)


@scripted
def hope_for(player, place, card, numbers, hidden):
    """How likely a line gets what it lacks to be this card or stars alone: so many other numbers and hidden cards."""
    odds, stars = player.odds[card] if card != STAR_CODE else 0.0, player.odds[STAR_CODE]
    chance = 1.0 if numbers + hidden <= MOST_LACKING else 0.0
    for k in range(numbers + hidden):
        chance *= chance_of(player, place, odds + stars, k < hidden)
    return chance


@scripted
def weigh_line(rules, player, place, line):
    """(hope, bonus): how likely a line will be cleared, and what it counts as a line of stars."""
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
                hope = 1.0 if stars == 0 or rules.star_clear == CLEAR_AUTOMATIC or points > 0 else 0.0
            elif points > 0:
                hope = max(hope, hope_for(player, place, card, others, hidden))
    if lacking == hidden == 1 and stars > 0:
        hope = 1.0  # beside stars anything will do
    return hope, bonus * (1.0 - hope)


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
        cost += costs_at(player, place)[player.cards[place, k]] * keeps
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


@scripted
def final_cost(rules, player, place, cell, card):
    """What a layout would cost at the end of the round with this card in this cell, or as it is for cell -1."""
    player.cards[FINAL] = player.cards[place]
    if cell >= 0:
        player.cards[FINAL, cell] = card
    player.cost[FINAL] = cost_of(rules, player, FINAL, -1)
    return player.cost[FINAL]
