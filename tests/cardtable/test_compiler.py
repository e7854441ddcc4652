"""Compiled code on disk: where it is kept, that a start works whatever happens to it, and what who waits is told."""

import os
from collections.abc import Callable
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from numba import types

from cardtable.table.compiling import code_folders, compile_progress, compiler
from cardtable.table.compiling.code_folders import (
    FLOOR,
    MADE_FOR,
    VERSIONS,
    CodeFolders,
    fingerprint,
    is_told,
    why_compiled,
)
from cardtable.table.compiling.compile_progress import CompileProgress, Line
from tests.processes import printed

BESIDE = FLOOR / "__pycache__"


@pytest.fixture
def places(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> tuple[Path, ...]:
    """The folder that the user names, the one beside the sources, and the user's cache."""
    named, home = tmp_path / "named", tmp_path / "home"
    monkeypatch.setattr(code_folders.config, "CACHE_DIR", str(named))
    monkeypatch.setenv("XDG_CACHE_HOME", str(home))
    return named, BESIDE, home / "skyjo-env"


def test_the_first_folder_that_can_be_written_is_used(
    monkeypatch: pytest.MonkeyPatch, places: tuple[Path, ...]
) -> None:
    for first in range(3):
        monkeypatch.setattr(code_folders, "_writable", lambda folder, first=first: folder in places[first:])
        own = CodeFolders(FLOOR).own
        assert own is not None
        assert own.parent == places[first]
        assert own.parent == BESIDE or not own.exists()  # it is made when there is something to keep
    monkeypatch.setattr(code_folders, "_writable", lambda _: False)
    assert CodeFolders(FLOOR).own is None


def test_code_beside_the_sources_is_read_also_where_it_could_not_be_written(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(code_folders.config, "CACHE_DIR", "")
    written = CodeFolders(FLOOR).own
    monkeypatch.setattr(code_folders, "_writable", lambda folder: folder.parent != FLOOR)
    assert written is not None
    assert CodeFolders(FLOOR).own != written
    assert CodeFolders(FLOOR).readable[-2:] == [written, CodeFolders(FLOOR).own]


def test_code_that_checks_bounds_is_kept_apart(monkeypatch: pytest.MonkeyPatch) -> None:
    plain = code_folders.target()
    monkeypatch.setattr(code_folders.config, "BOUNDSCHECK", True)
    assert code_folders.target() != plain
    assert not code_folders.runs_baseline()


def test_the_folder_changes_with_the_content_of_the_sources_and_not_with_their_times(tmp_path: Path) -> None:
    source = tmp_path / "play.py"
    source.write_text("one")
    one = CodeFolders(tmp_path).own
    os.utime(source, (1, 1))
    code_folders._content.cache_clear()
    assert CodeFolders(tmp_path).own == one
    source.write_text("another")
    code_folders._content.cache_clear()
    assert CodeFolders(tmp_path).own != one


def test_the_same_sources_in_other_places_have_the_same_fingerprint(tmp_path: Path) -> None:
    places = [tmp_path / "a" / "first", tmp_path / "z" / "second", tmp_path / "z" / "first", tmp_path / "a" / "second"]
    for folder in places:
        folder.mkdir(parents=True)
        (folder / "play.py").write_text(folder.name)
    assert fingerprint(*places[:2]) == fingerprint(*places[2:])
    (places[0] / "play.py").write_text("changed")
    code_folders._content.cache_clear()
    assert fingerprint(*places[:2]) != fingerprint(*places[2:])


def test_the_compiler_and_the_shared_kernel_are_in_every_fingerprint(monkeypatch: pytest.MonkeyPatch) -> None:
    found = fingerprint()
    for name, other in (("INVOLVED", ("compiler.py",)), ("FLOOR", FLOOR.parent)):
        with monkeypatch.context() as patch:
            patch.setattr(code_folders, name, other)
            assert fingerprint() != found


def test_what_was_compiled_from_earlier_sources_is_forgotten(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr(code_folders.config, "CACHE_DIR", "")
    kept = []
    for content in ("one", "another"):
        (tmp_path / "play.py").write_text(content)
        code_folders._content.cache_clear()
        folders = CodeFolders(tmp_path)
        folders.forget_older()
        assert folders.own is not None
        folders.own.mkdir(parents=True)
        kept.append(folders.own)
    kept[1].with_name("of another program").mkdir()
    CodeFolders(tmp_path).forget_older()
    assert [folder.exists() for folder in kept] == [False, True]
    assert kept[1].with_name("of another program").exists()


def test_a_user_without_a_home_has_no_cache_there(monkeypatch: pytest.MonkeyPatch) -> None:
    def no_home() -> Path:
        raise RuntimeError("Could not determine home directory.")

    monkeypatch.delenv("XDG_CACHE_HOME", raising=False)
    monkeypatch.setattr(Path, "home", no_home)
    assert [*CodeFolders(FLOOR)._parents()][-1] == BESIDE


SMALL = """
import sys
from cardtable.table.compiling.compiler import compiler_of

@compiler_of(__file__)
def doubled(number):
    return 2 * number

print(doubled(21), sum(doubled._cache_hits.values()))
"""
LIMITED = "import resource; resource.setrlimit(resource.RLIMIT_FSIZE, (0, 0))\n"  # nothing more can be written

DAMAGES: list[Callable[[bytes], bytes]] = [
    lambda data: data[: len(data) // 2],
    lambda data: data[:-9] + bytes([data[-9] ^ 1]) + data[-8:],  # a single bit
]


def started(interface: Path, folder: Path) -> str:
    """What the program prints: the answer, and how many functions it did not have to compile."""
    return printed(interface, NUMBA_CACHE_DIR=str(folder)).strip()


@pytest.mark.slow
def test_a_damaged_file_is_compiled_anew_and_mended(tmp_path: Path) -> None:
    interface = tmp_path / "small.py"
    interface.write_text(SMALL)
    assert started(interface, tmp_path) == "42 0"
    assert started(interface, tmp_path) == "42 1"
    for damage in DAMAGES:
        (file,) = tmp_path.rglob("*doubled*.nbc")
        file.write_bytes(damage(file.read_bytes()))
        assert started(interface, tmp_path) == "42 0"
        assert started(interface, tmp_path) == "42 1"


@pytest.mark.slow
def test_a_full_disk_means_that_nothing_is_kept(tmp_path: Path) -> None:
    interface = tmp_path / "small.py"
    interface.write_text(LIMITED + SMALL)
    assert started(interface, tmp_path) == "42 0"
    assert started(interface, tmp_path) == "42 0"
    assert not [*tmp_path.rglob("*.draft")]


def test_a_tuple_and_star_arguments_have_files_of_their_own() -> None:
    untyped: Any = types
    cache: Any = compiler.compiler_of(__file__)(lambda *many: many)
    members = untyped.int64, untyped.float64
    kinds = untyped.Tuple(members), untyped.StarArgTuple(members)
    assert len({cache._cache._file_name((kind,)) for kind in kinds}) == 2


OLDER = VERSIONS.replace("numba ", "numba 9.")
OURS = VERSIONS.split(", ")[0]


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
        (OLDER, f"came with code compiled for {OLDER.split(', ')[0]}, but finds {OURS}"),
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
