"""The site as files."""

from pathlib import Path

import pytest

from skyjo.web.building import site


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
