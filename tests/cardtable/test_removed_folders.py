"""What a stranger has put into a folder is removed with it, and nothing else."""

import os
from pathlib import Path

import pytest

from cardtable.files import remove_folder


def test_a_folder_is_removed_whatever_lies_in_it(tmp_path: Path) -> None:
    kept = tmp_path / "kept"
    kept.mkdir()
    (kept / "file").touch()
    folder = tmp_path / "folder"
    (folder / "closed" / "closed").mkdir(parents=True)
    (folder / "closed" / "closed" / "file").touch()
    (folder / "link").symlink_to(kept)
    (folder / "closed" / "link").symlink_to(kept)
    (folder / "loop").symlink_to(folder)
    (folder / "closed" / "closed").chmod(0)
    (folder / "closed").chmod(0)
    remove_folder(folder)
    assert not folder.exists()
    assert (kept / "file").exists()
    assert (kept.stat().st_mode & 0o777) != 0


@pytest.mark.slow
def test_folders_within_folders_beyond_the_longest_path(tmp_path: Path) -> None:
    folder, here = tmp_path / "folder", Path.cwd()
    folder.mkdir()
    os.chdir(folder)
    for _ in range(1500):
        Path("within").mkdir()
        os.chdir("within")
    os.chdir(here)
    remove_folder(folder)
    assert not folder.exists()


def test_neither_a_link_nor_nothing_is_removed(tmp_path: Path) -> None:
    kept = tmp_path / "kept"
    kept.mkdir()
    (tmp_path / "link").symlink_to(kept)
    remove_folder(tmp_path / "link")
    remove_folder(tmp_path / "nothing")
    assert kept.exists()
