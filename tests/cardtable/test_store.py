"""The store, with games of another kind than Skyjo: whatever happens to a file is found out and named."""

import errno
import os
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pyarrow as pa
import pytest

from cardtable.arena.stored.parquet import pack
from cardtable.arena.stored.store import MANIFEST, Store, StoreError

ABOUT = {"game": "dice", "players": ["Ann", "Bob"]}


def damages(store: Store) -> Iterator[str]:
    """What is wrong with each file that is not as it was written."""
    for path in store.paths():
        try:
            store.read(path, [])
        except StoreError as error:
            yield str(error)


def throws(number: int) -> pa.Table:
    """A piece of the toy: every game has a number and some throws of a die."""
    games = range(10 * number, 10 * number + 10)
    return pa.table({"game": pa.array(games, pa.int64()), "throws": [[game % 6 + 1] * (game % 4) for game in games]})


@pytest.fixture
def store(tmp_path: Path) -> Store:
    """Three pieces, finished."""
    store = Store.create(tmp_path / "dice", ABOUT)
    for number in range(3):
        store.keep(number, pack(throws(number)))
    return store.finish(3, {})


def names(store: Store) -> list[str]:
    """All that lies in the folder."""
    return sorted(path.name for path in store.folder.iterdir())


def refuses(call: Callable[[], Any], *words: str) -> None:
    """A StoreError on one line in which these words stand."""
    with pytest.raises(StoreError) as caught:
        call()
    assert "\n" not in str(caught.value)
    for word in words:
        assert word in str(caught.value)


def test_what_was_written_is_read_again(store: Store) -> None:
    again = Store.open(store.folder)
    assert again.manifest == {"store": 1, **ABOUT, "finished": {"pieces": 3, "left_out": [], "failed": {}}}
    assert list(again.pieces()) == [0, 1, 2]
    assert [rows.to_pydict() for rows in map(again.read, again.pieces().values())] == [
        throws(number).to_pydict() for number in range(3)
    ]
    assert [again.read(file, ["game"]).column_names for file in again.pieces().values()] == [["game"]] * 3
    assert list(damages(again)) == []
    assert Store.is_at(store.folder)
    assert not Store.is_at(store.folder.parent)


@pytest.mark.parametrize("bit", [1, 0x80])
def test_every_byte_of_a_piece_counts(store: Store, bit: int) -> None:
    file = store.pieces()[1]
    whole = file.read_bytes()
    for at in range(len(whole)):
        data = bytearray(whole)
        data[at] ^= bit
        file.write_bytes(data)
        refuses(lambda: store.read(file), str(file), "damaged")
    assert [str(file) in words for words in damages(store)] == [True]
    refuses(lambda: [store.read(each) for each in store.pieces().values()], str(file))
    file.write_bytes(whole)
    assert list(damages(store)) == []


