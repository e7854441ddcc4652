"""Paired play: every deal is played from every seat, so that the luck of the deal affects all agents equally.

With three or more players it also matters who sits before you. So the order around the table changes from deal to deal:
all orders take turns, or many of them if there are too many.
"""

from collections.abc import Sequence
from dataclasses import dataclass, fields, replace
from functools import cache
from itertools import permutations
from typing import Any, Self

import numpy as np
from numpy.typing import NDArray

from cardtable.arena.play.decisions import Watch, play_rounds, seated
from cardtable.arena.play.luck import without_luck
from cardtable.arena.statistics import MANY, Moments, estimate, is_varied
from cardtable.table.agents.agents import Agent
from cardtable.table.agents.seated_agents import AgentLike
from cardtable.table.game.card_game import Setup
from cardtable.table.game.tables import DealResults, joined, taken

MOST_ORDERS = 120  # all orders of up to 6 players
MARGIN, WITHOUT_LUCK, SCORE, WINS = range(4)  # what a tally has of every agent

Floats = NDArray[np.float64]


@dataclass(frozen=True, repr=False)
class Paired:
    """The results of every deal, over all rotations of the agents over the seats. Deals are independent of each other;
    the agents of one deal are not.
    """

    margins: Floats  # [deals, agents], mean
    scores: Floats  # [deals, agents], mean
    wins: Floats  # [deals, agents], share
    is_stopped: Floats  # [deals], share
    without_luck: Floats  # [deals, agents], margins less what luck explains, if that is asked for
    rounds: Floats  # [deals], mean
    facts: Floats  # [deals, facts], mean over the seats, too

    @classmethod
    def joined(cls, parts: Sequence["Paired"]) -> Self:
        """Several deals after each other."""
        return cls(*(np.concatenate([getattr(part, each.name) for part in parts]) for each in fields(cls)))

    def __repr__(self) -> str:
        margins = ", ".join(f"{margin:+.2f}" for margin in self.margins.mean(axis=0).tolist())
        return f"<Paired: {len(self.margins)} deals of {self.margins.shape[1]} agents, margins {margins}>"

    def _repr_html_(self) -> str:
        """A line for every agent, for notebooks: margin and luck-free margin with 95 % intervals, score and wins."""
        heads = "agent", "margin", "without luck", "score", "wins"
        columns = self.margins, self.without_luck, self.scores, self.wins
        lines = [
            (
                str(agent),
                *(_interval(numbers) for numbers in seen[:2]),
                f"{seen[2].mean():.2f}",
                f"{seen[3].mean():.1%}",
            )
            for agent, seen in enumerate(zip(*(column.T for column in columns), strict=True))
        ]
        rows = ("".join(f"<td>{cell}</td>" for cell in line) for line in lines)
        head = "".join(f"<th>{name}</th>" for name in heads)
        body = "".join(f"<tr>{row}</tr>" for row in rows)
        return f"<table><tr>{head}</tr>{body}</table><p>{len(self.margins)} deals</p>"


def play_paired(agents: Sequence[AgentLike], setup: Setup, deals: range = range(1000), threads: int = 1) -> Paired:
    """Play every deal once for each rotation of the agents over the seats; see `play_rounds`."""
    table = seated(agents, setup, deals)
    rotations = [play_rotation(table, rotation, setup, deals, threads) for rotation in range(len(table))]
    return paired(setup, rotations)


def play_rotation(
    agents: Sequence[Agent],
    rotation: int,
    setup: Setup,
    deals: range,
    threads: int = 1,
    watch: Watch | None = None,
) -> DealResults:
    """Every deal once, with its order of agents rotated by this many seats; see `play_rounds`."""
    parts, played = [], []
    ways = len(orders(len(agents)))
    for number in range(min(ways, len(deals))):
        mine = deals[number::ways]
        seats = seating(len(agents), np.array(mine), rotation)
        found = play_rounds([agents[each] for each in seats[0]], setup, mine, threads, watch)
        parts.append(replace(found, seated=seats))
        played.append(np.array(mine))
    return parts[0] if len(parts) == 1 else taken(joined(parts), np.argsort(np.concatenate(played)))


def _interval(numbers: Floats) -> str:
    """The mean with its 95 % interval, where there are enough deals to tell it."""
    return str(estimate(numbers)) if len(numbers) > 1 else f"{numbers.mean():+.2f}"


