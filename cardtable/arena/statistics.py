"""Statistics of matches, as functions of arrays and counts: intervals, tests that a mean is 0, and when to stop.

Nothing here knows the game. Each number is for one deal, played from every seat: deals are independent of each
other, the games of one deal are not.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from statistics import NormalDist
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from cardtable.table.agents.policies.model_card import EstimateDocument
from cardtable.table.checks import as_array, brief
from cardtable.table.errors import TableError

Floats = NDArray[np.float64]
MIN_VARIED, MANY = 30, 10_000  # deals, before their spread is relied on
LEVEL = 0.95  # how often an interval covers the true value
TAIL = (1 - LEVEL) / 2
BOUND = math.log(LEVEL / (1 - LEVEL))  # of Wald (1945), for error rates of 5 % each
Z = NormalDist().inv_cdf(1 - TAIL)


def sample_of(name: str, numbers: Any, least: int = 2) -> Floats:
    """Return the numbers as a float array: at least `least` of them, all finite."""
    array = as_array(numbers)
    if array.dtype.kind not in "iufb" or array.ndim != 1 or array.size == 0:
        raise TableError(f"{name}={brief(numbers)} must be an array of numbers, [numbers]")
    if len(array) < least:
        raise TableError(f"{name} has length {len(array)}: at least {least} are needed to measure their spread")
    if not np.isfinite(array).all():
        raise TableError(f"{name} must be finite numbers; {np.count_nonzero(~np.isfinite(array))} are not")
    return array.astype(np.float64)


# Intervals


@dataclass(frozen=True)
class Estimate:
    """A mean, and half the width of its interval."""

    mean: float
    half: float

    def __str__(self) -> str:
        return f"{self.mean:+.2f} ± {self.half:.2f}"

    def to_document(self) -> EstimateDocument:
        """Return the estimate for JSON."""
        return {"mean": self.mean, "half": self.half}


@dataclass(frozen=True)
class Range:
    """A value that need not lie in the middle of its interval."""

    value: float
    low: float
    high: float


@dataclass(frozen=True)
class Moments:
    """A summary of the numbers of many deals, which some functions take instead of the numbers themselves."""

    count: int
    mean: float
    variance: float  # the mean squared deviation from the mean
    is_varied: bool


def moments(numbers: Any, least: int = 2) -> Moments:
    """Return the moments of at least `least` numbers; moments are returned as they are."""
    if isinstance(numbers, Moments):
        return numbers
    sample = sample_of("numbers", numbers, least)
    return Moments(len(sample), float(sample.mean()), float(sample.var()), is_varied(sample))


def is_varied(numbers: Any) -> bool:
    """Return whether the spread of these deals is reliable: 30 differ from their median, or there are 10,000.

    Nearly identical agents tie most deals. Without this check, the first ties would look like certainty.
    """
    sample = sample_of("numbers", numbers, least=1)
    return len(sample) >= MANY or int(np.count_nonzero(sample != np.median(sample))) >= MIN_VARIED


def estimate(numbers: Any) -> Estimate:
    """Return the mean of independent numbers (or `Moments`) with its 95 % t interval (Student 1908)."""
    sums = moments(numbers)
    error = math.sqrt(sums.variance / (sums.count - 1))
    return Estimate(sums.mean, t_quantile(sums.count - 1) * error)


def t_quantile(degrees: int) -> float:
    """Return how many standard errors a 95 % interval reaches to each side: the quantile of Student's t."""
    from scipy.special import stdtrit

    return float(stdtrit(degrees, 1 - TAIL))


def mean_of_parts(parts: Sequence[tuple[Any, Any]]) -> Estimate:
    """Return the mean of the means of several parts, each the numbers of its deals and a number for each deal.

    A deal that is in several parts is one deal: what it adds to the mean is summed before the interval is taken, so
    that parts with shared luck do not count as independent.
    """
    samples = [sample_of("numbers", numbers) for _, numbers in parts]
    least = min(int(np.min(deals)) for deals, _ in parts)
    pull = np.zeros(max(int(np.max(deals)) for deals, _ in parts) - least + 1)
    for (deals, _), sample in zip(parts, samples, strict=True):
        np.add.at(pull, np.asarray(deals) - least, (sample - sample.mean()) / len(sample))
    smallest = min(len(sample) for sample in samples)
    error = math.sqrt(float((pull**2).sum()) * smallest / (smallest - 1)) / len(parts)
    return Estimate(float(np.mean([sample.mean() for sample in samples])), t_quantile(smallest - 1) * error)


