"""The statistics of matches: worked by hand, and by simulation as often right as they say.

Simulations are seeded. What they count may be off by three and a half binomial standard errors, and no more.
"""

import math
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray
from scipy import stats

from cardtable.arena.statistics import (
    Estimate,
    Verdict,
    estimate,
    holm,
    is_narrow,
    is_varied,
    sprt_margins,
    t_test,
    wilson_of_share,
)
from cardtable.table.errors import TableError

Draw = Callable[[int], NDArray[Any]]


def noise(rate: float, trials: int) -> float:
    """How far a simulated share of this rate may be off."""
    return 3.5 * math.sqrt(rate * (1 - rate) / trials)


def near(rate: float, trials: int) -> Any:
    return pytest.approx(rate, abs=noise(rate, trials))


# Intervals


def test_an_estimate_is_the_mean_with_its_t_interval() -> None:
    assert str(estimate([1, 2, 3, 6])) == "+3.00 ± 3.44"
    assert estimate([1, 2, 3, 6]).half == pytest.approx(3.1824 * (14 / 3) ** 0.5 / 2, rel=1e-4)
    assert estimate([2, 2, 2]) == Estimate(2, 0)


def test_the_t_test_is_students() -> None:
    assert t_test([1, 2, 3]) == pytest.approx(0.0742, abs=1e-4)  # t = 2√3 with 2 degrees of freedom
    assert (t_test([0, 0, 0]), t_test([2, 2, 2])) == (1, 0)


def test_a_share_may_count_for_a_fraction_of_a_game() -> None:
    """The ends are the rates p from which the share is z √(p (1 − p) / n) off."""
    found, z = wilson_of_share(0.7, 12.5), stats.norm.isf(0.025)
    for rate in (found.low, found.high):
        assert abs(rate - 0.7) == pytest.approx(z * math.sqrt(rate * (1 - rate) / 12.5))
    assert wilson_of_share(1, 9.5).high == pytest.approx(1)
    assert wilson_of_share(0, 9.5).low == pytest.approx(0)


# Comparisons


def test_holm_by_hand() -> None:
    """0.005·4, 0.01·3 and 0.03·2; 0.04 may not be less than the one before."""
    assert holm([0.01, 0.04, 0.03, 0.005]).tolist() == pytest.approx([0.03, 0.06, 0.06, 0.02])
    assert holm([0.9, 0.6]).tolist() == [1, 1]
    assert holm([]).tolist() == []


# Playing until it is clear


def test_a_sequential_test_of_margins_by_hand() -> None:
    """A mean of 0 with variance 1: n/2 ln(1 / 2). A mean of ½: even. A mean of ¾ with variance 1: n/2 ln(25 / 17)."""
    swing = np.tile([-1.0, 1.0], 20)
    found = [sprt_margins(swing + mean, 0, 1) for mean in (0, 1, 0.5)]
    assert [each.llr for each in found] == pytest.approx([-20 * math.log(2), 20 * math.log(2), 0])
    assert [each.decision for each in found] == ["H0", "H1", None]
    assert sprt_margins(swing[:30] + 0.75, 0, 1).llr == pytest.approx(15 * math.log(25 / 17))


def test_deals_that_hardly_differ_decide_nothing_yet() -> None:
    assert sprt_margins([5], 0, 1).decision is None
    assert sprt_margins(np.zeros(9999), 0, 1) == Verdict(-math.inf, None)
    assert sprt_margins(np.zeros(10_000), 0, 1) == Verdict(-math.inf, "H0")
    assert sprt_margins(np.zeros(10_000), -1, 0) == Verdict(math.inf, "H1")
    margins = np.zeros(500)
    margins[:29] = 4
    assert not is_varied(margins)
    margins[29] = 4
    assert is_varied(margins)


def decided(draw: Draw, ask: Callable[[NDArray[Any]], Verdict], batch: int) -> tuple[bool, int]:
    """Whether H1 is found, and after how many deals."""
    seen = draw(batch)
    while (verdict := ask(seen)).decision is None:
        seen = np.concatenate([seen, draw(batch)])
    return verdict.decision == "H1", len(seen)


def margins_around(mean: float, rng: np.random.Generator) -> Draw:
    """Halves of points, as two games have."""
    return lambda n: np.round(2 * rng.normal(mean, 5, n)) / 2


def ties_mostly(mean: float, rng: np.random.Generator) -> Draw:
    """Of twenty deals of near twins one differs, by much."""
    return lambda n: (rng.random(n) < 0.05) * rng.normal(20 * mean, 10, n)


@pytest.mark.parametrize(("kind", "trials"), [(margins_around, 600), (ties_mostly, 250)])
@pytest.mark.slow
def test_the_sequential_test_of_margins_errs_as_seldom_as_it_says(kind: Any, trials: int) -> None:
    """Asked after every 10 deals, and sooner done than a test of fixed length with the same errors."""
    rng, error = np.random.default_rng(10), 0.05
    rates, deals = [], []
    for mean in (0, 1):
        found = [decided(kind(mean, rng), lambda seen: sprt_margins(seen, 0, 1), 10) for _ in range(trials)]
        rates.append(np.mean([is_high for is_high, _ in found]))
        deals.append(np.mean([n for _, n in found]))
    assert max(rates[0], 1 - rates[1]) <= error + noise(error, trials)
    if kind is margins_around:
        assert rates[0] > 0
        fixed = (2 * stats.norm.isf(error) * 5) ** 2  # deals
        assert max(deals) < 0.9 * fixed


@pytest.mark.slow
def test_to_stop_when_the_interval_is_narrow_costs_little_coverage_once_deals_are_varied() -> None:
    """About 24 deals are needed: stopped from the second on 89 % of the intervals cover, from the thirtieth on 95 %."""
    rng, trials = np.random.default_rng(12), 2000
    deals = rng.normal(0, 5, (trials, 120))
    assert not any(is_narrow(each[:29], 100) for each in deals[:20])

    def covers(numbers: NDArray[Any], first: int) -> bool:
        n = np.arange(1, 121)
        means = numbers.cumsum() / n
        spread = np.sqrt(np.maximum(0, (numbers**2).cumsum() - n * means**2) / np.maximum(1, n - 1))
        halves = stats.t.isf(0.025, np.maximum(1, n - 1)) * spread / np.sqrt(n)
        end = first - 1 + int((halves[first - 1 :] <= 2).argmax())
        assert is_narrow(numbers[: end + 1], 2) or end < 29
        return bool(abs(means[end]) <= halves[end])

    assert np.mean([covers(each, 2) for each in deals]) < 0.91
    assert np.mean([covers(each, 30) for each in deals]) == near(0.95, trials)


# Bad input


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: estimate([1.0]), "numbers has length 1: at least 2 are needed"),
        (lambda: estimate([[1.0, 2.0]]), r"must be an array of numbers, \[numbers\]"),
        (lambda: estimate(["a", "b"]), "must be an array of numbers"),
        (lambda: estimate([1.0, math.nan]), "must be finite numbers; 1 are not"),
        (lambda: t_test([]), "numbers=.* must be an array of numbers"),
        (lambda: sprt_margins([], 0, 1), "numbers=.* must be an array of numbers"),
    ],
)
def test_bad_input_is_named_with_what_is_allowed(call: Callable[[], object], message: str) -> None:
    with pytest.raises(TableError, match=message):
        call()
