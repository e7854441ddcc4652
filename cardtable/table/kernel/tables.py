"""The loops over one table and over many, made for one game; Python calls them with arrays of records: `games`, and
`rules` of one.
"""

from typing import Any, NamedTuple

import numpy as np

from cardtable.table.compiling.compiler import Decorator, inlined
from cardtable.table.kernel.chance import game_key
from cardtable.table.kernel.game_kernel import IMPOSSIBLE, MAX_SEATS, Compiled, GameKernel, has_ended, play

SAMPLING = np.uint64(0x5EED0F5A3C1E0B57)
REFUSED, PLAYED, SCORED = range(3)  # what becomes of a decision; the last ended a round that was scored
SHAPED = 1  # the code of the one way to shape rewards; 0 is none
BY_FUNCTION = -1  # the code of a reward that Python computes: the loops only say which rounds were scored

ENDING_FIELDS: list[Any] = [
    ("turns", "i8"),  # of the rounds that have ended in this episode
    ("episode_turns", "i8"),  # the same of the episode that ended last, and its last scores
    ("round_scores", "i2", MAX_SEATS),
    ("totals", "i4", MAX_SEATS),
]
ACCOUNT_DTYPE = np.dtype(
    (np.record, [("expected", "f8", MAX_SEATS), *ENDING_FIELDS]),  # the potential of each seat after the last decision
    align=True,
)  # of a table at which every seat decides


@inlined
def play_counting(kernel, game, rules, action, account):
    """`play`, which also counts the turns of a round that ends."""
    kernel.act(game, rules, action, None)
    if not has_ended(kernel, game):
        return False
    account.turns += game.turns
    kernel.score_round(game, rules, None)
    return kernel.start_next_round(game, rules, None)


@inlined
def record_scores(game, rules, account):
    """Keep the scores of the last round, and the totals."""
    for seat in range(rules.players):
        account.round_scores[seat] = game.round_scores[seat]
        account.totals[seat] = game.totals[seat]


@inlined
def reward_seat(kernel, game, rules, seat, kind, shaping, is_scored, expected):
    """Return a seat's reward for the last decision; with shaping also for the change of its potential."""
    reward = 0.0 if kind == BY_FUNCTION else kernel.reward_of(game, rules, seat, kind, is_scored)
    if shaping == SHAPED:
        before, expected[seat] = expected[seat], kernel.potential(game, rules, seat)
        reward += expected[seat] - before
    return reward


@inlined
def show_table(kernel, game, rules, mask, observation):
    """Write what the seat to move sees and may do."""
    kernel.write_mask(game, rules, mask)
    kernel.write_observation(game, rules, game.seat, observation)


class OneTable(NamedTuple):
    """Functions for a single table, each in one call."""

    start_one: Compiled
    play_one: Compiled
    play_given: Compiled
    reward_seats: Compiled


def one_table(kernel: GameKernel, compiled: Decorator) -> OneTable:
    """Return these functions for one game."""

    @compiled
    def start_one(games, rules, seed, deal, dealt, mask, observation):
        """Deal, unless the record is already set up, and show the table."""
        if not dealt:
            kernel.new_game(games[0], rules[0], seed, deal, games[0].episode)
        show_table(kernel, games[0], rules[0], mask, observation)

    @compiled
    def play_one(games, rules, action, mask, observation):
        """One decision, and the table after it; nothing changes if it is refused as illegal."""
        game = games[0]
        if not kernel.is_legal(game, rules[0], action):
            return REFUSED
        is_scored = play(kernel, game, rules[0], action)
        show_table(kernel, game, rules[0], mask, observation)
        return SCORED if is_scored else PLAYED

    @compiled
    def play_given(games, rules, action, cards, counts, log):
        """Carry out a legal action that reveals these cards, and note its events.

        Returns as `act_with`, and whether a round was scored.
        """
        game, is_scored = games[0], False
        brought = kernel.act_with(game, rules[0], action, cards, counts, log)
        if brought != IMPOSSIBLE and has_ended(kernel, game):
            kernel.score_round(game, rules[0], log)
            is_scored = kernel.start_next_round(game, rules[0], log)
        return brought, is_scored

    @compiled
    def reward_seats(games, rules, kind, shaping, is_scored, expected, rewards):
        """Write every seat's reward for the last decision."""
        for seat in range(rules[0].players):
            rewards[seat] = reward_seat(kernel, games[0], rules[0], seat, kind, shaping, is_scored, expected)

    return OneTable(start_one, play_one, play_given, reward_seats)


