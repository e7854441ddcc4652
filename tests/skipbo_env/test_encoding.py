"""The one-hot encoding loses nothing: every observation can be read back from it."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from cardtable.envs.encoding import OneHot, observation_box
from skipbo_env import OFFICIAL, ObservationSpec, Rules
from skipbo_env.card_game import SKIPBO
from tests.helpers import SEEDED
from tests.skipbo_env.tables import many_rules, random_game

WIDTHS = {"card": 15, "number": 1, "pile": 1}


@SEEDED
@given(many_rules, st.integers(0, 2**32 - 1), st.integers(0, 300))
def test_every_observation_can_be_read_back(rules: Rules, seed: int, decisions: int) -> None:
    game = random_game(rules, seed, decisions)
    onehot = OneHot(SKIPBO, rules)
    observations = np.array([game.observation(seat) for seat in range(rules.players)])
    for observation, vector in zip(observations, onehot.encode(observations), strict=True):
        assert vector in observation_box(SKIPBO, rules, "onehot")
        assert observation in observation_box(SKIPBO, rules, "compact")
        start = 0
        for part in ObservationSpec(rules).slices:
            width, size = WIDTHS.get(part.kind, part.high - part.low + 1), part.stop - part.start
            blocks = vector[start : start + width * size].reshape(size, width)
            start += width * size
            seen = observation[part.start : part.stop]
            if width == 1 and part.kind != "choice":
                scale = onehot._entries["scale"][part.start]
                assert np.allclose(blocks[:, 0] * scale, seen, atol=2e-3)
            else:
                assert (np.sort(blocks)[:, -1] == 1).all()
                assert (blocks.sum(1) == 1).all()
                low = 0 if part.kind == "card" else part.low
                assert (blocks.argmax(1) + low == seen).all()
        assert start == len(vector) == onehot.size


@pytest.mark.statistical
def test_usual_numbers_stay_small() -> None:
    """Networks like inputs of about one."""
    onehot, greatest = OneHot(SKIPBO, OFFICIAL), 0.0
    for seed in range(20):
        for decisions in (50, 150, 250):
            seen = random_game(OFFICIAL, seed, decisions).observation()
            greatest = max(greatest, float(np.abs(onehot.encode(seen[None])).max()))
    assert 1.0 <= greatest < 5.0
