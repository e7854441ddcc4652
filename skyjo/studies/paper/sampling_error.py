"""How far from each other chance alone may bring the numbers of a table."""

import math
from statistics import NormalDist

LEVEL = 0.05  # the probability that chance alone exceeds the bound anywhere in a table
HALF = NormalDist().inv_cdf(0.975)  # standard errors in half the width of a 95 % interval


def bound_of(comparisons: int) -> float:
    """The standard errors that so many comparisons together stay within, up or down, but for one table in twenty."""
    return NormalDist().inv_cdf(1 - LEVEL / comparisons / 2)


def standard_error(*halves: float) -> float:
    """Of a mean with this half of its 95 % interval, or of the difference of two independent ones."""
    return math.hypot(*halves) / HALF
