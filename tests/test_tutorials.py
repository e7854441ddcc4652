"""The tutorials can be followed line by line, and print what they show."""

import os
from collections.abc import Iterator
from pathlib import Path

import pytest

from skyjo_env.agents import REGISTRY
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
    vars(REGISTRY).pop("points", None)


def until(page: str, heading: str) -> str:
    return page.partition(f"\n## {heading}")[0]


def test_the_first_steps_of_an_own_agent_print_what_the_page_shows(folder: Path) -> None:
    page = (TUTORIALS / "own_agent.md").read_text()
    steps = follow(until(page, "4. "), folder)
    assert len(steps) == 2
    for step, printed in steps:
        assert tidy(printed) == tidy(step.shown), step.command


@pytest.mark.long
@pytest.mark.parametrize("name", ["own_agent", "analysed_game"])
def test_a_tutorial_prints_what_it_shows(name: str, folder: Path) -> None:
    steps = follow((TUTORIALS / f"{name}.md").read_text(), folder)
    assert len(steps) >= 4
    for step, printed in steps:
        assert tidy(printed) == tidy(step.shown), step.command
