"""The loops over many tables, called from Python with arrays of records: `games`, and `rules` of one."""

import numpy as np

from cardtable.kernel.chance import game_key
from skipbo_env.kernel.deal import new_game
from skipbo_env.kernel.jit import inlined_kernel, kernel
from skipbo_env.kernel.play import is_legal, play
from skipbo_env.kernel.sample import sample
from skipbo_env.kernel.scoring import margin
from skipbo_env.kernel.state import OVER, TRUNCATED
from skipbo_env.kernel.view import write_mask, write_view

SAMPLING = np.uint64(0x5EED0F5A3C1E0B57)


@kernel
def deal_tables(games, rules, seed, deals, episode):
    """Begin a new game at every table, with the table's own deal."""
    for table in range(len(games)):
        new_game(games[table], rules[0], seed, deals[table], episode)


@kernel
def show_tables(games, rules, observations, masks, seats, phases):
    """Write what the seat to decide sees and may do, for every table."""
    the_rules = rules[0]
    for table in range(len(games)):
        game = games[table]
        write_mask(game, the_rules, masks[table])
        write_view(game, the_rules, game.seat, observations[table])
        seats[table] = game.seat
        phases[table] = game.phase


@kernel
def first_illegal(games, rules, actions):
    """The first table whose action is illegal, or -1. A finished table is left alone and accepts any number."""
    the_rules = rules[0]
    for table in range(len(games)):
        game = games[table]
        if game.phase < OVER and not is_legal(game, the_rules, actions[table]):
            return table
    return -1


@kernel
def play_tables(games, rules, actions):
    """One legal decision at every table."""
    for table in range(len(games)):
        play(games[table], rules[0], actions[table])


@inlined_kernel
def play_table(game, rules, action, rewards):
    """Carry out one action; reward the seats if a round was scored."""
    for seat in range(rules.players):
        rewards[seat] = 0
    if game.phase < OVER and play(game, rules, action):
        for seat in range(rules.players):
            rewards[seat] = margin(game, rules, seat)


@kernel
def step_tables(games, rules, actions, seed, deals, stride, restart, results, shown):
    """One decision at every table: act, reward, begin finished tables anew if asked to, and show them.

    Returns the first table whose action is illegal, and then nothing has changed, or -1.
    """
    wrong = first_illegal(games, rules, actions)
    if wrong >= 0:
        return wrong
    the_rules = rules[0]
    rewards, dones, truncateds = results
    observations, masks, seats, phases = shown
    for table in range(len(games)):
        game = games[table]
        play_table(game, the_rules, actions[table], rewards[table])
        dones[table] = game.phase >= OVER
        truncateds[table] = game.phase == TRUNCATED
        if restart and game.phase >= OVER:
            deals[table] += np.uint64(stride)
            new_game(game, the_rules, seed, deals[table], game.episode)
        write_mask(game, the_rules, masks[table])
        write_view(game, the_rules, game.seat, observations[table])
        seats[table] = game.seat
        phases[table] = game.phase
    return -1


@kernel
def sample_tables(games, rules, observations, seed, episode):
    """Make every table a guess at the full game behind its observation."""
    for table in range(len(games)):
        key = game_key(seed, table) ^ SAMPLING  # never the chance of a deal
        sample(games[table], rules[0], observations[table], key, episode)
