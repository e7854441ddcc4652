"""The statistics of the studies: worked by hand, and by simulation as often right as they say.

Simulations are seeded. What they count may be off by three and a half binomial standard errors, and no more.
"""

import math
from collections.abc import Callable

import numpy as np
import pytest
from numpy.typing import NDArray
from scipy import stats

from cardtable.errors import TableError
from cardtable.statistics import Interval, t_test, wilson_of_share
from studies.study_statistics import bootstrap, clopper_pearson, deals_needed, games_per_arm, mann_whitney, wilson
from tests.cardtable.test_statistics import near, noise


def is_in(value: float, interval: Interval) -> bool:
    return interval.low <= value <= interval.high


def variance(means: NDArray[np.float64]) -> NDArray[np.float64]:
    """Of numbers and their squares: a statistic whose bootstrap is biased."""
    return np.asarray(means[..., 1] - means[..., 0] ** 2)


def mean(means: NDArray[np.float64]) -> NDArray[np.float64]:
    return np.asarray(means.mean(axis=-1))


@pytest.mark.parametrize("kind", ["skewed", "few values", "variance"])
def test_the_bootstrap_agrees_with_scipys(kind: str) -> None:
    rng = np.random.default_rng(3)
    numbers = (rng.random(20) < 0.2) * 1.0 if kind == "few values" else rng.exponential(10, 15)
    measure = np.var if kind == "variance" else np.mean
    theirs = stats.bootstrap((numbers,), measure, n_resamples=20_000, method="percentile", rng=1).confidence_interval

    def ours(seed: int) -> Interval:
        if kind == "variance":
            return bootstrap(np.stack([numbers, numbers**2], axis=1), variance, 20_000, seed)
        return bootstrap(numbers, mean, 20_000, seed)

    found = ours(0)
    width = theirs.high - theirs.low
    assert found.low == pytest.approx(theirs.low, abs=0.01 * width)
    assert found.high == pytest.approx(theirs.high, abs=0.05 * width)  # few resamples reach so far
    assert found == ours(0)
    assert found != ours(1) or kind == "few values"


def test_the_bootstrap_covers_as_often_as_it_says() -> None:
    """Of 100 deals a percentile interval is as a normal one: a percent too narrow, which costs half a percent."""
    rng, trials = np.random.default_rng(4), 1000
    found = [bootstrap(rng.normal(0, 20, 100), mean, 400, seed=k) for k in range(trials)]
    assert np.mean([is_in(0, each) for each in found]) == near(0.945, trials)


def test_the_bootstrap_keeps_the_games_of_a_deal_together() -> None:
    """Games that share their luck, taken for independent, give an interval that misses far too often."""
    rng, trials = np.random.default_rng(6), 600
    together, apart = [], []
    for k in range(trials):
        games = rng.normal(0, 2, (80, 1)) + rng.normal(0, 1, (80, 2))
        together.append(is_in(0, bootstrap(games, mean, 300, seed=k)))
        apart.append(is_in(0, bootstrap(games.ravel(), mean, 300, seed=k)))
    assert np.mean(together) == near(0.945, trials)
    assert np.mean(apart) < 0.9


def test_the_bootstrap_takes_any_function_of_means() -> None:
    points, games = np.array([3.0, 5.0, 4.0, 6.0] * 10), np.array([1.0, 2.0, 2.0, 2.0] * 10)

    def ratio(means: NDArray[np.float64]) -> NDArray[np.float64]:
        return np.asarray(means[..., 0] / means[..., 1])

    found = bootstrap(np.stack([points, games], axis=1), ratio, 2000)
    assert 2.3 < found.low < 18 / 7 < found.high < 2.8
    assert bootstrap(np.ones(5), mean, 100) == Interval(1, 1)


def test_win_rates_by_hand() -> None:
    """Wilson for 8 of 10: (8 + z²/2 ± z √(1.6 + z²/4)) / (10 + z²); Clopper–Pearson for 0 of 10: (1 − p)¹⁰ = 0.025."""
    z = 1.959964
    half = z * math.sqrt(1.6 + z**2 / 4)
    expected = [(8 + z**2 / 2 + side * half) / (10 + z**2) for side in (-1, 1)]
    assert [wilson(8, 10).low, wilson(8, 10).high] == pytest.approx(expected, abs=1e-6)
    found = clopper_pearson(0, 10)
    assert (found.low, found.high) == pytest.approx((0, 1 - 0.025**0.1))
    assert clopper_pearson(8, 10).low < wilson(8, 10).low
    assert wilson(150, 200) == wilson_of_share(0.75, 200)


def test_win_rates_cover_as_often_as_they_say() -> None:
    """Summed over all outcomes of 40 games instead of simulated."""
    rates, games = np.linspace(0.05, 0.95, 181), 40
    chances = stats.binom.pmf(np.arange(games + 1)[:, None], games, rates)  # [wins, rates]
    covered = {}
    for interval in (wilson, clopper_pearson):
        found = [interval(wins, games) for wins in range(games + 1)]
        covered[interval] = sum(
            chance * [is_in(rate, each) for rate in rates] for each, chance in zip(found, chances, strict=True)
        )
    assert covered[clopper_pearson].min() >= 0.95
    assert covered[clopper_pearson].mean() < 0.98
    assert covered[wilson].mean() == pytest.approx(0.95, abs=0.005)
    assert covered[wilson].min() > 0.91


