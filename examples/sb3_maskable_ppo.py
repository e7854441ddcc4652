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
from training import SkyjoVecEnv


def mean_reward(model: MaskablePPO, players: int, seed: int, rounds: int) -> tuple[float, float]:
    """The mean reward a round in points, and half the width of its 95 % interval."""
    env = SkyjoVecEnv(256, players=players, encoding="onehot")
    env.seed(seed)
    observations: Any = env.reset()
    rewards: list[float] = []
    while len(rewards) < rounds:
        actions, _ = model.predict(observations, action_masks=get_action_masks(env))
        observations, earned, dones, _ = env.step(actions)
        rewards += (100 * earned[dones]).tolist()
    return float(np.mean(rewards)), 1.96 * float(np.std(rewards)) / len(rewards) ** 0.5


def main() -> None:
    """Read the options, learn, and print how much better it became."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--players", type=int, default=2, help="2 to 8 (default 2)")
    parser.add_argument("--steps", type=int, default=200_000, help="decisions to learn from (default 200000, a minute)")
    parser.add_argument("--rounds", type=int, default=2000, help="rounds to measure (default 2000)")
    parser.add_argument("--seed", type=int, default=1, help="of everything (default 1)")
    options = parser.parse_args()
    torch.set_num_threads(1)  # small networks are slower on several
    try:
        env = VecMonitor(SkyjoVecEnv(64, players=options.players, encoding="onehot"))
    except SkyjoError as error:
        parser.error(str(error))
    if options.steps < 1 or options.rounds < 1:
        parser.error("--steps and --rounds must be at least 1")
    model = MaskablePPO("MlpPolicy", env, n_steps=64, batch_size=1024, gamma=1.0, seed=options.seed, device="cpu")
    for tenth in range(11):
        if tenth > 0:
            model.learn(options.steps // 10, reset_num_timesteps=False)
            print(f"learned from {model.num_timesteps} decisions", file=sys.stderr)
        if tenth in (0, 10):
            mean, half = mean_reward(model, options.players, options.seed + 10**6, options.rounds)
            name = "after" if tenth else "before"
            print(f"{name} learning: {mean:+.1f} ± {half:.1f} points a round against random players", flush=True)


if __name__ == "__main__":
    main()
