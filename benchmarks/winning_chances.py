"""Fit how far the margin of a round of Skyjo may still move, from which the analysis reckons chances of winning it.

Agents play rounds at tables of two and four, `look` judges what margins every seat can expect, and the spread is fitted
so that `cardtable.analysis.chances` says as well as it can who won. It grows with the root of the hidden cards on a
board.

.venv/bin/python benchmarks/winning_chances.py --rounds 150
"""

import argparse
import json
from collections.abc import Iterator
from math import sqrt
from typing import NamedTuple

import numpy as np
from scipy.optimize import minimize

from cardtable.agents import choose
from cardtable.analysis import chances
from skyjo_agents import LookAgent
from skyjo_agents.analysis import LookAnalyst
from skyjo_env import OFFICIAL, Game
from skyjo_env.card_game import SKYJO
from skyjo_env.observation import spec_of

AGENTS = ("policy", "tempo", "expected")
SIZES = (2, 4)
EVERY = 3  # which decisions are looked at: those that follow each other say much the same
START = (5.0, 1.0)


class Case(NamedTuple):
    """A decision: what is left, what margins could be expected, and who won."""

    left: float
    margins: np.ndarray
    won: np.ndarray  # the share of the win by seat


def cases(players: int, rounds: int, seed: int) -> Iterator[Case]:
    """Decisions of rounds between the agents, drawn by lot for every seat."""
    rules = OFFICIAL.replace(players=players)
    analyst = LookAnalyst(LookAgent(rules))
    agents = [(name, SKYJO.make_agent(name, rules)) for name in AGENTS]
    for number in range(rounds):
        chance = np.random.default_rng((seed, players, number))
        seats = [agents[each] for each in chance.integers(len(agents), size=players)]
        table = Game(rules, seed=int(chance.integers(2**62)), episode="round")
        while not table.is_over:
            name, agent = seats[table.seat]
            seen = table.observation()[None].copy(), table.mask()[None].copy()
            table.apply(int(choose(agent, name, spec_of(rules), *seen)[0]))
        won = np.isin(np.arange(players), table.winners) / max(len(table.winners), 1)
        for judged in [*analyst.decisions(table.record())][::EVERY]:
            view = spec_of(rules).view(judged.observation)
            yield Case(sqrt(view.hidden_left.mean()), judged.worths[judged.best], won)


def surprise(parts: np.ndarray, found: list[Case]) -> float:
    """The mean negative log-likelihood of who won."""
    first, more = np.abs(parts)
    losses = [-(case.won * np.log(chances(case.margins, first + more * case.left + 1e-3))).sum() for case in found]
    return float(np.mean(losses))


def bins(parts: np.ndarray, found: list[Case]) -> list[tuple[float, float, int]]:
    """How often seats with about the same chance won: the mean chance, the share of wins, and how many."""
    said = np.concatenate([chances(case.margins, parts[0] + parts[1] * case.left) for case in found])
    won = np.concatenate([case.won for case in found])
    rows = []
    for low in np.arange(0.0, 1.0, 0.1):
        inside = (said >= low) & (said < low + 0.1)
        if inside.sum() >= 30:
            rows.append((float(said[inside].mean()), float(won[inside].mean()), int(inside.sum())))
    return rows


def main() -> None:
    """Fit, and print the two numbers and how true the chances are."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--rounds", type=int, default=150)
    parser.add_argument("--seed", type=int, default=7)
    parser.add_argument("--json", action="store_true")
    options = parser.parse_args()
    found = [case for players in SIZES for case in cases(players, options.rounds, options.seed)]
    parts = np.abs(minimize(surprise, START, args=(found,), method="Nelder-Mead").x)
    rows = bins(parts, found)
    if options.json:
        print(json.dumps({"spread": parts.tolist(), "decisions": len(found), "bins": rows}))
        return
    print(
        f"spread {parts[0]:.2f} + {parts[1]:.2f} times the root of a board's hidden cards, from {len(found)} decisions"
    )
    for said, won, count in rows:
        print(f"  said {said:.2f}, won {won:.2f} ({count})")


if __name__ == "__main__":
    main()
