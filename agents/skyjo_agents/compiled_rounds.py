"""Deals between scripted agents in compiled code, one after another in one call, and what is noted of each."""

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from cardtable.card_game import Setup
from cardtable.kernel.chance import UNSET
from cardtable.kernel.compiler import part
from cardtable.rounds import Rounds
from skyjo_agents.crew import SCRIPTS
from skyjo_agents.network_crew import ALL, LOOK, POLICIES, POLICY
from skyjo_agents.player import scripted
from skyjo_env.kernel.deal import new_game
from skyjo_env.kernel.play import play
from skyjo_env.kernel.scoring import final_score
from skyjo_env.kernel.state import EPISODES, FIRST_PLACE, GAME_DTYPE, OVER, TRUNCATED
from skyjo_env.kernel.view import write_view
from skyjo_env.measuring.deal_results import RESULT_DTYPE, note_round, rounds_of
from skyjo_env.measuring.luck_terms import JUDGE_DTYPE, luck_of_move
from skyjo_env.observation import spec_of

if TYPE_CHECKING:
    from cardtable.scripted_agent import ScriptedAgent

ROOM = 128  # decisions of a deal that there is room for at first; a round between scripted agents takes 60 to 100


@part
def play_deal(crew, games, rules, players, judge, view, result, actions, points, has_luck):
    """Play the game at `games[0]` to its end; `games[1]` is room.

    Returns how many actions that took, or -1 if there are more actions or rounds than there is room for.
    """
    game, before, decisions = games[0], games[1], 0
    while game.phase < OVER:
        if decisions == len(actions) or (result.rounds + 1) * rules.players > len(points):
            return -1
        write_view(game, rules, game.seat, view)
        player = players[game.seat]
        player.chance = UNSET
        action = crew.decision(view, rules, player)
        actions[decisions] = action
        decisions += 1
        turns = game.turns
        if has_luck and action >= FIRST_PLACE:
            games[1] = games[0]
        is_scored = play(game, rules, action)
        if has_luck:
            luck_of_move(before, game, rules, judge, view, action, result.luck)
        if is_scored or game.phase == TRUNCATED:
            note_round(game, rules, result, turns + 1, points)
    return decisions


@part
def play_deals(
    crew, games, rules, players, judges, seed, first, step, episode, view, results, actions, points, has_luck
):
    """A round or game of every deal from `first` on in these steps, the same players in the same seats; `results` are
    zeros.

    Returns how many deals there was room for in `actions` and `points`.
    """
    game, the_rules, action_at, point_at = games[0], rules[0], 0, 0
    for k in range(len(results)):
        new_game(game, the_rules, seed, first + np.uint64(k) * step, episode)
        result = results[k]
        free = actions[action_at:], points[point_at:]
        decisions = play_deal(crew, games, the_rules, players, judges[0], view, result, *free, has_luck)
        if decisions < 0:
            return k
        action_at += decisions
        point_at += result.rounds * the_rules.players
        result.decisions = decisions
        result.is_stopped = game.phase == TRUNCATED
        for seat in range(the_rules.players):
            result.scores[seat] = final_score(game, seat)
    return len(results)


@scripted
def play_scripts(*deals):
    """Deals between scripts alone."""
    return play_deals(SCRIPTS, *deals)


@scripted
def play_policies(*deals):
    """Deals between policies and scripts."""
    return play_deals(POLICIES, *deals)


@scripted
def play_all(*deals):
    """Deals between any players, some of whom look ahead."""
    return play_deals(ALL, *deals)


class ScriptedCrew:
    """How scripted agents play: all in one call, or in as few as there is room for what is noted."""

    sources: tuple[Path, ...] = (Path(__file__).parent,)

    def play(self, setup: Setup, agents: Sequence["ScriptedAgent"], deals: range) -> Rounds:
        """See `cardtable.card_game.Crew`."""
        rules: Any = setup.rules
        players = np.concatenate([agent.player for agent in agents])
        games, view = np.zeros(2, GAME_DTYPE), np.zeros(spec_of(rules).size, np.int16)
        seed, episode = np.uint64(setup.seed), EPISODES.index(setup.episode)
        results, kept = np.zeros(len(deals), RESULT_DTYPE), []
        first, room = 0, ROOM
        most = players["script"].max()
        play_here = play_all if most == LOOK else play_policies if most == POLICY else play_scripts
        while first < len(deals):
            left = len(deals) - first
            actions, points = np.empty(room * left, np.uint8), np.empty((room // 8) * left * rules.players, np.int16)
            start, step, judges = np.uint64(deals[first]), np.uint64(deals.step), np.zeros(1, JUDGE_DTYPE)
            table = games, rules.params, players, judges, seed, start, step, episode, view
            done = play_here(*table, results[first:], actions, points, setup.with_luck)
            now, first = results[first : first + done], first + done
            kept.append((actions[: now["decisions"].sum()], points[: now["rounds"].sum() * rules.players]))
            results[first:], room = np.zeros((), RESULT_DTYPE), 2 * room
        all_actions, all_points = (np.concatenate(parts) for parts in zip(*kept, strict=True))
        return rounds_of(setup, results, all_actions, all_points)


CREW = ScriptedCrew()
