"""A round with PettingZoo: every player chooses at random among its legal actions."""

import argparse

from skyjo_env import SkyjoError, skyjo_v0


def main() -> None:
    """Read the options, play, and print the table and what everybody got."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--players", type=int, default=3, help="2 to 8 (default 3)")
    parser.add_argument("--seed", type=int, default=1, help="seed of the cards and of the choices (default 1)")
    options = parser.parse_args()
    try:
        env = skyjo_v0.env(players=options.players, render_mode="ansi")
        env.reset(seed=options.seed)
    except SkyjoError as error:
        parser.error(str(error))
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
    main()