@cache
def orders(players: int) -> tuple[tuple[int, ...], ...]:
    """The orders in which agents sit around a table, deal after deal: all of them, or a selection spread evenly over
    all.
    """
    found = list(permutations(range(1, players)))
    chosen = found if len(found) <= MOST_ORDERS else [found[k * len(found) // MOST_ORDERS] for k in range(MOST_ORDERS)]
    return tuple((0, *others) for others in chosen)


def seating(players: int, deals: NDArray[np.int64], rotation: int) -> NDArray[np.int64]:
    """The number of the agent in every seat, [deals, players]."""
    ways = np.array(orders(players))
    return np.roll(ways[deals % len(ways)], -rotation, axis=1)


def by_agent(played: DealResults, numbers: NDArray[Any]) -> NDArray[Any]:
    """Numbers by seat, [deals, players, ...], as numbers by agent, [deals, agents, ...]."""
    order = np.argsort(played.seated, axis=1)
    return np.take_along_axis(numbers, order.reshape(order.shape + (1,) * (numbers.ndim - 2)), axis=1)


def paired(setup: Setup, rotations: Sequence[DealResults]) -> Paired:
    """The deals of all rotations, agent by agent."""
    parts = []
    for played in rotations:
        has_luck = played.luck.shape[2] > 0
        corrected = without_luck(setup, played.margins, played.luck) if has_luck else played.margins
        seen = played.margins, played.scores, played.wins
        margins, scores, wins, lucky = (by_agent(played, each) for each in (*seen, corrected))
        parts.append((margins, scores, wins, played.is_stopped, lucky, played.rounds, played.facts.mean(axis=1)))
    return Paired(*(np.mean(part, axis=0) for part in zip(*parts, strict=True)))


@dataclass(frozen=True)
class Tally:
    """The results of a table so far: means and spreads over deals of [margin, without luck, score, wins] for every
    agent, in memory that does not grow with the deals.
    """

    deals: int
    mean: Floats  # [4, agents]
    squares: Floats  # [4, agents], sums of squared deviations from the mean
    stopped: float  # the share of games that were
    rounds: float  # of a game, mean
    facts: Floats  # [facts], of a seat in a game, mean
    first: Floats  # margins without luck of the first agent, while they are few

    @classmethod
    def of(cls, played: Paired) -> Self:
        """The tally of some deals."""
        by_deal = np.stack([played.margins, played.without_luck, played.scores, played.wins])
        mean = by_deal.mean(axis=1)
        squares = ((by_deal - mean[:, None]) ** 2).sum(axis=1)
        stopped = float(played.is_stopped.mean())
        rounds, facts = float(played.rounds.mean()), played.facts.mean(axis=0)
        return cls(by_deal.shape[1], mean, squares, stopped, rounds, facts, played.without_luck[:MANY, 0].copy())

    def joined(self, later: "Tally") -> "Tally":
        """The tally of these deals and later ones (Chan, Golub and LeVeque 1983, Am. Stat. 37:242)."""
        deals = self.deals + later.deals
        share, gap = later.deals / deals, later.mean - self.mean
        return replace(
            self,
            deals=deals,
            mean=self.mean + share * gap,
            squares=self.squares + later.squares + self.deals * share * gap**2,
            stopped=self.stopped + share * (later.stopped - self.stopped),
            rounds=self.rounds + share * (later.rounds - self.rounds),
            facts=self.facts + share * (later.facts - self.facts),
            first=np.concatenate([self.first, later.first])[:MANY],
        )

    def shares(self, setup: Setup) -> dict[str, float]:
        """See `shares_of_rounds`."""
        return shares_of_rounds(setup, self.facts, self.rounds)

    def moments(self, what: int, agent: int) -> Moments:
        """The moments of one agent's numbers, as `cardtable.arena.statistics` takes them."""
        spread = float(self.squares[what, agent]) / self.deals
        return Moments(self.deals, float(self.mean[what, agent]), spread, is_varied(self.first))


def shares_of_rounds(setup: Setup, facts: Floats, rounds: float) -> dict[str, float]:
    """The share of this many rounds that had each fact of the whole table, by its name."""
    named = setup.game.facts(setup.rules)
    return {fact.name: float(facts[k]) / rounds for k, fact in enumerate(named) if fact.of_table}
