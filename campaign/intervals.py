"""What the statistics claim, as rates with bounds, and how far from them a count of simulated samples may be.

A claim is kept if the count could have come from some rate within its bounds: the chance of a count at least as extreme
is not below `FALSE_ALARM`. So the accepted ranges follow from the binomial distribution and shrink as totals grow.
"""

from collections.abc import Mapping
from dataclasses import dataclass

from scipy import stats

FALSE_ALARM = 1e-7  # for each claim and each look: with 50 claims looked at 1,000 times, one in 200 goes wrong


@dataclass(frozen=True)
class Claim:
    """The rate of something lies between these; the words say where the bounds come from."""

    low: float
    high: float
    words: str

    def accepted(self, trials: int) -> tuple[int, int]:
        """The counts that are no reason for alarm."""
        least, greatest = (
            stats.binom.ppf(FALSE_ALARM, trials, self.low),
            stats.binom.isf(FALSE_ALARM, trials, self.high),
        )
        return int(least), int(greatest)


CLAIMS: dict[str, Claim] = {}


def wrong(counts: Mapping[str, int]) -> list[str]:
    """The claims that the counts contradict, a line each. Counts are `NAME hits` and `NAME trials`."""
    found = []
    for name, claim in CLAIMS.items():
        hits, trials = counts.get(f"{name} hits", 0), counts.get(f"{name} trials", 0)
        least, greatest = claim.accepted(trials)
        if not least <= hits <= greatest:
            found.append(f"{name}: {hits:,} of {trials:,}, accepted are {least:,} to {greatest:,}: {claim.words}")
    return found
