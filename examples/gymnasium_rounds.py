"""Rounds with Gymnasium, first at one table, then at a thousand at once; a random player against random opponents."""

import argparse
import time

import gymnasium
import numpy as np

from skyjo_env import SkyjoError, make_agent

ID = "skyjo_env:skyjo/Skyjo-v0"


def one_table(players: int, seed: int) -> None:
    """Play one round, decision by decision."""
    env = gymnasium.make(ID, players=players, opponents=["random"])
    env.action_space.seed(seed)
    _, info = env.reset(seed=seed)
    seat, is_over, decisions = info["seat"], False, 0
    while not is_over:
        action = env.action_space.sample(info["action_mask"])
        _, reward, terminated, truncated, info = env.step(action)
        is_over, decisions = terminated or truncated, decisions + 1
    scores = info["round_scores"].tolist()
    print(f"one table: {decisions} decisions in seat {seat}, round scores {scores}, reward {reward:+.2f}")


def many_tables(players: int, seed: int, tables: int, steps: int) -> None:
    """Play many rounds with the native vector environment; print the mean reward and the speed."""
    envs = gymnasium.make_vec(ID, num_envs=tables, players=players, autoreset_mode="SameStep")
    agent, chances = make_agent("random"), np.arange(tables, dtype=np.uint64)
    observations, infos = envs.reset(seed=seed)
    rewards, start = np.zeros(0), time.perf_counter()
    for _ in range(steps):
        actions = agent.act(observations, infos["action_mask"], chances)
        observations, reward, terminated, _, infos = envs.step(actions)
        rewards = np.append(rewards, reward[terminated])
    rate = tables * steps / (time.perf_counter() - start)
    error = rewards.std() / max(1, len(rewards)) ** 0.5 if len(rewards) else 0.0
    mean = rewards.mean() if len(rewards) else 0.0
    print(
        f"{tables} tables: {len(rewards)} rounds, mean reward {mean:+.3f} ± {1.96 * error:.3f}, {rate:,.0f} decisions/s"
    )


def main() -> None:
    """Read the options and play."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--players", type=int, default=2, help="2 to 8 (default 2)")
    parser.add_argument("--seed", type=int, default=1, help="of the cards and of the choices (default 1)")
    parser.add_argument("--tables", type=int, default=1000, help="tables at once (default 1000)")
    parser.add_argument("--steps", type=int, default=200, help="decisions at each of them (default 200)")
    options = parser.parse_args()
    try:
        one_table(options.players, options.seed)
        many_tables(options.players, options.seed, options.tables, options.steps)
    except SkyjoError as error:
        parser.error(str(error))


if __name__ == "__main__":
    main()
