"""Elo for games of chance: ratings that follow the scores of whole series, in the scores' own unit.

Every player of a table is expected to get a share of what the table scored, in proportion to the ratings:
E_i = R_i · S / R, with the sums S of the scores and R of the ratings, and R_i ← R_i + K (S_i − E_i). Where scores may
be negative or sum to zero, E_i = mean S + (R_i − mean R) does the same by differences. Both leave the sum of the
ratings as it was, unless newcomers move by a K of their own. Ratings are never rounded along the way.
"""

from dataclasses import dataclass
from typing import Literal

import numpy as np
from numpy.typing import ArrayLike

from cardtable.ratings.elo_loop import DIFFERENCE, DONE, RATIO, replay
from cardtable.ratings.results import Floats, Ints, RatingError, Results

Form = Literal["ratio", "difference"]
FORMS = {"ratio": RATIO, "difference": DIFFERENCE}
START = 800.0
K = 0.02
NEWCOMERS: Literal["newcomers"] = "newcomers"  # K by the number m of series played: 4 / (m + 8) within .02 and .35


@dataclass(frozen=True)
class History:
    """The ratings after every series."""

    players: tuple[str, ...]
    seated: Ints  # [T, n]
    expected: Floats  # [T, n] NaN at empty seats
    after: Floats  # [T, n] the ratings after the series
    start: Floats  # [P]
    ratings: Floats  # [P] at the end
    played: Ints  # [P] series

    def path(self, player: str) -> tuple[Ints, Floats]:
        """The series that a player took part in, and the ratings after them."""
        series, seats = np.nonzero(self.seated == self.players.index(player))
        return series, self.after[series, seats]

    def ladder(self) -> list[tuple[str, float]]:
        """The players who played, best first."""
        order = np.argsort(-self.ratings, kind="stable")
        return [(self.players[each], float(self.ratings[each])) for each in order if self.played[each]]


def rate(
    series: Results,
    start: ArrayLike = START,
    k: float | Literal["newcomers"] = K,
    form: Form = "ratio",
) -> History:
    """Rate series, one a row in the order of play, from one start value for all or one for each player.

    Raises RatingError for scores where less is better (`align` them first), and for scores that a form cannot rate.

    >>> history = rate(Results.of("abc", [[0, 1, 2]], [[1200, 800, 800]], lower_is_better=False), [1500, 750, 750])
    >>> history.expected.tolist(), history.ratings.tolist()
    ([[1400.0, 700.0, 700.0]], [1496.0, 752.0, 752.0])
    """
    if series.lower_is_better:
        raise RatingError("higher scores must be better; call `align` first")
    if form not in FORMS:
        raise RatingError(f"the forms are {' and '.join(FORMS)}, not {form!r}")
    if k != NEWCOMERS and not 0 <= float(k) <= 1:
        raise RatingError(f"K must be from 0 to 1, not {k}")
    begin = np.asarray(start, np.float64)
    if begin.shape not in {(), (len(series.players),)}:
        raise RatingError(f"there are {len(series.players)} players and start values of shape {begin.shape}")
    if not np.isfinite(begin).all():
        raise RatingError("a start value is not a finite number")
    ratings = np.array(np.broadcast_to(begin, len(series.players)))
    first, played = ratings.copy(), np.zeros(len(ratings), np.int64)
    expected, after = np.full(series.scores.shape, np.nan), np.full(series.scores.shape, np.nan)
    step = -1.0 if k == NEWCOMERS else float(k)
    stuck = replay(series.seated, series.scores, FORMS[form], step, ratings, played, expected, after)
    if stuck != DONE:
        raise RatingError(
            f"series {stuck}: the ratio form needs scores and ratings of positive sum; take the difference form"
        )
    return History(series.players, series.seated, expected, after, first, ratings, played)


def start_values(series: Results, first: int, otherwise: float = START) -> Floats:
    """Every player's mean score in their first series, [P]; `otherwise` for players who played none."""
    if first < 1:
        raise RatingError(f"the start values need at least one series, not {first}")
    values = np.full(len(series.players), otherwise)
    for player in range(len(values)):
        scores = series.scores[series.seated == player][:first]
        if len(scores):
            values[player] = scores.mean()
    return values
