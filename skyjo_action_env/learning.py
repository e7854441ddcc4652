"""Skyjo Action's declaration for learning."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, ClassVar

from skyjo_training.learned_game import LearnedGame
from skyjo_training.training_config import Config, Width


@dataclass(frozen=True)
class SkyjoActionConfig(Config):
    """Everything a run depends on. The same config gives the same policy on the same machine's CPU, to the last bit."""

    game: ClassVar[str] = "skyjo_action"

    baselines: tuple[str, ...] = ("greedy", "planner")
    """Agents to measure the margin against during training."""

    cell: Width = 32
    """Width of the network for a card."""

    table: Width = 160
    """Width of the network for the whole table."""


_STANDARD: dict[str, Any] = {
    "decisions": 20_000_000,
    "teacher": "planner",
    "teacher_decisions": 3_000_000,
    "batch_size": 2048,
    "last_learning_rate": 5e-5,
    "average": 0.5,
    "ent_coef": 0.002,
    "opponent_fraction": 0.4,
    "opponents": ("planner", "greedy"),
    "measurements": 20,
    "deals": 200,
}

SKYJO_ACTION_LEARNED = LearnedGame(
    config=SkyjoActionConfig,
    presets={
        "demo": {
            "decisions": 1_000_000,
            "teacher": "planner",
            "teacher_decisions": 700_000,
            "batch_size": 1024,
            "learning_rate": 2e-3,
            "measurements": 5,
            "deals": 100,
        },
        "standard": _STANDARD,
        "full": _STANDARD | {"decisions": 300_000_000, "tables": 2048, "cell": 64, "table": 320},
    },
    presets_take="demo takes about 3 minutes on one core, standard about an hour; full needs a GPU or a day.",
    opponents=("random", "greedy", "planner"),
    points=100.0,
    hardness=10.0,
    vf_coef=20.0,
)
