"""Fits how many points of margin each luck term is taken to bring: `skyjo_env.measuring.luck.WEIGHTS`.

    python -m skyjo.studies.luck_weights

By least squares over self-play and mixed tables of scripted agents, on deals of a seed that nothing else uses.
"""

import argparse
import json
import sys

import numpy as np
from numpy.typing import NDArray

from cardtable.card_game import Setup
from cardtable.play.decisions import play_rounds
from cardtable.play.luck import advantage
from skyjo_env.agents import make_agent
from skyjo_env.card_game import SKYJO
from skyjo_env.measuring.luck import TERMS
from skyjo_env.rules import OFFICIAL

SEED, DEALS = 999, 20_000
YARDSTICK = SKYJO.yardstick
TABLES = (("tempo",), (YARDSTICK,), ("tempo", YARDSTICK), ("expected", "tempo", YARDSTICK))


def fit_weights(players: int, deals: int = DEALS) -> tuple[NDArray[np.float64], float]:
    """The weights that fit best at tables of so many players, and the share of the variance that they leave."""
    rules = OFFICIAL.replace(players=players)
    terms, margins = [], []
    for names in TABLES:
        agents = [make_agent(names[seat % len(names)], rules) for seat in range(players)]
        played = play_rounds(agents, Setup(rules, SEED, with_luck=True), range(deals))
        terms.append(advantage(played.luck).reshape(-1, TERMS))
        margins.append((played.margins - played.margins.mean(axis=0)).ravel())
    all_terms, all_margins = np.concatenate(terms), np.concatenate(margins)
    weights = np.linalg.lstsq(all_terms, all_margins, rcond=None)[0]
    return weights, float((all_margins - all_terms @ weights).var() / all_margins.var())


def main() -> None:
    """Fit the weights for every number of players and print them."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--deals", type=int, default=DEALS, help=f"for each table of agents (default {DEALS})")
    parser.add_argument("--json", action="store_true", help="print JSON instead of a table")
    options = parser.parse_args()
    if options.deals < 1:
        parser.error("--deals must be at least 1")
    found = []
    for players in range(2, 9):
        print(f"\r{players} players ...", end="", file=sys.stderr, flush=True)
        weights, left = fit_weights(players, options.deals)
        found.append({"players": players, "weights": weights.round(3).tolist(), "variance_left": round(left, 3)})
    print("\r\033[K", end="", file=sys.stderr)
    if options.json:
        print(json.dumps(found, indent=2))
        return
    print("players  turned up   drew  given   variance left")
    for row in found:
        turned_up, drew, given = row["weights"]
        print(f"{row['players']:7}  {turned_up:9.3f} {drew:6.3f} {given:6.3f}   {row['variance_left']:13.3f}")


if __name__ == "__main__":
    main()
