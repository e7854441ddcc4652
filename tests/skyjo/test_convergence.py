"""The convergence experiment: it finds the gain of corrected scores where there is one, and only there."""

import json
import sys
from dataclasses import asdict, replace

import pytest

from cardtable.ratings.results import RatingError
from skyjo.studies.convergence import World, as_text, convergence, main

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
        convergence(replace(WORLD, table=5))


def test_what_is_reported_adds_up_to_all_the_work() -> None:
    done: list[float] = []
    convergence(replace(WORLD, replicates=2), after=(2,), report=done.append)
    assert sum(done) == pytest.approx(1)
    assert len(done) == 48


def test_the_command_prints_the_table_or_json(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def run(*options: str) -> str:
        monkeypatch.setattr(sys, "argv", ["convergence", "--replicates", "20", "--seed", "3", *options])
        main()
        return capsys.readouterr().out

    rows = convergence(replace(WORLD, replicates=20), seed=3)
    assert run() == f"{as_text(rows)}\n"
    assert json.loads(run("--json")) == [asdict(row) for row in rows]
    for wrong in (("--seed", "-1"), ("--replicates", "1")):
        with pytest.raises(SystemExit) as done:
            run(*wrong)
        assert done.value.code == 2
        assert wrong[0].strip("-") in capsys.readouterr().err.splitlines()[-1]
