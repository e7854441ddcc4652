"""Is what table 1 prints within sampling error of what a source scores?"""

from collections.abc import Sequence
from dataclasses import dataclass

from studies.paper.printed import TABLE_1
from studies.paper.sampling_error import bound_of
from studies.paper.sweeps import Point

VALUES = 2 * len(TABLE_1)  # a mean and a standard deviation in each row
BOUND = bound_of(VALUES)


@dataclass(frozen=True)
class Comparison:
    """One printed value against one source, for one reading of the paper's sample size."""

    source: str
    threshold: int
    value: str  # "mean" or "standard deviation"
    reading: str
    printed: float
    expected: float  # in a sample of the paper's size
    error: float  # how much such a sample scatters: a standard deviation

    @property
    def errors(self) -> float:
        """How many standard errors the printed value lies above the expected one."""
        return (self.printed - self.expected) / self.error

    @property
    def fits(self) -> bool:
        """Is it within sampling error?"""
        return abs(self.errors) <= BOUND

    @property
    def verdict(self) -> str:
        """In words."""
        return "fits" if self.fits else "too low" if self.errors < 0 else "too high"


def compare(points: Sequence[Point]) -> list[Comparison]:
    """Every printed value against every source that was played at its threshold with samples enough."""
    found = []
    for row in TABLE_1:
        for point in points:
            if point.threshold != row.threshold:
                continue
            for reading, spread in point.spreads.items():
                place = point.source, row.threshold
                found.append(Comparison(*place, "mean", reading, row.mean, spread.mean, spread.mean_error))
                found.append(
                    Comparison(
                        *place,
                        "standard deviation",
                        reading,
                        row.deviation,
                        spread.deviation,
                        spread.deviation_error,
                    )
                )
    return found


def fitting_sources(comparisons: Sequence[Comparison], reading: str) -> list[str]:
    """The sources that all printed values fit."""
    read = [each for each in comparisons if each.reading == reading]
    sources = dict.fromkeys(each.source for each in read)
    return [source for source in sources if all(each.fits for each in read if each.source == source)]