def test_a_piece_that_is_cut_off_or_too_long_is_named(store: Store) -> None:
    file = store.pieces()[2]
    whole = file.read_bytes()
    for data in (b"", whole[:1], whole[: len(whole) // 2], whole[:-1], whole + b"\0", whole + whole):
        file.write_bytes(data)
        refuses(lambda: store.read(file, ["game"]), str(file), "damaged")
        assert len(list(damages(store))) == 1


def test_a_piece_that_is_gone_is_missed_where_all_was_played(store: Store) -> None:
    gone = store.pieces()[1]
    gone.unlink()
    refuses(lambda: store.read(gone), str(gone), "missing")
    refuses(store.pieces, str(store.folder), "games-000001-*.parquet is missing, 1 in all")
    refuses(store.pieces, "games-000001-*.parquet is missing")


def test_before_the_end_what_is_there_are_pieces(tmp_path: Path) -> None:
    store = Store.create(tmp_path, ABOUT)
    store.keep(4, pack(throws(4)))
    store.keep(0, pack(throws(0)))
    assert list(Store.open(tmp_path).pieces()) == [0, 4]


def test_a_piece_that_is_there_twice_is_named(store: Store) -> None:
    store.keep(1, pack(throws(7)))
    file = store.folder / f"games-000001-{'0' * 16}.parquet"
    refuses(store.pieces, "games-000001-", "holds the same games")
    file.write_bytes(b"")
    assert [str(file) in words for words in damages(store)] == [True]


@pytest.mark.parametrize(
    "name", ["games-1-{digest}", "games-000001", "games-old-000001-{digest}", "games-000001-{DIGEST}"]
)
def test_a_piece_with_another_name_is_named(store: Store, name: str) -> None:
    digest = store.pieces()[1].stem.rpartition("-")[2]
    renamed = store.folder / f"{name.format(digest=digest, DIGEST='X' * 16)}.parquet"
    store.pieces()[1].rename(renamed)
    refuses(store.pieces, str(renamed), "renamed")


def test_every_byte_of_the_manifest_counts(store: Store) -> None:
    file = store.folder / MANIFEST
    whole = file.read_bytes()
    for at in range(len(whole)):
        for data in (whole[:at], whole[:at] + bytes([whole[at] ^ 1]) + whole[at + 1 :]):
            file.write_bytes(data)
            refuses(lambda: Store.open(store.folder), str(file), "damaged")


@pytest.mark.parametrize("text", ["", "null", "[]", "{}", '{"check": 1}', "[" * 100_000, "\udcff", '"check"'])
def test_what_is_no_manifest_is_damaged(store: Store, text: str) -> None:
    (store.folder / MANIFEST).write_bytes(text.encode(errors="surrogateescape"))
    refuses(lambda: Store.open(store.folder), MANIFEST, "damaged")


@pytest.mark.parametrize("version", [{"store": 2}, {}])
def test_a_store_of_another_version_is_refused(store: Store, version: dict[str, int]) -> None:
    Store(store.folder, version)._write_manifest()
    refuses(lambda: Store.open(store.folder), MANIFEST, f"version {version.get('store')} cannot be read, only 1")


def test_a_folder_of_something_else_is_left_alone(tmp_path: Path) -> None:
    (tmp_path / "letter.txt").write_text("Dear Ann")
    refuses(lambda: Store.create(tmp_path, ABOUT), str(tmp_path), "the folder is not empty")
    refuses(lambda: Store.open(tmp_path), str(tmp_path), "no games are stored here")
    refuses(lambda: Store.open(tmp_path / "nowhere"), "nowhere", "no games are stored here")
    assert [path.name for path in tmp_path.iterdir()] == ["letter.txt"]


def test_a_draft_that_was_left_behind_is_no_piece(store: Store, tmp_path: Path) -> None:
    drafts = [store.folder / f".games-00000{n}-0123456789abcdef.parquet.{n}.draft" for n in (1, 2)]
    for draft in drafts:
        draft.write_bytes(b"PAR1")
    os.utime(drafts[0], (1, 1))
    assert list(store.pieces()) == [0, 1, 2]
    assert list(damages(store)) == []
    store.forget_drafts()
    assert [draft.exists() for draft in drafts] == [False, True]  # somebody may be writing it
    (tmp_path / "new").mkdir()
    (tmp_path / "new" / "._manifest.json.17.draft").write_bytes(b"{")
    assert Store.create(tmp_path / "new", ABOUT).pieces() == {}


@pytest.mark.parametrize("failing", ["fsync", "replace"])
def test_what_cannot_be_written_leaves_nothing(store: Store, failing: str, monkeypatch: pytest.MonkeyPatch) -> None:
    def full(*_: Any) -> None:
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    monkeypatch.setattr(os if failing == "fsync" else Path, failing, full)
    before, manifest = names(store), (store.folder / MANIFEST).read_bytes()
    with pytest.raises(OSError, match="No space left on device") as caught:
        store.keep(3, pack(throws(3)))
    assert Path(caught.value.filename).name.startswith("games-000003-")
    with pytest.raises(OSError, match="No space left on device"):
        store.finish(3, {"Ann": "ill"})
    assert names(store) == before
    assert (store.folder / MANIFEST).read_bytes() == manifest
    assert list(damages(store)) == []


def test_what_was_played_in_vain_is_removed_at_the_end(store: Store) -> None:
    unfinished = Store.create(store.folder.parent / "more", ABOUT)
    for number in (0, 2, 3, 4):
        unfinished.keep(number, pack(throws(number)))
    done = unfinished.finish(4, {"Bob": [0, 7, "ill"]})
    assert done.manifest["finished"] == {"pieces": 4, "left_out": [1], "failed": {"Bob": [0, 7, "ill"]}}
    assert list(Store.open(done.folder).pieces()) == [0, 2, 3]
    assert names(done.finish(4, {"Bob": [0, 7, "ill"]})) == names(done)
    done.pieces()[2].unlink()
    refuses(done.pieces, "games-000002-*.parquet is missing")
