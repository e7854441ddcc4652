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
from tests.helpers import first_quick


def events_of(game: GameUnderTest) -> Any:
    """The module of the game's events."""
    return import_module(f"{game.api.__name__}.events")


@pytest.mark.parametrize("seed", first_quick(5, range(12)))
def test_play_carries_out_what_apply_does(game: GameUnderTest, seed: int) -> None:
    chance, kinds = random.Random(seed), events_of(game)
    table = game.api.Game(game.random_rules(chance), seed, episode=chance.choice(("game", "round")))
    twin = table.copy()
    for _ in range(200):
        if table.is_over:
            break
        action = game.choose(table, chance)
        events = table.play(action)
        twin.apply(action)
        assert table.state.tobytes() == twin.state.tobytes()
        assert table.mask().tolist() == twin.mask().tolist()
        assert table.observation().tolist() == twin.observation().tolist()
        assert (table.record(), table.has_scored, table.last_move) == (twin.record(), twin.has_scored, twin.last_move)
        assert any(isinstance(event, kinds.RoundScored) for event in events) == table.has_scored
        assert any(isinstance(event, kinds.RoundStopped) for event in events) == table.is_truncated
        is_won = table.is_over and not table.is_truncated
        assert [each.winners for each in events if isinstance(each, kinds.GameOver)] == [table.winners] * is_won


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
