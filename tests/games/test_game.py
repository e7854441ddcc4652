"""Game: what is legal, copies, and what is handed out."""

import random
import re
from collections.abc import Callable
from functools import partial
from itertools import count, product
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings

import skyjo_env
from cardtable.table.errors import TableError
from cardtable.table.game import table_game
from cardtable.table.game.records import RecordFormat
from tests.games.under_test import GameUnderTest
from tests.helpers import COPIES, SEEDED, interrupted, seeds

few = settings(SEEDED, max_examples=25)

# Actions


@pytest.mark.parametrize("kind", [np.int8, np.uint8, np.int64, np.uint64, np.array])
def test_whole_numbers_of_numpy_are_actions(game: GameUnderTest, kind: Callable[[int], Any]) -> None:
    table, twin = game.api.Game(seed=3), game.api.Game(seed=3)
    for action in game.play(table, random.Random(1), 8):
        twin.apply(kind(action))
    assert (twin.position(), twin.record()) == (table.position(), table.record())
    assert [type(action) for action in twin.record()["actions"]] == [int] * 8


@few
@given(seeds)
def test_no_card_is_ever_lost_or_made(game: GameUnderTest, seed: int) -> None:
    table, chance = game.api.Game(game.rules(seed), seed=seed), random.Random(seed)
    for _ in range(30):
        game.check(table)
        game.card_game.checks.check_states(table.rules, table.state)
        game.play(table, chance, 6)


# Copies


class NamedGame(skyjo_env.Game):
    def __init__(self, name: str, **options: Any) -> None:
        super().__init__(**options)
        self.name, self.notes = name, [name]


class NamedBatch(skyjo_env.GameBatch):
    def __init__(self, name: str, **options: Any) -> None:
        super().__init__(**options)
        self.name = name


@pytest.mark.parametrize("kind", COPIES)
def test_a_copy_of_a_subclass_has_all_that_the_subclass_has(kind: str) -> None:
    """Of any game: here of Skyjo."""
    table = NamedGame("a", seed=3)
    table.apply(14)
    twin = COPIES[kind](table)
    assert (type(twin), twin.name, twin.notes, twin.record()) == (NamedGame, "a", ["a"], table.record())
    twin.apply(15)
    assert twin.record() != table.record()
    batch = NamedBatch("b", n=3)
    twins = COPIES[kind](batch), batch.select([0])
    assert [(type(one), one.name) for one in twins] == [(NamedBatch, "b")] * 2


def before_a_score(game: GameUnderTest) -> tuple[Any, int]:
    """A table, and a decision that ends a round which is scored there."""
    for seed in count():
        table, chance = game.api.Game(game.quick, seed=seed), random.Random(seed)
        while not table.is_over:
            before, action = table.copy(), game.choose(table, chance)
            table.apply(action)
            if table.has_scored:
                return before, action
    raise AssertionError


@pytest.mark.parametrize("how", ["apply", "apply with cards", "play"])
def test_wherever_a_decision_is_interrupted_the_record_tells_how_the_table_came_about(
    game: GameUnderTest, how: str
) -> None:
    before, action = before_a_score(game)
    cards = list(before.outcomes(action))[:1] if how == "apply with cards" else []
    for at in count():
        twin = before.copy()
        is_interrupted = interrupted(partial(getattr(twin, how.split()[0]), action, *cards), at, table_game)
        again = RecordFormat(game.card_game).replay(twin.record())
        assert (again.position(), again.legal_actions()) == (twin.position(), twin.legal_actions())
        assert again.observation().tolist() == twin.observation().tolist()
        assert twin.has_scored == (twin.position() != before.position())
        if not is_interrupted:
            break
    assert at > 20
    assert twin.has_scored


def test_a_state_of_more_tables_or_of_other_arrays_is_refused_as_such(game: GameUnderTest) -> None:
    batch, state = game.api.GameBatch(n=4), game.api.GameBatch(n=5).state()
    for wrong, reason in (
        (state, "games is not of this game and its options at 4 tables"),
        ({**state, "games": np.zeros(3)}, "games is not of this game and its options at 4 tables"),
        ({"games": batch.state()["games"]}, "deals is missing"),
    ):
        with pytest.raises(TableError, match=f"^the saved array {reason}$"):
            batch.restore(wrong)


# What is asked for


NO_SEEDS: list[Any] = [-1, 2**64, 1.0, "1", True]
WRONG: list[tuple[str, list[Any], str]] = [
    ("rules", [None, 3, {"players": 3}, object], "rules must be {package}.Rules"),
    ("rules", ["players=3,max_rounds=2"], "cannot be read; separate rules with spaces: players=3 max_round"),
    ("rules", ["player=3"], "unknown player; the rules have players, "),
    ("seed", NO_SEEDS, "{name}={value!r} must be "),
    ("deal", NO_SEEDS, "{name}={value!r} must be a whole number"),
    ("n", [0, -1, 1.5, "3", None, True], "{name}={value!r} must be a whole number from 1"),
    ("episode", ["", "match", None, 1, []], "{name}={value!r} is not one of 'round', 'game'"),
]


@pytest.mark.parametrize(("name", "values", "reason"), WRONG)
def test_wrong_arguments_are_named(game: GameUnderTest, name: str, values: list[Any], reason: str) -> None:
    for value, make in product(values, (game.api.Game, game.api.GameBatch)):
        if (name, make) not in (("deal", game.api.GameBatch), ("n", game.api.Game)):
            message = re.escape(reason.format(package=game.api.__name__, name=name, value=value))
            with pytest.raises(TableError, match=message):
                make(**{name: value})


def test_a_seat_that_does_not_exist_is_named(game: GameUnderTest) -> None:
    for seat in (-1, 3, 2**70, "0", 1.0, True, [0]):
        with pytest.raises(TableError, match=re.escape(f"seat={seat!r}"[:12]) + ".*must be a whole number from 0 to 2"):
            game.api.Game("players=3").observation(seat)


def test_rules_may_be_text_wherever_they_are_asked_for(game: GameUnderTest) -> None:
    text, rules, api = "players=3 max_rounds=2", game.api.Rules(players=3, max_rounds=2), game.api
    table, batch = api.Game(text), api.GameBatch(text, n=2)
    assert table.rules == batch.rules == api.ObservationSpec(text).rules == rules
    assert api.Game.from_state(text, table.state).rules == rules
    assert api.GameBatch.sample(text, batch.observations).rules == rules
    assert api.make_agent("rollout", text).rules == rules
    names = api.action_names(text)
    assert names == api.action_names(rules)
    assert [api.parse_action(text, name) for name in names] == [*range(rules.actions)]
