"""Rating charts: every named player is a line that ends at the rating; the two views differ in time only."""

from xml.etree import ElementTree

import numpy as np
import pytest

from cardtable.ratings.elo import History, rate
from cardtable.ratings.rating_charts import charts, figure_of
from cardtable.ratings.results import Results
from tests.processes import printed


@pytest.fixture
def history() -> History:
    """Player c plays the third and the last of five series."""
    seated, scores = [[0, 1], [1, 0], [2, 0], [0, 1], [2, 1]], [[9, 5], [6, 6], [3, 9], [8, 4], [2, 7]]
    return rate(Results.of(("a <1>", "b", "c"), seated, scores, lower_is_better=False), 6, 0.3)


def test_contracted_time_counts_a_players_own_series(history: History) -> None:
    lines = {line.get_label(): line for line in figure_of(history, is_expanded=False).axes[0].get_lines()}
    assert np.asarray(lines["c"].get_xdata()).tolist() == [0, 1, 2]
    assert np.asarray(lines["c"].get_ydata()).tolist() == [6, *history.path("c")[1]]


def test_expanded_time_counts_all_series_and_waits_where_a_player_does_not_play(history: History) -> None:
    lines = {line.get_label(): line for line in figure_of(history, is_expanded=True).axes[0].get_lines()}
    times, ratings = np.asarray(lines["c"].get_xdata()), np.asarray(lines["c"].get_ydata())
    assert times.tolist() == [2, 3, 5, 5]
    first, last = history.path("c")[1]
    assert ratings.tolist() == [6, first, last, last]


def test_the_pictures_are_svg_with_the_names_in_it_and_always_the_same(history: History) -> None:
    drawn = charts(history)
    assert drawn == charts(history)
    for text in drawn:
        words = " ".join(ElementTree.fromstring(text).itertext())
        assert all(f"{name}  {rating:.0f}" in words for name, rating in history.ladder())


def test_the_first_eight_of_the_ladder_are_drawn() -> None:
    start = np.arange(10.0)
    told = rate(Results.of("abcdefghij", [range(10)], [start], lower_is_better=False), start, 0.1)
    drawn = [line.get_label() for line in figure_of(told, is_expanded=False).axes[0].get_lines()]
    assert drawn == list("jihgfedc")


def test_names_at_the_right_never_overlap() -> None:
    start = np.array([0.0, 100, 100, 100, 100, 100, 100, 100])
    crowded = rate(Results.of("abcdefgh", [range(8)], [start], lower_is_better=False), start, 0.1)
    heights = sorted(text.xy[1] for text in figure_of(crowded, is_expanded=False).axes[0].texts)  # type: ignore[attr-defined]
    assert min(np.diff(heights)) > 0.04
    assert heights[-1] <= 1


def test_no_pyplot_is_loaded() -> None:
    printed("-c", "import sys, cardtable.ratings.rating_charts; sys.exit('matplotlib.pyplot' in sys.modules)")


def test_time_begins_at_0_and_ends_with_the_last_series(history: History) -> None:
    for is_expanded in (False, True):
        assert figure_of(history, is_expanded=is_expanded).axes[0].get_xlim() == (0, 5 if is_expanded else 4)


def test_long_names_keep_both_their_ends() -> None:
    names = ("rollout:base=(threshold:t=2,columns=true),n=100", "short")
    told = rate(Results.of(names, [[0, 1]], [[9, 5]], lower_is_better=False), 6, 0.3)
    texts = [text.get_text() for text in figure_of(told, is_expanded=False).axes[0].texts]
    assert texts == ["short  5", "rollout:base=(…s=true),n=100  7"]
