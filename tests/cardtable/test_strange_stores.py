"""Stores of strangers: pieces with the right digest and anything in them are refused in one line."""

import json
import random
from pathlib import Path
from typing import Any

import pyarrow as pa
import pytest

from cardtable.arena.results import games_page
from cardtable.arena.results.games_page import ladder_document, summaries
from cardtable.arena.stored import store as stores
from cardtable.arena.stored.pieces import GameId, plan_of, read_piece
from cardtable.arena.stored.recheck import faults, record_of
from cardtable.arena.stored.store import Store, StoreError, pack
from cardtable.table.errors import TableError
from skyjo_env.card_game import SKYJO
from tests.cardtable.test_stored_games import PLAN, stored
from tests.helpers import forged

CHANGES, MANIFESTS = 400, 120
STRANGE: list[Any] = [None, -1, 0, 1, 255, 2**31 - 1, 2**40, 1.5, "text", b"", b"\x00\x01", [], [1], [None], [[1]], {}]


@pytest.fixture(scope="module")
def pieces(tmp_path_factory: pytest.TempPathFactory) -> Store:
    return stored(tmp_path_factory.mktemp("strange") / "games", PLAN)


def changed(rows: pa.Table, chance: random.Random) -> pa.Table:
    """The same rows with something else in a column."""
    name, kind = chance.choice(rows.column_names), chance.randrange(5)
    column, place = rows.column_names.index(name), chance.randrange(len(rows))
    values = rows[name].to_pylist()
    if kind == 0:
        return rows.drop_columns([name])
    if kind == 1:
        return rows.slice(0, chance.randrange(len(rows)))
    if kind == 2:
        return rows.rename_columns([each if each != name else "other" for each in rows.column_names])
    values[place] = chance.choice(STRANGE) if kind == 3 else chance.choice(values)
    try:
        array = pa.array(values, rows.schema.field(name).type if chance.random() < 0.7 else None)
    except (pa.ArrowException, OverflowError, TypeError, ValueError):
        array = pa.array([chance.choice(STRANGE[:3])] * len(rows))
    return rows.set_column(column, name, array)


@pytest.mark.slow
def test_whatever_is_in_a_piece_only_our_own_error_comes_of_it(pieces: Store, tmp_path: Path) -> None:
    chance, plan, refused = random.Random(1), plan_of(pieces), 0
    rows = pieces.read(pieces.pieces()[0])
    for number in range(CHANGES):
        store = Store.create(tmp_path / str(number), pieces.manifest)
        store.keep(0, pack(changed(rows, chance)))
        told = [*faults(store)]
        refused += bool(told)
        assert all(len(line.splitlines()) == 1 for line in told)
        try:
            read_piece(store, plan, 0, store.pieces()[0])
            record_of(store, GameId(0, 2, 1))
        except TableError:
            refused += 1
    assert refused > CHANGES


def test_whatever_is_in_a_manifest_only_our_own_error_comes_of_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(games_page, "RESAMPLES", 2)
    folder, refused = stored(tmp_path / "games", PLAN).finish(1, {}).folder, 0
    path, chance = folder / stores.MANIFEST, random.Random(3)
    written = Store.open(folder).manifest
    for _ in range(MANIFESTS):
        name = chance.choice([*written])
        manifest = written | {name: forged(written[name], chance)}
        path.write_text(json.dumps(manifest | {"check": stores._check(manifest)}))
        try:
            ladder_document(summaries(SKYJO, [str(folder)]))
        except TableError:
            refused += 1
    assert refused > MANIFESTS / 2


@pytest.mark.parametrize("data", [b"", b"PAR1", b"PAR1" * 100, bytes(1000)])
def test_what_is_no_parquet_file_is_refused(data: bytes, pieces: Store, tmp_path: Path) -> None:
    store = Store.create(tmp_path / "games", pieces.manifest)
    path = store.folder / f"games-000000-{stores._digest(data)}.parquet"
    path.write_bytes(data)
    with pytest.raises(StoreError, match="not a piece of stored games"):
        store.read(path)


@pytest.mark.slow
def test_cut_or_changed_bytes_with_a_new_digest_are_refused_or_read(pieces: Store, tmp_path: Path) -> None:
    chance, data, refused = random.Random(2), pieces.pieces()[0].read_bytes(), 0
    for number in range(CHANGES):
        store = Store.create(tmp_path / str(number), pieces.manifest)
        bad = bytearray(data)
        for _ in range(chance.randrange(1, 4)):
            bad[chance.randrange(len(bad))] = chance.randrange(256)
        bad = bad[: chance.randrange(len(bad))] if chance.random() < 0.3 else bad
        path = store.folder / f"games-000000-{stores._digest(bytes(bad))}.parquet"
        path.write_bytes(bytes(bad))
        refused += bool([*faults(store)])
    assert refused > CHANGES / 4
