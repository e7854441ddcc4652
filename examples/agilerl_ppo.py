"""Learn with AgileRL's PPO and masks at many tables, then measure on deals that are played from every seat.

docs/integrations.md says how AgileRL is installed.
"""

import argparse
import sys
from typing import Any

import gymnasium
import numpy as np
import torch
from agilerl.algorithms import PPO
from agilerl.rollouts import collect_rollouts
from numpy.typing import NDArray

from cardtable.card_game import Setup
from cardtable.envs.encoding import encoded
from cardtable.play.pairing import play_paired
from skyjo_env import Rules, SkyjoError
from skyjo_env.card_game import SKYJO

TABLES, STEPS = 64, 64
NETWORK = {"encoder_config": {"hidden_size": [64, 64]}, "head_config": {"hidden_size": [64]}}


class Learned:
    """The network as an agent: the legal action that it rates best."""

    def __init__(self, agent: Any, rules: Rules) -> None:
        agent.set_training_mode(False)
        self.agent, self.rules = agent, rules

    def act(self, observations: NDArray[Any], masks: NDArray[Any], chances: NDArray[Any]) -> NDArray[Any]:
        """One action for every table."""
        del chances
        seen = torch.from_numpy(encoded(SKYJO, self.rules, "onehot", observations))
        with torch.no_grad():
            rated = self.agent.actor.head_net.wrapped(self.agent.actor.extract_features(seen))
        best: NDArray[Any] = rated.masked_fill(torch.from_numpy(masks == 0), -torch.inf).argmax(1).numpy()
        return best


def learn(options: argparse.Namespace) -> Any:
    """The agent after so many decisions."""
    env: Any = gymnasium.make_vec(
        "skyjo_env:skyjo/Skyjo-v0",
        num_envs=TABLES,
        players=options.players,
        opponents=options.against,
        encoding="onehot",
        shaping="expected_margin",
        autoreset_mode="SameStep",  # every mask has a legal action
    )
    agent = PPO(
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
    for done in range(0, options.decisions, TABLES * steps):
        _, *after = collect_rollouts(agent, env, steps, last_info=infos, **seen)
        *last, infos = after
        seen = dict(zip(seen, last, strict=True))
        agent.learn()
        print(f"\rlearned from {done + TABLES * steps:,} decisions", end="", file=sys.stderr, flush=True)
    print(file=sys.stderr)
    return agent


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
    try:
        agent = learn(options)
    except SkyjoError as error:
        parser.error(str(error))
    rules = Rules(players=options.players)
    seats: list[Any] = [Learned(agent, rules), *[options.against] * (options.players - 1)]
    margins = play_paired(seats, Setup(rules, seed=options.seed + 10**6), range(options.deals)).margins[:, 0]
    half = 1.96 * margins.std(ddof=1) / options.deals**0.5
    print(f"against {options.against}: {margins.mean():+.1f} ± {half:.1f} points a round")


if __name__ == "__main__":
    main()
