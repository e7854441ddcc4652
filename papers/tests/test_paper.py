"""Options, pages and statistics that every paper has, and Elo for games of chance."""

import json
import math
from dataclasses import dataclass, replace
from pathlib import Path

import jinja2
import numpy as np
import pytest
from scipy import stats

from cardtable.arena.statistics import Estimate
from papers.__main__ import PAPERS, Entry, main
from papers.elo import EloPaper
from papers.elo_results import World, convergence, reproduced, weights_row
from papers.paper import Paper, Report
from papers.paper_statistics import bound_of, deals_needed, games_per_arm, mann_whitney, standard_error
from skyjo_env.kernel.chance import WEIGHTS
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
