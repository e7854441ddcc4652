"""The kernel against the oracle, field by field after every step (RULES.md as a whole)."""

import os
import random

import pytest

from skyjo_env import OFFICIAL, REICHEL
from tests.helpers import first_quick
from tests.skyjo_env.lockstep import play_in_lockstep, random_rules

PARTS = 8  # so that pytest-xdist can share the work
DECISIONS = int(os.environ.get("SKYJO_LOCKSTEP", "40000"))
LONG_DECISIONS = 5_200_000


def lockstep(seed: int, decisions: int) -> None:
    """Play games under random rules until this many decisions have been compared."""
    chance = random.Random(seed)
    made = 0
    while made < decisions:
        rules = random_rules(chance)
        episode = chance.choice(("game", "round"))
        limit = min(chance.choice((200, 2000)), decisions - made)
        made += max(
            1, play_in_lockstep(rules, chance.randrange(2**64), chance.randrange(2**64), episode, chance, limit)
        )


@pytest.mark.parametrize("part", first_quick(1, range(PARTS)))
def test_kernel_and_oracle_agree_under_random_rules(part: int) -> None:
    lockstep(part, DECISIONS // PARTS)


@pytest.mark.long
@pytest.mark.parametrize("part", range(PARTS))
def test_kernel_and_oracle_agree_for_millions_of_decisions(part: int) -> None:
    lockstep(1000 + part, LONG_DECISIONS // PARTS)


@pytest.mark.parametrize("players", range(2, 9))
def test_kernel_and_oracle_agree_on_whole_official_games(players: int) -> None:
    chance = random.Random(players)
    rules = OFFICIAL.replace(players=players)
    assert play_in_lockstep(rules, players, 0, "game", chance, 100_000 // PARTS) > 100


def test_kernel_and_oracle_agree_on_the_papers_model() -> None:
    chance = random.Random(0)
    for deal in range(20):
        assert play_in_lockstep(REICHEL, 1, deal, "game", chance, 10_000) > 10
