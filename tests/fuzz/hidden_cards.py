"""Two tables that differ only in what a seat may not see: they must look the same to it, and let it do the same."""

import random
from typing import Any

import numpy as np

from tests.games.under_test import GameUnderTest

LONGEST_WAIT = 60  # decisions between two looks at a table


def check_leaks(game: GameUnderTest, chance: random.Random, amount: int) -> int:
    """Exchange what each seat does not see at some moments of games under random rules, and compare what it sees."""
    compared = 0
    while compared < amount:
        table = game.api.Game(game.random_rules(chance), chance.randrange(2**64), chance.randrange(2**64))
        while not table.is_over and compared < amount:
            for seat in range(table.rules.players):
                compare(game, table, seat, chance)
            compared += table.rules.players
            game.play(table, chance, chance.randrange(1, LONGEST_WAIT))
    return compared


def compare(game: GameUnderTest, table: Any, seat: int, chance: random.Random) -> None:
    """Fail if a seat sees or may do something else once the cards that it does not see are exchanged."""
    other = game.unseen_changed(table, chance, seat)
    where = f"seat {seat} in phase {table.phase} under {table.rules.to_text()!r}:\n{table.position()}"
    np.testing.assert_array_equal(table.observation(seat), other.observation(seat), f"seen by {where}")
    if seat == table.seat:
        np.testing.assert_array_equal(table.mask(), other.mask(), f"legal for {where}")
