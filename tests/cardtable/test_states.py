"""States from outside: what is no table is refused with its reason, and what is one plays on."""

import random
from collections.abc import Callable, Iterator
from importlib import import_module
from typing import Any

import numpy as np
import pytest

import skipbo_env
import skyjo_env
from campaign.loaders.tables import is_as_written
from cardtable.errors import PositionError, TableError
from cardtable.positions import invalid_rows
from tests.helpers import first_quick

GAMES: dict[str, Any] = {"skyjo": skyjo_env, "skipbo": skipbo_env}
RULES = {
    "skyjo": ["", "players=4 max_turns=30", "players=3 draw_streams=true cleared_cards=out_of_play row_clear=true"],
    "skipbo": ["stock=8", "players=4 stock=5 max_turns=60", "stock=6 recycle=on_completion view=own"],
}
CHANGES = 300  # of one field each


def tables(name: str, games: int) -> Iterator[Any]:
    """Games that were left somewhere on their way."""
    chance = random.Random(3)
    for number in range(games):
        rules = GAMES[name].Rules.from_text(RULES[name][number % len(RULES[name])])
        game = GAMES[name].Game(rules, seed=number, episode=chance.choice(["game", "round"]))
        for _ in range(chance.randrange(200)):
            if not game.is_over:
                game.apply(chance.choice(game.legal_actions()))
        yield game


def checks(name: str) -> Any:
    """The module that says which records are tables."""
    return import_module(f"{name}_env.valid_tables")


def accepts(check: Callable[[Any, Any], None], rules: Any, state: Any) -> bool:
    try:
        check(rules, state)
    except PositionError:
        return False
    return True


def changed(state: Any, chance: random.Random) -> Any:
    """The record with one or two other numbers, most of them near what they were."""
    bad = state.copy()
    for _ in range(chance.randrange(1, 3)):
        cells = bad[chance.choice(bad.dtype.names)].reshape(-1)
        at = chance.randrange(cells.size)
        info = np.iinfo(cells.dtype)
        near = int(cells[at]) + chance.choice([-1, 1])
        number = chance.choice([near, near, int(chance.choice(cells)), chance.randrange(14), -1])
        cells[at] = min(max(number, info.min), info.max)
    return bad


def changes(state: Any, bad: Any) -> dict[str, Any]:
    """The fields that are not the same."""
    return {name: (state[name], bad[name]) for name in state.dtype.names if (state[name] != bad[name]).any()}


@pytest.mark.parametrize("name", GAMES)
def test_every_table_that_play_reaches_is_taken_and_plays_on_alike(name: str) -> None:
    chance = random.Random(4)
    for game in tables(name, 30):
        twin = type(game).from_state(game.rules, game.state, game.seed, game.deal)
        assert twin.position() == game.position()
        while not game.is_over and chance.random() < 0.97:
            action = chance.choice(game.legal_actions())
            game.apply(action)
            twin.apply(action)
        assert twin.position() == game.position()


@pytest.mark.parametrize("name", GAMES)
def test_a_changed_state_is_refused_or_is_a_table_that_can_be_written_and_played(name: str) -> None:
    chance, refused = random.Random(5), 0
    for game in tables(name, CHANGES):
        state = game.state.copy()
        field = chance.choice(state.dtype.names)
        cells = state[field].reshape(-1)
        info = np.iinfo(cells.dtype)
        cells[chance.randrange(cells.size)] = chance.choice([info.min, info.max, *range(-2, 14)]) if info.min else 7
        try:
            changed = type(game).from_state(game.rules, state)
        except PositionError:
            refused += 1
        else:
            assert type(game).from_position(changed.position()).position() == changed.position()
            while not changed.is_over and chance.random() < 0.99:
                changed.apply(chance.choice(changed.legal_actions()))
    assert refused > CHANGES / 4


@pytest.mark.parametrize("name", first_quick(1, GAMES))
def test_a_state_of_other_rules_is_refused_or_is_a_table_of_theirs(name: str) -> None:
    chance, refused = random.Random(6), 0
    for game in tables(name, 60):
        rules = GAMES[name].Rules.from_text(chance.choice(RULES[name]))
        try:
            other = type(game).from_state(rules, game.state)
        except PositionError:
            refused += rules != game.rules
        else:
            while not other.is_over:
                other.apply(chance.choice(other.legal_actions()))
    assert refused > 10


@pytest.mark.parametrize("name", GAMES)
def test_all_tables_that_play_reaches_are_valid(name: str) -> None:
    game = GAMES[name]
    for text in RULES[name]:
        rules, chance = game.Rules.from_text(text), np.random.default_rng(7)
        batch = game.GameBatch(rules, n=40, seed=8, restart=False)
        for _ in range(150):
            batch.step((chance.random(batch.masks.shape) * batch.masks).argmax(axis=1))
            checks(name).check_states(rules, batch.state()["games"])


@pytest.mark.parametrize("name", GAMES)
def test_a_changed_record_is_valid_if_it_is_within_bounds_and_as_its_position_is_read(name: str) -> None:
    chance, found = random.Random(9), {True: 0, False: 0}
    for game in tables(name, 40):
        rules = game.rules if chance.random() < 0.8 else GAMES[name].Rules.from_text(chance.choice(RULES[name]))
        for _ in range(8):
            state = changed(game.state, chance)
            valid = accepts(checks(name).check_states, rules, state)
            is_bounded = accepts(checks(name).check_records, rules, state)
            assert valid == (is_bounded and is_as_written(name, rules, state)), (rules, changes(game.state, state))
            found[valid] += 1
    assert min(found.values()) > 40


def test_of_every_invalid_record_the_row_is_named_and_what_it_violates_first() -> None:
    games = np.zeros(4, [("turns", "i2"), ("seats", "i2", 3)]).view(np.recarray)
    games["turns"][1:], games["seats"][2] = 7, (0, 5, 6)
    rules = skyjo_env.Rules(players=3)
    conditions: list[Any] = [
        (games["seats"] > 4, "seat {at[0]} has {value} of {rules.players}", games["seats"]),
        (games["turns"] == 7, "after {game.turns} turns"),
    ]
    assert list(invalid_rows(rules, games, conditions)) == [
        (1, "after 7 turns"),
        (2, "seat 1 has 5 of 3"),
        (3, "after 7 turns"),
    ]


@pytest.mark.parametrize("name", GAMES)
def test_a_batch_goes_on_from_no_contradictory_table(name: str) -> None:
    game = GAMES[name]
    rules = game.Rules.from_text(RULES[name][0])
    batch = game.GameBatch(rules, n=3, seed=1)
    before = batch.state()
    wrong = batch.state()
    wrong["games"]["round_number"][1] = 0
    with pytest.raises(PositionError):
        batch.restore(wrong)
    assert (batch.state()["games"] == before["games"]).all()
    batch.restore(before)


@pytest.mark.parametrize("state", [np.zeros(1), np.zeros(3), [None], None, "state"])
def test_what_is_no_state_is_refused(state: Any) -> None:
    with pytest.raises(TableError):
        skyjo_env.Game.from_state(skyjo_env.Rules(), state)
