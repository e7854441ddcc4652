"""The mean margin of agents against another, in points a round with a 95 % interval: the first round of many tables.

.venv/bin/python benchmarks/duel.py threshold:t=2 expected --against threshold:t=2,columns=true
"""

import argparse
import json
import sys

import numpy as np

from skyjo_env import OFFICIAL, SkyjoError, make_agent
from skyjo_env.envs.seats import SeatBatch
from skyjo_env.kernel.seats import RUNNING

YARDSTICK = "threshold:t=2,columns=true"


def duel(name: str, against: str, players: int, tables: int, seed: int) -> tuple[float, float]:
    """The mean margin of the first round at every table, and half the width of its 95 % interval."""
    rules = OFFICIAL.replace(players=players)
    options = (rules, None, [against], "random", "round", "margin", None, "compact", "error")
    batch, agent = SeatBatch(tables, False, *options), make_agent(name, rules)
    chances = np.arange(tables, dtype=np.uint64)
    margins, is_over = np.zeros(tables), np.zeros(tables, np.bool_)
    batch.begin(seed)
    while not is_over.all():
        batch.step(agent.act(batch.seen(), batch.masks, chances))
        margins += np.where(is_over, 0.0, 100 * batch.rewards)
        is_over |= batch.outcomes != RUNNING
        print(f"\r{name}: {is_over.sum()} of {tables} rounds", end="", file=sys.stderr)
    print("\r\033[K", end="", file=sys.stderr)
    return float(margins.mean()), float(1.96 * margins.std() / tables**0.5)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("agents", nargs="+", metavar="AGENT", help="by name, such as threshold:t=2")
    parser.add_argument("--against", default=YARDSTICK, metavar="AGENT", help=f"default {YARDSTICK}")
    parser.add_argument("--players", type=int, default=2, help="2 to 8 (default 2)")
    parser.add_argument("--tables", type=int, default=40_000, help="rounds for each agent (default 40000)")
    parser.add_argument("--seed", type=int, default=5, help="of the deals (default 5)")
    parser.add_argument("--json", action="store_true", help="print JSON instead of a table")
    options = parser.parse_args()
    found = []
    try:
        for name in options.agents:
            mean, half = duel(name, options.against, options.players, options.tables, options.seed)
            found.append({"agent": name, "against": options.against, "margin": mean, "half_width": half})
            if not options.json:
                print(f"{name:36}{mean:+8.2f} ± {half:.2f}", flush=True)
    except SkyjoError as error:
        parser.error(str(error))
    if options.json:
        print(json.dumps(found, indent=2))


if __name__ == "__main__":
    main()
