"""Observations: their slices and bounds, and the one-hot encoding, from which every observation can be read back."""

from math import prod
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray

from cardtable.table.envs.options import observation_box
from cardtable.table.errors import TableError
from tests.games.under_test import GameUnderTest
from tests.helpers import SEEDED, seeds


@pytest.mark.parametrize("batch", [(), (2, 3), (0,)])
def test_a_view_shares_memory_and_keeps_the_axes_of_a_batch(game: GameUnderTest, batch: tuple[int, ...]) -> None:
    spec = game.api.ObservationSpec(game.api.OFFICIAL)
    observations = np.arange(prod(batch) * spec.size).reshape(*batch, spec.size)
    view = spec.view(observations)
    assert set(vars(view)) == {part.name for part in spec.slices}
    for part in spec.slices:
        named = getattr(view, part.name)
        flat = observations[..., part.start : part.stop]
        assert (named.shape, named.ravel().tolist()) == (batch + part.shape, flat.ravel().tolist())
        assert np.shares_memory(named, observations) == (prod(batch) > 0)


def test_the_slices_of_a_tensor_are_tensors(game: GameUnderTest) -> None:
    torch = pytest.importorskip("torch")
    spec = game.api.ObservationSpec(game.api.OFFICIAL)
    observations = torch.arange(2 * spec.size).reshape(2, spec.size)
    for part in vars(spec.view(observations)).values():
        assert torch.is_tensor(part)
        assert part.untyped_storage().data_ptr() == observations.untyped_storage().data_ptr()


# The one-hot encoding


def read_back(game: GameUnderTest, rules: Any, vector: NDArray[Any], scales: NDArray[Any]) -> list[float]:
    """The observation behind an encoded vector."""
    numbers: list[float] = []
    codes, start = list(game.card_codes(rules)), 0
    for part in game.api.ObservationSpec(rules).slices:
        values = {"card": codes, "choice": [*range(part.low, part.high + 1)]}.get(part.kind, [0])
        for entry in range(part.start, part.stop):
            block = vector[start : start + len(values)].tolist()
            start += len(values)
            if part.kind in ("card", "choice"):
                assert sorted(block) == [0.0] * (len(values) - 1) + [1.0]
                numbers.append(values[block.index(1.0)])
            else:
                numbers.append(block[0] * scales[entry])
    assert start == len(vector)
    return numbers


@settings(SEEDED, max_examples=25)
@given(seeds, st.integers(0, 300))
def test_every_observation_can_be_read_back(game: GameUnderTest, seed: int, decisions: int) -> None:
    rules = game.rules(seed)
    table, onehot = game.played(rules, seed, decisions), game.api.ObservationSpec(rules).onehot
    observations = np.array([table.observation(seat) for seat in range(rules.players)])
    vectors = onehot(observations)
    assert vectors.shape == (rules.players, onehot.size)
    for observation, vector in zip(observations, vectors, strict=True):
        assert vector in observation_box(game.card_game, rules, "onehot")
        assert observation in observation_box(game.card_game, rules, "compact")
        numbers = read_back(game, rules, vector, onehot.entries["scale"])
        assert np.allclose(numbers, observation, rtol=1e-6, atol=2e-3)


@pytest.mark.parametrize("batch", [(), (2, 3), (0,)])
def test_the_encoding_keeps_the_axes_of_a_batch_and_leaves_what_it_was_given(
    game: GameUnderTest, batch: tuple[int, ...]
) -> None:
    onehot, seen = game.api.ObservationSpec(game.api.OFFICIAL).onehot, game.api.Game().observation()
    observations = np.broadcast_to(seen, (*batch, len(seen)))
    vectors = onehot(observations)
    assert (vectors.shape, vectors.dtype) == ((*batch, onehot.size), np.float32)
    assert (vectors == onehot(seen)).all()
    assert np.array_equal(onehot(seen.astype(np.int64).tolist()), onehot(seen))


def test_what_is_no_observation_is_not_encoded(game: GameUnderTest) -> None:
    spec, seen = game.api.ObservationSpec(game.api.OFFICIAL), game.api.Game().observation()
    beyond = seen.copy()
    beyond[0] = spec.high[0] + 1
    with pytest.raises(TableError, match=r"entry 0 \(phase\) of an observation is not from 0 to"):
        spec.onehot(beyond)
    with pytest.raises(TableError, match=f"{spec.size} in the last axis"):
        spec.onehot(seen[1:])
    with pytest.raises(TableError, match="whole numbers"):
        spec.onehot(seen.astype(np.float32))
