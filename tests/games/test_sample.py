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


@pytest.mark.parametrize("seed", first_quick(5, range(15)))
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
        guess = game.api.Game.from_position(batch.game(0).position())
        game.play(guess, chance)
        assert guess.is_over
