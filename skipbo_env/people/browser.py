"""Skip-Bo's module for the browser, with its search: what `rollout` does, what actions are worth to it, and how two of
them compare.

The loop over guesses and the halving of actions are Python's own; here they get their arrays.
"""

from typing import Any

import numpy as np

from cardtable.table.agents.rollout_search import halved, halvings, is_better
from cardtable.table.compiling.compiler import Decorator, compiler_of, inlined, source_of
from cardtable.table.kernel.chance import GAMMA, mix, rng_state_of
from cardtable.table.kernel.futures import GAINED, POINTS, SQUARES
from skipbo_agents.player import PLAYER_DTYPE
from skipbo_agents.scripted import decision
from skipbo_agents.search import RolloutAgent, first_alike
from skipbo_env.card_game import SKIPBO
from skipbo_env.kernel import GAME_DTYPE
from skipbo_env.kernel.view import write_observation
from skyjo.web.building.entries import Entries, Records, carray, with_types
from skyjo.web.building.modules import Module

SEARCH = RolloutAgent()
CAUTION = SEARCH.caution
BASE = SEARCH.base.player[0]
EACH, ALL = 0, 1  # of actions that do the same, value the first, or all
AGENTS = {
    "rollout": {
        "calls": "search_action",
        "script": int(BASE["script"]),
        "numbers": np.trim_zeros(BASE["numbers"], "b").tolist(),
        "effort": [SEARCH.n, int(SEARCH.turns), EACH],
    }
}
try_guesses: Any = RolloutAgent.try_guesses
write_mask = SKIPBO.kernel.write_mask

compiled = compiler_of(__file__, source_of(decision), source_of(SKIPBO.kernel.act))
better, steps_for, halved_actions = compiled(is_better), compiled(halvings), inlined(halved)


@compiled
def attempt(table, actions, guesses, more):
    """Try actions on the guesses that follow the first so many; returns how many there are then."""
    seen, the_rules, player, turns, key = table
    seats = the_rules[0].players
    tried = np.zeros((POINTS + seats, len(actions)), np.int64)
    players, games, view = np.empty(seats, PLAYER_DTYPE), np.empty(2, GAME_DTYPE), np.empty_like(seen)
    for seat in range(seats):
        players[seat] = player[0]
    end = guesses + more
    try_guesses(seen, the_rules, players, actions, guesses, end, key, turns, games, view, tried)
    return tried, end


@compiled
def distinct_actions(seen, rules, legal, first):
    """The legal actions that do different things, `first` first."""
    found, known, count = np.empty(rules.actions, np.int64), np.zeros(rules.actions, np.bool_), 1
    found[0], known[first_alike(seen, rules, first)] = first, True
    for action in range(rules.actions):
        if legal[action] and not known[first_alike(seen, rules, action)]:
            known[first_alike(seen, rules, action)] = True
            found[count] = action
            count += 1
    return found[:count]


@compiled
def write_worths(seen, rules, legal, alike, actions, points, action_values):
    """Write the worths of actions by seat from their points, and those of others that do the same if that is asked."""
    column = np.empty(rules.actions, np.int64)
    for k in range(len(actions)):
        column[first_alike(seen, rules, actions[k])] = k
    action_values[:] = np.nan
    for action in range(rules.actions):
        if legal[action]:
            k = column[first_alike(seen, rules, action)]
            if alike == ALL or action == actions[k]:
                action_values[action] = points[:, k]


def search_entries(records: Records, exported: Decorator) -> Entries:
    """What the search needs; the record of its player is that of its base."""

    @exported
    def search_action(game, table_rules, players, view, size, mask, guesses, turns):
        """What `rollout` does."""
        the_rules, player, seen = carray(table_rules, 1), carray(players, 1), carray(view, size)
        legal = carray(mask, the_rules[0].actions)
        write_observation(game, the_rules[0], game.seat, seen)
        write_mask(game, the_rules[0], legal)
        first = decision(seen, the_rules[0], player[0])
        chance = player[0].chance if player[0].chance > 0 else rng_state_of(seen)
        actions = distinct_actions(seen, the_rules[0], legal, first)
        if len(actions) == 1:
            return first
        table = seen, the_rules, player, turns, mix(chance + GAMMA)
        left, tried, tries = halved_actions(attempt, table, actions, guesses, steps_for(len(actions)))
        return left[np.int64(better(tried[GAINED, 1], tried[SQUARES, 1], tries, CAUTION))]

    @exported
    def weigh_actions(game, table_rules, players, view, size, guesses, turns, alike, key, action_values):
        """Write what actions are worth to every seat, each tried on so many guesses; NaN for the others. A key of 0
        stands for the key that hints use.
        """
        the_rules, seen = carray(table_rules, 1), carray(view, size)
        rules, others = the_rules[0], the_rules[0].players - 1
        legal, first = np.empty(rules.actions, np.int8), 0
        write_observation(game, rules, game.seat, seen)
        write_mask(game, rules, legal)
        while not legal[first]:
            first += 1
        table = seen, the_rules, carray(players, 1), turns, key if key > 0 else rng_state_of(seen)
        actions = distinct_actions(seen, rules, legal, first)
        points = attempt(table, actions, 0, guesses)[0][POINTS:] / (guesses * others)
        write_worths(seen, rules, legal, alike, actions, points, carray(action_values, (rules.actions, rules.players)))

    @exported
    def compare_actions(game, table_rules, players, view, size, action, other, guesses, more, turns, key, sums):
        """Write what the other action gained over an action on the guesses that follow the first so many, in points of
        the margin times the number of others, and the squares of that.
        """
        the_rules, seen = carray(table_rules, 1), carray(view, size)
        write_observation(game, the_rules[0], game.seat, seen)
        table = seen, the_rules, carray(players, 1), turns, key
        tried, _ = attempt(table, np.array([action, other]), guesses, more)
        written = carray(sums, 2)
        written[0], written[1] = tried[GAINED, 1], tried[SQUARES, 1]

    return with_types(records, search_action, weigh_actions, compare_actions)


MODULE = Module(SKIPBO, decision, PLAYER_DTYPE, more=search_entries, agents=AGENTS)
