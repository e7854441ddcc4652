"""The kernel against the oracle, field by field after every step (SKIPBO_RULES.md as a whole)."""

import os
import random

import pytest

from skipbo_env import OFFICIAL, STRITTMATTER
from tests.helpers import first_quick
from tests.skipbo_env.lockstep import play_in_lockstep
from tests.skipbo_env.tables import random_rules

PARTS = 8  # so that pytest-xdist can share the work
DECISIONS = int(os.environ.get("SKIPBO_LOCKSTEP", "40000"))
LONG_DECISIONS = 3_200_000


def lockstep(seed: int, decisions: int) -> None:
    """Play games under random rules until this many decisions have been compared."""
    chance = random.Random(seed)
    made = 0
    while made < decisions:
        rules = random_rules(chance)
        episode = chance.choice(("game", "round"))
        limit = min(chance.choice((400, 4000)), decisions - made)
        made += play_in_lockstep(rules, chance.randrange(2**64), chance.randrange(2**64), episode, chance, limit)


@pytest.mark.parametrize("part", first_quick(1, range(PARTS)))
def test_kernel_and_oracle_agree_under_random_rules(part: int) -> None:
    lockstep(part, DECISIONS // PARTS)


@pytest.mark.long
@pytest.mark.parametrize("part", range(PARTS))
def test_kernel_and_oracle_agree_for_millions_of_decisions(part: int) -> None:
    lockstep(1000 + part, LONG_DECISIONS // PARTS)


@pytest.mark.parametrize("players", first_quick(2, range(2, 7)))
def test_kernel_and_oracle_agree_on_whole_official_games(players: int) -> None:
    chance = random.Random(players)
    rules = OFFICIAL.replace(players=players)
    assert play_in_lockstep(rules, players, 0, "game", chance, 5000) > 100


def test_kernel_and_oracle_agree_on_the_papers_model() -> None:
    chance = random.Random(0)
    for deal in range(10):
        assert play_in_lockstep(STRITTMATTER, 1, deal, "game", chance, 10_000) > 10
