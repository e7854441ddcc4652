"""Elo for games of chance: ratings that follow the scores of whole series, in the scores' own unit.

Every player of a table is expected to get a share of the table's scores in proportion to the ratings: E_i = R_i · S /
R, with the sums S of the scores and R of the ratings. After the game, R_i ← R_i + K (S_i − E_i). Where scores may be
negative or sum to zero, E_i = mean S + (R_i − mean R) does the same by differences. Both leave the sum of the ratings
as it was, unless newcomers have a separate K. Ratings are never rounded along the way.

Scores are corrected for the luck of the cards by subtraction: luck of mean 0 leaves every player's mean score as it
was, whatever the strategy. Dividing by it, as the paper does, does not, and needs positive scores.
"""

from dataclasses import dataclass, replace
from typing import Literal

import numpy as np
from numpy.typing import ArrayLike

from cardtable.arena.ratings.results import Floats, Ints, RatingError, Results, in_series

Form = Literal["ratio", "difference"]
START = 800.0
K = 0.02
NEWCOMERS: Literal["newcomers"] = "newcomers"  # K by the number m of series played: 4 / (m + 8) within these bounds
MIN_K, MAX_K = 0.02, 0.35
SCALE = 10.0  # rating points for a point a game
MIN_SCORE = 1.0  # the score of a series that the ratio form raises lower ones to


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
    scores: Floats  # [P] mean of a series; NaN for players who played none
    raised: int = 0  # scores of series that were raised to the floor: the ratings cannot tell these apart


def rate(
    series: Results,
    start: ArrayLike = START,
    k: float | Literal["newcomers"] = K,
    form: Form = "ratio",
) -> History:
    """Rate series, one a row in the order of play, from one start value for all or one for each player.

    Raises RatingError for scores where the lowest is best, and for scores that a form cannot rate.

    >>> history = rate(Results.of("abc", [[0, 1, 2]], [[1200, 800, 800]], lower_is_better=False), [1500, 750, 750])
    >>> history.expected.tolist(), history.ratings.tolist()
    ([[1400.0, 700.0, 700.0]], [1496.0, 752.0, 752.0])
    """
    if series.lower_is_better:
        raise RatingError("higher scores must be better")
    if k != NEWCOMERS and not 0 <= float(k) <= 1:
        raise RatingError(f"K must be from 0 to 1, not {k}")
    if not np.isfinite(start).all():
        raise RatingError("a start value is not a finite number")
    ratings = np.array(np.broadcast_to(np.asarray(start, np.float64), len(series.players)))
    first, played = ratings.copy(), np.zeros(len(ratings), np.int64)
    expected, after = np.full(series.scores.shape, np.nan), np.full(series.scores.shape, np.nan)
    for number, is_taken in enumerate(series.is_taken):
        who, scored = series.seated[number, is_taken], series.scores[number, is_taken]
        held, size = ratings[who], len(who)
        if form == "difference":
            expects = scored.sum() / size + held - held.sum() / size
        elif scored.sum() < 0 or held.sum() <= 0:
            form_needs = "the ratio form needs scores and ratings of positive sum; use the difference form"
            raise RatingError(f"series {number}: {form_needs}")
        else:
            expects = held * scored.sum() / held.sum()
        ratings[who] += (np.clip(4 / (played[who] + 8), MIN_K, MAX_K) if k == NEWCOMERS else k) * (scored - expects)
        played[who] += 1
        expected[number, is_taken], after[number, is_taken] = expects, ratings[who]
    taken = series.is_taken
    totals = np.bincount(series.seated[taken], series.scores[taken], len(played))
    scores = np.divide(totals, played, out=np.full(len(played), np.nan), where=played > 0)
    return History(series.players, series.seated, expected, after, first, ratings, played, scores)


# From games to series, corrected for chance


@dataclass(frozen=True)
class Scheme:
    """The options by which games become ratings."""

    length: int = 1  # games in a series
    k: float | Literal["newcomers"] = K
    form: Form = "ratio"
    start: float = START
    ceiling: float = 100.0  # where less is better: the points a game that read as a rating of 0

    def series_of(self, games: Results) -> Results:
        """Return the games in series, more being better; RatingError if no table played enough for one."""
        series = in_series(games, self.length)
        if not len(series.seated):
            raise RatingError(f"no players met for {self.length} games, the length of a series: use shorter series")
        if not games.lower_is_better:
            return series
        scores = SCALE * (self.ceiling - series.scores / self.length)
        return replace(series, scores=scores, lower_is_better=False)

    def rate(self, games: Results) -> History:
        """Return the ratings, series by series."""
        series, raised = self.series_of(games), 0
        if games.lower_is_better and self.form == "ratio":
            raised = int((series.scores[series.is_taken] < MIN_SCORE).sum())
            series = replace(series, scores=np.maximum(series.scores, MIN_SCORE))
        return replace(rate(series, self.start, self.k, self.form), raised=raised)


def subtract_luck(results: Results, luck: Floats) -> Results:
    """Return the scores minus the points that chance added to each, [G, n], good or bad for the player, about their
    mean.
    """
    if not np.isfinite(luck[results.is_taken]).all():
        raise RatingError("a value that corrects a score is not a finite number")
    mean = luck[results.is_taken].mean()
    return replace(results, scores=results.scores - np.where(results.is_taken, luck - mean, 0.0))
