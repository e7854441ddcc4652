"""The loops over many tables, called from Python. `games` and `rules` are arrays of records, `rules` of one."""

import numpy as np

from skyjo_env.kernel.chance import GAMMA, SHIFT_32, game_key, mix
from skyjo_env.kernel.deal import new_game
from skyjo_env.kernel.jit import kernel
from skyjo_env.kernel.play import apply, is_legal
from skyjo_env.kernel.sample import sample
from skyjo_env.kernel.state import OVER, TRUNCATED
from skyjo_env.kernel.view import write_mask, write_view


@kernel
def deal_tables(games, rules, seed, deals, episode):
    """Begin a new game at every table, with the table's own deal."""
    for table in range(len(games)):
        new_game(games[table], rules[0], seed, deals[table], episode)


@kernel
def show_tables(games, rules, observations, masks, seats, phases):
    """Write what the seat to decide sees and may do, for every table."""
    rule = rules[0]
    for table in range(len(games)):
        game = games[table]
        write_mask(game, rule, masks[table])
        write_view(game, rule, game.seat, observations[table])
        seats[table] = game.seat
        phases[table] = game.phase


@kernel
def first_illegal(games, rules, actions):
    """The first table whose action is illegal, or -1. A finished table is left alone and accepts any number."""
    rule = rules[0]
    for table in range(len(games)):
        game = games[table]
        if game.phase < OVER and not is_legal(game, rule, actions[table]):
            return table
    return -1


@kernel
def write_margins(game, rules, rewards):
    """Reward every seat with the mean of the others' round scores minus its own."""
    together = 0
    for seat in range(rules.players):
        together += game.round_scores[seat]
    for seat in range(rules.players):
        own = game.round_scores[seat]
        rewards[seat] = (together - own) / (rules.players - 1) - own


@kernel
def play_table(game, rules, action, rewards):
    """Carry out one action; reward the seats if a round was scored."""
    rewards[:] = 0
    if game.phase >= OVER:
        return
    before = game.round_number
    apply(game, rules, action)
    if game.round_number != before or game.phase == OVER:
        write_margins(game, rules, rewards)


@kernel
def step_tables(games, rules, actions, seed, deals, stride, restart, rewards, dones, truncateds):
    """One decision at every table: act, reward, and begin finished tables anew if asked to."""
    rule = rules[0]
    for table in range(len(games)):
        game = games[table]
        play_table(game, rule, actions[table], rewards[table])
        dones[table] = game.phase >= OVER
        truncateds[table] = game.phase == TRUNCATED
        if restart and game.phase >= OVER:
            deals[table] += np.uint64(stride)
            new_game(game, rule, seed, deals[table], game.episode)


@kernel
def random_actions(masks, chances, actions):
    """A random legal action for every table, or -1 where none is legal. `chances` are generator states (10.1)."""
    for table in range(len(masks)):
        legal = 0
        for action in range(masks.shape[1]):
            legal += masks[table, action]
        chances[table] += GAMMA
        nth = np.int64((mix(chances[table]) >> SHIFT_32) * np.uint64(legal) >> SHIFT_32)
        actions[table] = -1
        for action in range(masks.shape[1]):
            if masks[table, action]:
                if nth == 0:
                    actions[table] = action
                    break
                nth -= 1


@kernel
def show_one(game, rules, mask, observation):
    """Write what the seat to decide sees and may do."""
    write_mask(game, rules, mask)
    write_view(game, rules, game.seat, observation)


@kernel
def start_one(games, rules, seed, deal, dealt, mask, observation):
    """Deal a single table, unless its record is already set up, and show it."""
    if not dealt:
        new_game(games[0], rules[0], seed, deal, games[0].episode)
    show_one(games[0], rules[0], mask, observation)


@kernel
def observe_one(games, rules, seat, observation):
    """Write what a seat sees at a single table."""
    write_view(games[0], rules[0], seat, observation)


@kernel
def play_one(games, rules, action, mask, observation):
    """One decision at a single table, shown afterwards; False and no change if it is illegal."""
    game = games[0]
    if not is_legal(game, rules[0], action):
        return False
    apply(game, rules[0], action)
    show_one(game, rules[0], mask, observation)
    return True


@kernel
def sample_tables(games, rules, observations, seed, episode):
    """Make every table a guess at the full game behind its observation."""
    for table in range(len(games)):
        sample(games[table], rules[0], observations[table], game_key(seed, table), episode)
