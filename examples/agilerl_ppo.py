"""Learn with AgileRL's PPO and masks at many tables, then measure on deals that are played from every seat.

docs/guides/other_libraries.md says how AgileRL is installed.
"""

from typing import Any

import gymnasium
import numpy as np
from agilerl.algorithms import PPO
from agilerl.rollouts import collect_rollouts

from skyjo.example_program import Learned, LearningOptions, run_learner, tell_progress

TABLES, STEPS = 64, 64
NETWORK = {"encoder_config": {"hidden_size": [64, 64]}, "head_config": {"hidden_size": [64]}}


def learn(options: LearningOptions) -> Learned:
    """Return the agent after so many decisions."""
    env: Any = gymnasium.make_vec(
        options.environment,
        num_envs=TABLES,
        autoreset_mode="SameStep",  # every mask has a legal action
        **options.seat(),
    )
    agent: Any = PPO(
        env.single_observation_space,
        env.single_action_space,
        net_config=NETWORK,
        num_envs=TABLES,
        learn_step=TABLES * STEPS,
        batch_size=1024,
        lr=1e-3,
        gamma=1.0,
        gae_lambda=0.8,
    )
    observations, infos = env.reset(seed=options.seed)
    seen = {"last_obs": observations, "last_done": np.zeros(TABLES), "last_scores": np.zeros(TABLES)}
    steps = min(STEPS, -(-options.decisions // TABLES))
    rollouts = -(-options.decisions // (TABLES * steps))
    for rollout in range(rollouts):
        _, *after = collect_rollouts(agent, env, steps, last_info=infos, **seen)
        *last, infos = after
        seen = dict(zip(seen, last, strict=True))
        agent.learn()
        tell_progress((rollout + 1) * TABLES * steps, rollouts * TABLES * steps)
    agent.set_training_mode(False)
    return Learned(lambda observations: agent.actor.head_net.wrapped(agent.actor.extract_features(observations)))


if __name__ == "__main__":
    run_learner(LearningOptions, learn, __doc__)
