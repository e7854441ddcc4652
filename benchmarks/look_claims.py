"""Where `look` would depart from its policy: the points that it claims to win by that, and those that are won when
policies play on. What a judge does not know shows as claims that do not come true.

.venv/bin/python benchmarks/look_claims.py --players 2
"""

import argparse
import json
from collections.abc import Iterator

import numpy as np

from cardtable.kernel.futures import GAINED
from skyjo_agents import LookAgent, PolicyAgent
from skyjo_agents.rollout import RolloutAgent
from skyjo_env import OFFICIAL, Game, Rules

LEAST = 0.15  # points that are claimed


def claims(rules: Rules, path: str, rounds: int, guesses: int, seed: int) -> Iterator[tuple[float, float]]:
    """What was claimed and what was won, in points of the margin, wherever they depart in rounds of the policy."""
    policy, look = PolicyAgent(rules, path), LookAgent(rules, path)
    search = RolloutAgent(rules).with_base(policy)
    for deal in range(rounds):
        game = Game(rules, seed=seed, deal=deal, episode="round")
        while not game.is_over:
            observation = game.observation()
            worths = look.worths(observation, deal)[:, game.seat]
            seen = observation[None], game.mask()[None]
            action, best = (int(agent.act(*seen, np.zeros(1, np.uint64))[0]) for agent in (policy, look))
            if worths[best] - worths[action] >= LEAST:
                yield worths[best] - worths[action], won(search, observation, action, best, guesses)
            game.apply(action)


def won(search: RolloutAgent, observation: np.ndarray, action: int, best: int, guesses: int) -> float:
    """How many points the best action brought more, on the same guesses at what is hidden."""
    tried = search.try_actions(observation, np.array([action, best]), range(guesses), np.uint64(1))
    return float(tried[GAINED, 1]) / guesses / (search.rules.players - 1)


def main() -> None:
    """Measure, and print a line or JSON."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--players", type=int, default=2)
    parser.add_argument("--path", default="", help="a policy with a judge; the one that comes with the package")
    parser.add_argument("--rounds", type=int, default=200)
    parser.add_argument("--guesses", type=int, default=400)
    parser.add_argument("--seed", type=int, default=5)
    parser.add_argument("--json", action="store_true")
    options = parser.parse_args()
    rules = OFFICIAL.replace(players=options.players)
    found = np.array([*claims(rules, options.path, options.rounds, options.guesses, options.seed)])
    claimed, brought = found.mean(axis=0)
    error = 1.96 * found[:, 1].std(ddof=1) / len(found) ** 0.5
    if options.json:
        print(json.dumps({"decisions": len(found), "claimed": claimed, "won": brought, "error": error}))
        return
    print(f"{len(found) / options.rounds:.1f} such decisions a round")
    print(f"claimed {claimed:.2f} points each, won {brought:.2f} ± {error:.2f}")


if __name__ == "__main__":
    main()
