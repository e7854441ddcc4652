"""A game's declaration for learning: its config and presets, its tables, and the scale of its points.

Everything else in this package is the same for all games. `learned_game(name)` finds the declaration; a game that has
none is learned as `plain_learning` says.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cache
from typing import TYPE_CHECKING, Annotated, Any

from cardtable.table.errors import TableError, did_you_mean
from skyjo_training.training_config import Between, Config

if TYPE_CHECKING:
    from cardtable.table.game.card_game import CardGame

LEARNERS = {  # the model that learns by a config's method
    "maskable-ppo": "skyjo_training.maskable_ppo:new_model",
    "self-play": "skyjo_training.compiled_ppo:CompiledPPO",
}

BY_TORCH = "skyjo_training.compiled.learning_network:TorchNetwork"


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
    learners: Mapping[str, str] = field(default_factory=lambda: LEARNERS)
    network: str = BY_TORCH  # how self-play learns with its network

    def preset(self, name: str) -> Config:
        """Return the config of this preset; TableError if there is none of this name."""
        from cardtable.table.checks import brief

        if name not in self.presets:
            hint = f"known: {', '.join(self.presets)}{did_you_mean(str(name), self.presets)}"
            raise TableError(f"no preset is called {brief(name)}; {hint}")
        return self.config(**self.presets[name])


@cache
def learned_game(name: str) -> LearnedGame:
    """Return the declaration for learning of the game of this name."""
    from cardtable.table.game.card_game import find_game, plugged_in

    card_game = find_game(name)
    return plugged_in(card_game.learning) if card_game.learning else plain_learning(card_game)


@dataclass(frozen=True)
class PlainConfig(Config):
    """Everything a run depends on. The same config gives the same policy on the same machine's CPU, to the last bit."""

    table: Annotated[int, Between(2, 1024)] = 128
    """Width of the network."""


DEALS = 500  # from which the spread of margins is measured


def plain_learning(game: CardGame) -> LearnedGame:
    """Return the declaration for a game without one: the unit of its rewards is three times the spread of the margins
    of random play.
    """
    from cardtable.arena.play.rounds import play_rounds
    from cardtable.table.game.card_game import Setup

    config = type("PlainConfig", (PlainConfig,), {"game": game.name, "__doc__": PlainConfig.__doc__})
    seats = ["random"] * game.official.players
    spread = float(play_rounds(seats, Setup(game.official), range(DEALS)).margins.std()) or 1.0
    measured = {"baselines": (game.reference_agent,)}
    presets = {
        "demo": {**measured, "decisions": 1_000_000, "measurements": 10, "deals": 250},
        "standard": {**measured, "decisions": 20_000_000, "tables": 1024, "average": 0.3, "table": 256},
    }
    takes = "demo takes some minutes, standard an hour or two."
    return LearnedGame(config, presets, takes, (game.reference_agent,), 3 * spread, spread / 3, vf_coef=5.0)
