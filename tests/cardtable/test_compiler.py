"""Compiled code is kept in the first writable folder, and apart for every version of the sources."""

import os
import stat
import tempfile
from pathlib import Path

import pytest

from cardtable.table.compiling import code_folders, targets
from cardtable.table.compiling.code_folders import FLOOR, CodeFolders, fingerprint, temporary_cache

BESIDE = FLOOR / "__pycache__"


@pytest.fixture
def places(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> tuple[Path, ...]:
    """The folder that the user names, the one beside the sources, the user's cache, and a temporary one."""
    named, home, temporary = tmp_path / "named", tmp_path / "home", tmp_path / "temporary"
    monkeypatch.setattr(code_folders.config, "CACHE_DIR", str(named))
    monkeypatch.setattr(code_folders, "user_cache", lambda: home)
    monkeypatch.setattr(code_folders, "temporary_cache", lambda: temporary)
    return named, BESIDE, home, temporary


def test_the_first_folder_that_can_be_written_is_used(
    monkeypatch: pytest.MonkeyPatch, places: tuple[Path, ...]
) -> None:
    for first in range(4):
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
    plain = targets.target()
    monkeypatch.setattr(targets.config, "BOUNDSCHECK", True)
    assert targets.target() != plain
    assert not targets.runs_baseline()


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
    for name, other in (("INVOLVED", ("compiler.py", "linking.py")), ("FLOOR", FLOOR.parent)):
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
    assert code_folders.user_cache() is None


def test_the_temporary_cache_is_closed_to_others_and_refused_if_it_is_not(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setattr(tempfile, "gettempdir", lambda: str(tmp_path))
    folder = temporary_cache()
    assert folder is not None
    assert stat.S_IMODE(folder.stat().st_mode) == 0o700
    folder.chmod(0o770)
    assert temporary_cache() is None
    folder.rmdir()
    (tmp_path / "somewhere").mkdir(mode=0o700)
    folder.symlink_to(tmp_path / "somewhere")
    assert temporary_cache() is None
    folder.unlink()
    monkeypatch.setattr(os, "getuid", lambda: 12345)
    (tmp_path / "skyjo-env-12345").mkdir(mode=0o700)  # of somebody else
    assert temporary_cache() is None
