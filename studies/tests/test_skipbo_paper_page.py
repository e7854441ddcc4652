"""The report on Strittmatter's paper, and the command that writes it."""

import json
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import pytest

from cardtable.pages.svg import as_svg
from studies.skipbo_paper.claim import CONFIRMED, IMPRECISE, NOT_TESTABLE, REFUTED, Results, percent
from studies.skipbo_paper.claims import claims
from studies.skipbo_paper.matchups import Play
from studies.skipbo_paper.players import FARTHEST, FIRST, FOUR_PILES, GREEDY, LITERAL, PLANNER, PLAYERS, SPREAD
from studies.skipbo_paper.skipbo_document import SkipboPaperDocument
from studies.skipbo_paper.skipbo_figures import draw_figures
from studies.skipbo_paper.skipbo_page import render_page, render_summary
from studies.skipbo_paper.skipbo_results import FULL, Settings, run_study
from tests.balanced_page import Page
from tests.skyjo.cli import Skyjo, complaint
from tests.skyjo.cli import study as study
from tests.typed_documents import mismatch

DOCS = Path(__file__).parents[2] / "docs"


@pytest.fixture(scope="module")
def document() -> Any:
    """The stored results, whose numbers docs/skipbo_paper.md shows."""
    return json.loads((DOCS / "skipbo_paper.json").read_text())


def test_the_page_holds_every_claim_table_and_picture(document: Any) -> None:
    page = render_page(document)
    assert Page(page).words
    assert page.count("<svg") == len(draw_figures(document)) == 6
    assert page.count('class="claim ') == len(document["claims"])
    assert f"<code>{document['command']}</code>" in page
    assert all(f"<code>{player}</code>" in page for player in PLAYERS)
    assert "1,562" in page
    assert "`" not in page
    assert "<script" not in page


def test_the_summary_in_the_docs_is_that_of_the_stored_results(document: Any) -> None:
    """After a change: python -m studies skipbo-paper --load docs/skipbo_paper.json --summary docs/skipbo_paper.md."""
    assert (DOCS / "skipbo_paper.md").read_text() == render_summary(document)


def test_the_stored_results_are_whole_and_those_of_this_code(document: Any) -> None:
    assert mismatch(document, SkipboPaperDocument) is None
    assert document["deals"] == FULL
    assert document["command"] == Settings().command
    assert len(document["pairs"]) == len(PLAYERS) * (len(PLAYERS) - 1) / 2
    assert [claim["evidence"] for claim in document["claims"]] == [claim.evidence for claim in claims(document)]


def test_the_stored_shares_are_those_of_the_players_as_they_are(document: Any) -> None:
    play, results = Play(200, document["seed"], 1, lambda _: None), Results(document)
    for pair in ((FOUR_PILES, FIRST), (GREEDY, LITERAL), (SPREAD, PLANNER)):
        shares = play.pair(*pair).shares
        assert abs(shares.mean() - results.share(*pair)["mean"]) < 4 * shares.std() / 200**0.5


def test_verdicts_follow_the_numbers(document: Any) -> None:
    """Numbers turned round turn the verdicts."""

    def verdict(changed: Any, title: str) -> str:
        (found,) = (claim.verdict for claim in claims(changed) if claim.title == title)
        return found

    def again() -> Any:
        return json.loads(json.dumps(document))

    order = "Turn order confers an advantage"
    for mean, p, expected in ((0.6, 0.01, CONFIRMED), (0.4, 0.01, REFUTED), (0.6, 0.5, NOT_TESTABLE)):
        changed = again()
        changed["starters"]["share"]["mean"], changed["starters"]["test"]["adjusted"] = mean, p
        assert verdict(changed, order) == expected
    changed = again()
    changed["sample_size"]["printed"] = changed["sample_size"]["per_arm"]
    assert verdict(document, "6,500 games for 0.55 against 0.50") == REFUTED
    assert verdict(changed, "6,500 games for 0.55 against 0.50") == CONFIRMED
    changed = again()
    changed["literal"]["differing"] = 1
    assert verdict(document, "Priority 4: a positional discard") == REFUTED
    assert verdict(changed, "Priority 4: a positional discard") == IMPRECISE
    for each in changed["alone"]:
        each["rounds_differ"], each["blocked"] = 1, 0
    assert verdict(changed, "Rounds to win as a third metric") == IMPRECISE
    assert verdict(changed, "Every round has a winner") == CONFIRMED


