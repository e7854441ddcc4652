"""Compiled code is kept where it can be written, apart for every version of the sources, and never mixed."""

from pathlib import Path
from typing import Any

import pytest

from cardtable.kernel import compiler

BESIDE = compiler.FLOOR / "__pycache__"


def only_in(*allowed: Path) -> Any:
    """A machine on which nothing but these folders can be written."""
    return lambda folder: folder.parent in allowed


@pytest.fixture
def places(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> tuple[Path, Path, Path]:
    """The folder that the user names, the one beside the sources, and the user's cache."""
    named, home = tmp_path / "named", tmp_path / "home"
    monkeypatch.setattr(compiler.config, "CACHE_DIR", str(named))
    monkeypatch.setattr(compiler, "_user_cache", lambda: home)
    return named, BESIDE, home


def test_the_first_folder_that_can_be_written_is_used(
    monkeypatch: pytest.MonkeyPatch, places: tuple[Path, Path, Path]
) -> None:
    for first in range(3):
        monkeypatch.setattr(compiler, "_writable", only_in(*places[first:]))
        folder = compiler.cache_folder(compiler.FLOOR)
        assert folder is not None
        assert Path(folder).parent == places[first]
    monkeypatch.setattr(compiler, "_writable", only_in())
    assert compiler.cache_folder(compiler.FLOOR) is None


def test_every_version_of_the_sources_has_its_own_folder(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr(compiler, "FLOOR", tmp_path)
    (tmp_path / "play.py").write_text("one")
    one = compiler.cache_folder(compiler.FLOOR)
    (tmp_path / "play.py").write_text("another")
    another = compiler.cache_folder(compiler.FLOOR)
    assert one != another
    if not compiler.config.CACHE_DIR:
        assert [str(kept) for kept in (tmp_path / "__pycache__").iterdir()] == [another]  # the older is forgotten


def test_a_user_without_a_home_has_no_cache_there(monkeypatch: pytest.MonkeyPatch) -> None:
    def no_home() -> Path:
        raise RuntimeError("Could not determine home directory.")

    monkeypatch.delenv("XDG_CACHE_HOME", raising=False)
    monkeypatch.setattr(Path, "home", no_home)
    assert compiler._user_cache() is None
