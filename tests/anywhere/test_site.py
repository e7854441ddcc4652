"""The site as files."""

from pathlib import Path

import pytest

from skyjo.interfaces import playable_interfaces
from skyjo.web import built_site
from skyjo.web.building import site

GAMES = playable_interfaces()


def test_only_an_earlier_site_is_written_over(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(site, "write_site", lambda folder: site.write(folder / "site.webmanifest", "{}"))
    folder = tmp_path / "site"
    for _ in range(2):
        site.main(str(folder))
        assert {path.name for path in folder.iterdir()} == {"site.webmanifest", "sources.txt"}
        folder.joinpath("old").touch()
    for foreign in (tmp_path, folder / "old"):
        with pytest.raises(SystemExit, match="is not empty"):
            site.main(str(foreign))
    assert folder.joinpath("old").exists()


def test_the_site_is_built_once_for_the_same_sources(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    built = list[str]()

    def run(module: str, folder: Path) -> None:
        built.append(module.rpartition(".")[2])
        folder.mkdir(parents=True, exist_ok=True)
        for stamp in (folder / built_site.STAMP, *(built_site.stamp_of(folder, game) for game in GAMES)):
            stamp.write_text(built_site.digest_of(iter([source])), "utf-8")

    source = tmp_path / "kernel.py"
    source.write_text("one")
    monkeypatch.setattr(built_site, "_run", run)
    monkeypatch.setattr(built_site, "build_folder", lambda: tmp_path)
    for sources in ("compiled_sources", "all_sources"):
        monkeypatch.setattr(built_site, sources, lambda *_: iter([source]))
    for _ in range(2):
        assert built_site.site_folder() == tmp_path / "served"
    assert built == ["building", "site"]
    source.write_text("two")
    built_site.site_folder()
    assert built == ["building", "site"] * 2


def test_a_wheel_carries_its_site(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(built_site, "CARRIED", tmp_path)
    assert built_site.site_folder() == tmp_path


def test_only_games_that_have_changed_are_built_again(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    assert built_site.changed_games(tmp_path) == GAMES
    for game in GAMES:
        built_site.stamp_of(tmp_path, game).write_text(built_site.digest_of(built_site.compiled_sources(game)))
    assert built_site.changed_games(tmp_path) == []
    sources, new = built_site.compiled_sources, tmp_path / "new.py"
    new.touch()
    monkeypatch.setattr(built_site, "compiled_sources", lambda game: [*sources(game), *[new] * (game == "skipbo")])
    assert built_site.changed_games(tmp_path) == ["skipbo"]
