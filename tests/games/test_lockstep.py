"""The kernels against the oracles, field by field after every step, and states that both count."""

import copy
import os
import random
from collections.abc import Callable
from typing import Any

import pytest

from tests.fuzz.tables import check_lockstep
from tests.games.listed import GAMES, cases_of, game_id
from tests.games.lockstep import play_in_lockstep
from tests.games.under_test import GameUnderTest
from tests.helpers import first_quick

PARTS = 8  # so that pytest-xdist can share the work


@pytest.mark.parametrize("part", first_quick(1, range(PARTS)))
def test_kernel_and_oracle_agree_under_random_rules(game: GameUnderTest, part: int) -> None:
    decisions = int(os.environ.get("LOCKSTEP", "20000"))
    check_lockstep(game, random.Random(part), decisions // PARTS)


@pytest.mark.long
@pytest.mark.parametrize("part", range(PARTS))
def test_kernel_and_oracle_agree_for_millions_of_decisions(game: GameUnderTest, part: int) -> None:
    check_lockstep(game, random.Random(1000 + part), 3_000_000 // PARTS)


OFFICIAL = [
    case for game in GAMES for case in first_quick(3, [(game, players) for players in range(2, game.most_players + 1)])
]


@pytest.mark.parametrize(("game", "players"), OFFICIAL, ids=game_id)
def test_kernel_and_oracle_agree_on_whole_official_games(game: GameUnderTest, players: int) -> None:
    chance = random.Random(players + 10)
    rules = game.api.OFFICIAL.replace(players=players)
    assert play_in_lockstep(game, rules, players, 0, "game", chance, 6000) > 100


# Counting


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


def position_without_last_move(table: Any) -> str:
    return "\n".join(line for line in table.position().splitlines() if not line.startswith("last "))


@pytest.mark.parametrize(("game", "counted"), cases_of("counted"))
def test_the_number_of_distinct_states_by_depth(game: GameUnderTest, counted: tuple[Any, str, list[int]]) -> None:
    """The kernel, the oracle and golden numbers agree."""
    rules, episode, golden = counted
    depth = len(golden) - 1
    kernel, oracle = game.api.Game(rules, episode=episode), game.oracle(rules, episode=episode)
    assert count_states(kernel, depth, game.api.Game.legal_actions, copy.copy, position_without_last_move) == golden
    fields = count_states(
        oracle, depth - 1, game.oracle.legal_actions, copy.deepcopy, lambda table: str(game.oracle_fields(table))
    )
    assert fields == golden[:-1]
