"""Rounds of Skip-Bo with Gymnasium, at a thousand tables at once: one agent against others."""

import argparse
import time

import gymnasium
import numpy as np

from skipbo_env import Rules, SkipboError, make_agent

ID = "skipbo_env:skipbo/SkipBo-v0"


def play_rounds(agent_name: str, against: str, players: int, seed: int, tables: int) -> tuple[float, float, float]:
    """The agent's mean reward in the first round of every table, half its interval, and decisions a second."""
    rules = Rules(players=players, stock=10)
    envs = gymnasium.make_vec(ID, num_envs=tables, rules=rules, opponents=[against], autoreset_mode="SameStep")
    agent, chances = make_agent(agent_name, rules), np.arange(tables, dtype=np.uint64)
    observations, infos = envs.reset(seed=seed)
    rewards, is_over, steps = np.zeros(tables), np.zeros(tables, np.bool_), 0
    start = time.perf_counter()
    while not is_over.all():
        actions = agent.act(observations, infos["action_mask"], chances)
        observations, reward, terminated, truncated, infos = envs.step(actions)
        rewards += np.where(is_over, 0.0, reward)
        is_over |= terminated | truncated
        steps += 1
    rate = tables * steps / (time.perf_counter() - start)
    return float(rewards.mean()), 1.96 * float(rewards.std()) / tables**0.5, rate


def main() -> None:
    """Read the options and play."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--agent", default="hpvp", help="who plays the seat (default hpvp)")
    parser.add_argument("--against", default="greedy", help="who plays the others (default greedy)")
    parser.add_argument("--players", type=int, default=2, help="2 to 6 (default 2)")
    parser.add_argument("--seed", type=int, default=1, help="seed of the cards (default 1)")
    parser.add_argument("--tables", type=int, default=1000, help="tables at once (default 1000)")
    options = parser.parse_args()
    if options.seed < 0 or options.tables < 1:
        parser.error("--seed must be at least 0, --tables at least 1")
    try:
        mean, half, rate = play_rounds(options.agent, options.against, options.players, options.seed, options.tables)
    except SkipboError as error:
        parser.error(str(error))
    print(f"{options.tables} rounds: mean reward {mean:+.3f} ± {half:.3f}, {rate:,.0f} decisions/s")


if __name__ == "__main__":
    main()
