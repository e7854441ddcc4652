"""The tutorials can be followed line by line, and print what they show."""

import io
import os
import re
import runpy
import shlex
import sys
from contextlib import chdir, redirect_stdout
from pathlib import Path
from typing import NamedTuple

import pytest

from skyjo.main import main
from tests.documents import ROOT

TUTORIALS = ROOT / "docs" / "tutorials"
FILE = re.compile(r"^`([\w.]+)`:$")
ADDED = re.compile(r"at the end of `([\w.]+)`:$")


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An empty folder in which a reader works, also known to processes that commands start."""
    monkeypatch.syspath_prepend(str(tmp_path))
    monkeypatch.setenv("PYTHONPATH", os.pathsep.join([str(tmp_path), os.environ.get("PYTHONPATH", "")]))
    monkeypatch.setenv("COLUMNS", "80")
    return tmp_path


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
LEARNED = "No significant difference from threshold:t=2\n"  # in short, a policy has learned too little for that


@pytest.mark.long
def test_the_training_tutorial_can_be_followed_in_short(folder: Path) -> None:
    pytest.importorskip("sb3_contrib")
    steps = follow((TUTORIALS / "training.md").read_text(), folder, BRIEF)
    assert len(steps) == 7
    for step, printed in steps:
        assert first_words(step.shown.replace(LEARNED, "")) <= first_words(printed), step.command


# A reader, who writes the files of a page, runs its commands, and keeps what they print


class Step(NamedTuple):
    """A command of a tutorial, and what the page says it prints."""

    command: str
    shown: str


def follow(page: str, folder: Path, changes: dict[str, str] | None = None) -> list[tuple[Step, str]]:
    """Every command of a page with what it really printed; `changes` are put into the commands, to make them short."""
    done = []
    for before, language, body in re.findall(r"([^\n]*)\n\n```(\w+)\n(.*?)^```$", page, re.DOTALL | re.MULTILINE):
        written, added = FILE.search(before), ADDED.search(before)
        if written:
            (folder / written[1]).write_text(body)
        elif added:
            with (folder / added[1]).open("a") as file:
                file.write(f"\n\n{body}")
        if language == "console":
            done += [(step, run(step.command, folder, changes or {})) for step in steps(body)]
    return done


def steps(block: str) -> list[Step]:
    """The commands of a block, each with the lines that follow it."""
    return [Step(*each.partition("\n")[::2]) for each in re.split(r"^\$ ", block, flags=re.MULTILINE)[1:]]


def run(command: str, folder: Path, changes: dict[str, str]) -> str:
    """What a command prints. It runs in this process, in the tutorial's folder."""
    for old, new in changes.items():
        command = command.replace(old, new)
    words, _, target = command.partition(" > ")
    program, *arguments = shlex.split(words)
    with chdir(folder), redirect_stdout(io.StringIO()) as printed:
        if program == "python":
            runpy.run_path(arguments[0], run_name="__main__")
            forget(folder)
        else:
            assert main(arguments, program) == 0, command
    if target:
        (folder / target).write_text(printed.getvalue())
    return "" if target else printed.getvalue()


def tidy(text: str) -> list[str]:
    """The lines of what was printed, without empty ones and spaces at the end."""
    return [line.rstrip() for line in text.splitlines() if line.strip()]


def forget(folder: Path) -> None:
    """Unload the modules in this folder, which may change until the next command, as if every one had a process."""
    for name, module in list(sys.modules.items()):
        if Path(getattr(module, "__file__", None) or "/").parent == folder:
            del sys.modules[name]
