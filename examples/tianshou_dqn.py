"""Learn with Tianshou's DQN, which looks at masks, then measure on deals that are played from every seat.

Needs the extra "integrations", see README.md.
"""

import argparse
from collections.abc import Callable
from typing import Any

import gymnasium
import numpy as np
import torch
from gymnasium.spaces import Dict, MultiBinary
from gymnasium.wrappers import TransformObservation
from numpy.typing import NDArray
from tianshou.algorithm.modelfree.dqn import DQN, DiscreteQLearningPolicy
from tianshou.algorithm.optim import AdamOptimizerFactory
from tianshou.data import Collector, VectorReplayBuffer
from tianshou.env import DummyVectorEnv
from tianshou.trainer import OffPolicyTrainerParams
from tianshou.utils.net.common import Net

from cardtable.card_game import Setup
from cardtable.play.pairing import play_paired
from skyjo_env import Rules, SkyjoError

TABLES, STEPS = 16, 16


def seat(players: int, against: str) -> Any:
    """One seat at a table, with the mask where Tianshou looks for it: in the observation."""
    options: dict[str, Any] = {"players": players, "opponents": against, "encoding": "onehot"}
    env = gymnasium.make("skyjo_env:skyjo/Skyjo-v0", shaping="expected_margin", **options)
    one: Any = env.unwrapped
    space = Dict({"obs": env.observation_space, "mask": MultiBinary(one.rules.actions)})
    return TransformObservation(env, lambda seen: {"obs": seen, "mask": one.action_masks()}, space)


class Learned:
    """The network as an agent: the legal action that it values most."""

    encoding = "onehot"

    def __init__(self, network: torch.nn.Module) -> None:
        self.network = network

    def act(self, observations: NDArray[Any], masks: NDArray[Any], chances: NDArray[Any]) -> NDArray[Any]:
        """One action for every table."""
        del chances
        with torch.no_grad():
            values, _ = self.network(observations)
        best: NDArray[Any] = values.masked_fill(torch.from_numpy(masks == 0), -torch.inf).argmax(1).numpy()
        return best


def learn(options: argparse.Namespace) -> torch.nn.Module:
    """The network after so many decisions."""
    make: Callable[[], Any] = lambda: seat(options.players, options.against)  # noqa: E731
    envs = DummyVectorEnv([make] * TABLES)
    envs.seed(options.seed)
    space, actions = make().observation_space["obs"], envs.action_space[0]
    network: torch.nn.Module = Net(state_shape=space.shape, action_shape=actions.n, hidden_sizes=[64, 64])
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
    return network


def main() -> None:
    """Read the options, learn, and print how far ahead it is."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--players", type=int, default=2, help="2 to 8 (default 2)")
    parser.add_argument("--against", default="tempo", help="the agent in all other seats (default tempo)")
    parser.add_argument("--decisions", type=int, default=100_000, help="decisions to learn from (default 100000)")
    parser.add_argument("--deals", type=int, default=400, help="deals to measure (default 400)")
    parser.add_argument("--seed", type=int, default=1, help="seed of everything (default 1)")
    options = parser.parse_args()
    if options.decisions < 1 or options.deals < 2:
        parser.error("--decisions must be at least 1, --deals at least 2")
    torch.set_num_threads(1)  # small networks are slower on several
    torch.manual_seed(options.seed)
    np.random.seed(options.seed % 2**32)  # noqa: NPY002  # where Tianshou draws from
    try:
        network = learn(options)
    except SkyjoError as error:
        parser.error(str(error))
    rules = Rules(players=options.players)
    seats: list[Any] = [Learned(network), *[options.against] * (options.players - 1)]
    margins = play_paired(seats, Setup(rules, seed=options.seed + 10**6), range(options.deals)).margins[:, 0]
    half = 1.96 * margins.std(ddof=1) / options.deals**0.5
    print(f"against {options.against}: {margins.mean():+.1f} ± {half:.1f} points a round")


if __name__ == "__main__":
    main()
