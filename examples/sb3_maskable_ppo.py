"""Learn with MaskablePPO from sb3-contrib against a random opponent, then play rounds that it has not seen."""

import argparse
import sys
from typing import Any

import numpy as np
import torch
from sb3_contrib import MaskablePPO
from sb3_contrib.common.maskable.utils import get_action_masks
from stable_baselines3.common.vec_env import VecMonitor

from skyjo_env import SkyjoError
from skyjo_training import SkyjoVecEnv

TABLES = 64


def mean_reward(model: MaskablePPO, players: int, seed: int, rounds: int) -> tuple[float, float]:
    """The mean reward a round in points, and half the width of its 95 % interval."""
    env = SkyjoVecEnv(TABLES, players=players, encoding="onehot")
    env.seed(seed)
    observations: Any = env.reset()
    rewards: list[list[float]] = [[] for _ in range(TABLES)]
    wanted = -(-rounds // TABLES)  # from every table the same number, or long rounds would be missed out
    while min(map(len, rewards)) < wanted:
        actions, _ = model.predict(observations, action_masks=get_action_masks(env))
        observations, earned, dones, _ = env.step(actions)
        for table in np.flatnonzero(dones):
            rewards[table].append(100 * float(earned[table]))
    first = np.array([of_table[:wanted] for of_table in rewards])
    return float(first.mean()), 1.96 * float(first.std()) / first.size**0.5


def main() -> None:
    """Read the options, learn, and print how much better it became."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--players", type=int, default=2, help="2 to 8 (default 2)")
    parser.add_argument(
        "--steps", type=int, default=200_000, help="decisions to learn from, in lots of 4096 (default 200000, a minute)"
    )
    parser.add_argument("--rounds", type=int, default=2000, help="rounds to measure (default 2000)")
    parser.add_argument("--seed", type=int, default=1, help="seed of everything (default 1)")
    options = parser.parse_args()
    torch.set_num_threads(1)  # small networks are slower on several
    try:
        env = VecMonitor(SkyjoVecEnv(TABLES, players=options.players, encoding="onehot"))
    except SkyjoError as error:
        parser.error(str(error))
    if options.steps < 1 or options.rounds < 1:
        parser.error("--steps and --rounds must be at least 1")
    model = MaskablePPO("MlpPolicy", env, n_steps=64, batch_size=1024, gamma=1.0, seed=options.seed, device="cpu")
    tell("before", *mean_reward(model, options.players, options.seed + 10**6, options.rounds))
    while model.num_timesteps < options.steps:
        model.learn(env.num_envs * model.n_steps, reset_num_timesteps=False)
        print(f"\rlearned from {model.num_timesteps} of {options.steps} decisions", end="", file=sys.stderr, flush=True)
    print(file=sys.stderr)
    tell("after", *mean_reward(model, options.players, options.seed + 10**6, options.rounds))


def tell(when: str, mean: float, half: float) -> None:
    """Print a mean and half the width of its interval."""
    print(f"{when} learning: {mean:+.1f} ± {half:.1f} points a round against random players", flush=True)


if __name__ == "__main__":
    main()
