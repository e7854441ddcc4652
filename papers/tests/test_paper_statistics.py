"""The statistics of the papers: worked by hand, and by simulation as often right as they say."""

import math

import numpy as np
import pytest
from scipy import stats

from cardtable.statistics import t_test
from papers.paper_statistics import bound_of, deals_needed, games_per_arm, mann_whitney, standard_error


def test_a_bound_holds_in_nineteen_tables_of_twenty() -> None:
    assert bound_of(1) == pytest.approx(1.959964)
    inside = abs(np.random.default_rng(1).normal(size=(20_000, 28))).max(axis=1) <= bound_of(28)
    assert inside.mean() == pytest.approx(0.95, abs=0.006)
    assert standard_error(3, 4) == pytest.approx(5 / 1.959964)


def test_ranks_by_hand() -> None:
    """Of the six pairs of 1, 2, 3 against 2, 4 one is won and one is tied."""
    found = mann_whitney([1, 2, 3], [2, 4])
    assert found.effect == pytest.approx(1.5 / 6)
    shares, others = [0, 0.25, 0.5], [0.5, 0]  # of the others exceeded by each; of the first exceeding each
    error = math.sqrt(np.var(shares, ddof=1) / 3 + np.var(others, ddof=1) / 2)
    assert (found.interval.low, found.interval.high) == pytest.approx((0, 0.25 + 1.959964 * error))
    assert mann_whitney([5, 5, 5], [5, 5]).p_value == 1


def test_the_interval_of_an_effect_covers_as_often_as_it_says() -> None:
    """With counts as skewed and as full of ties as turns are."""
    rng, k = np.random.default_rng(7), np.arange(1, 600)
    effect = float(stats.geom.pmf(k, 0.15) @ (stats.geom.cdf(k - 1, 0.1) + stats.geom.pmf(k, 0.1) / 2))
    found = [mann_whitney(rng.geometric(0.15, 60), rng.geometric(0.1, 80)).interval for _ in range(300)]
    assert np.mean([each.low <= effect <= each.high for each in found]) == pytest.approx(0.945, abs=0.045)


def test_strittmatters_sample_size_is_1562_and_not_6500() -> None:
    assert games_per_arm(0.55, 0.5) == games_per_arm(0.5, 0.55) == 1562
    assert games_per_arm(0.55, 0.5, power=0.999) < 6500


def test_deals_are_as_many_as_the_power_needs() -> None:
    """(1.96 + 0.84)² · 25² = 4,906."""
    assert deals_needed(1, 25) == deals_needed(-1, 25) == 4906
    assert deals_needed(100, 1) == 2
    rng = np.random.default_rng(9)
    found = np.mean([t_test(rng.normal(4, 12, deals_needed(4, 12))) <= 0.05 for _ in range(1000)])
    assert found == pytest.approx(0.79, abs=0.045)  # a t test has a little less than a normal one
