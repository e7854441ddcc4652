"""Rounds played to be measured: what every decision and every round leaves behind is noted, whoever decides."""

from typing import Any, NamedTuple

import numpy as np

from cardtable.kernel.chance import UNSET
from cardtable.kernel.compiler import Decorator, part
from cardtable.kernel.game_kernel import MOST_SEATS, Compiled, GameKernel, final_score


def result_type(traces: int, terms: int) -> np.dtype[Any]:
    """The record of what is noted of a deal, in a game with so many traces and luck terms."""
    fields: list[Any] = [
        ("rounds", "i8"),  # played
        ("turns", "i8"),  # of all rounds
        ("decisions", "i8"),
        ("is_stopped", "i8"),  # for having taken too long
        ("scores", "i8", MOST_SEATS),  # of the round, or totals
        ("traces", "i8", (MOST_SEATS, traces)),
        ("luck", "f8", (MOST_SEATS, terms)),
    ]
    return np.dtype((np.record, fields), align=True)


@part
def play_noting(kernel, games, rules, action, view, room, result, points, at, has_luck):
    """Carry out a legal action at `games[0]`, and note what comes of it; `games[1]` and `room` are for the luck.

    The scores of a round that it ends are written to `points` from `at` on. `view` is what the seat to move saw.
    """
    game = games[0]
    if has_luck and action >= kernel.first_compared:
        games[1] = games[0]
    kernel.act(game, rules, action)
    result.decisions += 1
    if has_luck:
        kernel.note_luck(games[1], game, rules, action, view, room, result.luck)
    if game.phase <= kernel.over + 1:
        return
    result.rounds += 1
    result.turns += game.turns
    kernel.score_round(game, rules)
    kernel.note_traces(game, rules, result.traces)
    for seat in range(rules.players):
        points[at + seat] = game.round_scores[seat]
    kernel.go_on(game, rules)
    result.is_stopped = game.phase > kernel.over
    for seat in range(rules.players):
        result.scores[seat] = final_score(game, seat)


class NotedRounds(NamedTuple):
    """What measuring needs, each in one call."""

    step_noting: Compiled
    replay: Compiled


def noted_rounds(kernel: GameKernel, compiled: Decorator) -> NotedRounds:
    """These functions for one game."""

    @compiled
    def step_noting(games, rules, playing, actions, views, two, rooms, results, points, has_luck):
        """A legal decision at each of the tables that still play; `two` is room for tables, and `points` has a row for
        each decision.
        """
        for k in range(len(playing)):
            table = playing[k]
            two[0] = games[table]
            noted = rooms[0], results[table], points[k], 0, has_luck
            play_noting(kernel, two, rules[0], actions[k], views[k], *noted)
            games[table] = two[0]

    @compiled
    def replay(games, rules, seed, deals, episode, lengths, actions, view, rooms, results, points):
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
                at = point_at + result.rounds * the_rules.players
                play_noting(kernel, games, the_rules, action, view, rooms[0], result, points, at, False)
            if not is_legal or game.phase < kernel.over:
                result.decisions = -1
            action_at += lengths[k]
            point_at += result.rounds * the_rules.players
        return point_at

    return NotedRounds(step_noting, replay)


def deals_loop(kernel: GameKernel, decision: Compiled, compiled: Decorator) -> Compiled:
    """The loop that plays deal after deal with compiled players, where `decision(view, rules, player)` decides."""

    @part
    def play_deal(games, rules, players, view, room, result, actions, points, has_luck):
        """Play the game at `games[0]` to its end. Returns whether there was room for all actions and rounds."""
        game = games[0]
        while game.phase < kernel.over:
            at = result.rounds * rules.players
            if result.decisions == len(actions) or at + rules.players > len(points):
                return False
            kernel.write_view(game, rules, game.seat, view)
            player = players[game.seat]
            player.chance = UNSET
            action = decision(view, rules, player)
            actions[result.decisions] = action
            play_noting(kernel, games, rules, action, view, room, result, points, at, has_luck)
        return True

    @compiled
    def play_deals(games, rules, players, seed, first, step, episode, view, rooms, results, actions, points, has_luck):
        """A round or game of every deal from `first` on in these steps, the same players in the same seats; `results`
        are zeros.

        Returns how many deals there was room for in `actions` and `points`.
        """
        game, the_rules, action_at, point_at = games[0], rules[0], 0, 0
        for k in range(len(results)):
            kernel.new_game(game, the_rules, seed, first + np.uint64(k) * step, episode)
            free = actions[action_at:], points[point_at:]
            if not play_deal(games, the_rules, players, view, rooms[0], results[k], *free, has_luck):
                return k
            action_at += results[k].decisions
            point_at += results[k].rounds * the_rules.players
        return len(results)

    return play_deals
