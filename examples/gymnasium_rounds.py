"""Rounds with Gymnasium: a random one, decision by decision, then one at each of a thousand tables at once."""

import time
from dataclasses import dataclass
from typing import Any

import gymnasium
import numpy as np

from cardtable.table.agents.agents import agents_of
from skyjo.example_program import Options, run


@dataclass(frozen=True)
class Args(Options):
    """The options of the rounds."""

    agent: str = "random"
    """Agent in the seat."""
    against: str = "random"
    """Agent in all other seats."""
    tables: int = 1000
    """Tables at once."""


def play(options: Args) -> None:
    """Play at one table, then at many."""
    table = {"rules": options.rules, "players": options.players, "opponents": options.against}
    play_one(options, table)
    play_many(options, table)


def play_one(options: Args, table: dict[str, Any]) -> None:
    """Play a round with random decisions."""
    env = gymnasium.make(options.environment, **table)
    env.action_space.seed(options.seed)
    _, info = env.reset(seed=options.seed)
    seat, is_over, decisions = info["seat"], False, 0
    while not is_over:
        action = env.action_space.sample(info["action_mask"])
        _, reward, terminated, truncated, info = env.step(action)
        is_over, decisions = terminated or truncated, decisions + 1
    scores = info["round_scores"].tolist()
    print(f"one table: {decisions} decisions in seat {seat}, round scores {scores}, reward {reward:+.2f}")


def play_many(options: Args, table: dict[str, Any]) -> None:
    """Play the first round of every table, however long it takes; print the agent's mean reward and the speed."""
    envs = gymnasium.make_vec(options.environment, num_envs=options.tables, autoreset_mode="SameStep", **table)
    agent, rng_states = (
        agents_of(options.card_game).make(options.agent, options.table_rules()),
        np.arange(options.tables, dtype="u8"),
    )
    observations, infos = envs.reset(seed=options.seed)
    rewards, is_over, steps = np.zeros(options.tables), np.zeros(options.tables, np.bool_), 0
    start = time.perf_counter()
    while not is_over.all():
        actions = agent.act(observations, infos["action_mask"], rng_states)
        observations, reward, terminated, truncated, infos = envs.step(actions)
        rewards += np.where(is_over, 0.0, reward)
        is_over |= terminated | truncated
        steps += 1
    rate = options.tables * steps / (time.perf_counter() - start)
    half = 1.96 * rewards.std() / options.tables**0.5
    print(f"{options.tables} tables: mean reward {rewards.mean():+.3f} ± {half:.3f} a round, {rate:,.0f} decisions/s")


if __name__ == "__main__":
    run(Args, play, __doc__)
