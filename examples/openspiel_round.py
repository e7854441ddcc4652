"""Play rounds of OpenSpiel's `python_skyjo` with random players and print each seat's mean return.

Needs the extra "integrations", see README.md.
"""

import argparse

import numpy as np
import pyspiel
from open_spiel.python.algorithms.evaluate_bots import evaluate_bots
from open_spiel.python.bots.uniform_random import UniformRandomBot

import skyjo_env.envs.openspiel  # registers the game


def mean_returns(players: int, rounds: int, seed: int) -> list[float]:
    """Every seat's mean return, in points."""
    game = pyspiel.load_game("python_skyjo", {"players": players})
    rng = np.random.default_rng(seed)
    bots = [UniformRandomBot(player, rng) for player in range(players)]
    returns = [evaluate_bots(game.new_initial_state(), bots, rng) for _ in range(rounds)]
    means: list[float] = np.mean(returns, axis=0).tolist()
    return means


def main() -> None:
    """Read the options, play, and print the result."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--players", type=int, default=2, help="2 to 8 (default 2)")
    parser.add_argument("--rounds", type=int, default=100, help="rounds to play (default 100)")
    parser.add_argument("--seed", type=int, default=1, help="seed of the deals and of the players' choices (default 1)")
    options = parser.parse_args()
    if options.rounds < 1:
        parser.error("--rounds must be at least 1")
    if options.seed < 0:
        parser.error("--seed must be at least 0")
    try:
        means = mean_returns(options.players, options.rounds, options.seed)
    except skyjo_env.SkyjoError as error:
        parser.error(str(error))
    for seat, mean in enumerate(means):
        print(f"seat {seat}: mean return {mean:+.1f}")


if __name__ == "__main__":
    main()
