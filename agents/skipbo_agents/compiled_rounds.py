"""Deals between scripted agents in compiled code, one after another in one call, and what is noted of each."""

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from cardtable.card_game import Setup
from cardtable.kernel.chance import UNSET
from cardtable.rounds import Rounds
from skipbo_agents.crew import decision
from skipbo_agents.player import scripted
from skipbo_env.kernel.deal import new_game
from skipbo_env.kernel.state import CARDS, EPISODES, GAME_DTYPE, OVER
from skipbo_env.kernel.view import view_size, write_view
from skipbo_env.measuring.deal_results import RESULT_DTYPE, rounds_of
from skipbo_env.measuring.noting import note_end, play_noting

if TYPE_CHECKING:
    from cardtable.scripted_agent import ScriptedAgent

ROOM = 512  # decisions of a deal that there is room for at first; a round between scripted agents takes about 300


@scripted
def play_deal(games, rules, players, view, counts, result, actions, points, has_luck):
    """Play the game at `games[0]` to its end; `games[1]` and `counts` are room.

    Returns whether there was room for all actions and rounds.
    """
    game = games[0]
    while game.phase < OVER:
        scores = points[result.rounds * rules.players :]
        if result.decisions == len(actions) or len(scores) < rules.players:
            return False
        write_view(game, rules, game.seat, view)
        player = players[game.seat]
        player.chance = UNSET
        action = decision(view, rules, player)
        actions[result.decisions] = action
        play_noting(games, rules, action, counts, result, scores, has_luck)
    note_end(game, rules, result)
    return True


@scripted
def play_deals(games, rules, players, seed, first, step, episode, view, counts, results, actions, points, has_luck):
    """A round or game of every deal from `first` on in these steps, the same players in the same seats; `results` are
    zeros.

    Returns how many deals there was room for in `actions` and `points`.
    """
    game, the_rules, action_at, point_at = games[0], rules[0], 0, 0
    for k in range(len(results)):
        new_game(game, the_rules, seed, first + np.uint64(k) * step, episode)
        free = actions[action_at:], points[point_at:]
        if not play_deal(games, the_rules, players, view, counts, results[k], *free, has_luck):
            return k
        action_at += results[k].decisions
        point_at += results[k].rounds * the_rules.players
    return len(results)


class ScriptedCrew:
    """How scripted agents play: all in one call, or in as few as there is room for what is noted."""

    sources: tuple[Path, ...] = (Path(__file__).parent,)

    def play(self, setup: Setup, agents: Sequence["ScriptedAgent"], deals: range) -> Rounds:
        """See `cardtable.card_game.Crew`."""
        rules: Any = setup.rules
        players = np.concatenate([agent.player for agent in agents])
        games, view = np.zeros(2, GAME_DTYPE), np.zeros(view_size(rules.players), np.int16)
        seed, episode, counts = np.uint64(setup.seed), EPISODES.index(setup.episode), np.zeros(CARDS, np.int64)
        results, kept = np.zeros(len(deals), RESULT_DTYPE), []
        first, room = 0, 1
        while first < len(deals):
            left = room * (len(deals) - first)
            actions, points = np.empty(ROOM * left, np.uint8), np.empty(left * rules.players, np.int16)
            start, step = np.uint64(deals[first]), np.uint64(deals.step)
            table = games, rules.params, players, seed, start, step, episode, view, counts
            done = play_deals(*table, results[first:], actions, points, setup.with_luck)
            now, first = results[first : first + done], first + done
            kept.append((actions[: now["decisions"].sum()], points[: now["rounds"].sum() * rules.players]))
            results[first:], room = np.zeros((), RESULT_DTYPE), 2 * room
        all_actions, all_points = (np.concatenate(parts) for parts in zip(*kept, strict=True))
        return rounds_of(setup, results, all_actions, all_points)


CREW = ScriptedCrew()
