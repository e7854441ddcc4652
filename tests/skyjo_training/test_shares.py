"""Shares of a batch: every decision is in one of them, and results come in order with any number of threads."""

import threading

import pytest

pytest.importorskip("torch")

from skyjo_training.shares import shares_of, sharing


@pytest.mark.parametrize("size", [1, 2, 3, 7, 40, 2048])
@pytest.mark.parametrize("shares", [1, 2, 3])
def test_every_decision_is_in_one_share_and_they_are_about_equal(size: int, shares: int) -> None:
    parts = shares_of(size, shares)
    assert [place for part in parts for place in range(size)[part]] == list(range(size))
    sizes = [len(range(size)[part]) for part in parts]
    assert len(sizes) == min(size, shares)
    assert max(sizes) - min(sizes) <= 1


@pytest.mark.parametrize("threads", [1, 2, 5])
def test_results_are_in_the_order_of_the_shares(threads: int) -> None:
    with sharing(threads) as share:
        for size in (9, 1, 4):
            assert share(lambda part: (part.start, part.stop), size) == [
                (part.start, part.stop) for part in shares_of(size)
            ]


def test_two_threads_work_at_the_same_time() -> None:
    """Each waits for the other, which would never come if one had to be done first."""
    both = threading.Barrier(2, timeout=60)
    with sharing(2) as share:
        assert sorted(share(lambda _: both.wait(), 10)) == [0, 1]


def test_an_error_in_a_share_is_raised() -> None:
    with sharing(2) as share, pytest.raises(ZeroDivisionError):
        share(lambda part: 1 // part.start, 10)
