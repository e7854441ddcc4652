"""What a game declares so that it can be learned: its config and presets, its tables, and the scale of its points.

Everything else in this package is the same for all games. `learned_game(name)` finds the declaration.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from skyjo_training.self_play import SelfPlay
    from skyjo_training.training_config import Config


def _self_play(config: Config) -> SelfPlay:
    from skyjo_training.self_play import SelfPlay

    return SelfPlay(config)


@dataclass(frozen=True)
class LearnedGame:
    """A game that can be learned."""

    config: type[Config]
    presets: Mapping[str, Mapping[str, Any]]  # by name: what differs from the config's defaults
    presets_take: str  # how long they take, in words
    opponents: tuple[str, ...]  # against whom a comparison plays if nobody is named
    points: float  # the margin of a round that is worth a reward of 1
    hardness: float  # points: an opponent harder by this many is chosen about 2.7 times as often
    vf_coef: float  # the weight of the value loss; games with small rewards need a larger one
    learner: Callable[[Config], SelfPlay] = _self_play  # the model that learns by a config's method

    def preset(self, name: str) -> Config:
        """The config of this preset; TableError if there is none of this name."""
        from cardtable.table.checks import brief
        from cardtable.table.errors import TableError, did_you_mean

        if name not in self.presets:
            known = f"known: {', '.join(self.presets)}{did_you_mean(str(name), self.presets)}"
            raise TableError(f"no preset is called {brief(name)}; {known}")
        return self.config(**self.presets[name])


def learned_game(name: str) -> LearnedGame:
    """The declaration of the game of this name; TableError if it cannot be learned."""
    from cardtable.table.errors import TableError
    from cardtable.table.game.card_game import find_game, plugged_in

    found = find_game(name)
    if found.learning is None:
        raise TableError(f"{found.title} cannot be learned")
    game: LearnedGame = plugged_in(found.learning)
    return game
