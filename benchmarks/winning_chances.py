"""Fit how far the margin of a round may still move, from which the analysis reckons chances of winning it.

Agents play rounds at tables of several sizes, the game's judge says at some decisions what margins every seat can
expect, and the spread is fitted so that `cardtable.analysis.chances` says as well as it can who won. It grows with the
root of the cards that are left (`Analyst.left`).

.venv/bin/python benchmarks/winning_chances.py skyjo skipbo --minutes 10
"""

import argparse
import json
import time
from collections.abc import Iterator
from itertools import count
from math import sqrt
from typing import NamedTuple

import numpy as np
from scipy.optimize import minimize

from cardtable.agents import choose
from cardtable.analysis import chances
from cardtable.card_game import find_game
from skyjo.analysis.judge import analyst_for
from skyjo.programs import find_program
from skyjo.terminal.progress import progress

GAMES = {  # who judges, and who plays
    "skyjo": ("look", ("policy", "tempo", "expected")),
    "skipbo": ("rollout:n=40,turns=4", ("planner",)),
}
SIZES = (2, 3, 4, 6)
EVERY = 12  # of how many decisions one is judged: those that follow each other say much the same
START = (5.0, 1.0)
FEWEST = 30  # seats in a bin


class Case(NamedTuple):
    """A decision: what is left, what margins could be expected, and who won."""

    left: float
    margins: np.ndarray
    won: np.ndarray  # the share of the win by seat


class Tables:
    """Tables of one size at which the agents play, drawn by lot for every seat."""

    def __init__(self, game: str, players: int) -> None:
        self.kind, self.players = find_game(game), players
        self.rules = self.kind.rules_type(players=players)
        judge, names = GAMES[game]
        _, self.analyst = analyst_for(find_program(game), self.rules, judge)
        self.agents = [(name, self.kind.make_agent(name, self.rules)) for name in names]

    def cases(self, seed: int, number: int) -> list[Case]:
        """Some decisions of a round."""
        chance, spec = np.random.default_rng((seed, self.players, number)), self.kind.spec_of(self.rules)
        seats = [self.agents[each] for each in chance.integers(len(self.agents), size=self.players)]
        table, judged = self.kind.new_game(self.rules, int(chance.integers(2**62)), 0, "round"), []
        while not table.is_over:
            seen, mask = table.observation().copy(), table.mask().copy()
            if chance.integers(EVERY) == 0:
                worths = self.analyst.worths(seen, mask, number)
                judged.append((sqrt(self.analyst.left(seen)), worths[np.nanargmax(worths[:, table.seat])]))
            name, agent = seats[table.seat]
            table.apply(int(choose(agent, name, spec, seen[None], mask[None])[0]))
        won = np.isin(np.arange(self.players), table.winners) / max(len(table.winners), 1)
        return [Case(left, margins, won) for left, margins in judged]


def cases(game: str, minutes: float, seed: int) -> Iterator[Case]:
    """Decisions of as many rounds at tables of every size as there is time for."""
    sizes, begun, end = [Tables(game, players) for players in SIZES], time.monotonic(), 60 * minutes
    with progress(f"playing {game}", end) as advance:
        shown = 0.0
        for number in count():
            for tables in sizes:
                yield from tables.cases(seed, number)
            passed = time.monotonic() - begun
            advance(passed - shown)
            if passed > end:
                return
            shown = passed


def surprise(parts: np.ndarray, found: list[Case]) -> float:
    """The mean negative log-likelihood of who won."""
    last, more = np.abs(parts)
    losses = [-(case.won * np.log(chances(case.margins, last + more * case.left + 1e-3))).sum() for case in found]
    return float(np.mean(losses))


def bins(parts: np.ndarray, found: list[Case]) -> list[tuple[float, float, int]]:
    """How often seats with about the same chance won: the mean chance, the share of wins, and how many."""
    said = np.concatenate([chances(case.margins, parts[0] + parts[1] * case.left) for case in found])
    won = np.concatenate([case.won for case in found])
    rows = []
    for low in np.arange(0.0, 1.0, 0.1):
        inside = (said >= low) & (said < low + 0.1)
        if inside.sum() >= FEWEST:
            rows.append((float(said[inside].mean()), float(won[inside].mean()), int(inside.sum())))
    return rows


def main() -> None:
    """Fit, and print the two numbers of each game and how true the chances are."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("games", nargs="+", choices=GAMES)
    parser.add_argument("--minutes", type=float, default=10.0, help="for each game")
    parser.add_argument("--seed", type=int, default=7)
    parser.add_argument("--json", action="store_true")
    options = parser.parse_args()
    for game in options.games:
        found = [*cases(game, options.minutes, options.seed)]
        parts = np.abs(minimize(surprise, START, args=(found,), method="Nelder-Mead").x)
        rows = bins(parts, found)
        if options.json:
            print(json.dumps({"game": game, "spread": parts.tolist(), "decisions": len(found), "bins": rows}))
            continue
        print(
            f"{game}: spread {parts[0]:.2f} + {parts[1]:.2f} times the root of the cards left, {len(found)} decisions"
        )
        for said, won, seats in rows:
            print(f"  said {said:.2f}, won {won:.2f} ({seats})")


if __name__ == "__main__":
    main()
