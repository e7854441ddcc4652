"""The game of each test."""

from typing import Any

import pytest

from tests.games.listed import GAMES
from tests.games.under_test import GameUnderTest


@pytest.fixture(scope="session", params=GAMES, ids=lambda game: game.name)
def game(request: Any) -> GameUnderTest:
    """Every game, one after the other."""
    listed: GameUnderTest = request.param
    return listed
