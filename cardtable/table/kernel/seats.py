"""Tables where one seat decides: a learner in one seat of each of many tables, and opponents in all other seats.

Where all opponents play in compiled code, a step is one call. Others are called from Python, each for all tables that
wait for it at once. These stand in the opponent's line, with the observations and masks that it needs; everything else
happens here.
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from cardtable.table.compiling.compiler import Decorator, inlined
from cardtable.table.kernel.chance import UNSET, below, next_number, nth_marked, player_rng_state, share
from cardtable.table.kernel.game_kernel import MAX_SEATS, NOBODY, Compiled, GameKernel
from cardtable.table.kernel.tables import BY_FUNCTION, ENDING_FIELDS, SHAPED, play_counting, record_scores

RUNNING, ENDED, STOPPED, FORFEITED = range(4)  # how a step leaves the episode; forfeited by an illegal action
ASKED, RANDOM = -2, -1  # instead of the number of an opponent's script: Python asks it; it plays any legal action

TABLE_DTYPE = np.dtype(
    (
        np.record,
        [
            ("seed", "u8"),
            ("deal", "u8"),
            ("chance", "u8"),  # generator that draws the learner's seat
            ("seat", "i8"),  # the learner's
            ("is_due", "i8"),  # the next deal is due: no episode is going on
            ("is_fresh", "i8"),  # the learner has not yet been asked in this episode
            ("expected", "f8"),  # the potential when the learner decided last
            ("reward", "f8"),  # since then
            ("ending", "i8"),  # how the last decision left the episode; the scores below are of one that ended
            ("scored_for", "i8"),  # where Python rewards: the learner's seat in a round just scored, or NOBODY
            *ENDING_FIELDS,
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
            ("opponent", "i8", MAX_SEATS),  # who plays the seat this many places clockwise from the learner
        ],
    ),
    align=True,
)

# Of an opponent without a script. Records of scripts have these fields, too, but in another order: if they began as
# this one does, numba would take them for a special case of it.
OPPONENT_DTYPE = np.dtype((np.record, [("script", "i8"), ("chance", "u8")]), align=True)


class OpponentQueues(NamedTuple):
    """The tables that wait for each opponent, in order, and last the learner's line, in which all tables stand."""

    sizes: NDArray[np.int64]  # [opponents + 1]; what comes after this many places in a line means nothing
    tables: NDArray[np.int64]  # [opponents + 1, N]
    observations: NDArray[np.int16]  # [opponents, N, D]
    masks: NDArray[np.int8]  # [opponents, N, A]
    players: NDArray[np.void]  # [opponents], their records


class LearnerView(NamedTuple):
    """The learner's view of each table."""

    observations: NDArray[np.int16]  # [N, D]
    masks: NDArray[np.int8]  # [N, A]
    finals: NDArray[np.int16]  # [N, D], with `restarts`: the last observations of episodes that ended in this step


@inlined
def begin_episode(kernel, game, rules, seating, table):
    """Deal the table's next game and give the learner a seat."""
    table.deal += np.uint64(1)
    kernel.new_game(game, rules, table.seed, table.deal, seating.episode)
    table.chance = player_rng_state(game.key, 0)
    table.seat = seating.seat if seating.seat != NOBODY else below(table, rules.players)
    table.is_due, table.is_fresh, table.turns = 0, 1, 0


@inlined
def end_episode(kernel, game, rules, seating, table, ending):
    """Record how the episode ended, and pay the last shaping reward; the next deal is due."""
    table.ending, table.is_due = ending, 1
    table.episode_turns = table.turns + game.turns if ending == FORFEITED else table.turns
    record_scores(game, rules, table)
    if seating.shaping == SHAPED and ending != FORFEITED:
        table.reward += kernel.potential(game, rules, table.seat) - table.expected


@inlined
def decide(kernel, game, rules, seating, table, action):
    """Carry out a legal action and reward the learner for it, unless it has not yet been asked in the episode.

    If the episode is over before the learner has been asked, the next deal is played instead.
    """
    is_scored = play_counting(kernel, game, rules, action, table)
    if table.is_fresh:
        if game.phase >= kernel.over:
            begin_episode(kernel, game, rules, seating, table)
        return
    if is_scored and seating.reward != BY_FUNCTION:
        table.reward += kernel.reward_of(game, rules, table.seat, seating.reward, is_scored)
    elif is_scored:
        table.scored_for = table.seat
        record_scores(game, rules, table)
    if game.phase >= kernel.over:
        end_episode(kernel, game, rules, seating, table, ENDED if game.phase == kernel.over else STOPPED)


@inlined
def begin_step(kernel, game, rules, seating, table, action):
    """Begin the learner's step at one table: nothing is earned yet. Is its decision to be carried out? Not if the next
    episode is due, which begins, or if the action forfeits this one.
    """
    table.reward, table.ending = 0.0, RUNNING
    if table.is_due:
        begin_episode(kernel, game, rules, seating, table)
        return False
    if seating.forfeits and not kernel.is_legal(game, rules, action):
        table.reward = seating.penalty
        end_episode(kernel, game, rules, seating, table, FORFEITED)
        return False
    return True


