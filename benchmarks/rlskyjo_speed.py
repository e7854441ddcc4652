"""Measure how fast rlskyjo 1.0.0 plays, with its own Python: `environments.py --rlskyjo` installs and runs it.

It needs libraries of 2021, so it gets an environment of its own and this file uses nothing but rlskyjo.
"""

import random
import statistics
import sys
import time
import warnings
from typing import Any

PACKAGES = ("rlskyjo==1.0.0", "pettingzoo==1.14.0")  # without what they require: ray, torch, and Python before 3.11
LIBRARIES = ("gym==0.26.2", "numba", "numpy")  # what they really use


def play(env: Any, decisions: int) -> float:
    """Return decisions a second in random legal play."""
    done = 0
    env.reset()
    start = time.perf_counter()
    while done < decisions:
        for _ in env.agent_iter():
            observation, _, is_over, _ = env.last()
            action = None
            if not is_over:
                legal = observation["action_mask"].nonzero()[0]
                action = int(legal[int(random.random() * len(legal))])
                done += 1
            env.step(action)
        env.reset()
    return done / (time.perf_counter() - start)


def main() -> None:
    warnings.simplefilter("ignore")
    from rlskyjo.environment import skyjo_env

    decisions, runs = int(sys.argv[1]), int(sys.argv[2])
    for make in (skyjo_env.env, skyjo_env.SimpleSkyjoEnv):
        env = make(num_players=2)
        play(env, 2000)
        print(statistics.median(play(env, decisions) for _ in range(runs)))


if __name__ == "__main__":
    main()
