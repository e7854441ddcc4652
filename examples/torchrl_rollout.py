"""Play rounds in TorchRL with random legal actions and print each seat's mean return.

Needs the extra "integrations", see README.md.
"""

import argparse

import torch
from torchrl.envs import PettingZooWrapper

from skyjo_env import SkyjoError, skyjo_v0


def mean_returns(players: int, rounds: int, seed: int) -> list[float]:
    """Every seat's mean return; 1 is 100 points."""
    env = PettingZooWrapper(skyjo_v0.env(players=players), use_mask=True)
    torch.manual_seed(seed)
    env.set_seed(seed)
    total = torch.zeros(players)
    for _ in range(rounds):
        steps = env.rollout(10_000)["next"]  # to the end of the round; without a policy, legal actions at random
        total += torch.stack([steps[agent, "reward"].sum() for agent in env.possible_agents])
    means: list[float] = (total / rounds).tolist()
    return means


def main() -> None:
    """Read the options, play, and print the result."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--players", type=int, default=2, help="2 to 8 (default 2)")
    parser.add_argument("--rounds", type=int, default=20, help="rounds to play (default 20)")
    parser.add_argument("--seed", type=int, default=1, help="seed of the deals and of the players' choices (default 1)")
    options = parser.parse_args()
    if options.rounds < 1:
        parser.error("--rounds must be at least 1")
    try:
        means = mean_returns(options.players, options.rounds, options.seed)
    except SkyjoError as error:
        parser.error(str(error))
    print(f"{options.rounds} rounds of {options.players} players")
    for seat, mean in enumerate(means):
        print(f"seat {seat}: mean return {mean:+.2f}")


if __name__ == "__main__":
    main()
