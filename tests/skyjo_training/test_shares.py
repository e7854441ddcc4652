"""Shares of a batch: every decision is in one of them, and together they have the gradients of the batch."""

import threading
from typing import Any

import pytest

torch = pytest.importorskip("torch")

from torch import nn  # noqa: E402

from skyjo_training.table_policy import SHARES, in_shares, threads_for_shares  # noqa: E402


class Heads(nn.Module):
    """A network with two answers, whose last weights matter to none of them. It notes what it is shown."""

    def __init__(self) -> None:
        super().__init__()
        torch.manual_seed(1)
        self.body, self.many, self.one, self.unused = nn.Linear(3, 8), nn.Linear(8, 4), nn.Linear(8, 1), nn.Linear(1, 1)
        self.shown: list[Any] = []

    def forward(self, observations: Any) -> tuple[Any, Any]:
        self.shown.append(observations)
        seen = self.body(observations).tanh()
        return self.many(seen), self.one(seen)[:, 0]


@pytest.mark.parametrize("size", [1, 2, 3, 7, 40, 2048])
@pytest.mark.parametrize("threads", [1, 2, 5])
def test_answers_and_gradients_are_those_of_the_whole_batch(size: int, threads: int) -> None:
    found: list[Any] = []
    for shares in (False, True):
        network, observations = Heads(), torch.randn(size, 3, generator=torch.Generator().manual_seed(2))
        with threads_for_shares(threads) as run:
            many, one = in_shares(network, observations, run) if shares else network(observations)
            (many.log_softmax(1).square().mean() + one.square().mean()).backward()
        found.append([many, one, *(weight.grad for weight in network.parameters())])
    assert found[0][-1] is found[1][-1] is None
    for whole, shared in zip(*(each[:-2] for each in found), strict=True):
        assert torch.allclose(whole, shared, atol=1e-6)
        assert whole.abs().max() > 0
    sizes = sorted(len(each) for each in network.shown)
    assert sum(sizes) == size
    assert len(sizes) == min(size, SHARES)
    assert sizes[-1] - sizes[0] <= 1


def test_without_gradients_there_are_none() -> None:
    with threads_for_shares(2) as run, torch.no_grad():
        many, _ = in_shares(Heads(), torch.zeros(4, 3), run)
    assert not many.requires_grad


def test_two_threads_work_at_the_same_time() -> None:
    """Each waits for the other, which would never come if one had to be done first."""
    both = threading.Barrier(2, timeout=60)
    with threads_for_shares(2) as run:
        assert sorted(run(lambda _: both.wait(), [0, 1])) == [0, 1]


def test_an_error_in_a_share_is_raised() -> None:
    with threads_for_shares(2) as run, pytest.raises(RuntimeError, match="shapes cannot be multiplied"):
        in_shares(Heads(), torch.zeros(4, 2), run)
