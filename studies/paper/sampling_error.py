"""How far apart the numbers of a table may lie by chance alone."""

import math
from statistics import NormalDist

LEVEL = 0.05  # the probability that chance alone exceeds the bound anywhere in a table
HALF = NormalDist().inv_cdf(0.975)  # standard errors in half the width of a 95 % interval


def bound_of(comparisons: int) -> float:
    """The standard errors, up or down, within which this many comparisons all stay in nineteen tables of twenty."""
    return NormalDist().inv_cdf(1 - LEVEL / comparisons / 2)


def standard_error(*halves: float) -> float:
    """The standard error of a mean from half its 95 % interval, or of the difference of two independent means."""
    return math.hypot(*halves) / HALF
