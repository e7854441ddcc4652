"""`skyjo report`, `exam` and `ratings`: what they write and print."""

import json
import re
from collections.abc import Iterable, Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from cardtable.arena.exam.questions import Draw, Exam
from skipbo_agents import judging
from skyjo_env import Game
from tests.documents import ROOT, blocks
from tests.skyjo.cli import Skyjo
from tests.skyjo_play import play_paired


def test_it_writes_a_page_and_the_ladder_alone_as_a_table_in_markdown(skyjo: Skyjo, tmp_path: Path) -> None:
    games = str(tmp_path / "my games")
    done = skyjo("match", "tempo", "naive", "--deals", "20", "--seed", "3", "--store", games)
    assert done.status == 0, done.err
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
        assert row[4].startswith(f"{100 * played.wins[:, place].mean():.1f} ± ")
    assert cells[0][5] == cells[0][3]  # for two, the next is the only other
    assert cells[1][5] == ""


def test_it_prints_what_each_agent_gives_away_by_table_and_phase_and_the_worst_decisions(skyjo: Skyjo) -> None:
    out = skyjo("exam", "naive").out
    assert "2 players 4 players 8 players" in " ".join(out.split())
    for words in (" phase ", "opening", "draw or take", "place", "final lap", "1. ", "5. ", "; best: "):
        assert words in out
    assert " phase " not in (out := skyjo("exam", "tempo", "lookahead").out)
    assert ("–" in out) == ("lookahead cannot play at 4 and 8 players: " in out)


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


HEADER = "game,player,score"


def table(*games: Mapping[str, float]) -> str:
    """A CSV of games, each the scores by player."""
    rows = [f"{number},{player},{score}" for number, game in enumerate(games) for player, score in game.items()]
    return "\n".join([HEADER, *rows, ""])


@pytest.fixture
def duel(tmp_path: Path) -> str:
    """Ann wins seven of ten games, of which fewer points are better."""
    file = tmp_path / "duel.csv"
    file.write_text(table(*([{"ann": 10, "bob": 20}] * 7 + [{"bob": 10, "ann": 40}] * 3)))
    return str(file)


def told(skyjo: Skyjo, *arguments: str, typed: Iterable[str] = ()) -> dict[str, Any]:
    """What --json says."""
    done = skyjo("ratings", *arguments, "--json", typed=typed)
    assert done.status == 0, done.err
    document: dict[str, Any] = json.loads(done.out)
    return document


def test_standard_input_and_several_files_are_read_one_after_the_other(skyjo: Skyjo, duel: str) -> None:
    typed = table({"bob": 1, "eve": 2}, {"eve": 1, "bob": 3}).split()
    document = told(skyjo, duel, "-", "--resamples", "0", typed=typed)
    assert document["games"] == 12
    assert {each["player"]: each["games"] for each in document["standings"]} == {"ann": 10, "bob": 12, "eve": 2}
    assert document["standings"][0]["rating"]["low"] is None
    first, last = (told(skyjo, *files, "--elo", typed=typed)["standings"] for files in ((duel, "-"), ("-", duel)))
    assert first != last  # Elo follows the order of play


CORRECTED = """game,player,score,luck
1,a,30,6
1,b,20,-6
2,b,60,0
2,a,90,0
"""


def test_luck_is_taken_out_by_a_column(skyjo: Skyjo, tmp_path: Path) -> None:
    file = tmp_path / "games.csv"
    file.write_text(CORRECTED)
    options = ("--elo", "--better", "more", "--start", "50", "--form", "difference", "--luck", "luck", "--k", "0.04")
    document = told(skyjo, str(file), *options)
    first = 50 + 0.04 * (24 - 25)  # 24, 26 and 90, 60 without luck
    second = first + 0.04 * (90 - (75 + first - 50))
    assert document["standings"][0]["rating"] == pytest.approx(second)


def test_what_was_left_out_or_raised_is_said(skyjo: Skyjo, duel: str) -> None:
    options = (duel, "--elo", "--series", "3", "--ceiling", "31")
    document = told(skyjo, *options)
    assert (document["series_rated"], document["games_left"], document["scores_raised"]) == (3, 1, 0)
    said = skyjo("ratings", *options[:-1], "11").out
    assert "games that do not fill a series and are not rated: 1\n" in said
    assert "scores raised to 1: 4 (give a higher --ceiling, or --form difference)\n" in said


def test_the_page_shows_the_ratings_over_time(skyjo: Skyjo, duel: str, tmp_path: Path) -> None:
    page = tmp_path / "page.html"
    assert f"Written: {page}\n" in skyjo("ratings", duel, "--elo", "--out", str(page)).out
    assert "Ratings over time" in page.read_text()
    assert page.read_text().count("<svg") == 1


FEWER = {
    "--deals 2000": "--deals 40",
    "--deals 200": "--deals 40",
}


def test_the_commands_of_the_page_on_measuring_print_such_tables(
    skyjo: Skyjo, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("COLUMNS", "120")
    page = "".join(blocks((ROOT / "docs" / "guides" / "measuring.md").read_text(), "console"))
    steps = re.findall(r"^\$ skyjo (.*)\n((?:(?!\$ ).*\n)*)", page, re.MULTILINE)
    assert len(steps) == 3
    for command, shown in steps:
        for usual, few in FEWER.items():
            command = re.sub(rf"{usual}\b", few, command)
        done = skyjo(*command.split())
        assert done.status == 0, done.err
        first_words = [{line.split()[0] for line in text.splitlines() if line.strip()} for text in (shown, done.out)]
        assert {word for word in first_words[0] if word[0].isalpha()} <= first_words[1]
