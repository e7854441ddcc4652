"""The README, the first page and the tutorials can be followed line by line, and an example credits every seat."""

import io
import os
import re
import runpy
import shlex
import sys
from contextlib import chdir, redirect_stdout
from pathlib import Path
from typing import NamedTuple
from unittest.mock import patch

import pytest

from skyjo.main import main
from tests.documents import README, ROOT, blocks

pytest.importorskip("torch")

import torch

from self_play_ppo import advantages_of

DOCUMENTS = ROOT / "docs"
FILE = re.compile(r"^`([\w.]+)`:$")
ADDED = re.compile(r"at the end of `([\w.]+)`:$")
ANSWER = re.compile(r"^[a-z].*\? (.*)$", re.MULTILINE)  # to a question at the table


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An empty folder in which a reader works, also known to processes that commands start."""
    monkeypatch.syspath_prepend(str(tmp_path))
    monkeypatch.setenv("PYTHONPATH", os.pathsep.join([str(tmp_path), os.environ.get("PYTHONPATH", "")]))
    monkeypatch.setenv("COLUMNS", "80")
    return tmp_path


@pytest.mark.parametrize(
    ("name", "until", "commands"),
    [
        ("tutorials/first_steps", "4. ", 2),
        ("tutorials/analysed_game", None, 4),
        ("tutorials/own_agent", "4. ", 2),
        pytest.param("tutorials/own_agent", None, 5, marks=pytest.mark.long),
        pytest.param("guides/searching", None, 1, marks=pytest.mark.long),
    ],
)
def test_a_tutorial_prints_what_it_shows(name: str, until: str | None, commands: int, folder: Path) -> None:
    page = (DOCUMENTS / f"{name}.md").read_text()
    steps = follow(page.partition(f"\n## {until}")[0] if until else page, folder)
    assert len(steps) >= commands
    for step, printed in steps:
        assert tidy(printed) == tidy(step.shown), step.command


def first_words(text: str) -> set[str]:
    """The first words of all lines, but for numbers and for names of policies, which a narrow column breaks."""
    words = {line.split()[0] for line in tidy(text)}
    return {word for word in words if word[0].isalpha() and not re.search("policy:|safetensors", word)}


BRIEF = {  # what makes commands short
    r"--deals \d+": "--deals 40",
    r"(train \S+)( --decisions \d+)?": r"\1 --decisions 4096 --tables 32 --deals 4 --measurements 2",
    "skyjo web": "skyjo web --port 0 --no-browser",
}


@pytest.mark.long
@pytest.mark.parametrize(("name", "commands"), [("tutorials/training", 7), ("tutorials/first_steps", 5), ("index", 3)])
def test_a_page_with_training_can_be_followed_in_short(name: str, commands: int, folder: Path) -> None:
    steps = follow((DOCUMENTS / f"{name}.md").read_text(), folder, BRIEF)
    assert len(steps) == commands
    for step, printed in steps:
        assert first_words(step.shown) <= first_words(printed), step.command


def test_every_command_of_the_readme_runs_in_an_empty_folder(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("skyjo.web.serving.serve", lambda *_: None)
    monkeypatch.setattr("skyjo.web.built_site.site_folder", lambda: folder)
    monkeypatch.setenv("XDG_DATA_HOME", str(folder))
    commands = [line for line in "".join(blocks(README, "")).splitlines() if not line.startswith("pip")]
    assert len(commands) == 6
    for command in commands:
        run(Step(command, ""), folder, BRIEF)


# A reader, who writes the files of a page, runs its commands, and keeps what they print


class Step(NamedTuple):
    """A command of a tutorial, and what the page says it prints."""

    command: str
    shown: str


def follow(page: str, folder: Path, changes: dict[str, str] | None = None) -> list[tuple[Step, str]]:
    """Every command of a page with what it really printed; `changes` are put into the commands, to make them short."""
    done = []
    for before, body in re.findall(r"([^\n]*)\n\n```\w+\n(.*?)^```$", page, re.DOTALL | re.MULTILINE):
        written, added = FILE.search(before), ADDED.search(before)
        if written:
            (folder / written[1]).write_text(body)
        elif added:
            with (folder / added[1]).open("a") as file:
                file.write(f"\n\n{body}")
        if body.startswith("$ "):
            done += [(step, run(step, folder, changes or {})) for step in steps(body)]
    return done


def steps(block: str) -> list[Step]:
    """The commands of a block, each with the lines that follow it."""
    return [Step(*each.partition("\n")[::2]) for each in re.split(r"^\$ ", block, flags=re.MULTILINE)[1:]]


def run(step: Step, folder: Path, changes: dict[str, str]) -> str:
    """Return what a command prints, which runs in this process, in the tutorial's folder."""
    command = step.command
    for old, new in changes.items():
        command = re.sub(old, new, command)
    words, _, target = command.partition(" > ")
    interface, *arguments = shlex.split(words, comments=True)
    answers = io.StringIO("".join(f"{answer}\n" for answer in ANSWER.findall(step.shown)))
    with chdir(folder), redirect_stdout(io.StringIO()) as printed, patch.object(sys, "stdin", answers):
        if interface == "python":
            runpy.run_path(arguments[0], run_name="__main__")
            forget(folder)
        else:
            assert main(arguments, interface) == 0, command
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


def test_a_seat_is_paid_for_what_others_brought_it_and_for_nothing_else() -> None:
    """Seat 0 draws and places, seat 1 ends the round: that brings seat 0 a point and costs seat 1 one. In the next
    round seat 1 decides once, seat 0 decides, and seat 1 is to move.
    """
    gamma, lambda_ = 0.9, 0.5
    seats, values = torch.tensor([0, 0, 1, 1, 0, 1]), torch.tensor([0.3, 0.4, -0.2, 0.6, 0.7, 0.8])
    since_own_decision = torch.tensor([[0.1, -0.1], [0.2, -0.3], [1.2, -1.0], [0.0, 0.0], [-0.5, 0.5]])
    ends = torch.tensor([False, False, True, False, False])
    second = 0.2 + 1.0 - 0.4  # until the round ends
    first = 0.1 + gamma * 0.4 - 0.3 + gamma * lambda_ * second
    fourth = 0.0 + 0.5 + gamma * 0.8 - 0.6  # until it is to move
    seats, earned, ends, values = (each[:, None] for each in (seats, since_own_decision, ends, values))  # one table
    found = advantages_of(seats, earned, ends, values, gamma, lambda_)[:, 0]
    assert found.tolist() == pytest.approx([first, second, -1.0 + 0.2, fourth, 0.0], abs=1e-6)  # the last is unknown
