"""What a layout is expected to cost, and how a card in a cell changes that.

A cell costs what its card counts, less the more likely one of its two lines will be cleared: a complete line is, and
one that lacks a single card may be.
"""

from skyjo_action_agents.player import NONE, STAR_CODE, UNKNOWN, scripted
from skyjo_action_env.kernel.lines import BONUS, cell_of, counts_as_line, line_length
from skyjo_action_env.kernel.state import CELLS, CLEAR_AUTOMATIC, COLUMNS, EMPTY, LINES, LOWEST, ROWS
from skyjo_action_env.kernel.view import AT_CELLS, at_known

LOOKS = 0  # its number: how soon a card comes that a line lacks


@scripted
def hope_of(player, odds, is_hidden):
    """How likely a line will be cleared that lacks one card with these odds; a hidden one may be it."""
    looks = player.numbers[LOOKS] * player.turns * odds
    hope = looks / (1.0 + looks)
    return 1.0 - (1.0 - hope) * (1.0 - odds) if is_hidden else hope


@scripted
def weigh_line(rules, player, place, line):
    """(hope, bonus): how likely a line will be cleared, and what it counts as a line of stars."""
    cards, stars, hidden, one, ones, two, twos, points = 0, 0, 0, NONE, 0, NONE, 0, 0.0
    for k in range(line_length(line)):
        card = player.cards[place, cell_of(line, k)]
        if card == NONE:
            continue
        cards += 1
        points += player.costs[card]
        if card == STAR_CODE:
            stars += 1
        elif card == UNKNOWN:
            hidden += 1
        elif one in (NONE, card):
            one = card
            ones += 1
        elif two in (NONE, card):
            two = card
            twos += 1
        else:
            return 0.0, 0.0
    if hidden + min(ones, twos) > 1 or not counts_as_line(rules, line, cards):
        return 0.0, 0.0
    if stars == cards:
        return 0.0, -BONUS * (stars - 1.0)
    if hidden + twos == 0:
        is_free = stars > 0 and rules.star_clear != CLEAR_AUTOMATIC
        return (0.0 if is_free and points <= 0 else 1.0), 0.0
    return hope_of_one(player, ones, one, twos, two, hidden, points), 0.0


@scripted
def hope_of_one(player, ones, one, twos, two, hidden, points):
    """How likely a line will be cleared that lacks one card: of up to two numbers either may be the one to stay."""
    if points <= 0 or (hidden > 0 and twos > 0):
        return 0.0
    if ones == 0:
        return hope_of(player, 1.0, True)  # beside stars anything will do
    odds = player.odds[STAR_CODE]
    if hidden + twos == 1:
        odds += player.odds[one]
    if twos > 0 and ones == 1:
        odds += player.odds[two]
    return hope_of(player, min(odds, 1.0), hidden > 0)


@scripted
def cost_of(rules, player, place, hopes):
    """What a layout costs; writes the hopes of its lines."""
    cost = 0.0
    for line in range(LINES):
        hopes[line], bonus = weigh_line(rules, player, place, line)
        cost += bonus
    for cell in range(CELLS):
        card = player.cards[place, cell]
        cost += player.costs[card] * (1.0 - hopes[cell // ROWS]) * (1.0 - hopes[COLUMNS + cell % ROWS])
    return cost


@scripted
def read_layout(view, rules, player, place):
    """Read a layout with the hidden cards that the player knows."""
    at = CELLS * place
    for cell in range(CELLS):
        known = view[at_known(rules) + at + cell]
        player.cards[place, cell] = (view[AT_CELLS + at + cell] if known == EMPTY else known) - LOWEST
    player.cost[place] = cost_of(rules, player, place, player.hopes[place])


@scripted
def closeness(player, place, line, cell):
    """Can a line be hoped for with another card in this cell? 0 no, 1 with a star or an equal of a card there, 2 with
    any card.
    """
    rest, most = 0, 0
    for k in range(line_length(line)):
        card = player.cards[place, cell_of(line, k)]
        if card in (STAR_CODE, NONE) or cell_of(line, k) == cell:
            continue
        rest += 1
        if card != UNKNOWN:
            most = max(most, count_beside(player, place, line, cell, card))
    if rest + 1 - max(most, 1) <= 1:
        return 2
    return 1 if rest - most <= 1 else 0


@scripted
def count_beside(player, place, line, cell, card):
    """How often a line has this card in other cells."""
    count = 0
    for k in range(line_length(line)):
        count += cell_of(line, k) != cell and player.cards[place, cell_of(line, k)] == card
    return count


@scripted
def weigh_with(rules, player, place, line, cell, near):
    """`weigh_line`, with a look at what lies in the cell first."""
    card = player.cards[place, cell]
    if near == 0 or (near == 1 and card != STAR_CODE and count_beside(player, place, line, cell, card) == 0):
        return 0.0, 0.0
    return weigh_line(rules, player, place, line)


@scripted
def rests_of(player, place, cell):
    """What the other cells of the column and of the row of a cell cost, but for the hopes of these two lines."""
    column_rest, row_rest, column, row = 0.0, 0.0, cell // ROWS, cell % ROWS
    for k in range(ROWS):
        if k != row:
            card = player.cards[place, column * ROWS + k]
            column_rest += player.costs[card] * (1.0 - player.hopes[place, COLUMNS + k])
    for k in range(COLUMNS):
        if k != column:
            row_rest += player.costs[player.cards[place, k * ROWS + row]] * (1.0 - player.hopes[place, k])
    return column_rest, row_rest


@scripted
def note_changes(rules, player, place):
    """Note how every card in every cell would change what a layout costs."""
    for cell in range(CELLS):
        shown, down_line, across_line = player.cards[place, cell], cell // ROWS, COLUMNS + cell % ROWS
        if shown == NONE:
            continue
        column_rest, row_rest = rests_of(player, place, cell)
        down_near = closeness(player, place, down_line, cell)
        across_near = closeness(player, place, across_line, cell)
        for card in range(UNKNOWN + 1):
            player.cards[place, cell] = card
            down, down_bonus = weigh_with(rules, player, place, down_line, cell, down_near)
            across, across_bonus = weigh_with(rules, player, place, across_line, cell, across_near)
            own = player.costs[card] * (1.0 - down) * (1.0 - across)
            cost = column_rest * (1.0 - down) + row_rest * (1.0 - across) + own + down_bonus + across_bonus
            player.changes[place, cell, card] = cost
        before = player.changes[place, cell, shown]
        for card in range(UNKNOWN + 1):
            player.changes[place, cell, card] -= before
        player.cards[place, cell] = shown


@scripted
def change_by_chance(player, place, cell):
    """How a card in a cell that may be any unseen one is expected to change what the layout costs."""
    change = 0.0
    for card in range(len(player.odds)):
        change += player.odds[card] * player.changes[place, cell, card]
    return change
