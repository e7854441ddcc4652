"""The loops over one table and over many, which Python calls with arrays of records: `games`, and `rules` of one.

Each game compiles them with its own functions, its `TableKernel`, in its `kernel.single` and `kernel.batch`.
"""

from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np

from cardtable.kernel.chance import game_key
from cardtable.kernel.compiler import part
from cardtable.kernel.waiting import DONE, agree, await_all, await_step, write_shared

Compiled = Callable[..., Any]

SAMPLING = np.uint64(0x5EED0F5A3C1E0B57)
REFUSED, PLAYED, SCORED = range(3)  # what becomes of a decision; the last ended a round that was scored


class TableKernel(NamedTuple):
    """The compiled functions of one game, and its phase `over`; truncated is the phase after it, and the last."""

    new_game: Compiled  # (game, rules, seed, deal, episode)
    is_legal: Compiled  # (game, rules, action)
    play: Compiled  # (game, rules, action) -> was a round scored?
    write_mask: Compiled  # (game, rules, mask)
    write_view: Compiled  # (game, rules, observer, out)
    margin: Compiled  # (game, rules, seat): of the last round
    sample: Compiled  # (game, rules, observation, key, episode)
    over: int


# One table


@part
def show_one(kernel, game, rules, mask, observation):
    """Write what the seat to decide sees and may do."""
    kernel.write_mask(game, rules, mask)
    kernel.write_view(game, rules, game.seat, observation)


@part
def start_one(kernel, games, rules, seed, deal, dealt, mask, observation):
    """Deal a single table, unless its record is already set up, and show it."""
    if not dealt:
        kernel.new_game(games[0], rules[0], seed, deal, games[0].episode)
    show_one(kernel, games[0], rules[0], mask, observation)


@part
def observe_one(kernel, games, rules, seat, observation):
    """Write what a seat sees at a single table."""
    kernel.write_view(games[0], rules[0], seat, observation)


@part
def play_one(kernel, games, rules, action, mask, observation):
    """One decision at a single table, shown afterwards; nothing changes if it is refused as illegal."""
    game = games[0]
    if not kernel.is_legal(game, rules[0], action):
        return REFUSED
    is_scored = kernel.play(game, rules[0], action)
    show_one(kernel, game, rules[0], mask, observation)
    return SCORED if is_scored else PLAYED


# Many tables


@part
def deal_tables(kernel, games, rules, seed, deals, episode):
    """Begin a new game at every table, with the table's own deal."""
    for table in range(len(games)):
        kernel.new_game(games[table], rules[0], seed, deals[table], episode)


@part
def show_tables(kernel, games, rules, observations, masks, seats, phases):
    """Write what the seat to decide sees and may do, for every table."""
    for table in range(len(games)):
        game = games[table]
        show_one(kernel, game, rules[0], masks[table], observations[table])
        seats[table], phases[table] = game.seat, game.phase


@part
def first_illegal(kernel, games, rules, actions):
    """The first table whose action is illegal, or -1. A finished table is left alone and accepts any number."""
    for table in range(len(games)):
        game = games[table]
        if game.phase < kernel.over and not kernel.is_legal(game, rules[0], actions[table]):
            return table
    return -1


@part
def play_tables(kernel, games, rules, actions):
    """One legal decision at every table."""
    for table in range(len(games)):
        kernel.play(games[table], rules[0], actions[table])


@part
def play_table(kernel, game, rules, action, rewards):
    """Carry out one action; reward the seats if a round was scored."""
    for seat in range(rules.players):
        rewards[seat] = 0
    if game.phase < kernel.over and kernel.play(game, rules, action):
        for seat in range(rules.players):
            rewards[seat] = kernel.margin(game, rules, seat)


@part
def step_tables(kernel, games, rules, actions, is_checked, seed, deals, stride, restart, results, shown):
    """One decision at every table: act, reward, begin finished tables anew if asked to, and show them.

    Returns the first table whose action is illegal, and then nothing has changed, or -1. Actions that are known to be
    legal are not looked at again.
    """
    if not is_checked:
        wrong = first_illegal(kernel, games, rules, actions)
        if wrong >= 0:
            return wrong
    the_rules = rules[0]
    rewards, dones, truncateds = results
    observations, masks, seats, phases = shown
    for table in range(len(games)):
        game = games[table]
        play_table(kernel, game, the_rules, actions[table], rewards[table])
        dones[table], truncateds[table] = game.phase >= kernel.over, game.phase > kernel.over
        if restart and game.phase >= kernel.over:
            deals[table] += np.uint64(stride)
            kernel.new_game(game, the_rules, seed, deals[table], game.episode)
        show_one(kernel, game, the_rules, masks[table], observations[table])
        seats[table], phases[table] = game.seat, game.phase
    return -1


class Stepping(NamedTuple):
    """The loops of one game that make a step."""

    first_illegal: Compiled
    step_tables: Compiled


@part
def step_shares(stepping, posts, share, games, rules, orders, actions, deals, results, shown, done):
    """Carry out steps at the tables of one share: in the caller the step just given, in a thread one after another,
    until a call is given, or nothing for a while. If an action is illegal anywhere, a step changes nothing.

    `orders` are the seed, the stride and whether to restart; `cardtable.kernel.waiting` explains the posts.
    """
    while await_step(posts, share, done):
        done += 1
        if agree(posts, share, done, stepping.first_illegal(games, rules, actions)):
            seed, stride, restart = orders[0], np.int64(orders[1]), orders[2] != 0
            stepping.step_tables(games, rules, actions, True, seed, deals, stride, restart, results, shown)
        if share == 0:
            write_shared(posts, DONE, done)
            await_all(posts, DONE, done)
            break


@part
def sample_tables(kernel, games, rules, observations, seed, episode):
    """Make every table a guess at the full game behind its observation."""
    for table in range(len(games)):
        key = game_key(seed, table) ^ SAMPLING  # never the chance of a deal
        kernel.sample(games[table], rules[0], observations[table], key, episode)
