"""Advantages go from a seat's decision to that seat's next one, and values are never taken from another seat."""

from typing import Any

import numpy as np
import pytest

pytest.importorskip("sb3_contrib")

import torch

from skyjo_env import Rules
from skyjo_training.opponent_pool import OpponentPool
from skyjo_training.seat_buffer import SeatRolloutBuffer
from skyjo_training.self_play_vec_env import SelfPlayVecEnv, TableSetup

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
    steps, n, rng = 40, 6, np.random.default_rng(players)
    setup = TableSetup(Rules(players=players), n, 0)
    tables = SelfPlayVecEnv(setup, OpponentPool([], 0, 1.0, rng))
    buffer = SeatRolloutBuffer(steps, tables, "cpu", GAMMA, LAMBDA)
    buffer.seats[:] = rng.integers(0, players, buffer.seats.shape)
    buffer.rewards[:] = rng.normal(size=buffer.rewards.shape)
    ends = rng.random((steps, n)) < 0.1
    buffer.episode_starts[1:] = ends[:-1]
    buffer.values[:] = rng.normal(size=buffer.values.shape)
    last = torch.from_numpy(rng.normal(size=(n, 1)))
    for _ in range(5):
        tables.step(tables.action_masks().argmax(1))
    buffer.compute_returns_and_advantage(last, ends[-1])
    for table in range(n):
        noted: dict[str, Any] = {name: getattr(buffer, name)[:, table] for name in ("seats", "rewards", "values")}
        expected = reference(**noted, ends=ends[:, table], decider=tables.seats[table], last=float(last[table]))
        assert buffer.advantages[:, table] == pytest.approx(expected, abs=1e-4)
    assert buffer.returns == pytest.approx(buffer.advantages + buffer.values)
