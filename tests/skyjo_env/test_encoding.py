"""The one-hot encoding loses nothing: every observation can be read back from it."""

from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import NDArray

from cardtable.envs.encoding import OneHot, observation_box
from skyjo_env import OFFICIAL, Game, ObservationSpec, Rules
from skyjo_env.card_game import SKYJO
from skyjo_env.kernel.state import EMPTY, HIDDEN
from tests.helpers import SEEDED, many_rules, random_game


def decode(rules: Rules, vector: NDArray[Any]) -> list[float]:
    """The observation behind an encoded vector, slice by slice, with numbers as they were divided."""
    numbers: list[float] = []
    start = 0
    for part in ObservationSpec(rules).slices:
        width = {"card": len(rules.values) + 2, "choice": part.high - part.low + 1, "number": 1}[part.kind]
        for _ in range(part.start, part.stop):
            block = vector[start : start + width]
            start += width
            if part.kind == "number":
                numbers.append(float(block[0]))
                continue
            assert sorted(block.tolist()) == [0.0] * (width - 1) + [1.0]
            value = int(block.argmax())
            if part.kind == "card" and value >= width - 2:
                numbers.append((HIDDEN, EMPTY)[value - width + 2])
            else:
                numbers.append(part.low + value)
    assert start == len(vector)
    return numbers


@SEEDED
@given(many_rules, st.integers(0, 2**32 - 1), st.integers(0, 120))
def test_every_observation_can_be_read_back(rules: Rules, seed: int, decisions: int) -> None:
    game = random_game(rules, seed, decisions)
    onehot, spec = OneHot(SKYJO, rules), ObservationSpec(rules)
    observations = np.array([game.observation(seat) for seat in range(rules.players)])
    vectors = onehot.encode(observations)
    assert vectors.shape == (rules.players, onehot.size)
    for observation, vector in zip(observations, vectors, strict=True):
        assert vector in observation_box(SKYJO, rules, "onehot")
        assert observation in observation_box(SKYJO, rules, "compact")
        numbers = decode(rules, vector)
        for part in spec.slices:
            entries = slice(part.start, part.stop)
            if part.kind != "number":
                assert numbers[entries] == observation[entries].tolist()
            else:
                scale = onehot._entries["scale"][part.start]
                assert np.allclose(np.array(numbers[entries]) * scale, observation[entries], atol=1e-3)


def test_the_legend_tells_where_every_slice_stands() -> None:
    rows = [row.split(" | ") for row in OneHot(SKYJO, OFFICIAL).describe().splitlines()[2:]]
    starts = [int(row[1]) for row in rows]
    sizes = [eval(row[2].replace("×", "*")) for row in rows]
    ends = [start + size for start, size in zip(starts, sizes, strict=True)]
    assert ends == [*starts[1:], OneHot(SKYJO, OFFICIAL).size]
    assert [row[0].removeprefix("| ") for row in rows] == [part.name for part in ObservationSpec(OFFICIAL).slices]


@pytest.mark.statistical
def test_usual_numbers_stay_small() -> None:
    """Networks like inputs of about one: in a whole game of random play nothing goes far beyond."""
    greatest = 0.0
    for seed in range(20):
        game = Game(OFFICIAL, seed=seed)
        chance = np.random.default_rng(seed)
        while not game.is_over:
            game.apply(int(chance.choice(game.legal_actions())))
            greatest = max(greatest, float(np.abs(OneHot(SKYJO, OFFICIAL).encode(game.observation()[None])).max()))
    assert 1.0 <= greatest < 5.0
