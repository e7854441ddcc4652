"""The tutorials can be followed line by line, and print what they show."""

import os
from collections.abc import Iterator
from pathlib import Path

import pytest

from skyjo_env.card_game import SKYJO
from tests.documents import ROOT
from tests.tutorials import follow, tidy

TUTORIALS = ROOT / "docs" / "tutorials"


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """An empty folder in which a reader works, also known to processes that commands start."""
    monkeypatch.syspath_prepend(str(tmp_path))
    monkeypatch.setenv("PYTHONPATH", os.pathsep.join([str(tmp_path), os.environ.get("PYTHONPATH", "")]))
    monkeypatch.setenv("COLUMNS", "80")
    yield tmp_path
    vars(SKYJO.agents).pop("points", None)


def until(page: str, heading: str) -> str:
    return page.partition(f"\n## {heading}")[0]


def test_the_first_steps_of_an_own_agent_print_what_the_page_shows(folder: Path) -> None:
    page = (TUTORIALS / "own_agent.md").read_text()
    steps = follow(until(page, "4. "), folder)
    assert len(steps) == 2
    for step, printed in steps:
        assert tidy(printed) == tidy(step.shown), step.command


@pytest.mark.parametrize("name", ["analysed_game", pytest.param("own_agent", marks=pytest.mark.long)])
def test_a_tutorial_prints_what_it_shows(name: str, folder: Path) -> None:
    steps = follow((TUTORIALS / f"{name}.md").read_text(), folder)
    assert len(steps) >= 4
    for step, printed in steps:
        assert tidy(printed) == tidy(step.shown), step.command


def first_words(text: str) -> set[str]:
    """The first words of all lines, but for numbers."""
    return {line.split()[0] for line in tidy(text) if line.split()[0][0].isalpha()}


BRIEF = {
    "--decisions 200000": "--decisions 4096 --tables 32 --deals 4 --measurements 2",
    "--deals 500": "--deals 40",
    "--deals 1000": "--deals 200",
}


@pytest.mark.long
def test_the_training_tutorial_can_be_followed_in_short(folder: Path) -> None:
    pytest.importorskip("sb3_contrib")
    steps = follow((TUTORIALS / "training.md").read_text(), folder, BRIEF)
    assert len(steps) == 7
    for step, printed in steps:
        assert first_words(step.shown) <= first_words(printed), step.command
