"""Readers of files: policies, checkpoints, stores, and saved tables."""

import hashlib
import json
import random
import shutil
from functools import partial
from pathlib import Path

from cardtable.arena.stored import store as stores
from cardtable.arena.stored.pieces import GameId
from cardtable.arena.stored.recheck import faults, record_of
from cardtable.arena.stored.store import MANIFEST, Store, pack
from cardtable.table.agents.policies.policy_card import card_path
from cardtable.table.agents.policies.policy_file import load_policy
from skyjo.web.requests import TableRequest
from skyjo.web.table_room import TableRoom
from tests.cardtable.test_stored_games import PLAN, stored
from tests.cardtable.test_strange_stores import changed
from tests.fuzz.damage import Attempts, damaged
from tests.games.under_test import GameUnderTest
from tests.policies import saved


def policies(_: GameUnderTest, chance: random.Random, folder: Path) -> Attempts:
    """A policy, its weights or its card damaged, is refused or loaded; often the card has the right digest."""
    whole = saved(folder / "policy.safetensors", (2, 3))
    weights, card = whole.read_bytes(), card_path(whole).read_bytes()

    def read(bad: bytes, told: bytes) -> None:
        whole.write_bytes(bad)
        card_path(whole).write_bytes(told)
        load_policy(whole)

    while True:
        bad, told = weights, damaged(chance, card)
        if chance.random() < 0.6:
            end = chance.choice((2000, len(weights)))
            bad = damaged(chance, weights[:end]) + weights[end:]
            told = json.dumps(json.loads(card) | {"sha256": hashlib.sha256(bad).hexdigest()}).encode()
        yield bad + b"\0card\0" + told, partial(read, bad, told)


def checkpoints(_: GameUnderTest, chance: random.Random, folder: Path) -> Attempts:
    """A damaged checkpoint with the right digest is refused or loaded."""
    from skyjo_training.checkpoint import Notes, load_checkpoint, save_checkpoint
    from skyjo_training.self_play import SelfPlay
    from tests.skyjo_training.test_training_run import SMALL

    model = SelfPlay(SMALL.with_changes({"decisions": 512, "players": (2,)}))
    model.learn(512)
    path = save_checkpoint(folder, model, Notes())
    data = path.read_bytes()
    path.unlink()
    header = 8 + int.from_bytes(data[:8], "little")

    def read(bad: bytes) -> None:
        place = folder / f"checkpoint-00000001-{hashlib.sha256(bad).hexdigest()[:16]}.safetensors"
        place.write_bytes(bad)
        try:
            load_checkpoint(folder, model)
        finally:
            place.unlink()

    while True:
        end = chance.choice((header, header, len(data)))
        bad = damaged(chance, data[:end]) + data[end:]
        if chance.random() < 0.5:  # as a damaged header that is as long as it says
            bad = (len(bad) - (len(data) - header) - 8).to_bytes(8, "little", signed=True) + bad[8:]
        yield bad, partial(read, bad)


def game_stores(_: GameUnderTest, chance: random.Random, folder: Path) -> Attempts:
    """A store with a damaged manifest or other rows tells its faults; nothing else is raised."""
    whole = stored(folder / "whole", PLAN)
    manifest, piece = (whole.folder / MANIFEST).read_bytes(), whole.pieces()[0]
    data, rows, place = piece.read_bytes(), whole.read(piece), folder / "changed"

    def read(told: bytes, bad: bytes) -> None:
        shutil.rmtree(place, ignore_errors=True)
        place.mkdir()
        (place / MANIFEST).write_bytes(told)
        (place / f"games-000000-{stores._digest(bad)}.parquet").write_bytes(bad)
        store = Store.open(place)
        for line in faults(store):
            assert line.isprintable(), line
        record_of(store, GameId(0, 2, 1))

    while True:
        kind, told, bad = chance.randrange(3), manifest, data
        if kind < 2:
            told = damaged(chance, manifest)
            told = checked(told) if kind == 0 else told
        else:
            bad = pack(changed(rows, chance))
        yield told + b"\0piece\0" + bad, partial(read, told, bad)


def checked(manifest: bytes) -> bytes:
    """Return a manifest with the right digest, if it is one at all."""
    try:
        document = json.loads(manifest)
        document.pop("check", None)
        return json.dumps(document | {"check": stores._check(document)}).encode()
    except (ValueError, TypeError, AttributeError, RecursionError):
        return manifest


def saved_tables(game: GameUnderTest, chance: random.Random, folder: Path) -> Attempts:
    """A damaged table of the web is refused or stands again, and hurts no other table."""
    table = TableRoom(game.name, folder).open(TableRequest(("you", "you"), "", "game"), "me")
    for _ in range(20):
        table.act(chance.choice(table.played.game.legal_actions()))
    whole, place = (folder / f"{table.number}.table").read_bytes(), folder / "abcdefghijkl.table"

    def read(bad: bytes) -> None:
        place.write_bytes(bad)
        found = TableRoom(game.name, folder)
        assert found.find(table.number).seq == 20
        found.find(place.stem)

    while True:
        bad = damaged(chance, whole)
        yield bad, partial(read, bad)


READERS = (policies, checkpoints, game_stores, saved_tables)
