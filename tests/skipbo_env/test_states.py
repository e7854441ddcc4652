"""Counts of distinct states: the kernel, the oracle and golden numbers agree."""

import copy
from collections.abc import Callable
from typing import Any

import pytest

from skipbo_env import Game, Rules
from tests.skipbo_env.lockstep import oracle_fields
from tests.skipbo_env.oracle import Table

# Distinct states after 0, 1, 2, ... decisions from deal 0 of seed 0, as both implementations count them.
GOLDEN = {
    "stock=2": [1, 20, 240],
    "players=3 stock=1 symmetric=lowest next_starter=winner": [1, 6, 26, 144, 1257],
    "stock=3 refill=never compulsory=true recycle=on_completion": [1, 12, 48, 48],
}


def count_states(
    start: Any,
    depth: int,
    legal: Callable[[Any], list[int]],
    copied: Callable[[Any], Any],
    written: Callable[[Any], str],
) -> list[int]:
    """Count the distinct states that can be reached in 0, 1, 2, ... decisions."""
    states, counts = [start], [1]
    for _ in range(depth):
        reached = {}
        for state in states:
            for action in legal(state):
                after = copied(state)
                after.apply(action)
                reached[written(after)] = after
        states = list(reached.values())
        counts.append(len(states))
    return counts


def position_without_last_move(game: Game) -> str:
    return "\n".join(line for line in game.position().splitlines() if not line.startswith("last "))


@pytest.mark.parametrize("text", GOLDEN)
def test_the_number_of_distinct_states_by_depth(text: str) -> None:
    rules, golden = Rules.from_text(text), GOLDEN[text]
    depth = len(golden) - 1
    assert count_states(Game(rules), depth, Game.legal_actions, Game.copy, position_without_last_move) == golden
    fields = count_states(
        Table(rules), depth - 1, Table.legal_actions, copy.deepcopy, lambda table: str(oracle_fields(table))
    )
    assert fields == golden[:-1]
