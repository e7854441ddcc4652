"""The page of baselines is that of its figures, and the program that makes them goes on where it stopped."""

import json
import sys
from pathlib import Path
from typing import Any

import pytest

from tests.documents import ROOT

DOCS = ROOT / "docs"


@pytest.fixture(autouse=True)
def benchmarks(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.syspath_prepend(str(ROOT / "benchmarks"))


def test_the_page_is_that_of_its_figures() -> None:
    """After a change: python benchmarks/baselines.py page."""
    from baselines_page import page_of, read_figures

    assert (DOCS / "baselines.md").read_text() == page_of(*read_figures(DOCS / "baselines.json"))


def test_the_figures_are_of_every_method_with_the_same_seeds_and_budget() -> None:
    from baseline_methods import METHODS, POINTS, SCRIPTED

    runs = json.loads((DOCS / "baselines.json").read_text())["runs"]
    seeds = {name: [run["seed"] for run in runs if run["method"] == name] for name in METHODS}
    assert len({tuple(each) for each in seeds.values()}) == 1
    assert len({(run["wanted"], run["deals"]) for run in runs}) == 1
    for run in runs:
        assert list(run["margins"]) == list(SCRIPTED)
        if run["method"] != "random":
            assert len(run["curve"]) == POINTS + 1
            assert run["decisions"] >= run["wanted"]


def call(monkeypatch: pytest.MonkeyPatch, *options: str) -> None:
    import baselines

    monkeypatch.setattr(sys, "argv", ["baselines.py", *options])
    baselines.main()


@pytest.mark.slow
def test_training_goes_on_where_it_stopped(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: Any) -> None:
    import baseline_methods

    monkeypatch.setattr(baseline_methods, "CURVE_DEALS", 2)
    short = ("--methods", "random", "a2c", "--decisions", "100", "--deals", "2", "--runs", str(tmp_path))
    call(monkeypatch, "train", "--seeds", "1", *short)
    made = {file.name: file.read_bytes() for file in tmp_path.iterdir()}
    assert set(made) == {"random-1.json", "a2c-1.json"}
    run = json.loads(made["a2c-1.json"])
    assert run["decisions"] == 640  # one rollout of 5 steps at 128 tables
    assert 0 < run["curve"][-1]["illegal"] < 1
    capsys.readouterr()
    call(monkeypatch, "train", "--seeds", "2", *short, "--json")
    printed = json.loads(capsys.readouterr().out)
    assert [(run["method"], run["seed"]) for run in printed] == [("random", 1), ("random", 2), ("a2c", 1), ("a2c", 2)]
    assert all((tmp_path / name).read_bytes() == before for name, before in made.items())
    assert (tmp_path / "a2c-2.json").exists()
    with pytest.raises(SystemExit, match="2"):
        call(monkeypatch, "train", "--seeds", "1", *short, "--decisions", "200")
    assert "another run" in capsys.readouterr().err.splitlines()[-1]
    with pytest.raises(SystemExit, match="2"):
        call(monkeypatch, "page", "--runs", str(tmp_path), "--docs", str(tmp_path))
    assert "two seeds of every method" in capsys.readouterr().err.splitlines()[-1]
