"""`python -m papers`: the options and the page that every paper has."""

import json
from dataclasses import dataclass
from pathlib import Path

import jinja2
import pytest

from cardtable.arena.statistics import Estimate
from papers.__main__ import PAPERS, Entry, main
from papers.paper import Paper, Report
from tests.skyjo.cli import Skyjo, complaint, runner


@dataclass(frozen=True)
class Dice:
    seed: int
    margin: Estimate | None
    games: int | None


@dataclass(frozen=True)
class DicePaper(Paper):
    """A paper on dice."""

    name = "dice"
    parts = ("margin", "games")

    def result(self, report: Report) -> Dice:
        report(1)
        margin = Estimate(1.5, 0.25) if "margin" in self.chosen else None
        return Dice(self.seed, margin, 12_345 if "games" in self.chosen else None)


TEMPLATE = """`{{ command }}`
{% if margin %}
{{ margin | estimated(1, "+") }}, {{ 0.5 | signed(2) }}, {{ 0.126 | percent(1) }}
{% endif %}
{% if games %}
{{ games | thousands }} {{ 2 | fixed(1) }}


{% endif %}
"""


@pytest.fixture
def papers(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Skyjo:
    monkeypatch.setenv("COLUMNS", "80")
    monkeypatch.setitem(PAPERS, "dice", Entry(f"{__name__}:DicePaper", "on dice"))
    monkeypatch.setattr(jinja2, "PackageLoader", lambda *_: jinja2.DictLoader({"dice.md.jinja": TEMPLATE}))
    return runner(main, monkeypatch, capsys)


def test_a_page_has_the_command_that_repeats_it(papers: Skyjo) -> None:
    assert papers("dice").out == "`python -m papers dice --seed 1`\n+1.5 ± 0.2, +0.50, 12.6 %\n12,345 2.0\n"
    done = papers("dice", "--only", "games", "--seed", "7", "--quick")
    assert done.out == "`python -m papers dice --quick --seed 7 --only games`\n12,345 2.0\n"


def test_json_is_the_result_and_out_is_the_page(papers: Skyjo, tmp_path: Path) -> None:
    done = papers("dice", "--json", "--out", str(tmp_path))
    assert json.loads(done.out) == {"seed": 1, "margin": {"mean": 1.5, "half": 0.25}, "games": 12_345}
    assert (tmp_path / "dice.md").read_text() == papers("dice").out
    assert papers("dice", "--out", str(tmp_path / "page.md")).out == f"Written: {tmp_path / 'page.md'}\n"


def test_bad_options_are_named_before_anything_is_played(papers: Skyjo, tmp_path: Path) -> None:
    known = "'game' is not a part; did you mean games? (parts: margin, games)"
    assert known in complaint(papers("dice", "--only", "game"))
    assert "--seed=-1" in complaint(papers("dice", "--seed", "-1"))
    assert "there is no such folder" in complaint(papers("dice", "--out", str(tmp_path / "none" / "page.md")))


def test_every_paper_explains_itself_and_all_are_listed(papers: Skyjo) -> None:
    for name in PAPERS:
        done = papers(name, "--help")
        assert (done.status, done.err) == (0, "")
        assert done.out.startswith(f"usage: python -m papers {name}")
    assert papers().out == papers("--help").out
    assert [line.split()[0] for line in papers().out.splitlines() if line.startswith("  ")] == [*PAPERS]
    assert complaint(papers("dise")).startswith("python -m papers: 'dise' is not a paper; did you mean dice?")
