"""Statistics of matches, as functions of arrays and counts: intervals, comparisons, sample sizes.

Nothing here knows the game. Each number is for one deal, played from every seat: deals are independent of each
other, the games of one deal are not. Intervals need numpy alone, so that matches can be played without any extra; tests
of hypotheses need scipy.
"""

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import lru_cache
from statistics import NormalDist
from typing import Any

import numpy as np
from numpy.typing import NDArray

from cardtable.checks import as_array, brief, seed_number, whole_number
from cardtable.documents import EstimateDocument
from cardtable.errors import TableError

Floats = NDArray[np.float64]
MOST_GAMES = 2**53
BLOCK = 2**20  # numbers drawn at once for a bootstrap
LEAST_VARIED, MANY = 30, 10_000  # deals, before their spread is relied on
LEVEL = 0.95  # how often an interval covers the true value
TAIL = (1 - LEVEL) / 2
NORMAL = NormalDist()
Z = NORMAL.inv_cdf(1 - TAIL)
FEW = 1000  # degrees of freedom, up to which Student's distribution is summed exactly


# Checks of arguments


def _sample(name: str, numbers: Any, dimensions: tuple[int, ...] = (1,), least: int = 2) -> Floats:
    """The numbers, or rows of numbers, as a float array: at least `least` of them, all finite."""
    array = as_array(numbers)
    if array.dtype.kind not in "iufb" or array.ndim not in dimensions or array.size == 0:
        shapes = " or ".join("[deals, games]" if n == 2 else "[numbers]" for n in dimensions)
        raise TableError(f"{name}={brief(numbers)} must be an array of numbers, {shapes}")
    if len(array) < least:
        raise TableError(f"{name} has length {len(array)}: at least {least} are needed to see how they spread")
    if not np.isfinite(array).all():
        raise TableError(f"{name} must be finite numbers; {np.count_nonzero(~np.isfinite(array))} are not")
    return array.astype(np.float64)


def _share(name: str, value: Any) -> float:
    return between(name, value, 0, 1)


def between(name: str, value: Any, low: float, high: float) -> float:
    """The value as a float, if it lies strictly between these bounds."""
    is_number = isinstance(value, int | float | np.integer | np.floating) and not isinstance(value, bool)
    if not is_number or not low < value < high:
        raise TableError(f"{name}={brief(value)} must be a number above {low:g} and below {high:g}")
    return float(value)


# Intervals


@dataclass(frozen=True)
class Estimate:
    """A mean, and half the width of its interval."""

    mean: float
    half: float

    def __str__(self) -> str:
        return f"{self.mean:+.2f} ± {self.half:.2f}"

    def to_document(self) -> EstimateDocument:
        """As JSON."""
        return {"mean": self.mean, "half": self.half}


@dataclass(frozen=True)
class Interval:
    """The two ends of an interval whose estimate need not lie in the middle."""

    low: float
    high: float


@dataclass(frozen=True)
class Moments:
    """A summary of the numbers of many deals, which some functions take instead of the numbers themselves."""

    count: int
    mean: float
    variance: float  # the mean squared deviation from the mean
    is_varied: bool


def moments(numbers: Any, least: int = 2, name: str = "numbers") -> Moments:
    """The moments of at least `least` numbers; moments are returned as they are."""
    if isinstance(numbers, Moments):
        whole_number("count", numbers.count, least, MOST_GAMES)
        return numbers
    sample = _sample(name, numbers, least=least)
    return Moments(len(sample), float(sample.mean()), float(sample.var()), is_varied(sample))


def is_varied(numbers: Any) -> bool:
    """Whether the spread of these deals can be relied on: 30 differ from their median, or there are 10,000.

    Nearly identical agents tie most deals. Without this check, the first ties would look like certainty.
    """
    sample = _sample("numbers", numbers, least=1)
    return len(sample) >= MANY or int(np.count_nonzero(sample != np.median(sample))) >= LEAST_VARIED


