"""The command `skipbo`: the same verbs as `skyjo`, about the other game."""

import csv
import json
import re
from io import StringIO
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


def test_a_tournament_is_stored_found_checked_and_handed_on(skipbo: Skyjo, games: str) -> None:
    assert skipbo("games", "check", games).out.endswith("nothing is wrong\n")
    assert "command  skipbo tournament greedy hpvp random --deals 6" in skipbo("games", "about", games).out
    listed = json.loads(skipbo("games", "list", games, "--winner", "greedy", "--json").out)["games"]
    assert all("greedy" in game["agents"] for game in listed)
    assert {len(game["blocked"]) for game in listed} == {2}
    rows = list(csv.DictReader(StringIO(skipbo("games", "export", games, "--out", "-").out)))
    assert len(rows) == 3 * 6 * 2 * 2
    blocked = {row["game"] for row in rows if row["blocked"] == "1"}
    ladder = json.loads(skipbo("tournament", "greedy", "hpvp", "random", "--deals", "6", *SMALL, "--json").out)
    assert ladder["blocked"] == pytest.approx(len(blocked) / 36)
    told = skipbo("games", "replay", games, listed[0]["game"]).out
    assert "The round is over, won by seat" in told
    lines = skipbo("games", "list", games, "--table", "0", "--limit", "1").out.splitlines()
    row = next(line for line in lines if " 0.0.0 " in line)
    assert re.search(r"  [01]$", row.rstrip())  # once for the table: was it blocked?


def test_the_report_is_about_skip_bo(skipbo: Skyjo, games: str, tmp_path: Path) -> None:
    done = skipbo("report", games, "--out", str(tmp_path), "--summary", str(tmp_path))
    assert done.status == 0, done.err
    page = (tmp_path / "skipbo-report.html").read_text()
    assert "Who plays Skip-Bo well?" in page
    assert "<strong>the most points win</strong>" in page
    assert re.search(r"[0-9.]+&nbsp;% of all rounds were blocked\.", page)
    assert "<th>blocked</th>" in page
    ladder = (tmp_path / "ladder.md").read_text()
    assert "by `skipbo report`" in ladder
    assert "% of all rounds were blocked." in ladder


def test_ratings_take_more_points_as_better(skipbo: Skyjo, skyjo: Skyjo, games: str, tmp_path: Path) -> None:
    found = json.loads(skipbo("ratings", games, "--prior", "1", "--json").out)
    assert found["higher_is_better"] is True
    assert found["standings"][-1]["player"] == "random"
    file = tmp_path / "results.csv"
    file.write_text(
        "game,player,score\n" + "".join(f"{k},a,{5 + k % 2}\n{k},b,5\n{k},c,{4 + k % 3}\n" for k in range(9))
    )
    up = json.loads(skipbo("ratings", str(file), "--json").out)["standings"]
    down = json.loads(skyjo("ratings", str(file), "--json").out)["standings"]
    assert up[0]["player"] == down[-1]["player"] == "a"
    lowest = json.loads(skipbo("ratings", str(file), "--no-higher-is-better", "--json").out)["standings"]
    assert [row["player"] for row in lowest] == [row["player"] for row in down]


def test_games_of_one_game_are_refused_by_the_other(skyjo: Skyjo, games: str) -> None:
    assert "holds games of skipbo, not of skyjo" in complaint(skyjo("games", "list", games))
    assert "holds games of skipbo, not of skyjo" in complaint(skyjo("report", games))
