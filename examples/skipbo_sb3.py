"""Learn a short game of Skip-Bo with MaskablePPO against a random opponent that plays cards while it can."""

import argparse
from typing import Any

import torch
from sb3_contrib import MaskablePPO
from sb3_contrib.common.maskable.evaluation import evaluate_policy
from stable_baselines3.common.vec_env import VecMonitor

from skipbo_env import SkipboError
from skyjo_training import SkipboVecEnv

TABLES = 64


def tables(players: int, seed: int, shaping: str | None = None) -> VecMonitor:
    """Tables with stock piles of five cards."""
    opponents = ["random:plays_first=true"]
    env = VecMonitor(SkipboVecEnv(TABLES, "stock=5", players, opponents, encoding="onehot", shaping=shaping))
    env.seed(seed)
    return env


def tell(when: str, model: MaskablePPO, players: int, seed: int, rounds: int) -> None:
    """Print the mean reward: 1 for a round that is won, -1 / (players - 1) for one that is lost."""
    mean: Any
    mean, _ = evaluate_policy(model, tables(players, seed), n_eval_episodes=rounds, deterministic=False)
    print(f"{when} learning: {mean:+.2f} a round", flush=True)


def main() -> None:
    """Read the options, learn, and print how much better it became."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--players", type=int, default=2, help="2 to 6 (default 2)")
    parser.add_argument("--steps", type=int, default=200_000, help="decisions to learn from (default 200000)")
    parser.add_argument("--rounds", type=int, default=1000, help="rounds to measure (default 1000)")
    parser.add_argument("--seed", type=int, default=1, help="seed of everything (default 1)")
    options = parser.parse_args()
    torch.set_num_threads(1)  # small networks are slower on several
    try:
        env = tables(options.players, options.seed, shaping="stock")
    except SkipboError as error:
        parser.error(str(error))
    if options.steps < 1 or options.rounds < 1:
        parser.error("--steps and --rounds must be at least 1")
    model = MaskablePPO("MlpPolicy", env, n_steps=64, batch_size=1024, gamma=1.0, seed=options.seed, device="cpu")
    tell("before", model, options.players, options.seed + 10**6, options.rounds)
    model.learn(options.steps)
    tell("after", model, options.players, options.seed + 10**6, options.rounds)


if __name__ == "__main__":
    main()
