"""Self-play that stalls: seats learn not to end a round. docs/guides/self_play.md names options that cure it."""

from dataclasses import dataclass
from typing import Literal

from example_program import run_learner
from self_play_ppo import Args, learn


@dataclass(frozen=True)
class StallingArgs(Args):
    """Options under which waiting costs nothing, and ending a round costs points."""

    decisions: int = 200_000
    tables: int = 64
    steps: int = 128
    epochs: int = 4
    batch: int = 512
    gamma: float = 0.99
    gae_lambda: float = 0.95
    value: float = 0.5
    network: Literal["game", "mlp"] = "mlp"
    reward: str = "score"
    shaping: bool = False


if __name__ == "__main__":
    run_learner(StallingArgs, learn, __doc__)
