"""Deals between scripted agents, one after another in one call, and what is noted of each."""

import numpy as np

from cardtable.kernel.chance import player_chance
from skyjo_agents.crew import decision
from skyjo_agents.luck import TERMS, luck_of_move
from skyjo_agents.player import scripted
from skyjo_env.envs.compiled.rewards import final_score
from skyjo_env.kernel.deal import new_game
from skyjo_env.kernel.play import play
from skyjo_env.kernel.state import FIRST_PLACE, MAX_PLAYERS, OVER, TRUNCATED
from skyjo_env.kernel.view import write_view

OUTCOME_DTYPE = np.dtype(
    (
        np.record,
        [
            ("rounds", "i8"),  # played
            ("turns", "i8"),  # of all rounds
            ("decisions", "i8"),
            ("is_stopped", "i8"),  # too long (7.8)
            ("scores", "i8", MAX_PLAYERS),  # of the round, or totals
            ("cleared", "i8", MAX_PLAYERS),  # cells that were empty at the ends of the rounds
            ("luck", "f8", (MAX_PLAYERS, TERMS)),
        ],
    ),
    align=True,
)


@scripted
def note_round(game, rules, outcome, turns, points):
    """A round is over: its turns, its cleared cells, and its scores behind those of the rounds before."""
    at = outcome.rounds * rules.players
    outcome.rounds += 1
    outcome.turns += turns
    for seat in range(rules.players):
        points[at + seat] = game.round_scores[seat]
        outcome.cleared[seat] += game.cleared[seat]


@scripted
def play_deal(games, rules, players, judge, view, outcome, actions, points, has_luck):
    """Play the game at `games[0]` to its end; `games[1]` is room.

    Returns how many actions that took, or -1 if there are more actions or rounds than there is room for.
    """
    game, before, decisions = games[0], games[1], 0
    while game.phase < OVER:
        if decisions == len(actions) or (outcome.rounds + 1) * rules.players > len(points):
            return -1
        write_view(game, rules, game.seat, view)
        action = decision(view, rules, players[game.seat])
        actions[decisions] = action
        decisions += 1
        turns = game.turns
        if has_luck and action >= FIRST_PLACE:
            games[1] = games[0]
        is_scored = play(game, rules, action)
        if has_luck:
            luck_of_move(before, game, rules, judge, view, action, outcome.luck)
        if is_scored or game.phase == TRUNCATED:
            note_round(game, rules, outcome, turns + 1, points)
    return decisions


@scripted
def play_deals(games, rules, players, judges, seed, first, step, episode, view, outcomes, actions, points, has_luck):
    """A round or game of every deal from `first` on in these steps, the same players in the same seats; `outcomes` are
    zeros.

    Returns how many deals there was room for in `actions` and `points`.
    """
    game, the_rules, action_at, point_at = games[0], rules[0], 0, 0
    for k in range(len(outcomes)):
        new_game(game, the_rules, seed, first + np.uint64(k) * step, episode)
        for seat in range(the_rules.players):
            players[seat].chance = player_chance(game.key, seat)
        outcome = outcomes[k]
        free = actions[action_at:], points[point_at:]
        decisions = play_deal(games, the_rules, players, judges[0], view, outcome, *free, has_luck)
        if decisions < 0:
            return k
        action_at += decisions
        point_at += outcome.rounds * the_rules.players
        outcome.decisions = decisions
        outcome.is_stopped = game.phase == TRUNCATED
        for seat in range(the_rules.players):
            outcome.scores[seat] = final_score(game, seat)
    return len(outcomes)
