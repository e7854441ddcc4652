"""Damaged inputs for everything that reads: each must be read, or refused by the package's own error, and in time."""

import hashlib
import json
import random
import shutil
import time
import warnings
from collections.abc import Callable
from contextlib import suppress
from functools import partial
from itertools import islice
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import numpy as np

from cardtable.arena.stored import store as stores
from cardtable.arena.stored.parquet import pack
from cardtable.arena.stored.pieces import GameId
from cardtable.arena.stored.recheck import faults, record_of
from cardtable.arena.stored.store import MANIFEST, Store
from cardtable.table.agents.agents import agents_of
from cardtable.table.agents.policies.model_card import card_path
from cardtable.table.agents.policies.policy_file import load_policy
from cardtable.table.errors import TableError
from cardtable.table.game.records import packed, shared_text
from tests.cardtable.test_stored_games import PLAN, changed, stored
from tests.fuzz.damage import Attempts, damaged, damaged_record, damaged_text, overwrite
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
    from skyjo_training.compiled_ppo import CompiledPPO
    from tests.skyjo_training.test_training_run import SMALL

    model = CompiledPPO(SMALL.with_changes({"decisions": 512, "players": (2,)}))
    model.learn(512)
    path = save_checkpoint(folder, model, Notes())
    data = path.read_bytes()
    path.unlink()

    def read(bad: bytes) -> None:
        place = folder / f"checkpoint-00000001-{hashlib.sha256(bad).hexdigest()[:16]}.pt"
        place.write_bytes(bad)
        try:
            load_checkpoint(folder, model)
        finally:
            place.unlink()

    while True:
        end = chance.choice((3000, len(data)))  # what is pickled stands first
        bad = damaged(chance, data[:end]) + data[end:]
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


FILE_READERS = (policies, checkpoints, game_stores)


KEPT = 30  # whole inputs that are damaged in a round


def played(game: GameUnderTest, chance: random.Random, most: int = 120) -> Any:
    """Return a game under random rules, left somewhere on its way."""
    return game.played(game.random_rules(chance), chance.randrange(2**64), chance.randrange(most))


def attempts(chance: random.Random, whole: list[str], read: Callable[[str], object]) -> Attempts:
    """Damage one of the texts again and again."""
    while True:
        bad = damaged_text(chance, chance.choice(whole))
        yield bad.encode(errors="surrogatepass"), partial(read, bad)


def rules(game: GameUnderTest, chance: random.Random, _: Path) -> Attempts:
    """Rules are refused, or are read again from their own text, and can be played."""

    def read(text: str) -> None:
        found = game.api.Rules.from_text(text)
        assert game.api.Rules.from_text(found.to_text()) == found
        game.play(game.api.Game(found, 1), random.Random(1), 3)

    return attempts(chance, [game.random_rules(chance).to_text() for _ in range(KEPT)], read)


def agents(game: GameUnderTest, chance: random.Random, _: Path) -> Attempts:
    """An agent is refused or made; none is asked to play."""
    whole = [*agents_of(game.card_game).names(), *game.scripts, "rollout:base=(random),n=3", "oracle:n=4"]
    return attempts(chance, whole, partial(agents_of(game.card_game).make, rules=game.api.OFFICIAL))


def positions(game: GameUnderTest, chance: random.Random, _: Path) -> Attempts:
    """A position is refused, or is read again from what it writes, and can be played on."""

    def read(text: str) -> None:
        table = game.api.Game.from_position(text)
        assert game.api.Game.from_position(table.position()).position() == table.position()
        game.play(table, random.Random(1), 40, prefers=False)
        game.api.Game.from_position(table.position())

    return attempts(chance, [played(game, chance).position() for _ in range(KEPT)], read)


def records(game: GameUnderTest, chance: random.Random, _: Path) -> Attempts:
    """A record, as text, as JSON or in an address, is refused or played again."""
    found = [played(game, chance).record() for _ in range(KEPT)]
    whole = [*map(game.api.format_record, found), *map(json.dumps, found)]
    whole += [f"https://example.org/#{packed(shared_text(record, ['Anna']))}" for record in found]
    return attempts(chance, whole, game.api.replay)


def states(game: GameUnderTest, chance: random.Random, _: Path) -> Attempts:
    """A record of the kernel is refused, or is a table that can be written, read again and played on."""
    games = [played(game, chance, 250) for _ in range(KEPT)]

    def read(by: Any, bad: Any) -> None:
        found = game.api.Game.from_state(by, bad)
        assert game.is_as_written(by, found.state)
        assert game.api.Game.from_position(found.position()).position() == found.position()
        for seat in range(by.players):
            found.observation(seat)
        game.play(found, random.Random(1), 60, prefers=False)

    while True:
        table = chance.choice(games)
        by = table.rules if chance.random() < 0.9 else game.random_rules(chance)
        bad = damaged_record(table.state, chance)
        yield by.to_text().encode() + b"\0" + bad.tobytes(), partial(read, by, bad)


def batches(game: GameUnderTest, chance: random.Random, _: Path) -> Attempts:
    """A batch's saved state is either refused, and changes nothing, or the batch plays on from it."""
    batch = game.api.GameBatch(game.random_rules(chance), n=3, seed=chance.randrange(2**64))
    whole = batch.state()

    def read(bad: Any) -> None:
        try:
            batch.restore(bad)
            assert game.is_as_written(batch.rules, batch.state()["games"])
            for _ in range(20):
                batch.step(batch.masks.argmax(1))
        finally:
            batch.restore(whole)

    while True:
        bad = dict(whole)
        if chance.random() < 0.8:
            bad["games"] = damaged_record(whole["games"], chance)
        else:
            bad["deals"] = np.frombuffer(overwrite(chance, whole["deals"].tobytes()), np.uint8)
        yield b"\0".join(value.tobytes() for value in bad.values()), partial(read, bad)


TEXT_READERS = (rules, agents, positions, records, states, batches)


Reader = Callable[[GameUnderTest, random.Random, Path], Attempts]  # the folder is empty at first

MAX_SECONDS = 5.0  # seconds of processor time for an input
SHOWN = 500  # bytes of an input
READERS: dict[str, Reader] = {reader.__name__: reader for reader in (*TEXT_READERS, *FILE_READERS)}


def check_damaged(game: GameUnderTest, chance: random.Random, amount: int, name: str = "") -> int:
    """Let a reader, chosen by chance unless it is named, read this many damaged inputs."""
    reader = READERS[name or chance.choice([*READERS])]
    with TemporaryDirectory() as folder, warnings.catch_warnings():
        warnings.simplefilter("ignore")
        for place, (data, read) in enumerate(islice(reader(game, chance, Path(folder)), amount)):
            try:
                check_reading(read)
            except Exception as error:
                error.add_note(f"{reader.__name__}, input {place}, which begins with {data[:SHOWN]!r}")
                raise
    return amount


def check_reading(read: Callable[[], object]) -> None:
    """Fail unless an input is read or refused, and in time. The first time may compile."""
    for _ in range(2):
        begun = time.process_time()
        with suppress(TableError):
            read()
        if (seconds := time.process_time() - begun) < MAX_SECONDS:
            return
    raise AssertionError(f"it takes {seconds:.1f} seconds")
