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

from cardtable.errors import TableError
from cardtable.sequential import Hypotheses, Verdict, is_narrow, sprt_margins
from cardtable.statistics import (
    Estimate,
    Interval,
    bootstrap,
    clopper_pearson,
    deals_needed,
    estimate,
    games_per_arm,
    holm,
    is_varied,
    mann_whitney,
    t_quantile,
    t_test,
    wilson,
    wilson_of_share,
)

Draw = Callable[[int], NDArray[Any]]


def noise(rate: float, trials: int) -> float:
    """How far a simulated share of this rate may be off."""
    return 3.5 * math.sqrt(rate * (1 - rate) / trials)


def near(rate: float, trials: int) -> Any:
    return pytest.approx(rate, abs=noise(rate, trials))


def is_in(value: float, interval: Interval) -> bool:
    return interval.low <= value <= interval.high


# Intervals


def test_an_estimate_is_the_mean_with_its_t_interval() -> None:
    assert estimate([1, 2, 3, 6]).half == pytest.approx(3.1824 * (14 / 3) ** 0.5 / 2, rel=1e-4)
    assert estimate([2, 2, 2]) == Estimate(2, 0)


def test_the_quantiles_of_students_t_are_scipys() -> None:
    for degrees in (*range(1, 60), 99, 100, 999, 1000, 1001, 1002, 9_999, 10**6, 10**12):
        assert t_quantile(degrees) == pytest.approx(stats.t.isf(0.025, degrees), rel=2e-13), degrees


@pytest.mark.parametrize("deals", [2, 10, 200])
def test_the_t_interval_covers_as_often_as_it_says(deals: int) -> None:
    rng, trials = np.random.default_rng(1), 2000
    found = [estimate(rng.normal(3, 20, deals)) for _ in range(trials)]
    assert np.mean([abs(each.mean - 3) <= each.half for each in found]) == near(0.95, trials)


@pytest.mark.slow
def test_the_t_test_is_students_and_has_its_errors() -> None:
    assert t_test([1, 2, 3]) == pytest.approx(0.0742, abs=1e-4)  # t = 2√3 with 2 degrees of freedom
    assert t_test([0, 0, 0]) == 1
    assert t_test([2, 2, 2]) == 0
    rng, trials = np.random.default_rng(2), 2000
    assert np.mean([t_test(rng.normal(0, 20, 15)) <= 0.05 for _ in range(trials)]) == near(0.05, trials)


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


def test_a_share_may_count_for_a_fraction_of_a_game() -> None:
    """The ends are the rates p from which the share is z √(p (1 − p) / n) off."""
    found, z = wilson_of_share(0.7, 12.5), stats.norm.isf(0.025)
    for rate in (found.low, found.high):
        assert abs(rate - 0.7) == pytest.approx(z * math.sqrt(rate * (1 - rate) / 12.5))
    assert wilson_of_share(0.75, 200) == wilson(150, 200)
    assert wilson_of_share(1, 9.5).high == pytest.approx(1)
    assert wilson_of_share(0, 9.5).low == pytest.approx(0)


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


# Comparisons


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


def test_holm_by_hand() -> None:
    """0.005·4, 0.01·3 and 0.03·2; 0.04 may not be less than the one before."""
    assert holm([0.01, 0.04, 0.03, 0.005]).tolist() == pytest.approx([0.03, 0.06, 0.06, 0.02])
    assert holm([0.9, 0.6]).tolist() == [1, 1]
    assert holm([]).tolist() == []


def test_holm_seldom_rejects_any_true_hypothesis() -> None:
    """Five comparisons with the same agent, two of them with a difference: with none adjusted, 13 % go wrong."""
    rng, trials = np.random.default_rng(8), 4000
    z = math.sqrt(0.5) * (rng.normal(size=(trials, 5)) + rng.normal(size=(trials, 1)))
    p_values = 2 * stats.norm.sf(abs(z + np.array([0, 0, 0, 3, 4])))
    wrong = np.mean([(holm(each)[:3] <= 0.05).any() for each in p_values])
    assert (p_values[:, :3] <= 0.05).any(axis=1).mean() > 0.1
    assert 0.02 < wrong < 0.05 + noise(0.05, trials)


# How many games


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


# Playing until it is clear


def test_walds_bounds() -> None:
    assert Hypotheses().bounds == pytest.approx((-math.log(19), math.log(19)))
    assert Hypotheses(alpha=0.01, beta=0.2).bounds == pytest.approx((math.log(0.2 / 0.99), math.log(80)))


