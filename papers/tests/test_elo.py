"""Elo for games of chance: the paper's numbers, the gain of corrected scores, and the weights of luck."""

from dataclasses import replace

import numpy as np
import pytest

from papers.elo import EloPaper
from papers.elo_results import World, convergence, reproduced, weights_row
from skyjo_env.kernel.chance import WEIGHTS

WORLD = World(replicates=100)


def test_all_sixty_values_of_table_ii_come_out_to_two_decimals() -> None:
    assert reproduced() == 60


def test_ratings_without_luck_are_nearer_to_the_strengths_after_the_same_series() -> None:
    done: list[float] = []
    rows = convergence(WORLD, (10, 40), 0, done.append)
    assert sum(done) == pytest.approx(1)
    assert [row.scores for row in rows[:3]] == ["raw", "luck subtracted", "luck divided out"]
    for raw, subtracted in ((rows[0], rows[1]), (rows[3], rows[4])):
        assert raw.rmse - subtracted.rmse > 3 * (raw.rmse_error**2 + subtracted.rmse_error**2) ** 0.5
        assert subtracted.spearman > raw.spearman + 0.02
    assert rows[4].rmse < rows[1].rmse


def test_what_is_gained_depends_on_how_much_luck_is_seen() -> None:
    raw, subtracted, _ = convergence(replace(WORLD, seen=0.0), (20,), 0, float)
    assert raw.rmse == subtracted.rmse
    _, subtracted, _ = convergence(replace(WORLD, seen=1.0), (80,), 0, float)
    assert subtracted.rmse < 0.1  # only the lag remains


@pytest.mark.parametrize("players", [2, 5])
def test_the_shipped_weights_are_those_that_fit(players: int) -> None:
    row = weights_row(players, 4000, float)
    assert np.abs(np.array(row.weights) - WEIGHTS).max() < 0.08
    assert 0.55 < row.variance_left < 0.7


def test_the_page_has_the_parts_that_were_asked_for() -> None:
    paper = EloPaper(only="printed")
    page = paper.page(paper.result(float))
    assert "All 60 values" in page
    assert "= 1245, not 1295" in page
    assert "Does correcting" not in page
