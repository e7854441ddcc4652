"""Compiled code is kept where it can be written, apart for every version of the sources, and never mixed."""

from pathlib import Path
from typing import Any

import pytest

from skyjo_env.kernel import jit

BESIDE = jit.KERNEL / "__pycache__"


def only_in(*allowed: Path) -> Any:
    """A machine on which nothing but these folders can be written."""
    return lambda folder: folder.parent in allowed


@pytest.fixture
def places(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> tuple[Path, Path, Path]:
    """The folder that the user names, the one beside the sources, and the user's cache."""
    named, home = tmp_path / "named", tmp_path / "home"
    monkeypatch.setattr(jit.config, "CACHE_DIR", str(named))
    monkeypatch.setattr(jit, "_user_cache", lambda: home)
    return named, BESIDE, home


def test_the_first_folder_that_can_be_written_is_used(
    monkeypatch: pytest.MonkeyPatch, places: tuple[Path, Path, Path]
) -> None:
    for first in range(3):
        monkeypatch.setattr(jit, "_writable", only_in(*places[first:]))
        folder = jit._cache_folder(jit.KERNEL)
        assert folder is not None
        assert Path(folder).parent == places[first]
    monkeypatch.setattr(jit, "_writable", only_in())
    assert jit._cache_folder(jit.KERNEL) is None


def test_every_version_of_the_sources_has_its_own_folder(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr(jit, "KERNEL", tmp_path)
    (tmp_path / "play.py").write_text("one")
    one = jit._cache_folder(jit.KERNEL)
    (tmp_path / "play.py").write_text("another")
    another = jit._cache_folder(jit.KERNEL)
    assert one != another
    if not jit.config.CACHE_DIR:
        assert [str(kept) for kept in (tmp_path / "__pycache__").iterdir()] == [another]  # the older is forgotten


def test_a_user_without_a_home_has_no_cache_there(monkeypatch: pytest.MonkeyPatch) -> None:
    def no_home() -> Path:
        raise RuntimeError("Could not determine home directory.")

    monkeypatch.delenv("XDG_CACHE_HOME", raising=False)
    monkeypatch.setattr(Path, "home", no_home)
    assert jit._user_cache() is None
