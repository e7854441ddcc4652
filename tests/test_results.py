"""The page of results and the README's table are those of the kept figures, and a measurement replaces a figure."""

import json
import sys
from pathlib import Path
from typing import Any

import pytest

from tests.documents import ROOT

sys.path.append(str(ROOT / "benchmarks"))  # programs that import their neighbours
import results
from results import MEASUREMENTS, Result

from cardtable.arena.statistics import Estimate

KEPT: dict[str, Result] = json.loads(results.KEPT.read_text())
NAMES = [each.name for each in MEASUREMENTS]


def test_the_pages_are_those_of_the_kept_results() -> None:
    """After a change: python benchmarks/results.py --write."""
    assert results.PAGE.read_text() == results.page(KEPT)
    assert results.README.read_text() == results.readme(results.README.read_text(), KEPT)


def test_every_figure_is_kept_with_the_command_that_repeats_it() -> None:
    assert [*KEPT] == NAMES == [*dict.fromkeys(NAMES)]
    assert {each.name: each.command for each in MEASUREMENTS} == {name: kept["command"] for name, kept in KEPT.items()}


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An empty folder for what is written, with the README's marks."""
    for name, text in (("KEPT", json.dumps(KEPT)), ("PAGE", ""), ("README", results.README.read_text())):
        file = tmp_path / getattr(results, name).name
        file.write_text(text)
        monkeypatch.setattr(results, name, file)
    return tmp_path


@pytest.mark.parametrize(
    ("name", "found", "shown"),
    [
        ("policy-paper", {"standings": [{"margin": {"mean": -1.254, "half": 0.5}}]}, "−1.25 ± 0.50 points a round"),
        ("planner-paper", {"standings": [{"wins": {"mean": 0.98765, "half": 0.01}}]}, "98.8 ± 1.0 % of rounds won"),
        ("kernel", [{"name": "Skyjo, compiled, with mask", "measured": 12.34, "unit": "M/s"}], "12.3 M/s"),
    ],
)
def test_what_a_command_prints_is_kept_and_shown_on_both_pages(
    folder: Path, monkeypatch: pytest.MonkeyPatch, name: str, found: Any, shown: str
) -> None:
    monkeypatch.setattr(results, "printed", lambda command: found if command == KEPT[name]["command"] else None)
    monkeypatch.setattr(sys, "argv", ["results.py", name])
    results.main()
    kept = json.loads((folder / "results.json").read_text())
    assert {**kept, name: KEPT[name]} == KEPT
    assert all(shown in (folder / page).read_text() for page in ("results.md", "README.md"))


def test_a_name_that_nothing_has_is_refused(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(sys, "argv", ["results.py", "nobody"])
    with pytest.raises(SystemExit, match="2"):
        results.main()
    assert "nothing is called nobody; --list shows all" in capsys.readouterr().err


def test_a_curve_is_the_mean_over_the_seeds_of_a_run(tmp_path: Path) -> None:
    pytest.importorskip("sb3_contrib")
    from learning_curves import curve

    from skyjo_training.measurements import Measured, write_measurements

    for seed, ahead in enumerate((1.0, 3.0)):
        folder = tmp_path / "demo" / f"seed-{seed}"
        folder.mkdir(parents=True)
        (folder / "config.json").touch()
        points = [
            Measured(100_000, 4.0, {"tempo": Estimate(-9.0, 1.0)}),
            Measured(200_000, 8.0, {"tempo": Estimate(ahead, 1.0)}),
        ]
        write_measurements(folder, points)
    drawn = curve(tmp_path / "demo", "tempo")
    assert drawn is not None
    assert (drawn.label, [*drawn.x], [*drawn.y]) == ("demo", [0.1, 0.2], [-9.0, 2.0])
    assert drawn.low[1] < 1 < 3 < drawn.high[1]
    assert curve(tmp_path / "demo", "policy") is None
