"""Functions of the agent `rollout` in a module: its action, the values of actions, and the comparison of two.

The loop over guesses and the halving of actions are Python's own; here they get their arrays.
"""

from typing import Any

import numpy as np

from cardtable.table.agents.agents import agents_of
from cardtable.table.agents.rollout_search import RolloutSearch, halved, halvings, is_better
from cardtable.table.compiling.compiler import Decorator, compiler_of, inlined, source_of
from cardtable.table.game.card_game import CardGame
from cardtable.table.kernel.chance import GAMMA, mix, rng_state_of
from cardtable.table.kernel.futures import GAINED, POINTS, SQUARES
from cardtable.table.kernel.game_kernel import Compiled
from skyjo.web.building.entries import Entries, Records, carray, with_types

CAUTION = 1.0  # the usual one of all searches
EACH, ALL = 0, 1  # of actions that do the same, value the first, or all
MAX_TURNS = 2**30  # more than a round has, and JavaScript can pass it


def effort_of(search: RolloutSearch, alike: int) -> list[int]:
    """Return guesses and turns of a search, and which of equal actions it values."""
    return [search.n, min(int(search.turns), MAX_TURNS), alike]


def searches(card_game: CardGame, *texts: str) -> dict[str, dict[str, Any]]:
    """Return what JavaScript must know of these agents, by their texts."""
    return {text: _described(agents_of(card_game).make(text, card_game.official)) for text in texts}


def _described(search: Any) -> dict[str, Any]:
    base = search.base.player[0]
    numbers = np.trim_zeros(base["numbers"], "b").tolist()
    return {
        "calls": "search_action",
        "script": int(base["script"]),
        "numbers": numbers,
        "effort": effort_of(search, EACH),
    }


def trials(search: type[RolloutSearch], first_alike: Compiled, records: Records, compiled: Decorator) -> Any:
    """Return the compiled functions with which actions are tried: `attempt`, `distinct_actions` and `write_worths`."""
    try_guesses, player_type, game_type = search.try_guesses, records["player"], records["game"]

    @compiled
    def attempt(table, actions, guesses, more):
        """Try actions on the guesses that follow the first so many; returns how many there are then."""
        seen, the_rules, player, turns, key = table
        seats = the_rules[0].players
        tried = np.zeros((POINTS + seats, len(actions)), np.int64)
        players, games, view = np.empty(seats, player_type), np.empty(2, game_type), np.empty_like(seen)
        for seat in range(seats):
            players[seat] = player[0]
        end = guesses + more
        try_guesses(seen, the_rules, players, actions, guesses, end, key, turns, games, view, tried)
        return tried, end

    @compiled
    def distinct_actions(seen, rules, legal, first):
        """Return the legal actions that do different things, `first` first."""
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
        """Write the worths of actions by seat from their points, and those of others alike if that is asked."""
        column = np.empty(rules.actions, np.int64)
        for place in range(len(actions)):
            column[first_alike(seen, rules, actions[place])] = place
        action_values[:] = np.nan
        for action in np.flatnonzero(legal):
            k = column[first_alike(seen, rules, action)]
            if alike == ALL or action == actions[k]:
                action_values[action] = points[:, k]

    return attempt, distinct_actions, write_worths


def search_entries(
    search: type[RolloutSearch], decision: Compiled, first_alike: Compiled, records: Records, exported: Decorator
) -> Entries:
    """Return what the search exports; the record of its player is that of its base. `first_alike(view, rules, action)`
    is the first action with the same effect.
    """
    kernel = search.card_game.kernel
    write_observation, write_mask = kernel.write_observation, kernel.write_mask
    compiled = compiler_of(__file__, source_of(decision), source_of(kernel.act))
    better, steps_for, halved_actions = compiled(is_better), compiled(halvings), inlined(halved)
    attempt, distinct_actions, write_worths = trials(search, first_alike, records, compiled)

    @exported
    def search_action(game, table_rules, players, view, size, mask, guesses, turns):
        """Return the action of `rollout`."""
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
