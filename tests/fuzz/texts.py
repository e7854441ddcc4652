"""Readers of texts and tables: rules, agents, positions, records, messages of browsers, saved states."""

import json
import random
from collections.abc import Callable
from contextlib import suppress
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np

from cardtable.table.agents.agents import agents_of
from cardtable.table.errors import TableError
from cardtable.table.game.records import packed, shared_text
from skyjo.web import requests
from tests.fuzz.damage import Attempts, damaged_record, damaged_text, overwrite
from tests.games.under_test import GameUnderTest

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
    whole = [*agents_of(game.card_game).names(), *game.scripts, "rollout:base=(random),n=3", "peek:n=4"]
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


def messages(game: GameUnderTest, chance: random.Random, _: Path) -> Attempts:
    """A browser's message or request is refused or understood."""
    whole = [
        '{"seq":3,"action":14}',
        '{"seq":0,"ask":"hint"}',
        '{"seq":2,"ask":"pace","pace":1.5}',
        '{"ask":"analyse"}',
    ]
    whole += ['{"seq":9,"ask":"lend","agent":"tempo"}', '{"seats":["you","tempo"],"rules":"","episode":"game"}']
    whole += ['{"game":"abcdefghijkl","after":3,"seats":["you","tempo"]}', '{"store":0,"number":12}']
    whole += [json.dumps({"text": game.api.format_record(played(game, chance).record())})]
    readers: list[Callable[..., object]] = [requests.read_message, requests.read_analysis_message]

    def read(text: str) -> None:
        data = text.encode(errors="replace")
        for reader in (*readers, requests.read_table, requests.read_game_request):
            with suppress(TableError):
                reader(text if reader in readers else data)

    return attempts(chance, whole, read)


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


READERS = (rules, agents, positions, records, messages, states, batches)
