"""The page about skill and chance, its summary, and the command that writes them."""

import json
import re
from dataclasses import replace
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import numpy as np
import pytest

from cardtable.pages.svg import as_svg
from skyjo_env import SkyjoError
from studies.skill import skill_results as results
from studies.skill.skill_document import SkillDocument
from studies.skill.skill_figures import draw_figures
from studies.skill.skill_measures import coin_share
from studies.skill.skill_page import render_page, render_summary
from studies.skill.skill_players import PLAYERS
from studies.skill.skill_results import Settings, run_study
from tests.skyjo.cli import Skyjo, complaint
from tests.skyjo.cli import study as study
from tests.typed_documents import mismatch

DOCS = Path(__file__).parents[2] / "docs"
SKYJO = PLAYERS["skyjo"]
NAMES = list(SKYJO.populations)


@pytest.fixture(scope="module")
def document() -> Any:
    """The stored results, whose numbers docs/skill.md shows."""
    return json.loads((DOCS / "skill.json").read_text())


@pytest.fixture
def brief(monkeypatch: pytest.MonkeyPatch) -> None:
    """Half of the players, fewer deals, and a fictive player that hardly looks into the future, for time."""
    thinking = ("threshold:t=2", "expected")
    everybody = ("random", "naive", *thinking)
    populations = dict(zip(NAMES, (everybody, thinking), strict=True))
    monkeypatch.setitem(PLAYERS, "skyjo", replace(SKYJO, populations=populations, fictive="peek:base=naive,n=1"))
    monkeypatch.setattr(results, "LEAST", 100)


def test_the_summary_in_the_docs_is_that_of_the_stored_results(document: Any) -> None:
    """After a change of the template: write render_summary of docs/skill.json to docs/skill.md."""
    assert (DOCS / "skill.md").read_text() == render_summary(document)


def test_the_stored_results_agree_with_each_other_and_with_this_code(document: Any) -> None:
    assert mismatch(document, SkillDocument) is None
    settings = Settings(SKYJO, document["deals"], document["seed"], document["beginner"], document["best"])
    assert document["command"] == settings.command
    for found in document["episodes"].values():
        assert list(found["populations"]) == NAMES
        for each in found["populations"].values():
            players, share, spread = len(each["ratings"]), each["coin_share"], each["spread"]
            assert coin_share(spread["low"], players) == pytest.approx(share["low"], abs=1e-6)
            assert share["low"] < share["value"] < share["high"]
            assert each["rounds_normal"]["value"] == pytest.approx((each["chance_sd"] / each["skill_sd"]) ** 2)
            assert each["after"][0]["reliability"] == pytest.approx(1 / (1 + each["rounds_normal"]["value"]))
        skills = {row["player"]: row["skill"]["mean"] for row in found["relative"]["players"]}
        gains = {row["player"]: row["gain"]["mean"] for row in found["relative"]["players"]}
        assert (skills["naive"], gains["tempo"]) == (0, 0)
        room = found["relative"]["fictive_gain"]["mean"] - gains["naive"]
        assert skills["tempo"] == pytest.approx(-gains["naive"] / room)


def test_the_page_tells_the_numbers_in_words(document: Any) -> None:
    page = render_page(document)
    thinking = document["episodes"]["round"]["populations"][NAMES[1]]
    assert f"about {-(-thinking['rounds']['value'] // 1):.0f} rounds" in page
    assert f"sure\nto win {100 * thinking['coin_share']['value']:.1f} % (" in page
    assert all(f"<td>{player}</td>" in page for player in SKYJO.everybody)
    assert f"<code>{document['command']}</code>" in page
    assert page.count("<svg") == 5
    assert "<script" not in page
    assert not re.search(r"(src|href)=.http", page)


def test_pictures_show_the_numbers_and_are_the_same_each_time(document: Any) -> None:
    figures = draw_figures(document)
    (axes,) = figures["coin"].axes
    dots = {
        str(line.get_label()): np.column_stack([line.get_xdata(), line.get_ydata()]).tolist() for line in axes.lines
    }
    each = document["episodes"]["game"]["populations"][NAMES[1]]
    assert dots[f"{NAMES[1]}, games"] == [[100 * each["coin_share"]["value"], each["spread"]["value"]]]
    (axes,) = figures["relative"].axes
    named = dict(zip(axes.get_yticks().tolist(), [text.get_text() for text in axes.get_yticklabels()], strict=True))
    assert named[max(named)] == "tempo"
    ElementTree.fromstring(as_svg(figures["lead"]))
    assert as_svg(figures["lead"]) == as_svg(draw_figures(document)["lead"])


