"""When to stop playing: a sequential test, and intervals that are narrow enough.

Nothing here knows the game. Hypotheses and error rates are fixed before the first game.
"""

import math
from dataclasses import dataclass
from typing import Any, Literal

from cardtable.statistics import between, estimate, moments


@dataclass(frozen=True)
class Hypotheses:
    """A sequential test, fixed before the first game: H0, the value is `low`, against H1, it is `high`.

    Wald's bounds (1945): H1 is found when H0 holds with a chance of about `alpha`, H0 when H1 holds with one of `beta`.
    """

    low: float = 0.0  # points a round
    high: float = 1.0
    alpha: float = 0.05
    beta: float = 0.05

    def __post_init__(self) -> None:
        low = between("low", self.low, -math.inf, math.inf)
        between("high", self.high, low, math.inf)
        between("alpha", self.alpha, 0, 0.5)
        between("beta", self.beta, 0, 0.5)

    @property
    def bounds(self) -> tuple[float, float]:
        """The test continues while the log-likelihood ratio is between these."""
        return math.log(self.beta / (1 - self.alpha)), math.log((1 - self.beta) / self.alpha)


@dataclass(frozen=True)
class Verdict:
    """The log-likelihood ratio of H1 to H0 so far, and the hypothesis it decides for; None means: play on."""

    llr: float
    decision: Literal["H0", "H1"] | None


def sprt_margins(margins: Any, hypotheses: Hypotheses) -> Verdict:
    """A generalised sequential test of the mean of all deals so far; ask after every batch, the first decision holds.

    Each hypothesis takes the variance that suits it best: n/2 ln[(s² + (m − low)²) / (s² + (m − high)²)], with the
    bounds of Wald (Li, Liu and Ying 2014, Sequential Analysis 33). There is no decision before `is_varied`.
    """
    found = moments(margins, 1, "margins")
    for_low, for_high = (found.variance + (found.mean - value) ** 2 for value in (hypotheses.low, hypotheses.high))
    if min(for_low, for_high) == 0:  # all deals are equal, and equal to one of the hypotheses
        llr = math.inf if for_high == 0 else -math.inf
    else:
        llr = found.count / 2 * math.log(for_low / for_high)
    low, high = hypotheses.bounds
    decision: Literal["H0", "H1"] | None = "H0" if llr <= low else "H1" if llr >= high else None
    return Verdict(llr, decision if found.is_varied else None)


def is_narrow(numbers: Any, half: float) -> bool:
    """Is half the t interval of all deals so far at most `half`, so that play can stop? False before `is_varied`.

    Stopping in this way favours samples that happen to spread little, so the interval covers less than it says unless
    it takes many deals (Chow and Robbins 1965, Ann. Math. Statist. 36:457): tests/cardtable/test_statistics.py measures
    it.
    """
    half = between("half", half, 0, math.inf)
    found = moments(numbers, 1)
    return found.is_varied and estimate(found).half <= half