@inlined
def expect(kernel, game, rules, table):
    """Reward the learner, which is about to decide, for the change of its potential since it last decided."""
    before, table.expected = table.expected, kernel.potential(game, rules, table.seat)
    if not table.is_fresh:
        table.reward += table.expected - before


@inlined
def waits_for(game, rules, seating, table):
    """Return the opponent that decides at this table, or NOBODY if the learner is next."""
    if table.is_due or game.seat == table.seat:
        return NOBODY
    clockwise = game.seat - table.seat
    return seating.opponent[clockwise if clockwise >= 0 else clockwise + rules.players]


@inlined
def show_learner(kernel, game, rules, seating, table, view, mask):
    """Write what the learner sees; unless its episode has ended, also what it may do, and pay for its potential."""
    kernel.write_observation(game, rules, table.seat, view)
    if table.is_due:
        mask[:] = 0
        return
    kernel.write_mask(game, rules, mask)
    if seating.shaping == SHAPED:
        expect(kernel, game, rules, table)
    table.is_fresh = 0


@inlined
def is_asked(seating, table, player):
    """Return whether Python must let this opponent play. It also must if it rewards a round first, since another round
    may end in the same step.
    """
    return player.script == ASKED or (seating.reward == BY_FUNCTION and table.scored_for != NOBODY)


@inlined
def play_any(view, mask, legal, rules, player):  # noqa: ARG001 (as a script, which has no need of the mask)
    """Return the action of the agent `random`."""
    return nth_marked(mask, share(next_number(view, player), legal))


@inlined
def first_illegal_in_line(kernel, games, rules, seating, tables, is_learner, line, actions):
    """Return the first place in a line where the action is illegal, or -1. Any action will do where a deal is due.

    If illegal actions forfeit, the learner may choose any action in the action space.
    """
    for place in range(len(line)):
        number = line[place]
        if tables[number].is_due:
            continue
        if is_learner and seating.forfeits:
            if actions[place] < 0 or actions[place] >= rules.actions:
                return place
        elif not kernel.is_legal(games[number], rules, actions[place]):
            return place
    return -1


def line_loop(  # noqa: C901 (it makes several functions)
    kernel: GameKernel, compiled: Decorator, decision: Compiled | None = None
) -> Compiled:
    """Make the function that plays at all tables in a line, with opponents inside that play at random or, if there is
    `decision(view, rules, player)`, by their scripts.
    """

    @inlined
    def play_script(view, mask, legal, rules, player):
        """Return the action of any opponent."""
        if player.script == RANDOM:
            return play_any(view, mask, legal, rules, player)
        return decision(view, rules, player)

    choose = play_any if decision is None else play_script

    @compiled
    def play_line(
        games,
        rules,
        seatings,
        tables,
        who,
        actions,
        sizes,
        lines,
        line_views,
        line_masks,
        players,
        views,
        masks,
        finals,
    ):
        """The decisions of an opponent, or of the learner, at all tables in its line, and those of compiled opponents
        that follow; then each table waits for the next.

        Returns -1, or the first place in the line with an illegal action, and then nothing has changed. It is long
        because handing arrays on to functions that are not inlined was measured to cost an eighth of a step.
        """
        the_rules, seating, line = rules[0], seatings[0], lines[who, : sizes[who]]
        is_learner = who == len(sizes) - 1
        wrong = first_illegal_in_line(kernel, games, the_rules, seating, tables, is_learner, line, actions)
        if wrong >= 0:
            return wrong
        if is_learner:
            sizes[:who] = 0
        else:
            sizes[who] = 0  # the line may form anew while it is played: it never overtakes the place that is read
        for place in range(len(line)):
            number, action = line[place], actions[place]
            game, table, view, mask = games[number], tables[number], views[number], masks[number]
            decides = not is_learner or begin_step(kernel, game, the_rules, seating, table, action)
            while True:
                if decides:
                    decide(kernel, game, the_rules, seating, table, action)
                if table.is_due and seating.restarts:
                    kernel.write_observation(game, the_rules, table.seat, finals[number])
                    begin_episode(kernel, game, the_rules, seating, table)
                opponent = waits_for(game, the_rules, seating, table)
                if opponent == NOBODY:
                    show_learner(kernel, game, the_rules, seating, table, view, mask)
                    break
                player = players[opponent]
                if is_asked(seating, table, player):
                    last = sizes[opponent]
                    sizes[opponent] = last + 1
                    lines[opponent, last] = number
                    kernel.write_mask(game, the_rules, line_masks[opponent, last])
                    kernel.write_observation(game, the_rules, game.seat, line_views[opponent, last])
                    break
                kernel.write_observation(game, the_rules, game.seat, view)
                legal, player.chance = kernel.write_mask(game, the_rules, mask), UNSET
                action, decides = choose(view, mask, legal, the_rules, player), True
        return -1

    return play_line
