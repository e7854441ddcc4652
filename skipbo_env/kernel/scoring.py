"""A round ends, and what it counts (section 5 and 6)."""

import numpy as np

from cardtable.table.kernel import scoring
from skipbo_env.kernel.jit import kernel
from skipbo_env.kernel.state import (
    BLOCKED,
    BLOCKED_FEWEST_STOCK,
    NO_CARDS,
    NOBODY,
    STOPPED,
    TRUNCATED,
    WON,
)

ENDS = TRUNCATED + 1  # the phase between `act` and `score_round`: no seat ever sees it
COMPLETED, WILDS, STOCK_LEFT, TURNS_TAKEN, IS_BLOCKED = range(5)  # what a round leaves behind by seat
WIN_POINTS, CARD_POINTS = 25, 5  # for winning, and for every card in the others' stock piles (5.4)


@kernel
def end_round(game, ending):
    """The round is over; `score_round` goes on from here."""
    game.ending = ending
    game.phase = ENDS


@kernel
def fewest_stock(game, rules):
    """The seat with the fewest cards in its stock pile, or NOBODY if several have the fewest (5.3)."""
    fewest, is_tied = 0, False
    for seat in range(1, rules.players):
        if game.stock_left[seat] < game.stock_left[fewest]:
            fewest, is_tied = seat, False
        elif game.stock_left[seat] == game.stock_left[fewest]:
            is_tied = True
    return NOBODY if is_tied else fewest


@kernel
def round_winner(game, rules):
    """Who has won the round that has just ended, or NOBODY (5.1, 5.3)."""
    if game.ending == WON:
        return game.seat
    if game.ending == BLOCKED and rules.blocked == BLOCKED_FEWEST_STOCK:
        return fewest_stock(game, rules)
    return NOBODY


@kernel
def score_round(game, rules, log):  # noqa: ARG001
    """Score the round (5.4, 5.5) and add the scores to the totals (6.1)."""
    won, points = round_winner(game, rules), WIN_POINTS
    for seat in range(rules.players):
        game.round_scores[seat] = 0
        if seat != won:
            points += CARD_POINTS * np.int64(game.stock_left[seat])
    if won != NOBODY:
        game.round_scores[won] = points
        game.totals[won] += points


@kernel
def is_stopped(game):
    """Has the last round been stopped (5.5)?"""
    return game.ending == STOPPED


@kernel
def margin(game, rules, seat):
    """How many more points a seat has in the last round than the mean of the others."""
    return -scoring.margin(game.round_scores, rules.players, seat)


@kernel
def turns_taken(game, rules, seat):
    """How many turns of the round were this seat's."""
    behind = (seat - game.starter) % rules.players
    return (game.turns - behind + rules.players - 1) // rules.players


@kernel
def note_facts(game, rules, facts):
    """The round is over, and the table has not been cleared: what does it leave behind?"""
    for seat in range(rules.players):
        facts[seat, COMPLETED] += game.completed_piles[seat]
        facts[seat, WILDS] += game.wilds_discarded[seat]
        facts[seat, STOCK_LEFT] += game.stock_left[seat]
        facts[seat, TURNS_TAKEN] += turns_taken(game, rules, seat)
        facts[seat, IS_BLOCKED] += game.ending in (BLOCKED, NO_CARDS)
