"""What our statistics claim, as rates with bounds, and which counts of simulated samples contradict a claim.

A count is accepted unless, at every rate within the bounds, one at least as extreme has a probability below
`FALSE_ALARM`. The accepted range follows from the binomial distribution; as a share of the samples it grows narrower.
"""

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
from scipy import stats

from studies.study_statistics import wilson

FALSE_ALARM = 1e-7  # for each claim and each look: of 1,000 looks at 20 claims, one in 250 raises a false alarm
WILSON_GAMES, WILSON_RATES = 40, np.linspace(0.05, 0.95, 19)


@dataclass(frozen=True)
class Claim:
    """Some rate lies between `low` and `high`; the words say where the bounds come from."""

    low: float
    high: float
    words: str

    def accepted(self, trials: int) -> tuple[int, int]:
        """The smallest and the largest count that is accepted."""
        least = stats.binom.ppf(FALSE_ALARM, trials, self.low) if self.low > 0 else 0
        greatest = stats.binom.isf(FALSE_ALARM, trials, self.high) if self.high < 1 else trials
        return int(least), int(greatest)


def exactly(rate: float, words: str) -> Claim:
    """A rate that is known."""
    return Claim(rate, rate, words)


def wilson_coverage() -> float:
    """The exact coverage of Wilson's interval, as a mean over the simulated rates."""
    found = [wilson(wins, WILSON_GAMES) for wins in range(WILSON_GAMES + 1)]
    covers = np.array([[each.low <= rate <= each.high for rate in WILSON_RATES] for each in found])
    chances = stats.binom.pmf(np.arange(WILSON_GAMES + 1)[:, None], WILSON_GAMES, WILSON_RATES)
    return float((covers * chances).sum(axis=0).mean())


PERCENTILE = (
    "a percentile interval of 100 deals is about a percent too narrow, and 400 resamples place its ends roughly"
)
WALD = "at most the level asked for, by Wald's bounds up to level / (1 - other level)"

CLAIMS: dict[str, Claim] = {
    "t interval of 2 deals": exactly(0.95, "exact for normal deals"),
    "t interval of 10 deals": exactly(0.95, "exact for normal deals"),
    "t interval of 200 deals": exactly(0.95, "exact for normal deals"),
    "t test without a difference": exactly(0.05, "exact for normal deals"),
    "p-value of an estimate without a difference": exactly(0.05, "exact for normal deals"),
    "mean of parts that share deals": exactly(0.95, "one t interval of the deals' means"),
    "mean of parts with deals of their own": Claim(0.95, 0.98, "takes the degrees of freedom of the smallest part"),
    "bootstrap of deals": Claim(0.93, 0.95, PERCENTILE),
    "bootstrap of deals of two games": Claim(0.93, 0.95, PERCENTILE),
    "Wilson": exactly(wilson_coverage(), "summed over all outcomes"),
    "Clopper-Pearson": Claim(0.95, 1, "never covers less"),
    "Mann-Whitney without a difference": Claim(
        0.042, 0.052, "a normal approximation, with a correction that is careful"
    ),
    "interval of Mann-Whitney's effect": Claim(0.93, 0.955, "a normal interval of shares"),
    "Holm rejects a true hypothesis": Claim(0, 0.05, "at most the level, however the tests depend"),
    "power of games_per_arm": Claim(0.78, 0.82, "a normal approximation of 0.8"),
    "power of deals_needed": Claim(0.77, 0.8, "0.8 for a normal test; a t test has a little less"),
    "sequential test finds H1 under H0": Claim(0, 0.05 / 0.95, WALD),
    "sequential test finds H0 under H1": Claim(0, 0.05 / 0.95, WALD),
    "sequential test of near twins finds H1 under H0": Claim(0, 0.05 / 0.95, WALD),
    "interval when play stops at a width": Claim(
        0.93, 0.955, "stopping favours narrow samples, after 30 deals by little"
    ),
    "interval of a rating": Claim(0.925, 0.965, "a percentile interval of 80 deals"),
}


def wrong(counts: Mapping[str, int]) -> list[str]:
    """A line for each claim that the counts contradict. Counts are called `NAME hits` and `NAME trials`."""
    found = []
    for name, claim in CLAIMS.items():
        hits, trials = counts.get(f"{name} hits", 0), counts.get(f"{name} trials", 0)
        least, greatest = claim.accepted(trials)
        if not least <= hits <= greatest:
            found.append(f"{name}: {hits:,} of {trials:,}; accepted are {least:,} to {greatest:,} ({claim.words})")
    return found


def table(counts: Mapping[str, int]) -> str:
    """A line for each claim: the rate found, the count, and the counts that raise no alarm."""
    lines = []
    for name, claim in CLAIMS.items():
        hits, trials = counts.get(f"{name} hits", 0), counts.get(f"{name} trials", 0)
        if trials:
            least, greatest = claim.accepted(trials)
            lines.append(
                f"{name:50} {hits / trials:7.2%}  {hits:9,} of {trials:9,}; accepted {least:,} to {greatest:,}"
            )
    return "\n".join(lines)
