"""From games to Elo: which corrections, series and alignments are rated, and what is told about them."""

import numpy as np
import pytest

from cardtable.ratings.elo import (
    Correction,
    Scheme,
    corrected,
    level_values,
    mean_scores,
    rate,
    start_values,
    subtract_luck,
)
from cardtable.ratings.results import NOBODY, RatingError, Results, align, in_series

GAMES = Results.of("ab", [[0, 1], [1, 0]] * 3, [[12, 30], [25, 8], [101, 5], [3, 4], [0, 130], [9, 9]])


def test_games_are_summed_turned_and_rated_by_the_scheme() -> None:
    scheme = Scheme(length=2, k=0.1, form="difference", start=700, ceiling=60)
    series = align(in_series(GAMES, 2), 2, 60, floor=None)
    expected = rate(series, 700, 0.1, "difference")
    np.testing.assert_array_equal(scheme.rate(GAMES).after, expected.after)
    np.testing.assert_array_equal(scheme.rate(GAMES).expected, expected.expected)


def test_points_of_which_more_is_better_are_rated_as_they_are() -> None:
    more = Results.of("ab", GAMES.seated, GAMES.scores, lower_is_better=False)
    np.testing.assert_array_equal(Scheme(length=3).series_of(more).scores, in_series(more, 3).scores)
    assert Scheme(length=3).raised(more) == 0


def test_players_may_start_where_their_first_series_put_them() -> None:
    scheme = Scheme(settling=2)
    history = scheme.rate(GAMES)
    np.testing.assert_array_equal(history.start, start_values(scheme.series_of(GAMES), 2))


def test_scores_that_the_ratio_form_raises_are_counted() -> None:
    assert Scheme().raised(GAMES) == 2  # 101 and 130 points
    assert Scheme(length=2).raised(GAMES) == 0
    assert Scheme(length=2, ceiling=20).raised(GAMES) == 3  # the means 27.5, 52.5 and 69.5
    assert Scheme(form="difference").raised(GAMES) == 0


def test_a_scheme_needs_a_whole_series() -> None:
    with pytest.raises(RatingError, match="no players met for 7 games, the length of a series: use shorter series"):
        Scheme(length=7).rate(GAMES)


def test_mean_scores_are_of_the_series_that_each_player_played() -> None:
    series = Results.of("abc", [[0, 1], [1, NOBODY], [1, 0]][::2], [[1, 2], [4, 5]], lower_is_better=False)
    np.testing.assert_array_equal(mean_scores(series), [3, 3, np.nan])


def test_every_combination_of_corrections_is_made_with_all_of_them_last() -> None:
    luck = np.ones(GAMES.scores.shape)
    luck[0, 0] = 4
    corrections: dict[str, Correction] = {
        "luck": lambda games: subtract_luck(games, luck, 0.0),
        "values": lambda games: Results.of("ab", games.seated, 2 * games.scores),
    }
    variants = corrected(GAMES, corrections)
    assert list(variants) == ["raw", "luck", "values", "luck + values"]
    assert [float(each.scores[0, 0]) for each in variants.values()] == [12, 8, 24, 16]


def test_leveled_games_have_the_mean_value() -> None:
    values = Results.of("ab", GAMES.seated[:2], [[1, 1], [3, 3]])
    games = Results.of("ab", GAMES.seated[:2], [[10, 20], [30, 60]])
    assert level_values(games, values).scores.tolist() == [[20, 40], [20, 40]]
    for wrong in ([[1, 1], [3, 2]], [[0, 0], [3, 3]]):
        with pytest.raises(RatingError, match="must be above 0 and the same for all its seats"):
            level_values(games, Results.of("ab", GAMES.seated[:2], wrong))