def estimate(numbers: Any) -> Estimate:
    """The mean of independent numbers (or `Moments`) with its 95 % t interval (Student 1908)."""
    found = moments(numbers)
    error = math.sqrt(found.variance / (found.count - 1))
    return Estimate(found.mean, t_quantile(found.count - 1) * error)


@lru_cache
def t_quantile(degrees: int) -> float:
    """How many standard errors a 95 % interval reaches to each side: the quantile of Student's t.

    It solves the exact sums of Abramowitz and Stegun (1964), 26.7.3 and 26.7.4; beyond `FEW` degrees of freedom it is
    their expansion 26.7.5.
    """
    if degrees > FEW:
        return _t_expansion(degrees)
    low, high = Z, 13.0  # 12.7 for one degree
    while (middle := (low + high) / 2) not in (low, high):
        low, high = (middle, high) if _t_within(middle, degrees) < LEVEL else (low, middle)
    return high


def _t_within(t: float, degrees: int) -> float:
    """The probability that Student's t is between -t and t."""
    angle, odd = math.atan(t / math.sqrt(degrees)), degrees % 2
    steps = np.arange(2 + odd, degrees - 1, 2)
    terms = np.cumprod(np.append(1.0, (steps - 1) / steps * math.cos(angle) ** 2))
    if odd == 0:
        return float(math.sin(angle) * terms.sum())
    more = 0.0 if degrees == 1 else math.sin(angle) * math.cos(angle) * terms.sum()
    return float(2 / math.pi * (angle + more))


def _t_expansion(degrees: int) -> float:
    first, second = (Z**3 + Z) / 4, (5 * Z**5 + 16 * Z**3 + 3 * Z) / 96
    third = (3 * Z**7 + 19 * Z**5 + 17 * Z**3 - 15 * Z) / 384
    fourth = (79 * Z**9 + 776 * Z**7 + 1482 * Z**5 - 1920 * Z**3 - 945 * Z) / 92160
    return Z + first / degrees + second / degrees**2 + third / degrees**3 + fourth / degrees**4


def mean_of_parts(parts: Sequence[tuple[Any, Any]]) -> Estimate:
    """The mean of the means of several parts, each the numbers of its deals and a number for each deal.

    A deal that is in several parts is one deal: what it adds to the mean is summed before the interval is taken, so
    that parts which share their luck are not taken for independent ones.
    """
    samples = [_sample("numbers", numbers) for _, numbers in parts]
    least = min(int(np.min(deals)) for deals, _ in parts)
    pull = np.zeros(max(int(np.max(deals)) for deals, _ in parts) - least + 1)
    for (deals, _), sample in zip(parts, samples, strict=True):
        np.add.at(pull, np.asarray(deals) - least, (sample - sample.mean()) / len(sample))
    found = min(len(sample) for sample in samples)
    error = math.sqrt(float((pull**2).sum()) * found / (found - 1)) / len(parts)
    return Estimate(float(np.mean([sample.mean() for sample in samples])), t_quantile(found - 1) * error)


def p_value(found: Estimate, deals: int) -> float:
    """The two-sided p-value of a mean of 0, for what was estimated from this many deals with a 95 % t interval."""
    from scipy import stats

    if found.half == 0:
        return float(found.mean == 0)
    ratio = abs(found.mean) / found.half * t_quantile(deals - 1)
    return float(2 * stats.t.sf(ratio, deals - 1))


def t_test(numbers: Any) -> float:
    """The two-sided p-value of a mean of 0, for independent numbers (Student 1908)."""
    from scipy import stats

    sample = _sample("numbers", numbers)
    if np.ptp(sample) == 0:  # no spread: identical agents, or one that always wins by as much
        return float(sample[0] == 0)
    return float(stats.ttest_1samp(sample, 0).pvalue)


