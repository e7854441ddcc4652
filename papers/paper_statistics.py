"""Statistics that only the papers need: of whole tables, of skewed counts, and how many games to play.

Intervals of single win rates are `scipy.stats.binomtest(wins, games).proportion_ci(method="wilson")`, or "exact";
those of any function of means `scipy.stats.bootstrap(..., method="percentile")`, over deals and not over games.
"""

import math
from dataclasses import dataclass
from typing import Any

import numpy as np
from scipy import stats

from cardtable.arena.statistics import Floats, Range, Z, sample_of

LEVEL = 0.05  # the probability that chance alone exceeds the bound anywhere in a table


def bound_of(comparisons: int) -> float:
    """Return the standard errors, up or down, within which this many comparisons all stay in 19 tables of 20."""
    return float(stats.norm.isf(LEVEL / comparisons / 2))


def standard_error(*halves: float) -> float:
    """Return the standard error of a mean from half its 95 % interval, or of a difference of independent means."""
    return math.hypot(*halves) / Z


@dataclass(frozen=True)
class RankComparison:
    """The result of `mann_whitney`."""

    p_value: float
    effect: Range  # how often one exceeds the other, ties counting half, and its 95 % interval; ½ is no difference


def mann_whitney(numbers: Any, others: Any) -> RankComparison:
    """Test whether one of two independent samples tends to be larger. For skewed counts, such as turns.

    The test is of Mann and Whitney (1947), U/(mn) the common-language effect size (McGraw and Wong 1992) and its error
    that of DeLong et al. (1988): the variances of the shares of one sample that each number of the other exceeds.
    """
    one, two = sample_of("numbers", numbers), sample_of("others", others)
    test = stats.mannwhitneyu(one, two)
    effect = float(test.statistic / (len(one) * len(two)))
    ranks = stats.rankdata(np.concatenate([one, two]))
    exceeds: Floats = (ranks[: len(one)] - stats.rankdata(one)) / len(two)
    exceeded: Floats = (ranks[len(one) :] - stats.rankdata(two)) / len(one)
    half = Z * math.sqrt(exceeds.var(ddof=1) / len(one) + exceeded.var(ddof=1) / len(two))
    return RankComparison(float(test.pvalue), Range(effect, max(0.0, effect - half), min(1.0, effect + half)))


def games_per_arm(one: float, other: float, alpha: float = 0.05, power: float = 0.8) -> int:
    """Return how many independent games each of two agents must play to tell their win rates apart.

    (z_{α/2} + z_β)² [p₁(1 − p₁) + p₂(1 − p₂)] / (p₁ − p₂)², formula 1 of Strittmatter's paper. It prints 6,500 for 0.55
    against 0.50; the formula gives 1,562.
    """
    variances = one * (1 - one) + other * (1 - other)
    return math.ceil(_quantiles(alpha, power) ** 2 * variances / (one - other) ** 2)


def deals_needed(difference: float, sd: float, alpha: float = 0.05, power: float = 0.8) -> int:
    """Return how many deals show that a mean is not 0 if it is `difference`: ((z_{α/2} + z_β) sd / difference)².

    `sd` is the standard deviation of the deals' numbers: of their mean margins, or of their points minus ½.
    """
    return max(2, math.ceil((_quantiles(alpha, power) * sd / difference) ** 2))


def _quantiles(alpha: float, power: float) -> float:
    return float(stats.norm.isf(alpha / 2) + stats.norm.isf(1 - power))
