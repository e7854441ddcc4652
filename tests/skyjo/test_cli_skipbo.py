"""The command `skipbo`: the same verbs as `skyjo`, about the other game."""

import json
import re
from pathlib import Path

import pytest

from tests.skyjo.cli import Skyjo, complaint

SMALL = ("--rules", "stock=5", "--seed", "3")


@pytest.fixture
def games(skipbo: Skyjo, tmp_path: Path) -> str:
    """A folder with a stored tournament."""
    folder = str(tmp_path / "games")
    done = skipbo("tournament", "greedy", "hpvp", "random", "--deals", "6", *SMALL, "--store", folder)
    assert done.status == 0, done.err
    return folder


def test_rounds_that_end_blocked_are_told_as_a_share_of_all(skipbo: Skyjo) -> None:
    match = ("match", "random", "random", "--deals", "6")
    out = skipbo(*match).out
    assert out.endswith("\n100 % of all rounds were blocked\n")
    found = json.loads(skipbo(*match, "--json").out)
    assert (found["blocked"], found["stopped"]) == (1.0, 0.0)
    mixed = ("match", "greedy", "random", "--deals", "20", *SMALL)
    share = json.loads(skipbo(*mixed, "--json").out)["blocked"]
    assert 0 <= share < 1
    assert ("were blocked" in skipbo(*mixed).out) == (share > 0)


def test_the_report_is_about_skip_bo(skipbo: Skyjo, games: str, tmp_path: Path) -> None:
    done = skipbo("report", games, "--out", str(tmp_path), "--summary", str(tmp_path))
    assert done.status == 0, done.err
    page = (tmp_path / "skipbo-report.html").read_text()
    assert "Who plays Skip-Bo well?" in page
    assert "<strong>the most points win</strong>" in page
    assert re.search(r"[0-9.]+ % of all rounds were blocked\.", page)
    assert "<th>blocked</th>" in page
    ladder = (tmp_path / "ladder.md").read_text()
    assert "by `skipbo report`" in ladder
    assert "% of all rounds were blocked." in ladder


def test_games_of_one_game_are_refused_by_the_other(skyjo: Skyjo, games: str) -> None:
    assert "holds games of skipbo, not of skyjo" in complaint(skyjo("games", "list", games))
    assert "holds games of skipbo, not of skyjo" in complaint(skyjo("report", games))
