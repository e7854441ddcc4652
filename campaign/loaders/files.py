"""Loaders of files: policies, checkpoints, stores, saved tables, and compiled code."""

import hashlib
import json
import random
import shutil
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq

from campaign.damage import damaged
from campaign.loaders import Attempt, Loader, Read
from cardtable.compiling import code_cache
from cardtable.errors import TableError
from cardtable.play.plan import Plan
from cardtable.policies.policy_card import card_path
from cardtable.policies.policy_file import load_policy
from cardtable.stored import store as stores
from cardtable.stored.pieces import GameId
from cardtable.stored.recheck import faults, record_of
from cardtable.stored.store import MANIFEST, Store
from skyjo.web.requests import TableRequest
from skyjo.web.table_room import TableRoom
from tests.cardtable.test_strange_stores import changed
from tests.policies import saved
from tests.skyjo_play import a_plan


def policies(_game: str, _chance: random.Random, folder: Path) -> Attempt:
    """A policy, weights or card damaged, is refused or loaded; sometimes the card knows the damaged weights' digest."""
    whole = saved(folder / "policy.safetensors", (2, 3))
    weights, card = whole.read_bytes(), card_path(whole).read_bytes()

    def attempt(chance: random.Random) -> tuple[bytes, Read]:
        bad, told = weights, card
        if chance.random() < 0.6:
            bad = damaged(chance, weights[: chance.choice((2000, len(weights)))])
            bad += weights[2000:] if chance.random() < 0.5 else b""
            told = json.dumps(json.loads(card) | {"sha256": hashlib.sha256(bad).hexdigest()}).encode()
        else:
            told = damaged(chance, card)

        def read() -> None:
            whole.write_bytes(bad)
            card_path(whole).write_bytes(told)
            load_policy(whole)

        return bad + b"\0card\0" + told, read

    return attempt


def checkpoints(_game: str, chance: random.Random, folder: Path) -> Attempt:
    """A damaged checkpoint with the right digest is refused or loaded."""
    from skyjo_training.checkpoint import load_checkpoint, save_checkpoint
    from skyjo_training.self_play import SelfPlay
    from tests.skyjo_training.test_training_run import SMALL

    model = SelfPlay(SMALL.with_changes({"decisions": 512, "players": (2,)}))
    model.learn(512)
    path = save_checkpoint(folder, model, {"rows": [], "seconds": 1.0})
    data = path.read_bytes()
    path.unlink()
    header = 8 + int.from_bytes(data[:8], "little")

    def attempt(chance: random.Random) -> tuple[bytes, Read]:
        end = chance.choice((header, header, len(data)))
        bad = damaged(chance, data[:end]) + data[end:]
        if chance.random() < 0.5:  # as a damaged header that is as long as it says
            bad = (len(bad) - (len(data) - header) - 8).to_bytes(8, "little", signed=True) + bad[8:]

        def read() -> None:
            place = folder / f"checkpoint-00000001-{hashlib.sha256(bad).hexdigest()[:16]}.safetensors"
            place.write_bytes(bad)
            try:
                load_checkpoint(folder, model)
            finally:
                place.unlink()

        return bad, read

    return attempt


def stored_games(_game: str, chance: random.Random, folder: Path) -> Attempt:
    """A store with a damaged manifest, damaged bytes or other rows tells its faults; nothing else is raised."""
    from tests.cardtable.test_stored_games import PLAN, stored

    whole = stored(folder / "whole", PLAN if chance.random() < 0.5 else small_plan(chance))
    assert not list(faults(whole))  # this also compiles what replays games, which is no part of reading an input
    manifest, piece = (whole.folder / MANIFEST).read_bytes(), whole.pieces()[0]
    data, rows = piece.read_bytes(), whole.read(piece)
    place = folder / "changed"

    def attempt(chance: random.Random) -> tuple[bytes, Read]:
        kind, told, bad = chance.randrange(4), manifest, data
        if kind == 0:
            told = damaged(chance, manifest)
        elif kind == 1:
            told = checked(damaged(chance, manifest))
        elif kind == 2:
            bad = damaged(chance, data)
        else:
            sink = pa.BufferOutputStream()
            pq.write_table(changed(rows, chance), sink)
            bad = sink.getvalue().to_pybytes()

        def read() -> None:
            shutil.rmtree(place, ignore_errors=True)
            place.mkdir()
            (place / MANIFEST).write_bytes(told)
            (place / f"games-000000-{stores._digest(bad)}.parquet").write_bytes(bad)
            store = Store.open(place)
            for line in faults(store):
                assert line.isprintable(), line
            record_of(store, GameId(0, 2, 1))

        return told + b"\0piece\0" + bad, read

    return attempt


def small_plan(chance: random.Random) -> Plan:
    """A few rounds by official rules."""
    return a_plan((("tempo", "naive"),), (5,), seed=chance.randrange(1000), with_luck=True)


def checked(manifest: bytes) -> bytes:
    """A manifest with the right digest, if it is one at all."""
    try:
        document = json.loads(manifest)
        document.pop("check", None)
        return json.dumps(document | {"check": stores._check(document)}).encode()
    except (ValueError, TypeError, AttributeError, RecursionError):
        return manifest


def saved_tables(game: str, chance: random.Random, folder: Path) -> Attempt:
    """A damaged table of the web is refused or stands again, and hurts no other table."""
    room = TableRoom(game, folder)
    table = room.open(TableRequest(("you", "you"), "", "game"), "me")
    for _ in range(20):
        table.act(chance.choice(table.played.game.legal_actions()))
    whole = (folder / f"{table.number}.table").read_bytes()
    place = folder / "abcdefghijkl.table"

    def attempt(chance: random.Random) -> tuple[bytes, Read]:
        bad = damaged(chance, whole)

        def read() -> None:
            place.write_bytes(bad)
            found = TableRoom(game, folder)
            assert found.find(table.number).seq == 20
            found.find(place.name.removesuffix(".table"))

        return bad, read

    return attempt


def compiled_code(_game: str, _chance: random.Random, folder: Path) -> Attempt:
    """A damaged file of compiled code counts as missing: its digest is checked before its pickle is read."""
    place = folder / "code.nbc"
    code_cache.write(place, ("library", {("a", 1): "signature"}, b"\x7fELF" * 20))
    whole = place.read_bytes()

    def attempt(chance: random.Random) -> tuple[bytes, Read]:
        bad = damaged(chance, whole)
        while bad == whole:
            bad = damaged(chance, whole)

        def read() -> None:
            place.write_bytes(bad)
            missing(place)

        return bad, read

    return attempt


def missing(place: Path) -> None:
    """TableError if a damaged file counts as missing, as it must; AssertionError if it is read."""
    if code_cache.read(place) is not None:
        raise AssertionError("damaged code was read")
    raise TableError("to be compiled again")


LOADERS = (
    Loader("policies", 800, policies),
    Loader("checkpoints", 150, checkpoints),
    Loader("stores", 250, stored_games),
    Loader("saved tables", 400, saved_tables),
    Loader("compiled code", 3000, compiled_code),
)
