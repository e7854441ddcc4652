"""Stored games played again: do their actions give what is stored of them?"""

import numpy as np

from skyjo_agents.compiled_rounds import note_round
from skyjo_agents.player import scripted
from skyjo_env.envs.compiled.rewards import final_score
from skyjo_env.kernel.deal import new_game
from skyjo_env.kernel.play import is_legal, play
from skyjo_env.kernel.state import OVER, TRUNCATED


@scripted
def play_again(game, rules, outcome, actions, points):
    """Play these actions in a game that was just dealt, and note what comes of them in `outcome` and `points`.

    Tells whether all of them were legal, and the game was over with the last and had as many rounds as there is room.
    """
    for action in actions:
        if not is_legal(game, rules, action):
            return False
        turns = game.turns
        is_scored = play(game, rules, action)
        if is_scored or game.phase == TRUNCATED:
            if (outcome.rounds + 1) * rules.players > len(points):
                return False
            note_round(game, rules, outcome, turns + 1, points)
    outcome.is_stopped = game.phase == TRUNCATED
    for seat in range(rules.players):
        outcome.scores[seat] = final_score(game, seat)
    return game.phase >= OVER


@scripted
def is_same(rules, found, stored):
    """Are these outcomes equal in everything but luck?"""
    if found.rounds != stored.rounds or found.turns != stored.turns or found.is_stopped != stored.is_stopped:
        return False
    for seat in range(rules.players):
        if found.scores[seat] != stored.scores[seat] or found.cleared[seat] != stored.cleared[seat]:
            return False
    return True


@scripted
def first_wrong(games, rules, seed, first, episode, stored, found, actions, points, room):
    """The first of some games, one of each deal from `first` on, that is not what is stored of it; -1 if all are.

    `stored` and the zeros `found` are outcomes, `actions` and `points` (by round and seat) are those of one game after
    the other, and `room` is as large as `points`.
    """
    game, the_rules, action_at, point_at = games[0], rules[0], 0, 0
    for k in range(len(stored)):
        new_game(game, the_rules, seed, first + np.uint64(k), episode)
        action_end = action_at + stored[k].decisions
        point_end = point_at + stored[k].rounds * the_rules.players
        if point_end > len(points):
            return k
        is_whole = play_again(game, the_rules, found[k], actions[action_at:action_end], room[point_at:point_end])
        if not is_whole or not is_same(the_rules, found[k], stored[k]):
            return k
        for at in range(point_at, point_end):
            if room[at] != points[at]:
                return k
        action_at, point_at = action_end, point_end
    return -1
