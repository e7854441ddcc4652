"""Whoever waits for a compiler is told why, and how to do all of it at once."""

from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from cardtable.table.compiling import code_folders, compile_progress
from cardtable.table.compiling.code_folders import FLOOR, MADE_FOR, VERSIONS, CodeFolders, why_compiled
from cardtable.table.compiling.compile_progress import CompileProgress, Line
from cardtable.table.compiling.targets import is_told

OLDER = VERSIONS.replace("-numba", "-numba9.")
OURS = VERSIONS.partition("-numba")[2].partition("-")[0]


@pytest.fixture
def carried(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Path:
    """Where an installed package would have its compiled code."""
    monkeypatch.setattr(code_folders, "FLOOR", tmp_path / "cardtable" / "kernel")
    monkeypatch.setattr(code_folders, "CARRIED", tmp_path / "precompiled")
    monkeypatch.setattr(code_folders, "is_told", lambda: False)
    monkeypatch.setattr(code_folders, "runs_baseline", lambda: True)
    return tmp_path / "precompiled"


def carry(carried: Path, versions: str) -> None:
    """Leave what a wheel for these versions says."""
    carried.mkdir()
    carried.joinpath(MADE_FOR).write_text(versions)


@pytest.mark.parametrize(
    ("versions", "reason"),
    [
        ("", "was installed without compiled code"),
        (OLDER, f"came with code compiled for numba 9.{OURS}, but finds numba {OURS}"),
        (VERSIONS, None),
    ],
)
def test_the_reason_is_that_no_code_fits(carried: Path, versions: str, reason: str | None) -> None:
    if versions:
        carry(carried, versions)
    assert why_compiled() == reason


def test_the_reason_may_be_the_processor(carried: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    carry(carried, VERSIONS)
    monkeypatch.setattr(code_folders, "runs_baseline", lambda: False)
    assert why_compiled() == "came with compiled code for newer processors than this one"
    monkeypatch.setattr(code_folders, "is_told", lambda: True)  # by NUMBA_CPU_NAME, for instance
    assert why_compiled() is None


@pytest.mark.skipif(is_told(), reason="numba has been told for which processor it compiles")
def test_a_clone_needs_no_reason() -> None:
    assert why_compiled() is None


def test_the_reason_is_given_once(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    class Dispatcher:
        py_func = staticmethod(why_compiled)

    start: Any = SimpleNamespace(data={"dispatcher": Dispatcher})
    progress = CompileProgress()
    progress.add(Dispatcher, CodeFolders(FLOOR))
    monkeypatch.setattr(compile_progress, "PROGRESS", progress)
    monkeypatch.setattr(compile_progress, "why_compiled", lambda: "came with code for something else")
    for _ in range(2):
        progress.on_start(start)
        progress.on_end(start)
    printed = capsys.readouterr().err
    reason = "skyjo-env came with code for something else: each part is compiled once, at its first use, which takes "
    assert printed.count(reason) == 1
    assert all(line.startswith("skyjo-env") for line in printed.splitlines())


def test_without_a_terminal_a_line_comes_every_ten_seconds(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    line = Line()
    for second in range(25):
        monkeypatch.setattr(compile_progress, "monotonic", lambda now=second: now)
        line(f"{second} of 120 functions")
        line("")
    assert capsys.readouterr().err == "0 of 120 functions\n10 of 120 functions\n20 of 120 functions\n"


def test_a_process_that_was_started_by_another_is_silent_until_it_is_told_to_speak(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(compile_progress, "parent_process", lambda: "another")
    line = Line()
    line("0 of 120 functions")
    line.is_silent = False
    line("1 of 120 functions")
    assert capsys.readouterr().err == "1 of 120 functions\n"
