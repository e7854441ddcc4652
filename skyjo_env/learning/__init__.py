"""Skyjo's declaration for learning."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, ClassVar

from skyjo_training.learned_game import LEARNERS, LearnedGame
from skyjo_training.training_config import Config, Width

REFERENCE = "threshold:t=2,columns=true"


@dataclass(frozen=True)
class SkyjoConfig(Config):
    """Everything a run depends on. The same config gives the same policy on the same machine's CPU, to the last bit."""

    game: ClassVar[str] = "skyjo"
    methods: ClassVar[tuple[str, ...]] = ("self-play", "maskable-ppo", "search")

    baselines: tuple[str, ...] = (REFERENCE, "tempo")
    """Agents to measure the margin against during training."""

    cell: Width = 32
    """Width of the network for a card."""

    column: Width = 64
    """Width of the network for a column."""

    table: Width = 128
    """Width of the network for the whole table."""

    @property
    def value_network(self) -> int:
        """1 if the network has a value network (`skyjo_agents.network`), else 0."""
        return int(self.method == "search")


# A high entropy coefficient and, in short runs, a constant learning rate with averaged weights learn several times as
# fast as a low coefficient and a falling rate (docs/research_log.md).
_SELF_PLAY: dict[str, Any] = {
    "n_steps": 32,
    "last_learning_rate": 2.5e-3,
    "ent_coef": 0.15,
    "average": 0.3,
    "measurements": 10,
    "deals": 250,
}

SKYJO_LEARNED = LearnedGame(
    config=SkyjoConfig,
    presets={
        "demo": _SELF_PLAY
        | {"decisions": 1_000_000, "tables": 256, "batch_size": 512, "cell": 16, "column": 32, "table": 64},
        "minute": _SELF_PLAY | {"decisions": 6_000_000, "batch_size": 1024},
        "hour": _SELF_PLAY
        | {
            "decisions": 60_000_000,
            "batch_size": 1024,
            "doublings": 2,
            "last_learning_rate": 5e-5,  # in so long a run only a falling rate takes the last point
            "measurements": 40,
        },
        "search": {
            "method": "search",
            "decisions": 12_000_000,
            "n_steps": 32,
            "learning_rate": 5e-4,
            "last_learning_rate": 1e-5,
            "average": 0.3,
            "measurements": 10,
            "deals": 300,
            "threads": 2,
        },
    },
    presets_take="demo takes 10 seconds on two cores, minute about a minute, hour under half an hour, search an hour.",
    opponents=(
        "naive",
        *(f"threshold:t={limit}" for limit in range(4)),
        REFERENCE,
        "expected",
        "tempo",
        "rollout:n=100",
    ),
    points=100.0,
    hardness=10.0,
    vf_coef=50.0,
    network="skyjo_env.learning.compiled_network:learning_network",
    learners=LEARNERS | {"search": "skyjo_env.learning.search_play:SearchPlay"},
)
