"""Skip-Bo's declaration for learning."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, Any, ClassVar

from skyjo_training.learned_game import LearnedGame
from skyjo_training.training_config import Between, Config, Width

REFERENCE = "greedy:pile=smallest"
PLAIN = "symmetric=lowest"  # places that are alike are one: nobody need learn that the others are as good
MAX_POINTS = 175.0  # of a round at tables of two: for winning, and for a whole stock pile of the other


@dataclass(frozen=True)
class SkipboConfig(Config):
    """Everything a run depends on. The same config gives the same policy on the same machine's CPU, to the last bit."""

    game: ClassVar[str] = "skipbo"

    learning_rate: float = 1e-3
    """Initial learning rate; it falls linearly."""

    last_learning_rate: float = 5e-5
    """Final learning rate."""

    gae_lambda: float = 0.75
    """Lambda of generalised advantage estimation: higher looks further ahead."""

    win: float = MAX_POINTS
    """Reward for winning the round on top of the margin, in points; the losers share the cost."""

    baselines: tuple[str, ...] = (REFERENCE, "planner")
    """Agents to measure the margin against during training."""

    pile: Width = 24
    """Width of the network for a discard pile."""

    rank: Width = 48
    """Width of the network for a rank."""

    table: Annotated[int, Between(2, 1024)] = 192
    """Width of the network for the whole table."""


_STANDARD: dict[str, Any] = {
    "rules": PLAIN,
    "decisions": 20_000_000,
    "teacher": "planner",
    "teacher_decisions": 4_000_000,
    "batch_size": 4096,
    "last_learning_rate": 1e-5,
    "average": 0.5,
    "ent_coef": 0.0,
    "opponent_fraction": 0.6,
    "opponents": ("planner",),
    "snapshots": 0,
    "measurements": 20,
    "deals": 200,
}

SKIPBO_LEARNED = LearnedGame(
    config=SkipboConfig,
    presets={
        "demo": {
            "rules": PLAIN,
            "decisions": 1_000_000,
            "teacher": "planner",
            "teacher_decisions": 800_000,
            "batch_size": 1024,
            "learning_rate": 2e-3,
            "measurements": 5,
            "deals": 50,
        },
        "standard": _STANDARD,
        "full": _STANDARD | {"decisions": 200_000_000, "tables": 2048, "pile": 48, "rank": 96, "table": 384},
    },
    presets_take="demo takes about 3 minutes on one core, standard about an hour; full needs a GPU or a day.",
    opponents=("random:plays_first=true", "greedy", REFERENCE, "hpvp", "hpvp:empty=first", "planner"),
    points=2 * MAX_POINTS,
    hardness=20.0,
    vf_coef=1.0,
)
