"""From games to Elo: which series and alignments are rated, and what is told about them."""

import numpy as np
import pytest

from cardtable.arena.ratings.elo import Scheme, rate
from cardtable.arena.ratings.results import RatingError, Results, align, in_series

GAMES = Results.of("ab", [[0, 1], [1, 0]] * 3, [[12, 30], [25, 8], [101, 5], [3, 4], [0, 130], [9, 9]])


def test_games_are_summed_turned_and_rated_by_the_scheme() -> None:
    history = Scheme(length=2, k=0.1, form="difference", start=700, ceiling=60).rate(GAMES)
    series = align(in_series(GAMES, 2), 2, 60, floor=None)
    expected = rate(series, 700, 0.1, "difference")
    np.testing.assert_array_equal(history.after, expected.after)
    np.testing.assert_array_equal(history.scores, [series.scores[series.seated == player].mean() for player in (0, 1)])


def test_points_of_which_more_is_better_are_rated_as_they_are() -> None:
    more = Results.of("ab", GAMES.seated, GAMES.scores, lower_is_better=False)
    np.testing.assert_array_equal(Scheme(length=3).series_of(more).scores, in_series(more, 3).scores)
    assert Scheme(length=3).raised(more) == 0


def test_scores_that_the_ratio_form_raises_are_counted() -> None:
    assert Scheme().raised(GAMES) == 2  # 101 and 130 points
    assert Scheme(length=2, ceiling=20).raised(GAMES) == 3  # the means 27.5, 52.5 and 69.5
    assert Scheme(form="difference").raised(GAMES) == 0


def test_a_scheme_needs_a_whole_series() -> None:
    with pytest.raises(RatingError, match="no players met for 7 games, the length of a series: use shorter series"):
        Scheme(length=7).rate(GAMES)
