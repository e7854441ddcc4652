"""Skyjo's module for the browser: its learned players, what actions are worth to them, and their weights."""

from collections.abc import Iterator
from pathlib import Path

import numpy as np

from cardtable.table.agents.policies.model_card import read_policy
from cardtable.table.compiling.compiler import Decorator, compiler_of, source_of
from cardtable.table.kernel.chance import rng_state_of
from cardtable.table.kernel.futures import GAINED, POINTS, SQUARES
from skyjo.web.building.entries import Entries, Network, Records, carray, with_types
from skyjo.web.building.modules import Module
from skyjo_agents.all_scripts import decision
from skyjo_agents.lookahead import look
from skyjo_agents.network_blocks import COLUMNS, FIRST, INPUTS, OUTPUTS, pack
from skyjo_agents.network_play import work_out_columns
from skyjo_agents.network_players import LOOK, POLICY, judge_actions, judge_table, try_with_policies
from skyjo_agents.network_shapes import SKYJO_POLICIES, VALUE_NETWORK
from skyjo_agents.player import PLAYER_DTYPE
from skyjo_agents.policy import LookaheadAgent
from skyjo_agents.policy_play import policy
from skyjo_env.card_game import SKYJO
from skyjo_env.kernel.state import GAME_DTYPE
from skyjo_env.kernel.view import write_observation

FLOAT = 4  # bytes of a number
SEARCH = dict(zip(("depth", "width"), (LookaheadAgent.__init__.__defaults__ or ())[-2:], strict=True))
AGENTS = {
    "policy": {"calls": "choose_by_policy", "script": POLICY},
    "lookahead": {"calls": "choose_by_lookahead", "script": LOOK, **SEARCH, "effort": [SEARCH["width"]]},
}
DECISIONS = {"choose_by_policy": policy, "choose_by_lookahead": look}

own_compiled = compiler_of(__file__, source_of(policy), source_of(SKYJO.kernel.act))


@own_compiled
def compared(seen, rules, player, actions, guesses, more, turns, key):
    """Return the gain of the second of two actions over the first, and its squares, on the guesses after the first
    `guesses`.

    A policy plays on in all seats.
    """
    seats = rules[0].players
    tried, games = np.zeros((POINTS + seats, len(actions)), np.int64), np.empty(2, GAME_DTYPE)
    players, view = np.empty(seats, PLAYER_DTYPE), np.empty_like(seen)
    for seat in range(seats):
        players[seat] = player[0]
    try_with_policies(seen, rules, players, actions, guesses, guesses + more, key, turns, games, view, tried)
    return tried[GAINED, 1], tried[SQUARES, 1]


def network_entries(records: Records, compiled: Decorator) -> Entries:
    """Return further functions that the learned players need; their records hold the places of their networks."""

    @compiled
    def prepare_columns(player, kinds):
        """Work out the block that is not kept in files."""
        if player.layout[COLUMNS, INPUTS] > 0:
            work_out_columns(kinds, player.weights, player.layout)

    @compiled
    def weigh_actions(game, table_rules, players, view, size, width, key, action_values):
        """Write what actions are worth to every seat: see `judge_actions`; by a key of 0 as hints are worked out."""
        the_rules, seen = carray(table_rules, 1), carray(view, size)
        write_observation(game, the_rules[0], game.seat, seen)
        written = carray(action_values, (the_rules[0].actions, the_rules[0].players))
        own_key = key if key > 0 else rng_state_of(seen)
        return judge_actions(seen, the_rules, carray(players, 1), width, own_key, written)

    @compiled
    def weigh_table(game, table_rules, players, view, size, key, action_values):
        """Write what the table is worth to every seat: see `judge_table`."""
        the_rules, seen = carray(table_rules, 1), carray(view, size)
        write_observation(game, the_rules[0], game.seat, seen)
        judge_table(seen, the_rules, carray(players, 1), key, carray(action_values, the_rules[0].players))

    @compiled
    def compare_actions(game, table_rules, players, view, size, action, other, guesses, more, turns, key, sums):
        """Write what another action gained over an action, in points of the margin times the number of others, and the
        squares of that: see `compared`.
        """
        the_rules, seen, written = carray(table_rules, 1), carray(view, size), carray(sums, 2)
        write_observation(game, the_rules[0], game.seat, seen)
        pair, player = np.array([action, other]), carray(players, 1)
        written[0], written[1] = compared(seen, the_rules, player, pair, guesses, more, turns, key)

    return with_types(records, prepare_columns, weigh_actions, weigh_table, compare_actions)


def networks() -> Iterator[Network]:
    """Yield the networks of all policies that come with the package, and their judges."""
    for file in sorted(SKYJO_POLICIES.shipped.glob("*.safetensors")):
        yield from networks_of(file)


def networks_of(file: Path) -> Iterator[Network]:
    """Yield the network of a policy, and its judge if it has one."""
    weights, model_card = read_policy(file)
    judge = {
        name.removeprefix(VALUE_NETWORK): array for name, array in weights.items() if name.startswith(VALUE_NETWORK)
    }
    for name, arrays in ((file.stem, weights), (f"{file.stem}_value", judge)):
        if arrays:
            numbers, layout = pack(model_card.rules, arrays)
            end, inputs, outputs = layout[COLUMNS][[FIRST, INPUTS, OUTPUTS]].tolist()
            kinds = len(arrays["in_cell.weight"])
            yield Network(name, numbers[: end // FLOAT], layout, end + FLOAT * inputs * outputs, kinds)


MODULE = Module(SKYJO, decision, PLAYER_DTYPE, DECISIONS, network_entries, networks, AGENTS)
