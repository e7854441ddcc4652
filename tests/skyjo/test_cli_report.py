"""`skyjo report` and `exam`: what they write and print, and what they refuse."""

import json
from dataclasses import replace
from pathlib import Path

import pytest

from cardtable.arena.exam.questions import Draw, Exam
from skipbo_agents import judging
from skyjo_env import Game
from tests.skyjo.cli import Skyjo
from tests.skyjo_play import play_paired


@pytest.fixture
def games(skyjo: Skyjo, tmp_path: Path) -> str:
    """A folder with a stored match."""
    folder = tmp_path / "my games"
    done = skyjo("match", "tempo", "naive", "--deals", "20", "--seed", "3", "--store", str(folder))
    assert done.status == 0, done.err
    return str(folder)


def test_it_writes_a_page_and_the_ladder_alone_as_a_table_in_markdown(skyjo: Skyjo, games: str, tmp_path: Path) -> None:
    done = skyjo("report", games, "--out", str(tmp_path), "--summary", str(tmp_path / "ladder.md"))
    played = play_paired(["tempo", "naive"], seed=3, deals=range(20))
    first, *_, last = done.out.splitlines()
    assert first.startswith("tempo is rated ")
    assert f"by {played.margins[:, 0].mean():+.2f} ± " in first
    assert last == f"Written: {tmp_path / 'skyjo-report.html'}, {tmp_path / 'ladder.md'}"
    page = (tmp_path / "skyjo-report.html").read_text()
    assert "skyjo games replay &#39;" in page  # a folder with a space in its name, in quotes
    assert "--seed 3 --deals 20 --store" in page
    *_, head, _, first, last = (tmp_path / "ladder.md").read_text().rstrip().splitlines()
    assert head.startswith("|  | agent | rating |")
    cells = [[cell.strip() for cell in row.strip("|").split("|")] for row in (first, last)]
    assert [row[1] for row in cells] == ["`tempo`", "`naive`"]
    for place, row in enumerate(cells):
        assert row[4].startswith(f"{played.scores[:, place].mean():.2f} ± ")
        assert row[5].startswith(f"{100 * played.wins[:, place].mean():.1f} ± ")
        assert row[6] == "40"
    assert cells[0][7] == cells[0][3]  # for two, the next is the only other
    assert cells[1][7] == ""


def test_it_prints_what_each_agent_gives_away_by_table_and_phase_and_the_worst_decisions(skyjo: Skyjo) -> None:
    out = skyjo("exam", "naive").out
    assert "2 players 4 players 8 players" in " ".join(out.split())
    for words in (" phase ", "opening", "draw or take", "place", "final lap", "1. ", "5. ", "; best: "):
        assert words in out
    assert " phase " not in (out := skyjo("exam", "tempo", "look").out)
    assert ("–" in out) == ("look cannot play at 4 and 8 players: " in out)


def test_its_json_has_the_same_and_positions_that_can_be_read(skyjo: Skyjo) -> None:
    document = json.loads(skyjo("exam", "naive", "tempo", "--json").out)
    naive, tempo = document["agents"]
    assert naive["lost"]["mean"] > tempo["lost"]["mean"] + 2 * tempo["lost"]["half"]
    assert [*naive["by_players"]] == [*document["tables"]] == ["2", "4", "8"]
    assert document["tables"]["2"]["label_error"] > 0
    assert document["recipe"]["seed"] == 1
    worst = naive["worst"][0]
    assert Game.from_position(worst["position"]).rules.players == worst["players"]
    assert worst["lost"] >= naive["worst"][4]["lost"] > 0


def test_fresh_questions_can_be_kept(skipbo: Skyjo, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    few = Draw(questions=30, rollouts=2, agents=("random", "greedy"))
    monkeypatch.setattr(judging, "SKIPBO_EXAM", replace(judging.SKIPBO_EXAM, draws={2: few, 4: few}))
    done = skipbo("exam", "greedy", "--fresh", "5", "--share", "0.3", "--questions", str(tmp_path))
    assert done.out.endswith(f"Written: {tmp_path}/exam.npz\n")
    kept = Exam.read(tmp_path / "exam.npz")
    assert kept.recipe["seed"] == 5
    assert [*kept.tables] == [2, 4]
    assert "Questions: 9 at tables of 2, 9 at tables of 4; " in done.out
