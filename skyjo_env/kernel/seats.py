"""Many tables, each seen from one seat: a learner decides there, and opponents decide for all other seats.

Opponents are called from Python, all tables of one opponent at once. Tables that wait for an opponent stand in its
line, with what it needs to know; everything else happens here.
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from skyjo_env.kernel.chance import below, mix
from skyjo_env.kernel.deal import new_game
from skyjo_env.kernel.jit import kernel
from skyjo_env.kernel.play import is_legal, play
from skyjo_env.kernel.rewards import SHAPED, expected_margin, reward_of
from skyjo_env.kernel.state import MAX_PLAYERS, NOBODY, OVER, TRUNCATED
from skyjo_env.kernel.view import relative_seat, write_mask, write_view

OPPONENTS = np.uint64(0x0DDB1A5E5BAD5EED)  # sets the opponents' chance apart from that of the cards

OUTCOMES = ("running", "over", "truncated", "forfeited")  # index = code; forfeited by an illegal action
RUNNING, ENDED, STOPPED, FORFEITED = range(4)

TABLE_DTYPE = np.dtype(
    (
        np.record,
        [
            ("seed", "u8"),
            ("deal", "u8"),
            ("chance", "u8"),  # generator of the opponents' choices
            ("seat", "i8"),  # the learner's
            ("is_fresh", "i8"),  # the learner has not yet been asked in this episode
            ("expected", "f8"),  # the expected margin when the learner was asked last
            ("reward", "f8"),  # since then
            ("outcome", "i8"),  # of the learner's last decision; the scores below are those of an ended episode
            ("round_scores", "i8", MAX_PLAYERS),
            ("totals", "i8", MAX_PLAYERS),
        ],
    ),
    align=True,
)

SEATING_DTYPE = np.dtype(
    (
        np.record,
        [
            ("episode", "i8"),
            ("reward", "i8"),
            ("shaping", "i8"),
            ("seat", "i8"),  # the learner's, or NOBODY for a random one in every episode
            ("restarts", "i8"),  # a new episode begins in the step in which one ends
            ("forfeits", "i8"),  # an illegal action of the learner ends the episode
            ("penalty", "f8"),  # the reward for it
            ("opponent", "i8", MAX_PLAYERS),  # who plays the seat so many places clockwise from the learner
        ],
    ),
    align=True,
)


class Lines(NamedTuple):
    """The tables that wait for each opponent, in order; only the first `sizes[opponent]` count."""

    sizes: NDArray[np.int64]  # [opponents]
    tables: NDArray[np.int64]  # [opponents, N]
    chances: NDArray[np.uint64]  # [opponents, N]
    observations: NDArray[np.int16]  # [opponents, N, D]
    masks: NDArray[np.int8]  # [opponents, N, A]


class Shown(NamedTuple):
    """What the learner gets to see at each table."""

    observations: NDArray[np.int16]  # [N, D]
    masks: NDArray[np.int8]  # [N, A]
    finals: NDArray[np.int16]  # [N, D], the last observations of episodes that ended in this step, with `restarts`


@kernel
def begin_episode(game, rules, seating, table):
    """Deal the table's next game and give the learner a seat."""
    new_game(game, rules, table.seed, table.deal, seating.episode)
    table.chance = mix(game.key ^ OPPONENTS)
    table.seat = seating.seat if seating.seat != NOBODY else below(table, rules.players)
    table.is_fresh = 1


@kernel
def waits_for(game, rules, seating, table):
    """The opponent that decides at this table, or NOBODY if it is the learner's turn to look."""
    is_over = table.outcome != RUNNING and not seating.restarts
    if is_over or game.seat == table.seat:
        return NOBODY
    return seating.opponent[relative_seat(rules, game.seat, table.seat)]


@kernel
def expect(game, rules, table):
    """The learner is asked: reward it for the change of its expected margin since it was asked last."""
    before, table.expected = table.expected, expected_margin(game, rules, table.seat)
    if not table.is_fresh:
        table.reward += table.expected - before


@kernel
def ask(
    games,
    rules,
    seatings,
    tables,
    numbers,
    sizes,
    waiting,
    chances,
    line_views,
    line_masks,
    views,
    masks,
):
    """Show the tables of these numbers to whoever decides: to the learner, or at the end of an opponent's line."""
    the_rules, seating = rules[0], seatings[0]
    for number in numbers:
        game, table = games[number], tables[number]
        opponent = waits_for(game, the_rules, seating, table)
        if opponent == NOBODY:
            write_mask(game, the_rules, masks[number])
            write_view(game, the_rules, table.seat, views[number])
            if table.outcome == FORFEITED and not seating.restarts:
                masks[number, :] = 0
            elif seating.shaping == SHAPED:
                expect(game, the_rules, table)
            table.is_fresh = 0
        else:
            last = sizes[opponent]
            sizes[opponent] = last + 1
            waiting[opponent, last] = number
            chances[opponent, last] = table.chance
            write_mask(game, the_rules, line_masks[opponent, last])
            write_view(game, the_rules, game.seat, line_views[opponent, last])


