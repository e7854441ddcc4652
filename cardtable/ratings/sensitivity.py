"""How widely the ratings spread, for every K and every correction for chance (the paper's distribution table)."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from cardtable.ratings.elo import Form, rate
from cardtable.ratings.results import Floats, RatingError, Results

SHARES = (10, 25, 75, 90)  # percent of the players rated above a value


@dataclass(frozen=True)
class Spread:
    """The distribution of the final ratings of those who played."""

    scores: str  # how the scores were corrected
    k: float
    greatest: float
    mean: float
    least: float
    above: tuple[float, ...]  # the rating that a share of the players exceeds, for each of SHARES


def spreads(
    variants: Mapping[str, Results], ks: Sequence[float], start: float | Floats, form: Form = "ratio"
) -> list[Spread]:
    """A row for every variant of the series and every K."""
    return [_spread(name, series, k, start, form) for name, series in variants.items() for k in ks]


def _spread(name: str, series: Results, k: float, start: float | Floats, form: Form) -> Spread:
    if not len(series.seated):
        raise RatingError(f"there are no series to rate in {name!r}")
    history = rate(series, start, k, form)
    ratings = history.ratings[history.played > 0]
    above = tuple(np.percentile(ratings, [100 - share for share in SHARES]).tolist())
    return Spread(name, k, float(ratings.max()), float(ratings.mean()), float(ratings.min()), above)


def as_text(rows: Sequence[Spread]) -> str:
    """The table as lines of text."""
    wide = max(len("scores"), *(len(row.scores) for row in rows))
    shares = "".join(f"{f'{share} %':>10}" for share in SHARES)
    lines = [f"{'scores':{wide}}{'K':>6}{'max':>10}{'mean':>10}{'min':>10}{shares}"]
    for row in rows:
        numbers = "".join(f"{each:10.2f}" for each in (row.greatest, row.mean, row.least, *row.above))
        lines.append(f"{row.scores:{wide}}{row.k:6.2f}{numbers}")
    return "\n".join(lines)