def test_shares_are_those_of_the_player_that_is_asked_for(document: Any) -> None:
    results = Results(document)
    one, other = results.share(GREEDY, LITERAL), results.share(LITERAL, GREEDY)
    assert one["mean"] + other["mean"] == pytest.approx(1)
    assert one["half"] == other["half"]
    found = results.pair(LITERAL, GREEDY)
    assert results.won(LITERAL, GREEDY) == found["wins"][1] / (2 * found["deals"])
    assert results.share(LITERAL, FARTHEST) == {"mean": 0.5, "half": 0}


def test_only_all_of_it_is_a_hundred_per_cent() -> None:
    assert (percent(1), percent(0.99999), percent(0.9994)) == ("100.0 %", "> 99.9 %", "99.9 %")


def test_pictures_are_the_same_each_time(document: Any) -> None:
    first, second = (as_svg(draw_figures(document)["matrix"]) for _ in range(2))
    ElementTree.fromstring(first)
    assert first == second


@pytest.mark.long
def test_a_study_of_few_deals_comes_to_its_end() -> None:
    done: list[float] = []
    settings = Settings(deals=30, seed=2, threads=1)
    found = run_study(settings, done.append)
    assert mismatch(json.loads(json.dumps(found)), SkipboPaperDocument) is None
    assert sum(done) == pytest.approx(settings.work)
    assert found["command"] == "python -m studies skipbo-paper --deals 30 --seed 2"
    tests = [each["test"] for each in found["pairs"]] + [each["test"] for each in found["changes"]]
    assert all(test["p"] <= test["adjusted"] <= 1 for test in tests)
    assert render_summary(found).count("### ") == len(found["claims"])


@pytest.mark.long
def test_the_command_writes_the_report_from_stored_numbers(study: Skyjo, tmp_path: Path, document: Any) -> None:
    load = "--load", str(DOCS / "skipbo_paper.json")
    done = study("skipbo-paper", *load, "--out", str(tmp_path), "--summary", str(tmp_path / "short.md"))
    assert done.status == 0
    assert (tmp_path / "skipbo-paper.html").read_text() == render_page(document)
    assert (tmp_path / "short.md").read_text() == render_summary(document)
    assert "5.4 6,500 games for 0.55 against 0.50: refuted" in done.out


@pytest.mark.parametrize(
    ("options", "words"),
    [
        (("--deals", "10"), "deals=10 must be"),
        (("--seed", "-1"), "seed=-1 must be"),
        (("--threads", "0"), "threads=0 must be"),
        (("--quick", "--deals", "50"), "--quick and --deals cannot be given together"),
        (("--load", "x", "--data", "y"), "--data cannot be given with --load: its numbers are there already"),
        (("--load", "/no/such/place.json"), "/no/such/place.json: No such file or directory"),
        (("--out", "/no/such/place.html"), "/no/such: there is no such folder"),
    ],
)
def test_bad_input_is_one_line(study: Skyjo, options: tuple[str, ...], words: str) -> None:
    assert words in complaint(study("skipbo-paper", *options))


def test_what_is_no_document_is_refused(study: Skyjo, tmp_path: Path, document: Any) -> None:
    damaged = {**document, "pairs": [{}]}
    for text in ("no JSON", "[1]", "{}", json.dumps(damaged)):
        (tmp_path / "x.json").write_text(text)
        done = study("skipbo-paper", "--load", str(tmp_path / "x.json"), "--out", str(tmp_path))
        assert "this is not what --json prints" in complaint(done), text
    assert [path.name for path in tmp_path.iterdir()] == ["x.json"]
