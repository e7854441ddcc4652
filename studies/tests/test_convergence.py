"""The convergence experiment: it finds the gain of corrected scores where there is one, and only there."""

import json
from dataclasses import asdict, replace

import pytest

from cardtable.ratings.results import RatingError
from studies.convergence import World, as_text, convergence
from tests.skyjo.cli import Skyjo, complaint
from tests.skyjo.cli import study as study

WORLD = World(replicates=100)


def test_ratings_without_luck_are_nearer_to_the_strengths_after_the_same_series() -> None:
    rows = convergence(WORLD, after=(10, 40))
    assert [(row.series, row.scores) for row in rows[:3]] == [
        (10, "raw"),
        (10, "luck subtracted"),
        (10, "luck divided out"),
    ]
    for raw, subtracted in ((rows[0], rows[1]), (rows[3], rows[4])):
        assert raw.rmse - subtracted.rmse > 3 * (raw.rmse_error**2 + subtracted.rmse_error**2) ** 0.5
        assert subtracted.spearman > raw.spearman + 0.02
        assert subtracted.k >= raw.k  # less noise may be followed faster
    assert rows[4].rmse < rows[1].rmse
    assert len(as_text(rows).splitlines()) == 7


def test_without_luck_to_see_nothing_is_gained() -> None:
    raw, subtracted, _ = convergence(replace(WORLD, seen=0.0), after=(20,))
    assert raw.rmse == subtracted.rmse


def test_where_all_chance_is_seen_only_the_lag_remains() -> None:
    subtracted = convergence(replace(WORLD, seen=1.0), after=(80,))[1]
    assert subtracted.k == 0.4
    assert subtracted.rmse < 0.1
    assert subtracted.spearman > 0.999


def test_players_must_fill_the_tables() -> None:
    with pytest.raises(RatingError, match="12 players cannot sit at tables of 5"):
        convergence(replace(WORLD, table_size=5))


def test_what_is_reported_adds_up_to_all_the_work() -> None:
    done: list[float] = []
    convergence(replace(WORLD, replicates=2), after=(2,), report=done.append)
    assert sum(done) == pytest.approx(1)
    assert len(done) == 48


def test_the_command_prints_the_table_or_json(study: Skyjo) -> None:
    rows = convergence(replace(WORLD, replicates=20), seed=3)
    options = "convergence", "--replicates", "20", "--seed", "3"
    assert study(*options).out == f"{as_text(rows)}\n"
    assert json.loads(study(*options, "--json").out) == [asdict(row) for row in rows]
    for wrong in (("--seed", "-1"), ("--replicates", "1")):
        assert f"{wrong[0].strip('-')}={wrong[1]} must be a whole number" in complaint(study(*options, *wrong))
