"""What a scripted agent reads from its observation, and the choices that all of them make alike.

Functions take one observation (`view`), the rules' record, and for random choices the generator states of all tables
and the number of the table.
"""

from agents.jit import scripted
from skyjo_env.kernel.chance import GAMMA, mix, share
from skyjo_env.kernel.state import DRAWN, EMPTY, FIRST_PLACE, HIDDEN
from skyjo_env.kernel.view import AT_CELLS, AT_HAND, AT_PHASE, AT_RESHUFFLES, at_pools, at_seats


@scripted
def own_card(view, cell):
    """What lies in an own cell: an open card, HIDDEN or EMPTY."""
    return view[AT_CELLS + cell]


@scripted
def own_hidden(view, rules):
    """How many own cards are hidden."""
    return view[at_seats(rules)]


@scripted
def mean_unseen(view, rules):
    """The mean of all cards that were unseen when the turn began, the card that was then drawn included."""
    cards, points, at = 0, 0, at_pools(rules)
    for k in range(rules.values):
        cards += view[at + k]
        points += view[at + k] * (rules.low + k)
    if view[AT_PHASE] == DRAWN and view[AT_RESHUFFLES] == 0:
        cards += 1
        points += view[AT_HAND]
    return points / cards if cards > 0 else 0.0


@scripted
def expected_card(view, cell, mean):
    """What a card that is still there is worth: itself if it is open, else the mean of the unseen."""
    card = own_card(view, cell)
    return mean if card == HIDDEN else float(card)


@scripted
def worst_open(view, rules):
    """The cell of the highest open card, the first by rows as in the paper's program; -1 if none is open."""
    worst, highest = -1, 0
    for row in range(rules.rows):
        for column in range(rules.columns):
            cell = column * rules.rows + row
            card = own_card(view, cell)
            if card < HIDDEN and (worst < 0 or card > highest):
                worst, highest = cell, card
    return worst


@scripted
def random_hidden(view, rules, chances, table):
    """One of the own hidden cells, each equally likely; -1 if there is none."""
    hidden = own_hidden(view, rules)
    if hidden == 0:
        return -1
    chances[table] += GAMMA
    nth = share(mix(chances[table]), hidden)
    for cell in range(rules.cells):
        if own_card(view, cell) == HIDDEN:
            if nth == 0:
                return cell
            nth -= 1
    return -1


@scripted
def completed_by(view, rules, card, mean):
    """The cell where this card completes a column and so removes the most expected points; -1 if there is none.

    Only columns that cost points count: to clear two cards of -2 under a hidden one is no gain.
    """
    best, most = -1, 0.0
    for column in range(rules.columns):
        alike, other = 0, -1
        for row in range(rules.rows):
            cell = column * rules.rows + row
            if own_card(view, cell) == card:
                alike += 1
            else:
                other = cell
        if alike != rules.rows - 1 or own_card(view, other) == EMPTY:
            continue
        points = alike * card + expected_card(view, other, mean)
        if points > most:
            best, most = other, points
    return best


@scripted
def complete_points(view, rules):
    """The points in complete columns, and in complete rows if these count: what clearing them removes."""
    points = 0
    for cell in range(rules.cells):
        card, in_column, in_row = own_card(view, cell), True, rules.row_clear == 1
        if card >= HIDDEN:
            continue
        for row in range(rules.rows):
            in_column &= own_card(view, cell - cell % rules.rows + row) == card
        for column in range(rules.columns):
            in_row &= own_card(view, column * rules.rows + cell % rules.rows) == card
        points += card if in_column or in_row else 0
    return points


@scripted
def least_harm(view, rules, mean, chances, table):
    """Where a card that nobody wants does the least expected harm: for the highest open card or a hidden one."""
    worst = worst_open(view, rules)
    if worst >= 0 and (own_hidden(view, rules) == 0 or own_card(view, worst) >= mean):
        return FIRST_PLACE + worst
    return FIRST_PLACE + random_hidden(view, rules, chances, table)


@scripted
def turn_down(view, mask, rules, mean, chances, table):
    """Get rid of the card in hand: discard it and turn up a hidden card if that must be; place it if it was taken."""
    if rules.discard_drawn >= 0 and mask[rules.discard_drawn]:
        return rules.discard_drawn
    cell = random_hidden(view, rules, chances, table)
    if cell >= 0 and mask[rules.first_flip + cell]:
        return rules.first_flip + cell
    return least_harm(view, rules, mean, chances, table)


@scripted
def confirm(view, rules):
    """Clear complete lines if they cost points, else keep them (5.5)."""
    return rules.clear_lines if complete_points(view, rules) > 0 else rules.keep_lines
