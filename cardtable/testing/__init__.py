"""Tests of the promises of every game, for any installed game: `TestGolf = conforms(GOLF)` in a file of pytest.

Rules are drawn from what `TableRules` declares, and moments are found by play. A test of something that the game does
not offer, such as written positions, is skipped and says so. These tests need pytest and hypothesis.
"""

from pathlib import Path
from typing import Any

try:
    import hypothesis
    import pytest
except ModuleNotFoundError as error:
    raise ModuleNotFoundError(
        f"cardtable.testing needs {error.name}: pip install pytest hypothesis", name=error.name
    ) from None

pytest.register_assert_rewrite(*(f"{__name__}.{path.stem}" for path in Path(__file__).parent.glob("*_tests.py")))

from cardtable.table.game.card_game import CardGame  # noqa: E402
from cardtable.testing.agent_tests import AgentTests  # noqa: E402
from cardtable.testing.batch_tests import BatchTests  # noqa: E402
from cardtable.testing.environment_tests import EnvironmentTests  # noqa: E402
from cardtable.testing.game_tests import GameTests  # noqa: E402
from cardtable.testing.observation_tests import ObservationTests  # noqa: E402
from cardtable.testing.record_tests import RecordTests  # noqa: E402

__all__ = ["conforms"]

assert hypothesis


class _Conformance(GameTests, BatchTests, ObservationTests, RecordTests, EnvironmentTests, AgentTests):
    """All tests of a game."""


def conforms(game: CardGame, agents: tuple[str, ...] = ()) -> type[Any]:
    """Return the class of a game's tests, for a name that pytest collects, such as `TestGolf`.

    `agents` are tested in addition to those that the game names, with parameters if need be.
    """
    return type(f"Test_{game.name}", (_Conformance,), {"game": game, "agents": agents})
