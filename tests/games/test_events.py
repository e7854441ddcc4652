"""Events: playing with them carries out what `apply` does. What each says is tested for each game."""

import random
from collections import Counter
from dataclasses import FrozenInstanceError
from importlib import import_module
from typing import Any

import pytest

from cardtable.table.errors import IllegalActionError, TableError
from tests.games.players import random_legal
from tests.games.under_test import GameUnderTest, illegal_at


def events_of(game: GameUnderTest) -> Any:
    """The module of the game's events."""
    return import_module(f"{game.api.__name__}.events")


def test_every_kind_of_event_happens(game: GameUnderTest) -> None:
    happened: Counter[type] = Counter()
    for seed in range(80):
        chance, plays = random.Random(seed), game.plays * (seed % 2)  # every second table prefers nothing
        table = game.api.Game(game.random_rules(chance), seed)
        for _ in range(300):
            if not table.is_over:
                action = random_legal(table.legal_actions(), chance, plays)
                happened.update(map(type, table.play(action)))
    assert set(happened) | game.rare_events == set(events_of(game).Event.__subclasses__())


def test_an_illegal_action_or_a_card_that_cannot_come_changes_nothing(game: GameUnderTest) -> None:
    table = game.api.Game(seed=1)
    before, illegal = table.record(), illegal_at(table)
    with pytest.raises(IllegalActionError, match=rf"action {illegal} \(.*\) of seat 0 is illegal"):
        table.play(illegal)
    with pytest.raises(TableError, match=r"reveal|card="):
        table.play(table.legal_actions()[0], 99, 99, 99)
    assert table.record() == before


def test_an_event_cannot_be_changed(game: GameUnderTest) -> None:
    table, chance = game.api.Game(seed=1), random.Random(1)
    event = table.play(game.choose(table, chance))[0]
    with pytest.raises(FrozenInstanceError):
        event.seat = 1
