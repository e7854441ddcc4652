"""The mean margin of agents against another, in points a round with a 95 % interval, on deals played from every seat.

.venv/bin/python benchmarks/duel.py threshold:t=2 tempo --against threshold:t=2,columns=true
"""

import argparse
import json
import sys
from itertools import pairwise

import numpy as np

from arena.paired import YARDSTICK, estimate, paired_margins
from skyjo_env import OFFICIAL, SkyjoError

PIECES = 20  # so many times it tells how far it is


def duel(name: str, against: str, options: argparse.Namespace) -> dict[str, object]:
    """The agent in one seat, the other in all others; played in pieces, to tell how far it is."""
    rules, deals = OFFICIAL.replace(players=options.players), options.deals
    bounds = np.unique(np.linspace(0, deals, PIECES + 1).astype(int)).tolist()
    margins = []
    for first, last in pairwise(bounds):
        agents = [name] + [against] * (options.players - 1)
        margins.append(
            paired_margins(agents, rules, options.seed, range(first, last), options.threads, options.peek)[:, 0]
        )
        found = estimate(np.concatenate(margins)) if last > 1 else "-"
        print(f"\r{name}: {last} of {deals} deals, {found}", end="", file=sys.stderr)
    print("\r\033[K", end="", file=sys.stderr)
    found = estimate(np.concatenate(margins))
    return {"agent": name, "against": against, "margin": found.mean, "half_width": found.half}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("agents", nargs="+", metavar="AGENT", help="by name, such as threshold:t=2")
    parser.add_argument("--against", default=YARDSTICK, metavar="AGENT", help=f"default {YARDSTICK}")
    parser.add_argument("--players", type=int, default=2, help="2 to 8 (default 2)")
    parser.add_argument("--deals", type=int, default=20_000, help="for each agent, at least 2 (default 20000)")
    parser.add_argument("--seed", type=int, default=5, help="of the deals (default 5)")
    parser.add_argument("--threads", type=int, default=1, help="that play at once (default 1)")
    parser.add_argument("--peek", action="store_true", help="show the hidden cards to the agent peek")
    parser.add_argument("--json", action="store_true", help="print JSON instead of a table")
    options = parser.parse_args()
    if options.deals < 2:
        parser.error("--deals must be at least 2")
    found = []
    try:
        for name in options.agents:
            found.append(duel(name, options.against, options))
            if not options.json:
                print(f"{name:44}{found[-1]['margin']:+8.2f} ± {found[-1]['half_width']:.2f}", flush=True)
    except SkyjoError as error:
        parser.error(str(error))
    if options.json:
        print(json.dumps(found, indent=2))


if __name__ == "__main__":
    main()
