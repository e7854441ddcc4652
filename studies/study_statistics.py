"""Statistics that only the studies need: of win rates, of skewed counts, by resampling, and how many games to play."""

import math
from collections.abc import Callable
from dataclasses import dataclass
from statistics import NormalDist
from typing import Any

import numpy as np

from cardtable.checks import seed_number, whole_number
from cardtable.errors import TableError
from cardtable.statistics import LEVEL, MOST_GAMES, TAIL, Floats, Interval, Z, between, sample_of, wilson_of_share

BLOCK = 2**20  # numbers drawn at once for a bootstrap
NORMAL = NormalDist()


def bootstrap(deals: Any, statistic: Callable[[Floats], Floats], resamples: int, seed: int = 0) -> Interval:
    """The bootstrap percentile interval over whole deals, [deals] or [deals, games]: a deal's numbers stay together.

    `statistic` is a function of the columns' means, [..., games] to [...]: a mean, a difference, or a ratio of means.
    """
    rows = sample_of("deals", deals, (1, 2))
    rows = rows.reshape(len(rows), -1)
    resamples = whole_number("resamples", resamples, 100, 1_000_000)
    rng = np.random.default_rng(seed_number("seed", seed))
    size = max(1, BLOCK // rows.size)
    blocks = [min(size, resamples - done) for done in range(0, resamples, size)]
    means = [rows[rng.integers(len(rows), size=(n, len(rows)), dtype=np.int32)].mean(axis=1) for n in blocks]
    low, high = np.quantile(statistic(np.concatenate(means)), [TAIL, (1 + LEVEL) / 2])
    return Interval(float(low), float(high))


def wilson(wins: int, games: int) -> Interval:
    """Wilson's 95 % interval of a win rate (1927, JASA 22:209); the games must be independent.

    That is one game of each deal, without draws; for paired games, `estimate` the points of the deals.
    """
    wins, games = _win_rate(wins, games)
    return wilson_of_share(wins / games, games)


def clopper_pearson(wins: int, games: int) -> Interval:
    """The exact interval of a win rate (1934, Biometrika 26:404): as `wilson`, but it never covers less than 95 %."""
    from scipy import stats

    wins, games = _win_rate(wins, games)
    found = stats.binomtest(wins, games).proportion_ci(LEVEL, "exact")
    return Interval(float(found.low), float(found.high))


def _win_rate(wins: int, games: int) -> tuple[int, int]:
    games = whole_number("games", games, 1, MOST_GAMES)
    return whole_number("wins", wins, 0, games), games


@dataclass(frozen=True)
class RankComparison:
    """The result of `mann_whitney`."""

    p_value: float
    effect: float  # how often one exceeds the other, ties counting half; ½ is no difference
    interval: Interval  # of the effect, 95 %
    quartiles: tuple[float, float, float]  # of the first sample: lower quartile, median, upper quartile
    other_quartiles: tuple[float, float, float]


def mann_whitney(numbers: Any, others: Any) -> RankComparison:
    """Does one of two independent samples tend to be larger? For skewed counts, such as turns.

    The test is of Mann and Whitney (1947), U/(mn) the common-language effect size (McGraw and Wong 1992) and its error
    that of DeLong et al. (1988): the variances of the shares of one sample that each number of the other exceeds.
    The interval is too narrow if the samples hardly overlap; if they do not overlap, it is a point.
    """
    from scipy import stats

    one, two = sample_of("numbers", numbers), sample_of("others", others)
    test = stats.mannwhitneyu(one, two)
    effect = float(test.statistic / (len(one) * len(two)))
    ranks = stats.rankdata(np.concatenate([one, two]))
    exceeds = (ranks[: len(one)] - stats.rankdata(one)) / len(two)
    exceeded = (ranks[len(one) :] - stats.rankdata(two)) / len(one)
    error = (exceeds.var(ddof=1) / len(one) + exceeded.var(ddof=1) / len(two)) ** 0.5
    half = float(Z * error)
    interval = Interval(max(0.0, effect - half), min(1.0, effect + half))
    return RankComparison(float(test.pvalue), effect, interval, _quartiles(one), _quartiles(two))


def _quartiles(numbers: Floats) -> tuple[float, float, float]:
    low, median, high = np.quantile(numbers, [0.25, 0.5, 0.75])
    return float(low), float(median), float(high)


def games_per_arm(one: float, other: float, alpha: float = 0.05, power: float = 0.8) -> int:
    """How many independent games each of two agents must play to tell their win rates apart.

    (z_{α/2} + z_β)² [p₁(1 − p₁) + p₂(1 − p₂)] / (p₁ − p₂)², formula 1 of the Skip-Bo paper. It prints 6,500 for 0.55
    against 0.50; the formula gives 1,562.
    """
    one, other = between("one", one, 0, 1), between("other", other, 0, 1)
    if one == other:
        raise TableError(f"one and other are both {one:g}: no number of games can tell equal rates apart")
    variances = one * (1 - one) + other * (1 - other)
    return math.ceil(_quantiles(alpha, power) ** 2 * variances / (one - other) ** 2)


def deals_needed(difference: float, sd: float, alpha: float = 0.05, power: float = 0.8) -> int:
    """How many deals show that a mean over deals is not 0 if it is `difference`: ((z_{α/2} + z_β) sd / difference)².

    `sd` is the standard deviation of the deals' numbers: of their mean margins, or of their points less ½.
    """
    sd = between("sd", sd, 0, math.inf)
    if between("difference", difference, -math.inf, math.inf) == 0:
        raise TableError("difference=0 cannot be shown with any number of deals")
    return max(2, math.ceil((_quantiles(alpha, power) * sd / difference) ** 2))


def _quantiles(alpha: float, power: float) -> float:
    alpha = between("alpha", alpha, 0, 1)
    return NORMAL.inv_cdf(between("power", power, alpha, 1)) - NORMAL.inv_cdf(alpha / 2)
