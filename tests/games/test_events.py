"""Events: every kind happens in play. What each says is tested for each game."""

import random
from collections import Counter
from importlib import import_module

from tests.games.players import random_legal
from tests.games.under_test import GameUnderTest


def test_every_kind_of_event_happens(game: GameUnderTest) -> None:
    happened: Counter[type] = Counter()
    for seed in range(80):
        chance, plays = random.Random(seed), game.plays * (seed % 2)  # every second table prefers nothing
        table = game.api.Game(game.random_rules(chance), seed)
        for _ in range(300):
            if not table.is_over:
                action = random_legal(table.legal_actions(), chance, plays)
                happened.update(map(type, table.play(action)))
    assert set(happened) | game.rare_events == set(import_module(f"{game.api.__name__}.events").Event.__subclasses__())