def test_a_sequential_test_of_margins_by_hand() -> None:
    """A mean of 0 with variance 1: n/2 ln(1 / 2). A mean of ½: even. A mean of ¾ with variance 1: n/2 ln(25 / 17)."""
    swing = np.tile([-1.0, 1.0], 20)
    found = [sprt_margins(swing + mean, Hypotheses(0, 1)) for mean in (0, 1, 0.5)]
    assert [each.llr for each in found] == pytest.approx([-20 * math.log(2), 20 * math.log(2), 0])
    assert [each.decision for each in found] == ["H0", "H1", None]
    assert sprt_margins(swing[:30] + 0.75, Hypotheses(0, 1)).llr == pytest.approx(15 * math.log(25 / 17))


def test_deals_that_hardly_differ_decide_nothing_yet() -> None:
    assert sprt_margins([5], Hypotheses(0, 1)).decision is None
    assert sprt_margins(np.zeros(9999), Hypotheses(0, 1)) == Verdict(-math.inf, None)
    assert sprt_margins(np.zeros(10_000), Hypotheses(0, 1)) == Verdict(-math.inf, "H0")
    assert sprt_margins(np.zeros(10_000), Hypotheses(-1, 0)) == Verdict(math.inf, "H1")
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


@pytest.mark.parametrize(
    ("kind", "beta", "trials"), [(margins_around, 0.05, 600), (margins_around, 0.2, 600), (ties_mostly, 0.05, 250)]
)
@pytest.mark.slow
def test_the_sequential_test_of_margins_errs_as_seldom_as_it_says(kind: Any, beta: float, trials: int) -> None:
    """Asked after every 10 deals, and sooner done than a test of fixed length with the same errors."""
    rng, alpha = np.random.default_rng(10), 0.05
    hypotheses = Hypotheses(0, 1, alpha, beta)
    rates, deals = [], []
    for mean in (0, 1):
        found = [decided(kind(mean, rng), lambda seen: sprt_margins(seen, hypotheses), 10) for _ in range(trials)]
        rates.append(np.mean([is_high for is_high, _ in found]))
        deals.append(np.mean([n for _, n in found]))
    assert rates[0] <= alpha + noise(alpha, trials)
    assert 1 - rates[1] <= beta + noise(beta, trials)
    if kind is margins_around:
        assert rates[0] > 0
        assert max(deals) < 0.9 * deals_needed(1, 5, 2 * alpha, 1 - beta)


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
        (lambda: bootstrap(np.zeros((3, 2, 2)), mean, 100), r"\[numbers\] or \[deals, games\]"),
        (lambda: bootstrap([1, 2], mean, 0), "resamples=0 must be a whole number from 100"),
        (lambda: bootstrap([1, 2], mean, 100, seed=-1), "seed=-1 must be a whole number from 0"),
        (lambda: wilson(11, 10), "wins=11 must be a whole number from 0 to 10"),
        (lambda: clopper_pearson(0, 0), "games=0 must be a whole number from 1"),
        (lambda: mann_whitney([1, 2], [1]), "others has length 1"),
        (lambda: holm([0.5, 1.5]), "must be a list of numbers from 0 to 1"),
        (lambda: holm([math.nan]), "must be a list of numbers from 0 to 1"),
        (lambda: games_per_arm(0.5, 0.5), "one and other are both 0.5"),
        (lambda: games_per_arm(1.0, 0.5), "one=1.0 must be a number above 0 and below 1"),
        (lambda: games_per_arm(0.4, 0.5, power=0.01), "power=0.01 must be a number above 0.05 and below 1"),
        (lambda: deals_needed(0, 20), "difference=0 cannot be shown"),
        (lambda: deals_needed(1, 0), "sd=0 must be a number above 0"),
        (lambda: Hypotheses(1, 1), "high=1 must be a number above 1 and below inf"),
        (lambda: Hypotheses(math.nan, 1), "low=nan must be a number"),
        (lambda: Hypotheses(alpha=0.5), "alpha=0.5 must be a number above 0 and below 0.5"),
        (lambda: Hypotheses(beta=0), "beta=0 must be a number above 0"),
        (lambda: sprt_margins([], Hypotheses()), "margins=.* must be an array of numbers"),
        (lambda: is_narrow([1, 2], 0), "half=0 must be a number above 0"),
    ],
)
def test_bad_input_is_named_with_what_is_allowed(call: Callable[[], object], message: str) -> None:
    with pytest.raises(TableError, match=message):
        call()