class ManyTables(NamedTuple):
    """Functions for many tables, each in one call."""

    deal_tables: Compiled
    show_tables: Compiled
    first_illegal: Compiled
    step_tables: Compiled
    sample_tables: Compiled


def many_tables(kernel: GameKernel, compiled: Decorator) -> ManyTables:  # noqa: C901 (it makes several functions)
    """Return these functions for one game. Rare work is called, not inlined: inlining it would slow the loop down."""

    @compiled
    def deal_tables(games, rules, seed, deals, episode):
        """Begin a new game at every table, with the table's own deal."""
        for table in range(len(games)):
            kernel.new_game(games[table], rules[0], seed, deals[table], episode)

    @compiled
    def show_tables(games, rules, observations, masks, seats, phases):
        """Write what the seat to move sees and may do, for every table."""
        for table in range(len(games)):
            game = games[table]
            show_table(kernel, game, rules[0], masks[table], observations[table])
            seats[table], phases[table] = game.seat, game.phase

    @compiled
    def first_illegal(games, rules, actions):
        """Return the first table whose action is illegal, or -1. A finished table accepts any number."""
        for table in range(len(games)):
            game = games[table]
            if game.phase < kernel.over and not kernel.is_legal(game, rules[0], actions[table]):
                return table
        return -1

    @compiled
    def begin_account(game, rules, shaping, account, rewards, table):
        """Begin the account of an episode: no rewards, and no rounds that have ended."""
        account.turns = 0
        for seat in range(rules.players):
            rewards[table, seat] = 0
            if shaping == SHAPED:
                account.expected[seat] = kernel.potential(game, rules, seat)

    @compiled
    def pay(game, rules, reward, shaping, is_scored, account, rewards, table):
        """Reward every seat for the last decision."""
        for seat in range(rules.players):
            paid = reward_seat(kernel, game, rules, seat, reward, shaping, is_scored, account.expected)
            rewards[table, seat] += paid

    @compiled
    def end_account(game, rules, account):
        """Record how the episode ended."""
        account.episode_turns = account.turns
        record_scores(game, rules, account)

    @compiled
    def step_tables(games, rules, actions, seed, deals, stride, restart, reward, shaping, results, shown):
        """Take one action at every table, and add its rewards to those that every seat has earned since its own last
        decision. Begin finished tables anew if asked to, and show all.

        Return the first table whose action is illegal, and then nothing has changed, or -1.
        """
        wrong = first_illegal(games, rules, actions)
        if wrong >= 0:
            return wrong
        the_rules = rules[0]
        rewards, terminated, truncated, is_new, accounts = results
        observations, masks, seats, phases = shown
        for table in range(len(games)):
            game, account = games[table], accounts[table]
            if game.phase < kernel.over:
                if is_new[table]:
                    begin_account(game, the_rules, shaping, account, rewards, table)
                    is_new[table] = False
                rewards[table, game.seat] = 0
                is_scored = play_counting(kernel, game, the_rules, actions[table], account)
                if is_scored or shaping == SHAPED:
                    pay(game, the_rules, reward, shaping, is_scored, account, rewards, table)
                if game.phase >= kernel.over:
                    end_account(game, the_rules, account)
                    is_new[table] = True
            terminated[table], truncated[table] = game.phase == kernel.over, game.phase > kernel.over
            if restart and game.phase >= kernel.over:
                deals[table] += np.uint64(stride)
                kernel.new_game(game, the_rules, seed, deals[table], game.episode)
            show_table(kernel, game, the_rules, masks[table], observations[table])
            seats[table], phases[table] = game.seat, game.phase
        return -1

    @compiled
    def sample_tables(games, rules, observations, seed, episode):
        """Make every table a guess at the full game behind its observation."""
        for table in range(len(games)):
            key = game_key(seed, table) ^ SAMPLING  # never the chance of a deal
            kernel.sample(games[table], rules[0], observations[table], key, episode)

    return ManyTables(deal_tables, show_tables, first_illegal, step_tables, sample_tables)