def bootstrap(deals: Any, statistic: Callable[[Floats], Floats], resamples: int, seed: int = 0) -> Interval:
    """The bootstrap percentile interval over whole deals, [deals] or [deals, games]: a deal's numbers stay together.

    `statistic` is a function of the columns' means, [..., games] to [...]: a mean, a difference, or a ratio of means.
    """
    rows = _sample("deals", deals, (1, 2))
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


def wilson_of_share(share: float, games: float) -> Interval:
    """Wilson's interval of a share from 0 to 1 that counts as this many independent games, which may be a fraction."""
    middle, scale = share + Z**2 / (2 * games), 1 + Z**2 / games
    half = Z * math.sqrt(max(share * (1 - share), 0) / games + Z**2 / (4 * games**2))  # a mean of shares may exceed 1
    return Interval(max(0.0, (middle - half) / scale), min(1.0, (middle + half) / scale))


def clopper_pearson(wins: int, games: int) -> Interval:
    """The exact interval of a win rate (1934, Biometrika 26:404): as `wilson`, but it never covers less than 95 %."""
    from scipy import stats

    wins, games = _win_rate(wins, games)
    found = stats.binomtest(wins, games).proportion_ci(LEVEL, "exact")
    return Interval(float(found.low), float(found.high))


def _win_rate(wins: int, games: int) -> tuple[int, int]:
    games = whole_number("games", games, 1, MOST_GAMES)
    return whole_number("wins", wins, 0, games), games


# Comparisons


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

    one, two = _sample("numbers", numbers), _sample("others", others)
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


def holm(p_values: Sequence[float] | Floats) -> Floats:
    """The p-values adjusted for multiple testing, in the order given (Holm 1979, Scand. J. Statist. 6:65).

    Rejecting those at most 0.05 rejects any true hypothesis with a chance of at most 5 %, however they depend.
    """
    found = as_array(p_values)
    if found.dtype.kind not in "iuf" or found.ndim != 1 or not ((found >= 0) & (found <= 1)).all():
        raise TableError(f"p_values={brief(p_values)} must be a list of numbers from 0 to 1")
    order = np.argsort(found)
    adjusted = np.empty(len(found))
    adjusted[order] = np.minimum(1, np.maximum.accumulate(found[order] * np.arange(len(found), 0, -1)))
    return adjusted


# How many games


def games_per_arm(one: float, other: float, alpha: float = 0.05, power: float = 0.8) -> int:
    """How many independent games each of two agents must play to tell their win rates apart.

    (z_{α/2} + z_β)² [p₁(1 − p₁) + p₂(1 − p₂)] / (p₁ − p₂)², formula 1 of the Skip-Bo paper. It prints 6,500 for 0.55
    against 0.50; the formula gives 1,562.
    """
    one, other = _share("one", one), _share("other", other)
    if one == other:
        raise TableError(f"one and other are both {one:g}: no number of games can tell equal rates apart")
    return math.ceil(_quantiles(alpha, power) ** 2 * _two_variances(one, other) / (one - other) ** 2)


def deals_needed(difference: float, sd: float, alpha: float = 0.05, power: float = 0.8) -> int:
    """How many deals show that a mean over deals is not 0 if it is `difference`: ((z_{α/2} + z_β) sd / difference)².

    `sd` is the standard deviation of the deals' numbers: of their mean margins, or of their points less ½.
    """
    sd = between("sd", sd, 0, math.inf)
    if between("difference", difference, -math.inf, math.inf) == 0:
        raise TableError("difference=0 cannot be shown with any number of deals")
    return max(2, math.ceil((_quantiles(alpha, power) * sd / difference) ** 2))


def _two_variances(one: float, other: float) -> float:
    return one * (1 - one) + other * (1 - other)


def _quantiles(alpha: float, power: float) -> float:
    alpha = _share("alpha", alpha)
    return NORMAL.inv_cdf(between("power", power, alpha, 1)) - NORMAL.inv_cdf(alpha / 2)
