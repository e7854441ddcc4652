"""Advantages go from a seat's decision to that seat's next one, and values are never taken from another seat."""

from typing import Any

import numpy as np
import pytest

pytest.importorskip("sb3_contrib")

from gymnasium import spaces

from skyjo_training.seat_buffer import SeatRolloutBuffer

GAMMA, LAMBDA = 0.9, 0.8


def reference(seats: Any, rewards: Any, ends: Any, values: Any, decider: int, last: float) -> Any:
    """One table: every decision's advantage, as the definition says; 0 if the seat has not decided again."""
    advantages = np.zeros(len(seats))
    for start in range(len(seats)):
        given, value, factor, seat = 0.0, values[start], 1.0, seats[start]
        for step in range(start, len(seats)):
            if step > start and seats[step] == seat:  # its next decision
                advantages[start] += factor * (given + GAMMA * values[step] - value)
                given, value, factor = 0.0, values[step], factor * GAMMA * LAMBDA
            given += rewards[step, seat]
            if ends[step]:
                break
        if ends[step] or seat == decider:
            advantages[start] += factor * (given + (0.0 if ends[step] else GAMMA * last) - value)
    return advantages


@pytest.mark.parametrize("players", [2, 3])
def test_they_are_those_of_the_definition(players: int) -> None:
    steps, tables, rng = 40, 6, np.random.default_rng(players)
    space, actions = spaces.Box(-1, 1, (4,)), spaces.Discrete(3)
    buffer = SeatRolloutBuffer(
        steps, space, actions, gamma=GAMMA, gae_lambda=LAMBDA, n_envs=tables, players=players, rng=rng
    )
    buffer.reset()
    buffer.seats[:] = rng.integers(0, players, buffer.seats.shape)
    buffer.rewards[:] = rng.normal(size=buffer.rewards.shape)
    buffer.ends[:] = rng.random(buffer.ends.shape) < 0.1
    buffer.values[:] = rng.normal(size=buffer.values.shape)
    deciders, last = rng.integers(0, players, tables), rng.normal(size=tables).astype(np.float32)
    buffer.compute_advantages(deciders, last)
    for table in range(tables):
        noted: dict[str, Any] = {
            name: getattr(buffer, name)[:, table] for name in ("seats", "rewards", "ends", "values")
        }
        expected = reference(**noted, decider=deciders[table], last=last[table])
        assert buffer.advantages[:, table] == pytest.approx(expected, abs=1e-4)
    assert buffer.returns == pytest.approx(buffer.advantages + buffer.values)
