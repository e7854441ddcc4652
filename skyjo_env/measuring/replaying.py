"""Stored games played again from their actions."""

import numpy as np
from numpy.typing import NDArray

from cardtable.card_game import Setup
from cardtable.rounds import Rounds
from skyjo_env.kernel.deal import new_game
from skyjo_env.kernel.play import is_legal, play
from skyjo_env.kernel.scoring import final_score
from skyjo_env.kernel.state import EPISODES, GAME_DTYPE, OVER, TRUNCATED
from skyjo_env.measuring.deal_results import RESULT_DTYPE, note_round, rounds_of
from skyjo_env.measuring.jit import compiled


@compiled
def play_again(game, rules, result, actions, points):
    """Play these actions in a game that was just dealt, and note what comes of them.

    Tells whether all of them were legal and the game was over with the last.
    """
    for action in actions:
        if not is_legal(game, rules, action):
            return False
        turns = game.turns
        is_scored = play(game, rules, action)
        if is_scored or game.phase == TRUNCATED:
            note_round(game, rules, result, turns + 1, points)
    result.is_stopped = game.phase == TRUNCATED
    for seat in range(rules.players):
        result.scores[seat] = final_score(game, seat)
    return game.phase >= OVER


@compiled
def play_all_again(games, rules, seed, deals, episode, lengths, actions, results, points):
    """Play the actions of one deal after the other; returns how many numbers were written to `points`."""
    game, the_rules, action_at, point_at = games[0], rules[0], 0, 0
    for k in range(len(deals)):
        new_game(game, the_rules, seed, deals[k], episode)
        action_end = action_at + lengths[k]
        is_whole = play_again(game, the_rules, results[k], actions[action_at:action_end], points[point_at:])
        results[k].decisions = lengths[k] if is_whole else -1
        action_at = action_end
        point_at += results[k].rounds * the_rules.players
    return point_at


def replayed(setup: Setup, deals: range, lengths: NDArray[np.int64], actions: NDArray[np.uint8]) -> Rounds:
    """See `CardGame.replay`."""
    rules = setup.rules
    params = rules.params  # type: ignore[attr-defined]  # the rules of Skyjo have them
    results = np.zeros(len(deals), RESULT_DTYPE)
    points = np.empty((len(actions) + 1) * rules.players, np.int16)  # no round takes less than an action
    game, numbers = np.zeros(1, GAME_DTYPE), np.array(deals, np.uint64)
    what = np.uint64(setup.seed), numbers, EPISODES.index(setup.episode), lengths, actions
    size = play_all_again(game, params, *what, results, points)
    return rounds_of(setup, results, actions, points[:size])