def p_value(difference: Estimate, deals: int) -> float:
    """Return the two-sided p-value of a mean of 0, for an estimate from this many deals with a 95 % t interval."""
    from scipy.special import stdtr

    if difference.half == 0:  # no spread: identical agents, or one that always wins by as much
        return float(difference.mean == 0)
    ratio = abs(difference.mean) / difference.half * t_quantile(deals - 1)
    return float(2 * stdtr(deals - 1, -ratio))


def t_test(numbers: Any) -> float:
    """Return the two-sided p-value of a mean of 0, for independent numbers (Student 1908)."""
    sample = sample_of("numbers", numbers)
    return p_value(estimate(sample), len(sample))


def wilson_of_share(share: float, games: float) -> Range:
    """Return Wilson's interval of a share from 0 to 1 that counts as this many independent games, which may be a
    fraction.
    """
    middle, scale = share + Z**2 / (2 * games), 1 + Z**2 / games
    half = Z * math.sqrt(max(share * (1 - share), 0) / games + Z**2 / (4 * games**2))  # a mean of shares may exceed 1
    return Range(share, max(0.0, (middle - half) / scale), min(1.0, (middle + half) / scale))


def holm(p_values: Sequence[float] | Floats) -> Floats:
    """Return the p-values adjusted for multiple testing, in the order given (Holm 1979, Scand. J. Statist. 6:65).

    Rejecting those at most 0.05 rejects any true hypothesis with a chance of at most 5 %, however they depend.
    """
    values = np.asarray(p_values, np.float64)
    order = np.argsort(values)
    adjusted = np.empty(len(values))
    adjusted[order] = np.minimum(1, np.maximum.accumulate(values[order] * np.arange(len(values), 0, -1)))
    return adjusted


# When to stop: hypotheses and error rates are fixed before the first game


@dataclass(frozen=True)
class Verdict:
    """The log-likelihood ratio of H1 to H0 so far, and the hypothesis it decides for; None means: play on."""

    llr: float
    decision: Literal["H0", "H1"] | None


def sprt_margins(margins: Any, low: float, high: float) -> Verdict:
    """Return a generalised sequential test of the mean of all deals so far: H0, it is `low`, against H1, it is `high`.

    Ask after every batch; the first decision holds, and each hypothesis is rejected in about 5 % of the cases in which
    it is true. Each takes the variance that suits it best: n/2 ln[(s² + (m − low)²) / (s² + (m − high)²)], with the
    bounds of Wald (Li, Liu and Ying 2014, Sequential Analysis 33). There is no decision before `is_varied`.
    """
    sums = moments(margins, 1)
    for_low, for_high = (sums.variance + (sums.mean - value) ** 2 for value in (low, high))
    if min(for_low, for_high) == 0:  # all deals are equal, and equal to one of the hypotheses
        llr = math.inf if for_high == 0 else -math.inf
    else:
        llr = sums.count / 2 * math.log(for_low / for_high)
    decision: Literal["H0", "H1"] | None = "H0" if llr <= -BOUND else "H1" if llr >= BOUND else None
    return Verdict(llr, decision if sums.is_varied else None)


def is_narrow(numbers: Any, half: float) -> bool:
    """Return whether half the t interval of all deals so far is at most `half`, so that play can stop; False before
    `is_varied`.

    Stopping in this way favours samples that happen to spread little, so the interval covers less than it says unless
    it takes many deals (Chow and Robbins 1965, Ann. Math. Statist. 36:457). tests/cardtable/test_statistics.py measures
    the coverage.
    """
    sums = moments(numbers, 1)
    return sums.is_varied and estimate(sums).half <= half