def test_ranks_by_hand() -> None:
    """Of the six pairs of 1, 2, 3 against 2, 4 one is won and one is tied."""
    found = mann_whitney([1, 2, 3], [2, 4])
    assert found.effect == pytest.approx(1.5 / 6)
    assert found.quartiles == (1.5, 2, 2.5)
    assert found.other_quartiles == (2.5, 3, 3.5)
    shares, others = [0, 0.25, 0.5], [0.5, 0]  # of the others exceeded by each; of the first exceeding each
    error = math.sqrt(np.var(shares, ddof=1) / 3 + np.var(others, ddof=1) / 2)
    assert (found.interval.low, found.interval.high) == pytest.approx((0, 0.25 + 1.959964 * error))
    assert mann_whitney([5, 5, 5], [5, 5]).p_value == 1
    assert mann_whitney([7, 8, 9], [1, 2]).interval == Interval(1, 1)
    assert mann_whitney(range(20), range(5, 25)).p_value == pytest.approx(
        stats.mannwhitneyu(range(20), range(5, 25)).pvalue
    )


@pytest.mark.slow
def test_ranks_have_the_errors_they_say() -> None:
    """With counts as skewed and as full of ties as turns are, alike and different."""
    rng, trials = np.random.default_rng(7), 500
    alike = [mann_whitney(rng.geometric(0.1, 60), rng.geometric(0.1, 80)) for _ in range(trials)]
    assert np.mean([each.p_value <= 0.05 for each in alike]) == near(0.05, trials)
    assert np.mean([is_in(0.5, each.interval) for each in alike]) == near(0.945, trials)
    k = np.arange(1, 600)
    shorter = stats.geom.pmf(k, 0.15)
    effect = float(shorter @ (stats.geom.cdf(k - 1, 0.1) + stats.geom.pmf(k, 0.1) / 2))
    other = [mann_whitney(rng.geometric(0.15, 60), rng.geometric(0.1, 80)) for _ in range(trials)]
    assert np.mean([is_in(effect, each.interval) for each in other]) == near(0.945, trials)
    assert np.mean([each.p_value <= 0.05 for each in other]) > 0.5


def test_the_papers_sample_size_is_1562_and_not_6500() -> None:
    assert games_per_arm(0.55, 0.5) == 1562
    assert games_per_arm(0.5, 0.55) == 1562
    assert games_per_arm(0.55, 0.5, power=0.999) < 6500


def test_a_point_a_round_takes_as_many_rounds_as_the_specification_says() -> None:
    """(1.96 + 0.84)² · 25² = 4,906."""
    assert deals_needed(1, 25) == 4906
    assert deals_needed(-1, 25) == 4906
    assert deals_needed(0.5, 25) == pytest.approx(4 * 4906, abs=4)
    assert deals_needed(100, 1) == 2


@pytest.mark.slow
def test_the_power_is_what_it_says() -> None:
    rng, trials = np.random.default_rng(9), 2000
    deals = deals_needed(4, 12, power=0.8)
    assert deals > 60
    found = np.mean([t_test(rng.normal(4, 12, deals)) <= 0.05 for _ in range(trials)])
    assert found == pytest.approx(0.8, abs=noise(0.8, trials) + 0.01)  # a t test has a little less than a normal one
    ones, others = (rng.binomial(1562, rate, 20_000) / 1562 for rate in (0.55, 0.5))
    errors = np.sqrt((ones * (1 - ones) + others * (1 - others)) / 1562)
    assert np.mean(abs(ones - others) / errors > 1.959964) == near(0.8, 20_000)


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: bootstrap(np.zeros((3, 2, 2)), mean, 100), r"\[numbers\] or \[deals, games\]"),
        (lambda: bootstrap([1, 2], mean, 0), "resamples=0 must be a whole number from 100"),
        (lambda: bootstrap([1, 2], mean, 100, seed=-1), "seed=-1 must be a whole number from 0"),
        (lambda: wilson(11, 10), "wins=11 must be a whole number from 0 to 10"),
        (lambda: clopper_pearson(0, 0), "games=0 must be a whole number from 1"),
        (lambda: mann_whitney([1, 2], [1]), "others has length 1"),
        (lambda: games_per_arm(0.5, 0.5), "one and other are both 0.5"),
        (lambda: games_per_arm(1.0, 0.5), "one=1.0 must be a number above 0 and below 1"),
        (lambda: games_per_arm(0.4, 0.5, power=0.01), "power=0.01 must be a number above 0.05 and below 1"),
        (lambda: deals_needed(0, 20), "difference=0 cannot be shown"),
        (lambda: deals_needed(1, 0), "sd=0 must be a number above 0"),
    ],
)
def test_bad_input_is_named_with_what_is_allowed(call: Callable[[], object], message: str) -> None:
    with pytest.raises(TableError, match=message):
        call()
