"""Learn with sb3-contrib's MaskablePPO, against an agent or copies of itself, then measure it on duplicate deals."""

from dataclasses import dataclass

from sb3_contrib import MaskablePPO
from stable_baselines3.common.callbacks import BaseCallback

import skyjo_training
from cardtable.table.agents.agents import Agent
from example_program import LearningOptions, run_learner

TABLES, STEPS = 64, 64


@dataclass(frozen=True)
class Args(LearningOptions):
    """The options of a run."""

    self_play: bool = False
    """Seat copies of the policy in all other seats."""
    every: int = 5
    """Rollouts between two copies."""


class SelfPlay(BaseCallback):
    """Seats a copy of the policy in all other seats after every so many rollouts."""

    def __init__(self, every: int) -> None:
        super().__init__()
        self.every, self.rollouts = every, 0

    def _on_rollout_start(self) -> None:
        if self.rollouts > 0 and self.rollouts % self.every == 0:
            self.training_env.env_method("set_opponents", skyjo_training.sb3_agent(self.model))
        self.rollouts += 1

    def _on_step(self) -> bool:
        return True


def learn(options: Args) -> Agent:
    """Return the agent after so many decisions."""
    env = skyjo_training.SeatVecEnv(options.game, TABLES, **options.seat())
    model = MaskablePPO(
        "MlpPolicy",
        env,
        learning_rate=1e-3,
        n_steps=STEPS,
        batch_size=1024,
        n_epochs=4,
        gamma=1.0,
        gae_lambda=0.8,
        seed=options.seed,
        device="cpu",
    )
    model.learn(options.decisions, callback=SelfPlay(options.every) if options.self_play else None)
    return skyjo_training.sb3_agent(model)


if __name__ == "__main__":
    run_learner(Args, learn, __doc__)
