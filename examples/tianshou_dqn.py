"""Learn with Tianshou's DQN, which looks at masks, then measure on deals that are played from every seat.

Needs the extra "integrations"; docs/guides/other_libraries.md has the versions.
"""

from functools import partial
from typing import Any

import gymnasium
import numpy as np
from gymnasium.spaces import Dict, MultiBinary
from gymnasium.wrappers import TransformObservation
from tianshou.algorithm.modelfree.dqn import DQN, DiscreteQLearningPolicy
from tianshou.algorithm.optim import AdamOptimizerFactory
from tianshou.data import Collector, VectorReplayBuffer
from tianshou.env import DummyVectorEnv
from tianshou.trainer import OffPolicyTrainerParams
from tianshou.utils.net.common import Net

from skyjo.example_program import Learned, LearningOptions, run_learner

TABLES, STEPS = 16, 16


def seat(options: LearningOptions) -> Any:
    """Return one seat at a table, with the mask where Tianshou looks for it: in the observation."""
    env = gymnasium.make(options.environment, **options.seat())
    one: Any = env.unwrapped
    space = Dict({"obs": env.observation_space, "mask": MultiBinary(one.rules.actions)})
    return TransformObservation(env, lambda seen: {"obs": seen, "mask": one.action_masks()}, space)


def learn(options: LearningOptions) -> Learned:
    """Return the agent after so many decisions."""
    np.random.seed(options.seed % 2**32)  # noqa: NPY002  # where Tianshou draws from
    envs = DummyVectorEnv([partial(seat, options)] * TABLES)
    envs.seed(options.seed)
    space, actions = seat(options).observation_space["obs"], envs.action_space[0]
    network: Any = Net(state_shape=space.shape, action_shape=actions.n, hidden_sizes=[64, 64])
    policy = DiscreteQLearningPolicy(model=network, action_space=actions, eps_training=0.1)
    optimizer = AdamOptimizerFactory(lr=1e-3)
    algorithm: Any = DQN(policy=policy, optim=optimizer, n_step_return_horizon=3, target_update_freq=100)
    collector = Collector(algorithm, envs, VectorReplayBuffer(50_000, TABLES), exploration_noise=True)
    collector.reset()
    params = OffPolicyTrainerParams(
        training_collector=collector,
        max_epochs=1,
        epoch_num_steps=options.decisions,
        collection_step_num_env_steps=TABLES * STEPS,
        update_step_num_gradient_steps_per_sample=1 / 16,
        batch_size=256,
        show_progress=True,
        verbose=False,
    )
    algorithm.run_training(params)
    return Learned(lambda seen: network(seen)[0])


if __name__ == "__main__":
    run_learner(LearningOptions, learn, __doc__)
