"""Plays a game's kernel and its oracle side by side and compares every field after every step."""

import random
from typing import Any

import numpy as np

from tests.games.players import random_legal
from tests.games.under_test import GameUnderTest


def assert_equal(left: dict[str, Any], right: dict[str, Any], rules: Any, where: str) -> None:
    """Fail with the rules and the differing fields."""
    if left != right:
        differing = {name: (left[name], right[name]) for name in left if left[name] != right[name]}
        raise AssertionError(f"{where} under {rules.to_text()!r}: kernel, oracle: {differing}")


def play_in_lockstep(
    game: GameUnderTest, rules: Any, seed: int, deal: int, episode: str, chance: random.Random, limit: int
) -> int:
    """Play random legal actions on both until the game is over or the limit is reached; return the decisions made."""
    table, oracle = game.api.Game(rules, seed, deal, episode), game.oracle(rules, seed, deal, episode)
    view, eagerness = game.api.ObservationSpec(rules).view, chance.choice((0, 0.5, 0.9, 0.97, 1))
    for decisions in range(limit):
        game.assert_same(table, oracle, rules, decisions)
        if decisions % 8 == 0 or table.is_over:
            mask = np.zeros(rules.actions, np.int8)
            assert game.card_game.kernel.write_mask(table.state[0], rules.params[0], mask) == mask.sum()
            seat = chance.randrange(rules.players)
            seen, expected = view(table.observation(seat)), game.expected_view(oracle, seat)
            found = {name: getattr(seen, name).tolist() for name in expected}
            assert_equal(found, expected, rules, f"seat {seat} after {decisions} decisions")
        if table.is_over:
            return decisions
        action = random_legal(table.legal_actions(), chance, game.plays, eagerness)
        table.apply(action)
        oracle.apply(action)
    return limit
