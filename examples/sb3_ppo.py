"""Learn with sb3-contrib's MaskablePPO, against an agent or copies of itself, then measure it on duplicate deals."""

from dataclasses import dataclass

from sb3_contrib import MaskablePPO

import skyjo_training
from cardtable.table.agents.agents import Agent
from skyjo.example_program import LearningOptions, run_learner

TABLES, STEPS = 64, 64


@dataclass(frozen=True)
class Args(LearningOptions):
    """The options of a run."""

    self_play: bool = False
    """Seat copies of the policy in all other seats."""
    every: int = 20_000
    """Decisions between two copies."""


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
    model.learn(options.decisions, callback=skyjo_training.FrozenCopies(options.every) if options.self_play else None)
    return skyjo_training.sb3_agent(model)


if __name__ == "__main__":
    run_learner(Args, learn, __doc__)
