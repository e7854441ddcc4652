"""`skyjo analyse`: every decision of a written game judged, in words, as JSON and as a page."""

import json
import random
from html.parser import HTMLParser
from pathlib import Path

import pytest

pytest.importorskip("torch")

from skyjo.analysis.analysed_game import AnalysisDocument, ChoiceDocument
from skyjo_env import Game, Rules
from tests.helpers import play_at_random
from tests.skyjo.cli import Skyjo, complaint, written
from tests.typed_documents import mismatch


@pytest.fixture(scope="module")
def game() -> Game:
    """A round played at random, so there are mistakes in it."""
    game = Game(seed=2, episode="round")
    play_at_random(game, random.Random(2), 10_000)
    return game


@pytest.fixture
def file(game: Game, tmp_path: Path) -> str:
    return written(game, tmp_path)


def test_it_says_what_was_given_away_and_what_was_luck(file: str, skyjo: Skyjo) -> None:
    done = skyjo("analyse", file)
    assert done.status == 0
    assert done.out.count("points a round") == 2
    assert done.out.count("without luck") == 2
    assert "The worst decisions:" in done.out
    assert done.out.count("better:") == 5


def test_every_decision_can_be_printed(game: Game, file: str, skyjo: Skyjo) -> None:
    lines = skyjo("analyse", file, "--moves").out.partition("Every decision:\n")[2].splitlines()
    assert [int(line[:5]) for line in lines] == list(range(1, len(game.record()["actions"]) + 1))


def test_json_holds_all_of_it(game: Game, file: str, skyjo: Skyjo) -> None:
    document = json.loads(skyjo("analyse", file, "--json").out)
    assert mismatch(document, AnalysisDocument) is None
    assert document["record"] == game.record()
    assert [move["action"] for move in document["moves"]] == game.record()["actions"]
    for player in document["players"]:
        assert player["lost"] > 0
    for move in document["moves"]:
        worths = [choice["worth"] for choice in move["choices"]]
        assert worths == sorted(worths, reverse=True)
        mine = next(choice["worth"] for choice in move["choices"] if choice["action"] == move["action"])
        assert move["lost"] == pytest.approx(worths[0] - mine, abs=2e-6)
    for worst in document["worst"]:
        position = Game.from_position(worst["position"])
        assert position.seat == document["moves"][worst["move"] - 1]["seat"]


@pytest.mark.long
def test_checks_stand_beside_what_they_check(tmp_path: Path, skyjo: Skyjo) -> None:
    """Only few decisions are made from this position on, so that it takes little time."""
    start = Game.from_position(
        "skyjo-position 1\nepisode round\nboard 1 1 2 | 3 3 4 | 0 0 2 | -1 12 ?7\nboard 5 5 6 | 7 7 8 | 9 9 2 | 2 ? ?\n"
        "discard 3\ndraw 4 ...\nseat 0 turn"
    )
    play_at_random(start, random.Random(1), 10_000)
    document = json.loads(skyjo("analyse", written(start, tmp_path), "--check", "--json").out)
    assert mismatch(document, AnalysisDocument) is None
    checked = [move for move in document["moves"] if move["check"]]
    assert checked
    assert all(move["check"]["guesses"] > 0 for move in checked)


def test_the_page_tells_the_same(game: Game, file: str, tmp_path: Path, skyjo: Skyjo) -> None:
    out = tmp_path / "page.html"
    assert f"Written: {out}" in skyjo("analyse", file, "--out", str(out)).out
    page = out.read_text()
    HTMLParser().feed(page)
    assert page.count("<tr class=") == len(game.record()["actions"])
    assert page.count("<summary>The answer") == 5
    assert "http" not in page.replace("http://www.w3.org", "").replace("http://purl.org", "").replace(
        "http://creativecommons.org", ""
    )


def test_a_position_is_judged_as_it_stands(tmp_path: Path, skyjo: Skyjo) -> None:
    path = tmp_path / "position.txt"
    path.write_text(Game(seed=4).position())
    assert "Seat 0 decides." in skyjo("analyse", str(path)).out
    choices = json.loads(skyjo("analyse", str(path), "--json").out)
    assert [mismatch(choice, ChoiceDocument) for choice in choices] == [None] * 12


def test_what_cannot_be_judged_is_refused(file: str, tmp_path: Path, skyjo: Skyjo) -> None:
    assert "judge tempo: it cannot judge; look and rollout can" in complaint(skyjo("analyse", file, "--judge", "tempo"))
    assert "no such" in complaint(skyjo("analyse", str(tmp_path / "none.txt"))).lower()
    bad = tmp_path / "bad.txt"
    bad.write_text("skyjo-record 1\nseat 0: fly\n")
    assert str(bad) in complaint(skyjo("analyse", str(bad)))


@pytest.mark.slow
def test_where_no_policy_knows_the_rules_rollouts_judge(tmp_path: Path, skyjo: Skyjo) -> None:
    game = Game(Rules(row_clear=True, rows=2, columns=2), seed=4, episode="round")
    play_at_random(game, random.Random(4), 10_000)
    document = json.loads(skyjo("analyse", written(game, tmp_path), "--json").out)
    assert mismatch(document, AnalysisDocument) is None
    assert document["judge"] == "rollout:n=100"
    assert not document["weights"]
    assert [player["luck"] for player in document["players"]] == [None, None]
    assert all(move["mark"] == "" or move["check"] for move in document["moves"])
