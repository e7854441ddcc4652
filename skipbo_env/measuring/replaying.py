"""Stored games played again from their actions."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from cardtable.card_game import Setup
from cardtable.rounds import Rounds
from skipbo_env.kernel.deal import new_game
from skipbo_env.kernel.play import is_legal
from skipbo_env.kernel.state import CARDS, EPISODES, GAME_DTYPE, OVER
from skipbo_env.measuring.deal_results import RESULT_DTYPE, rounds_of
from skipbo_env.measuring.jit import compiled
from skipbo_env.measuring.noting import note_end, play_noting


@compiled
def play_again(games, rules, result, counts, actions, points):
    """Play these actions in a game that was just dealt, and note what comes of them.

    Tells whether all of them were legal and the game was over with the last.
    """
    for action in actions:
        if not is_legal(games[0], rules, action):
            return False
        play_noting(games, rules, action, counts, result, points[result.rounds * rules.players :], False)
    note_end(games[0], rules, result)
    return games[0].phase >= OVER


@compiled
def play_all_again(games, rules, seed, deals, episode, lengths, actions, counts, results, points):
    """Play the actions of one deal after the other; returns how many numbers were written to `points`."""
    the_rules, action_at, point_at = rules[0], 0, 0
    for k in range(len(deals)):
        new_game(games[0], the_rules, seed, deals[k], episode)
        action_end = action_at + lengths[k]
        is_whole = play_again(games, the_rules, results[k], counts, actions[action_at:action_end], points[point_at:])
        results[k].decisions = lengths[k] if is_whole else -1
        action_at = action_end
        point_at += results[k].rounds * the_rules.players
    return point_at


def replayed(setup: Setup, deals: range, lengths: NDArray[np.int64], actions: NDArray[np.uint8]) -> Rounds:
    """See `CardGame.replay`."""
    rules: Any = setup.rules
    results = np.zeros(len(deals), RESULT_DTYPE)
    points = np.empty((len(actions) + 1) * rules.players, np.int16)  # no round takes less than an action
    games, numbers, counts = np.zeros(2, GAME_DTYPE), np.array(deals, np.uint64), np.zeros(CARDS, np.int64)
    what = np.uint64(setup.seed), numbers, EPISODES.index(setup.episode), lengths, actions
    size = play_all_again(games, rules.params, *what, counts, results, points)
    return rounds_of(setup, results, actions, points[:size])
