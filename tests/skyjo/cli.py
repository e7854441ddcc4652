"""The command line, called in this process with what is typed."""

import io
import sys
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import NamedTuple

import pytest

from skyjo.games.skipbo.program import main as skipbo_main
from skyjo.main import main
from skyjo_env import Game, format_record
from studies.__main__ import main as studies_main


class Done(NamedTuple):
    """What a command left behind."""

    status: int
    out: str
    err: str


Skyjo = Callable[..., Done]  # skyjo("play", "naive", typed=["d", "quit"])


@pytest.fixture
def skyjo(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Skyjo:
    """Runs a command line of Skyjo and hands back what it said."""
    return runner(main, monkeypatch, capsys)


@pytest.fixture
def skipbo(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Skyjo:
    """The same for Skip-Bo."""
    return runner(skipbo_main, monkeypatch, capsys)


@pytest.fixture
def study(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Skyjo:
    """The same for `python -m studies`."""
    return runner(studies_main, monkeypatch, capsys)


def runner(
    command: Callable[[tuple[str, ...]], int], monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> Skyjo:
    def run(*arguments: str, typed: Iterable[str] = ()) -> Done:
        monkeypatch.setattr(sys, "stdin", io.StringIO("".join(f"{line}\n" for line in typed)))
        try:
            status = command(arguments)
        except SystemExit as done:
            status = int(done.code or 0)
        said = capsys.readouterr()
        return Done(status, said.out, said.err)

    return run


def written(game: Game, folder: Path) -> str:
    """The name of a file in which this game is written down."""
    path = folder / "game.txt"
    path.write_text(format_record(game.record()))
    return str(path)


def complaint(done: Done) -> str:
    """What a command that refused said: a single line."""
    assert (done.status, done.out) == (2, "")
    (line,) = done.err.splitlines()
    return line
