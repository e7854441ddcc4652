"""A round of Skip-Bo with PettingZoo: every player plays a random card while it can, and then discards one."""

import argparse

from skipbo_env import SkipboError, skipbo_v0

FIRST_DISCARD = 72  # the numbers below are plays


def main() -> None:
    """Read the options, play, and print the table and what everybody got."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--players", type=int, default=3, help="2 to 6 (default 3)")
    parser.add_argument("--seed", type=int, default=1, help="seed of the cards and of the choices (default 1)")
    options = parser.parse_args()
    try:
        env = skipbo_v0.env(rules="stock=10", players=options.players, render_mode="ansi")
        env.reset(seed=options.seed)
    except SkipboError as error:
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
            mask = observation["action_mask"]
            if mask[:FIRST_DISCARD].any():
                mask[FIRST_DISCARD:] = 0
            action = env.action_space(agent).sample(mask)
        env.step(action)
    env.close()


if __name__ == "__main__":
    main()
