"""The games that every test of this folder is run for: a new one is added here, and described in a file beside it."""

from typing import Any

import pytest

from tests.games.skipbo import SKIPBO
from tests.games.skyjo import SKYJO
from tests.games.skyjo_action import SKYJO_ACTION
from tests.games.under_test import GameUnderTest

GAMES: tuple[GameUnderTest, ...] = (SKYJO, SKIPBO, SKYJO_ACTION)


def cases_of(field: str) -> list[Any]:
    """For `parametrize`: each game with each of the cases that it lists under this name."""
    return [
        pytest.param(game, case, id=f"{game.name}-{number}")
        for game in GAMES
        for number, case in enumerate(getattr(game, field))
    ]


def game_id(value: Any) -> str | None:
    """For `ids` of `parametrize`: a game by its name, everything else as pytest has it."""
    return value.name if isinstance(value, GameUnderTest) else None
