"""`examples/self_play_ppo.py` credits every seat with what its own decisions led to."""

from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

pytest.importorskip("torch")

import torch

from self_play_ppo import advantages_of

GAMMA, LAMBDA = 0.9, 0.5


def since_own_decision(seats: Any, gains: Any, ends: Any) -> NDArray[np.float32]:
    """What every seat of one table has earned since its own last decision, [T, P], of what each step brought it."""
    earned, shown, is_fresh = np.zeros(gains.shape[1]), [], False
    for seat, gain, end in zip(seats, gains, ends, strict=True):
        if is_fresh:
            earned[:] = 0
        earned[seat] = 0
        earned += gain
        shown.append(earned.copy())
        is_fresh = end
    return np.array(shown, np.float32)


def expected_advantages(seats: Any, gains: Any, ends: Any, values: Any) -> list[float]:
    """The same for one table, seat by seat: the decisions of a seat, and what came between them."""
    steps, found = len(gains), [0.0] * len(gains)
    for seat in range(gains.shape[1]):
        following: int | None = None  # the seat's next decision
        for step in reversed(range(steps)):
            if seats[step] != seat:
                continue
            until = next((at for at in range(step + 1, steps + 1) if seats[at] == seat), None)
            end = next((at for at in range(step, steps) if ends[at]), None)
            if end is not None and (until is None or end < until):  # its episode ends before it decides again
                found[step] = float(gains[step : end + 1, seat].sum() - values[step])
            elif until is not None:
                surprise = float(gains[step:until, seat].sum() + GAMMA * values[until] - values[step])
                found[step] = surprise + GAMMA * LAMBDA * (found[following] if following is not None else 0.0)
            following = step
    return found


def advantages(tables: list[tuple[Any, Any, Any, Any]]) -> Any:
    """What the example makes of the tables, [N, T]."""
    seats, gains, ends, values = (np.array(each) for each in zip(*tables, strict=True))
    rewards = [since_own_decision(*one) for one in zip(seats[:, :-1], gains, ends, strict=True)]
    given = (seats.T, np.stack(rewards, axis=1), ends.T, values.T.astype(np.float32))
    by_step, earned, over, worths = (torch.from_numpy(np.ascontiguousarray(each)) for each in given)
    return advantages_of(by_step, earned, over, worths, GAMMA, LAMBDA).T.numpy()


def test_a_seat_is_paid_for_what_others_brought_it_and_for_nothing_else() -> None:
    # Seat 0 draws and places, seat 1 ends the round: that brings seat 0 a point and costs seat 1 one. In the next
    # round seat 1 decides once, seat 0 decides, and seat 1 is to move.
    seats, ends = [0, 0, 1, 1, 0, 1], [False, False, True, False, False]
    gains = [[0.1, -0.1], [0.2, -0.2], [1.0, -1.0], [0.0, 0.0], [-0.5, 0.5]]
    values = [0.3, 0.4, -0.2, 0.6, 0.7, 0.8]
    second = 0.2 + 1.0 - 0.4  # until the round ends
    first = 0.1 + GAMMA * 0.4 - 0.3 + GAMMA * LAMBDA * second
    fourth = 0.0 + 0.5 + GAMMA * 0.8 - 0.6  # until it is to move
    (found,) = advantages([(seats, gains, ends, values)])
    assert found.tolist() == pytest.approx([first, second, -1.0 + 0.2, fourth, 0.0], abs=1e-6)  # the last is unknown


@pytest.mark.parametrize("players", [2, 3, 5])
def test_advantages_go_from_a_decision_of_a_seat_to_its_next_one(players: int) -> None:
    chance, steps = np.random.default_rng(players), 40
    tables = [
        (
            chance.integers(players, size=steps + 1),
            chance.normal(size=(steps, players)),
            chance.random(steps) < 0.1,
            chance.normal(size=steps + 1),
        )
        for _ in range(20)
    ]
    expected = [expected_advantages(*table) for table in tables]
    assert advantages(tables) == pytest.approx(np.array(expected), abs=1e-5)
