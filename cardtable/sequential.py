"""Playing until it is clear: sequential tests, and intervals that are narrow enough.

Nothing here knows the game. Hypotheses and errors are fixed before the first game.
"""

import math
from dataclasses import dataclass
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray
from scipy import optimize

from cardtable.checks import as_array, brief
from cardtable.errors import TableError
from cardtable.statistics import Floats, between, estimate, moments


@dataclass(frozen=True)
class Hypotheses:
    """A sequential test, fixed before the first game: H0, the value is `low`, against H1, it is `high`.

    Wald's bounds (1945): H1 is found when H0 holds with a chance of about `alpha`, H0 when H1 holds with one of `beta`.
    """

    low: float = 0.0  # points a round for sprt_margins, Elo for sprt_pairs
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
        """The test goes on while the log-likelihood ratio is between these."""
        return math.log(self.beta / (1 - self.alpha)), math.log((1 - self.beta) / self.alpha)


@dataclass(frozen=True)
class Verdict:
    """The log-likelihood ratio of H1 to H0 so far, and the one that it decides for; None is to play on."""

    llr: float
    decision: Literal["H0", "H1"] | None


def _verdict(llr: float, hypotheses: Hypotheses) -> Verdict:
    low, high = hypotheses.bounds
    return Verdict(llr, "H0" if llr <= low else "H1" if llr >= high else None)


def sprt_margins(margins: Any, hypotheses: Hypotheses) -> Verdict:
    """A generalised sequential test of the mean of all deals so far; ask after every batch, the first decision holds.

    Each hypothesis takes the variance that suits it best: n/2 ln[(s² + (m − low)²) / (s² + (m − high)²)], with the
    bounds of Wald (Li, Liu and Ying 2014, Sequential Analysis 33). There is no decision before `is_varied`.
    """
    found = moments(margins, 1, "margins")
    for_low, for_high = (found.variance + (found.mean - value) ** 2 for value in (hypotheses.low, hypotheses.high))
    if min(for_low, for_high) == 0:  # all deals are alike, and just as one of them says
        llr = math.inf if for_high == 0 else -math.inf
    else:
        llr = found.count / 2 * math.log(for_low / for_high)
    return _verdict(llr, hypotheses) if found.is_varied else Verdict(llr, None)


def pair_counts(points: Any) -> NDArray[np.int64]:
    """How many deals brought 0, ½, 1, 1½ and 2 points, from the points of both games of each deal, [deals, 2]."""
    found = as_array(points)
    if found.ndim != 2 or found.shape[1] != 2 or not np.isin(found, (0, 0.5, 1)).all():
        raise TableError(f"points={brief(points)} must be 0, 0.5 or 1 for both games of every deal, [deals, 2]")
    return np.bincount((2 * found.sum(axis=1)).astype(np.int64), minlength=5)


def sprt_pairs(counts: Any, hypotheses: Hypotheses) -> Verdict:
    """The pentanomial sequential test of an Elo difference, for two players: `counts` as `pair_counts` gives them.

    As in fishtest: each hypothesis takes the distribution that suits it best among those with its expected score, and
    what has not been seen counts as a thousandth of a deal (Van den Bergh, "Comments on normalized Elo" and "MLE for
    the multinomial distribution", proposition 1.1). Ask after every batch, the first decision holds.
    """
    found = as_array(counts)
    if found.dtype.kind not in "iu" or found.shape != (5,) or (found < 0).any() or found.sum() == 0:
        raise TableError(f"counts={brief(counts)} must be 5 whole numbers of deals: with 0, ½, 1, 1½ and 2 points")
    elos = (between("Elo", elo, -1000, 1000) for elo in (hypotheses.low, hypotheses.high))
    seen = np.where(found == 0, 1e-3, found)
    for_low, for_high = (_tilt(seen / seen.sum(), 1 / (1 + 10 ** (-elo / 400))) for elo in elos)
    return _verdict(float(np.sum(seen * np.log(for_low / for_high))), hypotheses)


def _tilt(shares: Floats, score: float) -> Floats:
    """The shares over their likeliest values under this expected score: 1 + x aᵢ, where Σ pᵢ aᵢ/(1 + x aᵢ) = 0.

    The aᵢ are the scores less the expected one. No likeliest value is above 1, which bounds x on both sides.
    """
    away = np.linspace(0, 1, 5) - score
    pairs = list(zip(shares.tolist(), away.tolist(), strict=True))
    least, most = (shares[-1] - 1) / away[-1], (shares[0] - 1) / away[0]
    x = optimize.brentq(lambda x: sum(p * a / (1 + x * a) for p, a in pairs), least, most, xtol=1e-14)
    tilt: Floats = 1 + x * away
    return tilt


def is_narrow(numbers: Any, half: float) -> bool:
    """Whether the t interval of all deals so far is this narrow, to stop playing; False before `is_varied`.

    To stop so favours samples that happen to spread little, so the interval covers less than it says unless it takes
    many deals (Chow and Robbins 1965, Ann. Math. Statist. 36:457): tests/cardtable/test_statistics.py measures it.
    """
    half = between("half", half, 0, math.inf)
    found = moments(numbers, 1)
    return found.is_varied and estimate(found).half <= half