@kernel
def end_episode(game, rules, seating, table, outcome, final):
    """Settle the learner's account, and deal again if a new episode begins in the same step."""
    table.outcome = outcome
    for seat in range(rules.players):
        table.round_scores[seat] = game.round_scores[seat]
        table.totals[seat] = game.totals[seat]
    if seating.shaping == SHAPED:
        table.reward -= table.expected
        table.expected = 0.0
    if seating.restarts:
        write_view(game, rules, table.seat, final)
        table.deal += np.uint64(1)
        begin_episode(game, rules, seating, table)


@kernel
def decide(game, rules, seating, table, action, final):
    """Carry out a legal action and reward the learner for what it brings."""
    is_scored = play(game, rules, action)
    table.reward += reward_of(game, rules, table.seat, seating.reward, is_scored)
    if game.phase >= OVER:
        end_episode(game, rules, seating, table, STOPPED if game.phase == TRUNCATED else ENDED, final)


@kernel
def begin_tables(
    games,
    rules,
    seatings,
    tables,
    numbers,
    sizes,
    waiting,
    chances,
    line_views,
    line_masks,
    views,
    masks,
):
    """Begin an episode at every table."""
    for number in numbers:
        table = tables[number]
        table.reward, table.outcome = 0.0, RUNNING
        begin_episode(games[number], rules[0], seatings[0], table)
    sizes[:] = 0
    ask(
        games,
        rules,
        seatings,
        tables,
        numbers,
        sizes,
        waiting,
        chances,
        line_views,
        line_masks,
        views,
        masks,
    )


@kernel
def begins_anew(table, seating):
    """Did the last step end the episode, so that this one begins another?"""
    return table.outcome != RUNNING and not seating.restarts


@kernel
def first_illegal_learner(games, rules, seatings, tables, actions):
    """The first table at which the learner's action is illegal, or -1; where an episode begins, any is welcome."""
    the_rules, seating = rules[0], seatings[0]
    for number in range(len(games)):
        if not begins_anew(tables[number], seating) and not is_legal(games[number], the_rules, actions[number]):
            return number
    return -1


@kernel
def play_learners(
    games,
    rules,
    seatings,
    tables,
    numbers,
    actions,
    sizes,
    waiting,
    chances,
    line_views,
    line_masks,
    views,
    masks,
    finals,
):
    """The learner's decision at every table; an ended episode is followed by the next instead.

    Returns -1, or the first table with an illegal action, and then nothing has changed.
    """
    the_rules, seating = rules[0], seatings[0]
    if not seating.forfeits:
        wrong = first_illegal_learner(games, rules, seatings, tables, actions)
        if wrong >= 0:
            return wrong
    for number in numbers:
        game, table, action = games[number], tables[number], actions[number]
        is_over = begins_anew(table, seating)
        table.reward, table.outcome = 0.0, RUNNING
        if is_over:
            table.deal += np.uint64(1)
            begin_episode(game, the_rules, seating, table)
        elif seating.forfeits and not is_legal(game, the_rules, action):
            table.reward = seating.penalty
            end_episode(game, the_rules, seating, table, FORFEITED, finals[number])
        else:
            decide(game, the_rules, seating, table, action, finals[number])
    sizes[:] = 0
    ask(
        games,
        rules,
        seatings,
        tables,
        numbers,
        sizes,
        waiting,
        chances,
        line_views,
        line_masks,
        views,
        masks,
    )
    return -1


@kernel
def play_opponents(
    games,
    rules,
    seatings,
    tables,
    opponent,
    actions,
    sizes,
    waiting,
    chances,
    line_views,
    line_masks,
    views,
    masks,
    finals,
):
    """An opponent's decisions at all tables in its line; returns -1, or the first place in the line that is illegal."""
    the_rules, seating, count = rules[0], seatings[0], sizes[opponent]
    numbers = waiting[opponent, :count]
    for place in range(count):
        if not is_legal(games[numbers[place]], the_rules, actions[place]):
            return place
    for place in range(count):
        number = numbers[place]
        table = tables[number]
        table.chance = chances[opponent, place]
        decide(games[number], the_rules, seating, table, actions[place], finals[number])
    sizes[opponent] = 0
    ask(
        games,
        rules,
        seatings,
        tables,
        numbers,
        sizes,
        waiting,
        chances,
        line_views,
        line_masks,
        views,
        masks,
    )
    return -1
