"""Elo for games of chance: the paper's examples, what each form keeps, newcomers, series, and schemes."""

from collections.abc import Callable
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from cardtable.arena.ratings.bradley_terry import fit
from cardtable.arena.ratings.elo import NEWCOMERS, Form, Scheme, rate, subtract_luck
from cardtable.arena.ratings.results import NOBODY, RatingError, Results, in_series
from tests.helpers import SEEDED

THREE = ("a", "b", "c")


def series_of(scores: object, players: tuple[str, ...] = THREE) -> Results:
    """Series that all players play in, more being better."""
    rows = np.atleast_2d(np.asarray(scores, float))
    return Results.of(players, np.tile(np.arange(len(players)), (len(rows), 1)), rows, lower_is_better=False)


def test_a_strong_player_loses_points_by_a_win_that_is_too_narrow() -> None:
    history = rate(series_of([1200, 800, 800]), start=np.array([1500.0, 750, 750]), k=0.02)
    np.testing.assert_allclose(history.expected, [[1400, 700, 700]])
    np.testing.assert_allclose(history.ratings, [1496, 752, 752])


numbers = st.lists(st.floats(1, 3000), min_size=3, max_size=3)


@SEEDED
@given(numbers, st.lists(numbers, min_size=1, max_size=5), st.sampled_from(["ratio", "difference"]))
def test_both_forms_keep_the_sum_of_the_ratings(start: list[float], scores: list[list[float]], form: Form) -> None:
    history = rate(series_of(scores), np.array(start), 0.1, form)
    np.testing.assert_allclose(history.ratings.sum(), sum(start))
    np.testing.assert_allclose(history.expected.sum(axis=1), np.sum(scores, axis=1))


def test_the_difference_form_rates_zero_sum_scores_and_no_shift_of_a_table_matters() -> None:
    told = rate(series_of([30, -10, -20]), np.array([10.0, 0, -10]), 0.5, "difference")
    np.testing.assert_allclose(told.expected, [[10, 0, -10]])
    np.testing.assert_allclose(told.ratings, [20, -5, -15])
    shifted = rate(series_of([1030, 990, 980]), np.array([10.0, 0, -10]), 0.5, "difference")
    np.testing.assert_allclose(shifted.ratings, told.ratings)


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: rate(series_of([[5, 5, 5], [-10, 2, 3]])), r"series 1: the ratio form .* use the difference form"),
        (lambda: rate(series_of([1, 2, 3]), start=0), "series 0"),
        (lambda: rate(series_of([1, 2, 3]), k=32), "K must be from 0 to 1"),
        (lambda: rate(Results.of(("a", "b"), [[0, 1]], [[1, 2]])), "higher scores must be better"),
        (lambda: subtract_luck(series_of([1, 2, 3]), np.array([[1, np.nan, 1]])), "not a finite number"),
    ],
)
def test_what_cannot_be_rated_is_refused(call: Callable[[], object], message: str) -> None:
    with pytest.raises(RatingError, match=message):
        call()


def test_everybody_has_the_k_of_his_own_number_of_series() -> None:
    series = Results.of(
        THREE, [[0, 1, NOBODY]] * 4 + [[0, 1, 2]], [[900, 700, 0]] * 4 + [[900, 700, 950]], lower_is_better=False
    )
    history = rate(series, 800, NEWCOMERS)
    before = np.append(history.after[3, :2], 800)
    np.testing.assert_allclose(
        history.after[4], before + np.array([4 / 12, 4 / 12, 0.35]) * (series.scores[4] - history.expected[4])
    )
    assert history.played.tolist() == [5, 5, 1]


def test_a_series_sums_the_games_of_a_table_wherever_its_players_sit() -> None:
    seated = [[0, 1], [2, 1], [1, 2], [1, 0], [0, 1]]
    games = Results.of(THREE, seated, [[1, 2], [30, 40], [60, 70], [5, 7], [9, 9]])
    series = in_series(games, 2)
    assert series.seated.tolist() == [[1, 2], [0, 1]]  # in the order in which they ended
    assert series.scores.tolist() == [[100, 100], [8, 7]]
    assert series.deals.tolist() == [2, 3]  # the fifth game begins a series that is not finished


def test_games_that_fill_no_series_are_not_rated() -> None:
    series = in_series(Results.of(("a", "b"), [[0, 1]], [[1, 2]]), 2)
    assert series.scores.shape == (0, 2)
    with pytest.raises(RatingError, match="no games to rate"):
        fit(series, "a")


GAMES = Results.of("ab", [[0, 1], [1, 0]] * 3, [[12, 30], [25, 8], [101, 5], [3, 4], [0, 130], [9, 9]])


def test_games_are_summed_turned_and_rated_by_the_scheme() -> None:
    history = Scheme(length=2, k=0.1, form="difference", start=700, ceiling=60).rate(GAMES)
    series = replace(in_series(GAMES, 2), lower_is_better=False)
    series = replace(series, scores=10 * (60 - series.scores / 2))
    expected = rate(series, 700, 0.1, "difference")
    np.testing.assert_array_equal(history.after, expected.after)
    np.testing.assert_array_equal(history.scores, [series.scores[series.seated == player].mean() for player in (0, 1)])


def test_points_of_which_more_is_better_are_rated_as_they_are() -> None:
    more = Results.of("ab", GAMES.seated, GAMES.scores, lower_is_better=False)
    np.testing.assert_array_equal(Scheme(length=3).series_of(more).scores, in_series(more, 3).scores)
    assert Scheme(length=3).rate(more).raised == 0


def test_scores_that_the_ratio_form_raises_are_counted() -> None:
    assert Scheme().rate(GAMES).raised == 2  # 101 and 130 points
    assert Scheme(length=2, ceiling=20).rate(GAMES).raised == 3  # the means 27.5, 52.5 and 69.5
    assert Scheme(form="difference").rate(GAMES).raised == 0


def test_a_scheme_needs_a_whole_series() -> None:
    with pytest.raises(RatingError, match="no players met for 7 games, the length of a series: use shorter series"):
        Scheme(length=7).rate(GAMES)
