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


def many_tables(players: int, seed: int, tables: int) -> None:
    """Play a round at every table of the native vector environment; print the mean reward and the speed."""
    envs = gymnasium.make_vec(ID, num_envs=tables, players=players, autoreset_mode="SameStep")
    agent, chances = make_agent("random"), np.arange(tables, dtype=np.uint64)
    observations, infos = envs.reset(seed=seed)
    rewards, is_over, steps = np.zeros(tables), np.zeros(tables, np.bool_), 0
    start = time.perf_counter()
    while not is_over.all():  # the first round of every table, however long it takes
        actions = agent.act(observations, infos["action_mask"], chances)
        observations, reward, terminated, truncated, infos = envs.step(actions)
        rewards += np.where(is_over, 0.0, reward)
        is_over |= terminated | truncated
        steps += 1
    rate = tables * steps / (time.perf_counter() - start)
    half = 1.96 * rewards.std() / tables**0.5
    print(f"{tables} tables: mean reward {rewards.mean():+.3f} ± {half:.3f} a round, {rate:,.0f} decisions/s")


def main() -> None:
    """Read the options and play."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--players", type=int, default=2, help="2 to 8 (default 2)")
    parser.add_argument("--seed", type=int, default=1, help="seed of the cards and of the choices (default 1)")
    parser.add_argument("--tables", type=int, default=1000, help="tables at once (default 1000)")
    options = parser.parse_args()
    if options.seed < 0 or options.tables < 1:
        parser.error("--seed must be at least 0, --tables at least 1")
    try:
        one_table(options.players, options.seed)
        many_tables(options.players, options.seed, options.tables)
    except SkyjoError as error:
        parser.error(str(error))


if __name__ == "__main__":
    main()
