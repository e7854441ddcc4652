"""The verdicts on the Skip-Bo paper, and the page that words them."""

import json
import re
from dataclasses import asdict
from pathlib import Path

import numpy as np
import pytest

from papers.strittmatter import FULL, Strittmatter
from papers.strittmatter_claims import CLAIMS, CONFIRMED, IMPRECISE, NOT_TESTABLE, REFUTED, Measured, Verdict
from papers.strittmatter_evaluation import WORK, Result, result
from papers.strittmatter_games import FIRST, FOUR_PILES, GREEDY, LITERAL, PLANNER, PLAYERS, SPREAD, Evaluator
from skipbo_env.kernel import COPIES, DECK, RANKS, WILDS
from skipbo_env.rules import Rules

PAGE = (Path(__file__).parents[2] / "docs" / "skipbo_paper.md").read_text()


@pytest.fixture(scope="module")
def small() -> Result:
    """An evaluation of few deals."""
    done: list[float] = []
    small = result(30, 2, Strittmatter.parts, done.append)
    assert sum(done) == WORK
    return small


@pytest.mark.parametrize(
    ("title", "numbers", "verdict"),
    [
        ("Every round has a winner", {"blocked": 1}, REFUTED),
        ("Every round has a winner", {"blocked": 0}, CONFIRMED),
        ("The number of states", {"below": -1}, REFUTED),
        ("Priority 4: a positional discard", {"otherwise": 0}, REFUTED),
        ("Priority 4: a positional discard", {"otherwise": 0.001}, IMPRECISE),
        ("What the hierarchy is worth", {"ahead": 3, "all": 3}, CONFIRMED),
        ("What the hierarchy is worth", {"ahead": 1, "all": 3}, IMPRECISE),
        ("What the hierarchy is worth", {"ahead": 0, "all": 3}, REFUTED),
        ("Random play calibrates", {"best": 0.02}, IMPRECISE),
        ("Turn order confers an advantage", {"significant": 1, "advantage": 0.02, "bound": 0.03}, CONFIRMED),
        ("Turn order confers an advantage", {"significant": 1, "advantage": -0.02, "bound": 0.03}, REFUTED),
        ("Turn order confers an advantage", {"significant": 0, "advantage": 0.001, "bound": 0.008}, REFUTED),
        ("Turn order confers an advantage", {"significant": 0, "advantage": 0.001, "bound": 0.03}, NOT_TESTABLE),
        ("Paired games", {"median": 0.9}, CONFIRMED),
        ("Rounds to win", {"rounds_differ": 1}, IMPRECISE),
        ("Clopper–Pearson is conservative", {"exact": 0.949}, REFUTED),
        ("6,500 games for 0.55 against 0.50", {"error": 0.05}, CONFIRMED),
        ("Rule variants matter", {"turned": 1, "changed": 1}, CONFIRMED),
        ("Rule variants matter", {"turned": 0, "changed": 1}, IMPRECISE),
        ("Rule variants matter", {"turned": 0, "changed": 0}, NOT_TESTABLE),
    ],
)
def test_verdicts_follow_the_numbers(title: str, numbers: Measured, verdict: Verdict) -> None:
    (rule,) = (claim.verdict for claim in CLAIMS if claim.title == title)
    assert not isinstance(rule, Verdict)
    assert rule(numbers) == verdict


def test_the_deck_is_as_the_paper_says() -> None:
    """Section 2.1."""
    assert (DECK, RANKS * COPIES, WILDS) == (162, 144, 18)
    assert [Rules(players=players).stock_size for players in range(2, 7)] == [30, 30, 30, 20, 20]


def test_every_claim_is_worded_once_in_the_papers_order(small: Result) -> None:
    headings = re.findall(r"^### ([\d.]+) (.*): ([a-z ]+)$", Strittmatter().page(small), re.MULTILINE)
    assert small.claims is not None
    assert headings == [(claim.section, claim.title, claim.verdict) for claim in small.claims]
    assert [claim.section for claim in CLAIMS] == sorted(claim.section for claim in CLAIMS)


def test_json_holds_all_numbers(small: Result) -> None:
    stored = json.loads(json.dumps(asdict(small)))
    assert len(stored["games"]["pairs"]) == 45
    assert stored["tests"] == str(stored).count("'adjusted'")
    assert stored["claims"][4]["numbers"] == {"blocked": sum(each["blocked"] for each in stored["games"]["alone"])}


def test_numbers_alone_need_no_games() -> None:
    paper = Strittmatter(only="numbers")
    page = paper.page(paper.result(lambda _: pytest.fail("a game was played")))
    assert re.findall("^## (.*)$", page, re.MULTILINE) == ["Sample sizes", "States", "Intervals and tests"]


def test_the_page_in_the_documents_has_the_prose_of_this_template(small: Result) -> None:
    """After a change: python -m papers strittmatter --out docs/skipbo_paper.md."""
    page = Strittmatter().page(small)
    prose = [
        [re.sub(r"[\d.,<+-]+", "", line) for line in text.splitlines() if re.match("[^|#`]*$", line)]
        for text in (page, PAGE)
    ]
    assert prose[0] == prose[1]


def test_the_shares_in_the_documents_are_those_of_the_players() -> None:
    rows = re.findall(r"^\| \d+ `(.*)` \| (.*\d.*) \|$", PAGE, re.MULTILINE)
    shares = {player: dict(zip(PLAYERS, cells.split(" | "), strict=True)) for player, cells in rows if cells.count("|")}
    evaluator = Evaluator(200, 1, lambda _: None)
    assert f"{FULL:,} deals" in PAGE
    for player, other in ((FOUR_PILES, FIRST), (GREEDY, LITERAL), (SPREAD, PLANNER)):
        played = evaluator.pair((player, other)).shares
        assert abs(100 * played.mean() - float(shares[player][other])) < 4 * 100 * np.std(played) / 200**0.5
