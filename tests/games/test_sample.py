"""A sampled table is one that a seat may sit at, for all that it sees; how likely each is, is tested for each game."""

import random
from typing import Any

import numpy as np
import pytest

from cardtable.table.errors import TableError
from tests.games.listed import cases_of
from tests.games.under_test import GameUnderTest
from tests.helpers import first_quick


def shown(table: Any, seat: int, times: int = 3) -> Any:
    return np.repeat(table.observation(seat)[None], times, axis=0)


def seeing_rules(game: GameUnderTest, chance: random.Random, **limits: int) -> Any:
    """Random rules under which a table can be sampled."""
    return game.random_rules(chance).replace(**game.seeing, **limits)


def guesses(game: GameUnderTest, batch: Any) -> list[Any]:
    """The sampled tables, whose records are checked, and which can be written and read."""
    game.api.GameBatch(batch.rules, len(batch)).restore(batch.state())
    return [game.api.Game.from_position(batch.position(number)) for number in range(len(batch))]


@pytest.mark.parametrize("seed", first_quick(12, range(60)))
def test_a_sample_looks_the_same_to_its_seat_and_is_a_possible_table(game: GameUnderTest, seed: int) -> None:
    chance = random.Random(seed)
    rules = seeing_rules(game, chance)
    table = game.played(rules, seed, chance.randrange(400))
    for seat in range(rules.players):
        for guess in guesses(game, game.api.GameBatch.sample(rules, shown(table, seat, 2), seed=seed)):
            np.testing.assert_array_equal(guess.observation(seat), table.observation(seat))
            if seat == table.seat:
                assert guess.mask().tolist() == table.mask().tolist()


@pytest.mark.parametrize("seed", first_quick(6, range(20)))
def test_a_sampled_game_can_be_played_to_its_end_and_sampled_from_again(game: GameUnderTest, seed: int) -> None:
    chance = random.Random(seed)
    rules = seeing_rules(game, chance, max_rounds=2, max_turns=300)
    table = game.played(rules, seed, chance.randrange(300))
    (guess,) = guesses(game, game.api.GameBatch.sample(rules, shown(table, table.seat, 1)))
    while not guess.is_over:
        game.play(guess, chance, 50)
        game.api.GameBatch.sample(rules, shown(guess, chance.randrange(rules.players)))


def test_the_same_seed_samples_the_same_games_and_another_does_not(game: GameUnderTest) -> None:
    table = game.api.Game(seed=4)
    batches = [game.api.GameBatch.sample(table.rules, shown(table, 0), seed=seed) for seed in (1, 1, 2)]
    first, again, other = ([batch.position(number) for number in range(3)] for batch in batches)
    assert first == again
    assert len({*first, *other}) == 6


@pytest.mark.parametrize("dtype", [np.int16, np.int64])
@pytest.mark.parametrize(("game", "wrong"), cases_of("impossible"))
def test_what_does_not_fit_together_is_refused(game: GameUnderTest, wrong: tuple[str, int, str], dtype: Any) -> None:
    name, value, message = wrong
    table = game.observed()
    observations = shown(table, table.seat).astype(dtype)
    assert len(game.api.GameBatch.sample(table.rules, observations)) == 3
    getattr(game.api.ObservationSpec(table.rules).view(observations), name)[1] = value
    with pytest.raises(TableError, match=message):
        game.api.GameBatch.sample(table.rules, observations)


def test_observations_of_another_shape_or_type_are_refused(game: GameUnderTest) -> None:
    size = game.api.ObservationSpec(game.api.OFFICIAL).size
    for observations in (np.zeros((2, 7), np.int16), np.zeros((2, size)), np.zeros(size, np.int16)):
        with pytest.raises(TableError):
            game.api.GameBatch.sample(game.api.OFFICIAL, observations)


@pytest.mark.parametrize("seed", first_quick(10, range(40)))
def test_whatever_damaged_observation_is_accepted_can_be_played_to_its_end(game: GameUnderTest, seed: int) -> None:
    chance = random.Random(seed)
    rules = seeing_rules(game, chance, max_rounds=2, max_turns=60)
    spec, observation = game.api.ObservationSpec(rules), game.played(rules, seed, chance.randrange(300)).observation()
    for _ in range(60):
        damaged = observation.copy()
        for entry in chance.sample(range(spec.size), chance.randint(1, 2)):
            damaged[entry] = chance.randint(int(spec.low[entry]), int(spec.high[entry]))
        try:
            batch = game.api.GameBatch.sample(rules, damaged[None], seed=seed)
        except TableError:
            continue
        game.check(game.api.Game.standing(rules, batch.state()["games"]))
        guess = game.api.Game.from_position(batch.position(0))
        game.play(guess, chance)
        assert guess.is_over
