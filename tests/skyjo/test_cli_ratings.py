"""`skyjo ratings`: the paper's table and known answers through files, and what is refused."""

import json
import math
import re
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

import pytest

from papers.elo_results import TABLE_II
from tests.documents import ROOT
from tests.skyjo.cli import Skyjo

HEADER = "game,player,score"


def table(*games: Mapping[str, float]) -> str:
    """A CSV of games, each the scores by player."""
    rows = [f"{number},{player},{score}" for number, game in enumerate(games) for player, score in game.items()]
    return "\n".join([HEADER, *rows, ""])


@pytest.fixture
def paper(tmp_path: Path) -> str:
    """The scores of Table II, in a file."""
    file = tmp_path / "paper.csv"
    file.write_text(table(*(dict(zip("abc", row, strict=True)) for row in TABLE_II[:, :3].tolist())))
    return str(file)


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


def test_the_papers_table_ends_as_printed(skyjo: Skyjo, paper: str) -> None:
    document = told(skyjo, paper, "--elo", "--better", "more")
    found = {each["player"]: round(each["rating"], 2) for each in document["standings"]}
    assert found == dict(zip("cba", TABLE_II[-1, [8, 7, 6]], strict=True))
    assert list(found) == ["c", "b", "a"]  # by rating
    scores = {each["player"]: each["score"] for each in document["standings"]}
    assert scores == pytest.approx(dict(zip("abc", TABLE_II[:, :3].mean(axis=0), strict=True)))
    assert (document["series_rated"], document["games_left"], document["scores_raised"]) == (10, 0, 0)


def test_two_players_differ_by_the_logarithm_of_their_wins(skyjo: Skyjo, duel: str) -> None:
    ann, bob = told(skyjo, duel, "--anchor", "bob")["standings"]
    assert ann["rating"]["value"] == pytest.approx(1000 + 400 * math.log10(7 / 3))
    assert bob["rating"] == {"value": 1000, "low": 1000, "high": 1000}
    assert ann["rating"]["low"] < ann["rating"]["value"] < ann["rating"]["high"]
    assert (ann["games"], ann["won"], bob["won"]) == (10, 0.7, 0.3)
    turned = told(skyjo, duel, "--anchor", "bob", "--better", "more")["standings"]
    assert turned[1]["rating"]["value"] == pytest.approx(1000 + 400 * math.log10(3 / 7))


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


def test_the_page_shows_the_ratings_over_time(skyjo: Skyjo, paper: str, tmp_path: Path) -> None:
    page = tmp_path / "page.html"
    assert f"Written: {page}\n" in skyjo("ratings", paper, "--elo", "--out", str(page)).out
    assert "Ratings over time" in page.read_text()
    assert page.read_text().count("<svg") == 1


def test_the_pages_example_makes_a_file_and_its_commands_print_such_tables(
    skyjo: Skyjo, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    page = (ROOT / "docs" / "ratings.md").read_text()
    (code,) = re.findall(r"```python\n(.*?)```", page, re.DOTALL)
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("COLUMNS", "120")
    exec(code.replace("range(500)", "range(60)"), {})
    shown = re.findall(r"```\n\$ skyjo (.*?)\n(.*?)```", page, re.DOTALL)
    assert len(shown) == 2
    for command, lines in shown:
        done = skyjo(*command.split())
        assert done.status == 0, done.err
        first_words = [{line.split()[0] for line in text.splitlines() if line.strip()} for text in (lines, done.out)]
        assert {word for word in first_words[0] if word[0].isalpha()} <= first_words[1]
