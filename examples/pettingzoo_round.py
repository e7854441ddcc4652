"""A round with PettingZoo: every player chooses at random among its legal actions."""

from dataclasses import dataclass
from importlib import import_module

from skyjo.example_program import Options, run


@dataclass(frozen=True)
class Args(Options):
    """The options of the rounds."""

    players: int = 3
    """Players at the table."""


def play(options: Args) -> None:
    """Play, and print the table and the reward of each seat."""
    module = import_module(f"{options.game}_env.{options.game}_v0")  # such as `from skyjo_env import skyjo_v0`
    env = module.env(players=options.players, rules=options.rules, render_mode="ansi")
    env.reset(seed=options.seed)
    for number, agent in enumerate(env.possible_agents):
        env.action_space(agent).seed(options.seed + number)
    for agent in env.agent_iter():
        observation, reward, terminated, truncated, info = env.last()
        action = None
        if terminated or truncated:
            if agent == "player_0":
                print(env.render())
            print(f"{agent}: {info['round_scores'][info['seat']]} points, reward {reward:+.2f}")
        else:
            action = env.action_space(agent).sample(observation["action_mask"])
        env.step(action)
    env.close()


if __name__ == "__main__":
    run(Args, play, __doc__)
