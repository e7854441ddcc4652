"""Fixtures of the tests of commands and of the table in the browser."""

import pytest

from tests.skyjo.cli import Skyjo, skipbo, skyjo, skyjo_action
from tests.skyjo.web_client import browser, servers

__all__ = ["browser", "servers", "skipbo", "skyjo", "skyjo_action"]


@pytest.fixture
def game() -> str:
    """The game that the test is about, unless it is parametrised by others."""
    return "skyjo"


@pytest.fixture
def command(game: str, request: pytest.FixtureRequest) -> Skyjo:
    """The command of that game."""
    run: Skyjo = request.getfixturevalue(game)
    return run
