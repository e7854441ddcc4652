"""What a table of two is worth to a player who wants to win the game, not just the round, in compiled code.

`equities` is the address of the tables that `skyjo_agents.equity_tables` packs, or MARGINS where the round is all that
counts. Chances of winning are in percent.
"""

import numpy as np

from cardtable.kernel.addresses import floats_at
from skyjo_agents.player import scripted
from skyjo_env.kernel.state import NOBODY
from skyjo_env.kernel.view import AT_ENDER, AT_ROUND, at_seats

MARGINS = np.uint64(0)
FEWEST, MOST = -48, 159  # points left to the target that the tables tell apart
POINTS_LEFT = MOST - FEWEST + 1
STAGES = 12
PERCENT = 100.0


@scripted
def equities_of(view, rules, player):
    """By which tables a player decides. In a first round nothing tells a game from a single round."""
    at = at_seats(rules) + 2 * rules.players
    if view[AT_ROUND] > 1 or view[at] != 0 or view[at + 1] != 0:
        return player.equities
    return MARGINS


@scripted
def tables_at(equities):
    """All tables, one below the other: between rounds, then at every stage."""
    return floats_at(equities, (1 + STAGES) * POINTS_LEFT, POINTS_LEFT)


@scripted
def stage_of(view, rules):
    """How far the round is: how many cards are hidden on the board that has fewest of them, and 0 in the final lap."""
    if view[AT_ENDER] != NOBODY:
        return 0
    at = at_seats(rules)
    return min(view[at], view[at + 1], STAGES - 1)


@scripted
def chance_after_round(game, rules, equities):
    """The chance of seat 0 to win, after the round was scored."""
    own = min(max(rules.target_score - game.totals[0], FEWEST), MOST) - FEWEST
    other = min(max(rules.target_score - game.totals[1], FEWEST), MOST) - FEWEST
    return PERCENT * tables_at(equities)[own, other]


@scripted
def chance_within_round(view, rules, equities, margin):
    """The chance to win of the seat that sees this, which expects this margin of the round: half of it comes off its
    own score, and half is added to the other's.
    """
    totals = at_seats(rules) + 2 * rules.players
    own = rules.target_score - view[totals] + margin / 2 - FEWEST
    other = rules.target_score - view[totals + 1] - margin / 2 - FEWEST
    return PERCENT * between(tables_at(equities), (1 + stage_of(view, rules)) * POINTS_LEFT, own, other)


@scripted
def between(tables, first, row, column):
    """What the table whose first row is `first` says at a point between its entries, by the four around it."""
    row = min(row, POINTS_LEFT - 1.001) if row > 0 else 0.0  # so that it is an index even if weights are absurd
    column = min(column, POINTS_LEFT - 1.001) if column > 0 else 0.0
    above, left = np.int64(row), np.int64(column)
    down, right, at = row - above, column - left, first + above
    upper = (1 - right) * tables[at, left] + right * tables[at, left + 1]
    lower = (1 - right) * tables[at + 1, left] + right * tables[at + 1, left + 1]
    return (1 - down) * upper + down * lower


@scripted
def add_chance(seat, chance, share, worth):
    """Add `share` times the chances of both seats to win, by that of one."""
    worth[seat] += share * chance
    worth[1 - seat] += share * (PERCENT - chance)
