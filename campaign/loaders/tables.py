"""Loaders of binary tables: a game's numpy record, and the saved state of a batch of tables."""

import random
from importlib import import_module
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from campaign.damage import overwrite
from campaign.loaders import GAMES, Attempt, Loader, Read
from campaign.loaders.texts import play_on, played, random_rules
from cardtable.errors import PositionError

KEPT = 40  # whole tables that are changed in a batch
UNWRITTEN = {
    "skyjo": ("piles", "last_seat", "last_action", "cleared"),
    "skyjo_action": ("piles", "action_piles", "last_seat", "last_action", "cleared", "kept"),
    "skipbo": ("piles", "stocks"),
}


def changed(state: NDArray[Any], chance: random.Random) -> NDArray[Any]:
    """A record with other numbers in one or two of its fields, or other bytes."""
    bad = state.copy()
    if chance.random() < 0.2:
        data = bad.tobytes()
        return np.frombuffer(overwrite(chance, data)[: len(data)].ljust(len(data), b"\0"), bad.dtype)
    for _ in range(chance.randrange(1, 3)):
        cells = bad[chance.choice([*(bad.dtype.names or ())])].reshape(-1)
        info = np.iinfo(cells.dtype)
        at = chance.randrange(cells.size)
        near = int(cells[at]) - 1, int(cells[at]) + 1
        usual = [info.min, info.max, *near, *near, -1, 0, 1, 2, int(chance.choice(cells)), chance.randrange(30)]
        cells[at] = chance.choice([number for number in usual if info.min <= number <= info.max])
    return bad


def is_as_written(game: str, rules: Any, state: NDArray[Any]) -> bool:
    """Whether records are what their own written positions say: slow, and what looking at many tables must agree with.

    Only the UNWRITTEN fields may differ.
    """
    position = import_module(f"{game}_env.position")
    for record in state:
        try:
            text = position.format_position(rules, record)
            _, (again,) = position.parse_position(text)
        except PositionError:
            return False
        names = [name for name in again.dtype.names if name not in UNWRITTEN[game]]
        if any((again[name] != record[name]).any() for name in names):
            return False
        if position.format_position(rules, again) != text:
            return False
    return True


def states(game: str, chance: random.Random, _: Path) -> Attempt:
    """A record is refused, or is a table that can be written, read again and played on."""
    module = GAMES[game]
    games = [played(game, chance, 250) for _ in range(KEPT)]

    def attempt(chance: random.Random) -> tuple[bytes, Read]:
        table = chance.choice(games)
        rules = table.rules if chance.random() < 0.9 else random_rules(game, chance)
        bad = changed(table.state, chance)

        def read() -> None:
            found = module.Game.from_state(rules, bad)
            assert is_as_written(game, rules, found.state)
            assert module.Game.from_position(found.position()).position() == found.position()
            for seat in range(rules.players):
                found.observation(seat)
            play_on(found, random.Random(1), 60)

        return rules.to_text().encode() + b"\0" + bad.tobytes(), read

    return attempt


def batches(game: str, chance: random.Random, _: Path) -> Attempt:
    """A batch's saved state is either refused, and changes nothing, or the batch plays on from it."""
    module = GAMES[game]
    rules = random_rules(game, chance)
    batch = module.GameBatch(rules, n=3, seed=chance.randrange(2**64))
    whole = batch.state()

    def attempt(chance: random.Random) -> tuple[bytes, Read]:
        bad = {name: np.array(value) for name, value in whole.items()}
        name = chance.choice([*bad])
        if name == "games" or bad[name].dtype.names:
            bad[name] = changed(bad[name], chance)
        else:
            data = overwrite(chance, bad[name].tobytes())
            bad[name] = np.frombuffer(data, np.uint8)

        def read() -> None:
            try:
                batch.restore(bad)
                assert is_as_written(game, rules, batch.state()["games"])
                for _ in range(20):
                    actions = np.array([(mask * chance.random()).argmax() for mask in batch.masks], np.int64)
                    batch.step(actions)
            finally:
                batch.restore(whole)

        return b"".join(value.tobytes() for value in bad.values()), read

    return attempt


LOADERS = (Loader("states", 1500, states), Loader("batches", 1500, batches))
