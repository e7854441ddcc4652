"""From games to Elo for games of chance: corrected for chance, summed to series, aligned so that more is better."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Literal

import numpy as np

from cardtable.ratings.elo import START, Form, History, K, rate, start_values
from cardtable.ratings.results import Floats, RatingError, Results, align, in_series

KS = (0.01, 0.02, 0.04, 0.08)  # of the distribution table
LEAST = 1.0  # the score of a series that the ratio form raises lower ones to

Correction = Callable[[Results], Results]


@dataclass(frozen=True)
class Scheme:
    """How games become ratings."""

    length: int = 1  # games in a series
    k: float | Literal["newcomers"] = K
    form: Form = "ratio"
    start: float = START
    settling: int | None = None  # if given, everybody starts at the mean of this many first series, not at `start`
    ceiling: float = 100.0  # where less is better: the points a game that read as a rating of 0

    def series_of(self, games: Results) -> Results:
        """The games in series, more being better; RatingError if no table played enough for one."""
        series = in_series(games, self.length)
        if not len(series.seated):
            raise RatingError(f"no players met for {self.length} games, the length of a series: use shorter series")
        if not games.lower_is_better:
            return series
        return align(series, self.length, self.ceiling, floor=LEAST if self.form == "ratio" else None)

    def starts(self, series: Results) -> float | Floats:
        """Where the players start: all at `start`, or each at the mean of the first series."""
        return self.start if self.settling is None else start_values(series, self.settling, self.start)

    def rate(self, games: Results) -> History:
        """The ratings, series by series."""
        series = self.series_of(games)
        return rate(series, self.starts(series), self.k, self.form)

    def raised(self, games: Results) -> int:
        """How many scores of series lay below the floor and were raised to it: the ratings cannot tell these apart."""
        if not games.lower_is_better or self.form != "ratio":
            return 0
        series = align(in_series(games, self.length), self.length, self.ceiling, floor=None)
        return int(np.sum(series.scores[series.is_taken] < LEAST))


def mean_scores(series: Results) -> Floats:
    """Every player's mean score of a series, [P]; NaN for those who played none."""
    totals, played = np.zeros(len(series.players)), np.zeros(len(series.players))
    np.add.at(totals, series.seated[series.is_taken], series.scores[series.is_taken])
    np.add.at(played, series.seated[series.is_taken], 1)
    means: Floats = np.divide(totals, played, out=np.full(len(totals), np.nan), where=played > 0)
    return means


def corrected(games: Results, corrections: Mapping[str, Correction]) -> dict[str, Results]:
    """The games as they are, and after every combination of corrections, all of them last."""
    variants = {"raw": games}
    for name, correct in corrections.items():
        variants |= {name if key == "raw" else f"{key} + {name}": correct(each) for key, each in variants.items()}
    return variants
