"""States from outside: what is no table is refused with its reason, and what is one plays on."""

import random
from collections import Counter
from collections.abc import Callable
from typing import Any

import numpy as np

from cardtable.table.errors import PositionError
from cardtable.table.game.positions import invalid_rows
from skyjo_env import Rules
from tests.fuzz.damage import damaged_record
from tests.games.under_test import GameUnderTest


def accepts(check: Callable[[Any, Any], None], rules: Any, state: Any) -> bool:
    try:
        check(rules, state)
    except PositionError:
        return False
    return True


def test_a_state_that_is_a_table_is_as_its_position_is_read_and_plays_on(
    game: GameUnderTest,
) -> None:
    """Reached by play or with one or two other numbers, by its own rules or by others."""
    checks, chance, found = game.card_game.checks, random.Random(9), Counter[bool]()
    for seed in range(60):
        table = game.played(game.rules(seed), seed, chance.randrange(200))
        for _ in range(8):
            rules = table.rules if chance.random() < 0.8 else game.rules(chance.randrange(60))
            state = table.state if chance.random() < 0.1 else damaged_record(table.state, chance)
            is_valid = accepts(checks.check_states, rules, state)
            differing = [name for name in table.state.dtype.names if (state[name] != table.state[name]).any()]
            assert not is_valid or game.is_as_written(rules, state), (rules, differing)
            found[is_valid] += 1
            if is_valid:
                game.play(game.api.Game.from_state(rules, state), chance, 60)
    assert min(found.values()) > 60


def test_of_every_invalid_record_the_row_is_named_and_what_it_violates_first() -> None:
    games = np.zeros(4, [("turns", "i2"), ("seats", "i2", 3)]).view(np.recarray)
    games["turns"][1:], games["seats"][2] = 7, (0, 5, 6)
    conditions: list[Any] = [
        (games["seats"] > 4, "seat {at} has {value} of {rules.players}", games["seats"]),
        (games["turns"] == 7, "after {game.turns} turns"),
    ]
    assert list(invalid_rows(Rules(players=3), games, conditions)) == [
        (1, "after 7 turns"),
        (2, "seat 1 has 5 of 3"),
        (3, "after 7 turns"),
    ]
