"""The statistics of the papers, worked by hand and by simulation."""

import math

import numpy as np
import pytest
from scipy import stats

from papers.paper_statistics import bound_of, deals_needed, games_per_arm, mann_whitney, standard_error


def test_bounds_and_errors_by_hand() -> None:
    """Of six independent numbers all lie within 2.64 standard errors with a probability of 95 %."""
    assert bound_of(1) == pytest.approx(1.959964)
    assert stats.norm.sf(bound_of(6)) * 12 == pytest.approx(0.05)
    assert standard_error(3, 4) == pytest.approx(5 / 1.959964)


def test_ranks_by_hand() -> None:
    """Of the six pairs of 1, 2, 3 against 2, 4 one is won and one is tied."""
    found = mann_whitney([1, 2, 3], [2, 4])
    assert found.effect.value == pytest.approx(1.5 / 6)
    shares, others = [0, 0.25, 0.5], [0.5, 0]  # of the others exceeded by each; of the first exceeding each
    error = math.sqrt(np.var(shares, ddof=1) / 3 + np.var(others, ddof=1) / 2)
    assert (found.effect.low, found.effect.high) == pytest.approx((0, 0.25 + 1.959964 * error))
    assert mann_whitney([5, 5, 5], [5, 5]).p_value == 1


def test_sample_sizes_by_hand() -> None:
    """Not 6,500 games as the paper prints; (1.96 + 0.84)² · 25² = 4,906 deals."""
    assert games_per_arm(0.55, 0.5) == games_per_arm(0.5, 0.55) == 1562
    assert games_per_arm(0.55, 0.5, power=0.999) < 6500
    assert deals_needed(1, 25) == deals_needed(-1, 25) == 4906
    assert deals_needed(100, 1) == 2