def test_one_is_enough_or_about_so_many(document: Any) -> None:
    changed = json.loads(json.dumps(document))
    changed["episodes"]["round"]["populations"][NAMES[1]]["rounds"] = {"value": 3.2, "low": 3, "high": 4}
    assert "after about 4 rounds" in render_summary(changed)
    changed["episodes"]["round"]["populations"][NAMES[1]]["rounds"]["value"] = 0.9
    assert "after a single round" in render_summary(changed)


@pytest.mark.usefixtures("brief")
@pytest.mark.long
def test_the_command_writes_the_page(study: Skyjo, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    options = (
        "--deals",
        "120",
        "--seed",
        "7",
        "--best",
        "expected",
        "--out",
        str(tmp_path),
        "--summary",
        str(tmp_path / "short.md"),
    )
    done = study("skill", *options, "--json")
    assert done.status == 0, done.err
    stored = json.loads(done.out)
    assert mismatch(stored, SkillDocument) is None
    assert (tmp_path / "skyjo-skill.html").read_text() == render_page(stored)
    assert (tmp_path / "short.md").read_text() == render_summary(stored)
    assert stored["command"] == "python -m studies skill --deals 120 --seed 7 --beginner naive --best expected"
    monkeypatch.setattr(results, "run_study", lambda *_: stored)
    again = study("skill", *options)
    share = stored["episodes"]["round"]["populations"][NAMES[0]]["coin_share"]["value"]
    assert f"{100 * share:.1f} % (" in again.out
    assert f"Written: {tmp_path / 'skyjo-skill.html'}, {tmp_path / 'short.md'}" in again.out.replace("\n", " ")


@pytest.mark.usefixtures("brief")
@pytest.mark.long
def test_numbers_do_not_depend_on_threads() -> None:
    told: list[float] = []
    settings = Settings(PLAYERS["skyjo"], 120, 7, beginner="random", best="expected", threads=1)
    found = run_study(settings, told.append)
    assert sum(told) == pytest.approx(settings.work)
    assert {**run_study(replace(settings, threads=2), told.append), "threads": 1} == found
    relative = found["episodes"]["round"]["relative"]
    rows = {row["player"]: row for row in relative["players"]}
    assert (rows["random"]["skill"]["mean"], rows["expected"]["gain"]["mean"]) == (0, 0)
    assert rows["naive"]["gain"]["mean"] < -50
    assert relative["deals"] == 8


@pytest.mark.parametrize(
    ("options", "words"),
    [
        (("--deals", "100"), "deals=100 must be a whole number"),
        (("--seed", "-1"), "seed=-1"),
        (("--best", "peek"), "peek is not among the players that are compared: random, naive"),
        (("--beginner", "nobody"), "nobody is not among the players"),
        (("--beginner", "tempo"), "tempo cannot be both the beginner and the best player"),
        (("--quick", "--deals", "6000"), "--quick and --deals cannot be given together"),
        (("--threads", "0"), "threads=0"),
        (("--out", "/no/such/page.html"), "/no/such: there is no such folder"),
        (("--summary", "/no/such/page.md"), "/no/such: there is no such folder"),
        (("--deals", "many"), "many"),
    ],
)
def test_bad_input_is_one_line(study: Skyjo, options: tuple[str, ...], words: str) -> None:
    assert words in complaint(study("skill", *options))


@pytest.mark.usefixtures("brief")
@pytest.mark.long
def test_too_few_games_to_rate_everybody_are_an_error(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(results, "LEAST", 8)
    with pytest.raises(SkyjoError, match=r"deals=8 are too few: somebody won no (round|game), or lost none"):
        run_study(Settings(PLAYERS["skyjo"], 8, 1, beginner="naive", best="expected"), lambda _: None)
