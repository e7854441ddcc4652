"""Rounds played to be measured: the luck of every decision and the statistics of every round are recorded for any
agents.
"""

from typing import Any, NamedTuple

import numpy as np

from cardtable.table.compiling.compiler import Decorator, inlined
from cardtable.table.kernel.chance import UNSET
from cardtable.table.kernel.game_kernel import MAX_SEATS, Compiled, GameKernel, final_score, has_ended


def result_type(round_stats: int, terms: int) -> np.dtype[Any]:
    """Return the type of the results of a deal, in a game with so many statistics of rounds and luck terms."""
    fields: list[Any] = [
        ("rounds", "i8"),  # played
        ("turns", "i8"),  # of all rounds
        ("decisions", "i8"),
        ("is_stopped", "i8"),  # for having taken too long
        ("scores", "i8", MAX_SEATS),  # of the round, or totals
        ("round_stats", "i8", (MAX_SEATS, round_stats)),
        ("luck", "f8", (MAX_SEATS, terms)),
    ]
    return np.dtype((np.record, fields), align=True)


@inlined
def act_noting_luck(kernel, games, rules, action, view, scratch, result, has_luck):
    """Carry out a legal action at `games[0]` up to the end of a round, and note its luck; `games[1]` and `scratch` are
    working space. `view` is the observation of the seat to move.
    """
    if has_luck and action >= kernel.first_compared:
        games[1] = games[0]
    kernel.act(games[0], rules, action, None)
    if has_luck:
        kernel.note_luck(games[1], games[0], rules, action, view, scratch, result.luck)


def round_end(kernel: GameKernel, compiled: Decorator) -> Compiled:
    """Make `end_round`, which follows an action that ended a round. It is called, not inlined: inlining it would slow
    the loops down.
    """

    @compiled
    def end_round(game, rules, result, points, at):
        """Score the round, note it, and go on; its scores go to `points` from `at` on."""
        result.rounds += 1
        result.turns += game.turns
        kernel.score_round(game, rules, None)
        kernel.note_round_stats(game, rules, result.round_stats)
        for seat in range(rules.players):
            points[at + seat] = game.round_scores[seat]
        kernel.start_next_round(game, rules, None)
        result.is_stopped = game.phase > kernel.over
        for seat in range(rules.players):
            result.scores[seat] = final_score(game, seat)

    return end_round


class RoundRecorder(NamedTuple):
    """Functions for measuring, each in one call."""

    step_noting: Compiled
    replay: Compiled


def round_recorder(kernel: GameKernel, compiled: Decorator) -> RoundRecorder:
    """Return these functions for one game."""
    end_round = round_end(kernel, compiled)

    @compiled
    def step_noting(games, rules, playing, actions, views, two, scratches, results, points, has_luck):
        """A legal decision at each of the tables that still play; `two` is room for tables, and `points` has a row for
        each decision.
        """
        for k in range(len(playing)):
            table = playing[k]
            two[0] = games[table]
            act_noting_luck(kernel, two, rules[0], actions[k], views[k], scratches[0], results[table], has_luck)
            if has_ended(kernel, two[0]):
                end_round(two[0], rules[0], results[table], points[k], 0)
            results[table].decisions += 1
            games[table] = two[0]

    @compiled
    def replay(games, rules, seed, deals, episode, lengths, actions, results, points):
        """Play the actions of one deal after the other, without luck; returns how many `points` were written.

        A deal has -1 decisions if an action is illegal, or its game is not over with the last.
        """
        game, the_rules, action_at, point_at = games[0], rules[0], 0, 0
        for k in range(len(deals)):
            kernel.new_game(game, the_rules, seed, deals[k], episode)
            result, is_legal = results[k], True
            for action in actions[action_at : action_at + lengths[k]]:
                is_legal = kernel.is_legal(game, the_rules, action)
                if not is_legal:
                    break
                kernel.act(game, the_rules, action, None)
                if has_ended(kernel, game):
                    end_round(game, the_rules, result, points, point_at + result.rounds * the_rules.players)
            result.decisions = lengths[k] if is_legal and game.phase >= kernel.over else -1
            action_at += lengths[k]
            point_at += result.rounds * the_rules.players
        return point_at

    return RoundRecorder(step_noting, replay)


def decisions_loop(decision: Compiled, compiled: Decorator) -> Compiled:
    """Make the loop in which one player decides at many tables; Python calls it."""

    @compiled
    def decide(observations, rules, players, rng_states, actions):
        """One decision of the same player at every table, each with the table's own generator."""
        player = players[0]
        for table in range(len(observations)):
            player.chance = rng_states[table]
            actions[table] = decision(observations[table], rules[0], player)
            rng_states[table] = player.chance

    return decide


def deals_loop(kernel: GameKernel, decision: Compiled, compiled: Decorator) -> Compiled:
    """Return the loop that plays deal after deal with compiled players; `decision(view, rules, player)` decides."""
    end_round = round_end(kernel, compiled)

    @compiled
    def play_deals(
        games, rules, players, seed, first, step, episode, view, scratches, results, actions, points, has_luck
    ):
        """A round or game of every deal from `first` on in these steps, the same players in the same seats; `results`
        are zeros.

        Returns how many deals there was room for in `actions` and `points`.
        """
        game, the_rules, action_at, point_at = games[0], rules[0], 0, 0
        for k in range(len(results)):
            kernel.new_game(game, the_rules, seed, first + np.uint64(k) * step, episode)
            result, decisions, scores_at = results[k], action_at, point_at
            while game.phase < kernel.over:
                if decisions == len(actions) or scores_at + the_rules.players > len(points):
                    return k
                kernel.write_observation(game, the_rules, game.seat, view)
                player = players[game.seat]
                player.chance = UNSET
                action = decision(view, the_rules, player)
                actions[decisions] = action
                decisions += 1
                act_noting_luck(kernel, games, the_rules, action, view, scratches[0], result, has_luck)
                if has_ended(kernel, game):
                    end_round(game, the_rules, result, points, scores_at)
                    scores_at = point_at + result.rounds * the_rules.players
            result.decisions = decisions - action_at
            action_at, point_at = decisions, scores_at
        return len(results)

    return play_deals
