"""What a game declares so that it can be learned: its config and presets, its tables, and the scale of its points.

Everything else in this package is the same for all games. `learned_game(name)` finds the declaration.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Protocol

if TYPE_CHECKING:
    from gymnasium import spaces

    from cardtable.agents import Agent
    from skyjo_training.training_config import Config


class Tables(Protocol):
    """The tables at which a policy of this game learns. They are imported only when somebody learns."""

    def space(self, rules: Any) -> spaces.Box:
        """The space of compact observations."""

    def shared(self, rules: Any, n: int, seed: int) -> Any:
        """N tables where the policy decides for every seat: a `GameBatch` whose episodes are rounds."""

    def opposed(self, rules: Any, n: int, opponent: Agent) -> Any:
        """N tables where it decides for one random seat, the opponent for the rest: a `SeatBatch` that restarts."""


@dataclass(frozen=True)
class LearnedGame:
    """A game that can be learned."""

    config: type[Config]
    presets: Mapping[str, Mapping[str, Any]]  # by name: what differs from the config's defaults
    tables: Tables
    opponents: tuple[str, ...]  # against whom a comparison plays if nobody is named
    points: float  # the margin of a round that is worth a reward of 1
    hardness: float  # points: an opponent harder by this many is chosen about 2.7 times as often
    value_weight: float  # of the values' error beside the policy's gain; the larger, the smaller rewards are

    def preset(self, name: str) -> Config:
        """The config of this preset."""
        return self.config(**self.presets[name])


def learned_game(name: str) -> LearnedGame:
    """The declaration of the game of this name; TableError if it cannot be learned."""
    from cardtable.checks import brief
    from cardtable.errors import TableError
    from skyjo_training.skipbo_learning import SKIPBO_LEARNED
    from skyjo_training.skyjo_learning import SKYJO_LEARNED

    games = {each.config.game: each for each in (SKIPBO_LEARNED, SKYJO_LEARNED)}
    if name not in games:
        raise TableError(f"{brief(name)} cannot be learned; known: {', '.join(games)}")
    return games[name]
