"""What the games of a store were like, gathered in one pass over its pieces.

Distributions are counted, so that they take the same room for any number of games; the comparison of seats needs a few
numbers of every deal, as the ladder does.
"""

from collections import Counter, defaultdict
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, Self

import numpy as np
from numpy.typing import NDArray

from cardtable.play.pairing import by_agent
from cardtable.play.plan import Plan
from cardtable.report.ladder import counted
from cardtable.statistics import Estimate, holm, mean_of_parts, p_value
from cardtable.stored.store import Store, StoreError


@dataclass(frozen=True)
class Histogram:
    """Numbers in ascending order, and how often each came, for pictures and quartiles; at least one did."""

    values: NDArray[np.float64]
    counts: NDArray[np.int64]

    @classmethod
    def of(cls, counted: Counter[int], unit: float = 1.0) -> Self:
        """What was counted in these units."""
        values = sorted(counted)
        return cls(unit * np.array(values, np.float64), np.array([counted[value] for value in values], np.int64))

    @property
    def total(self) -> int:
        """How many numbers there were."""
        return int(self.counts.sum())

    @property
    def mean(self) -> float:
        """Of all numbers."""
        return float(self.values @ self.counts / self.total)

    def quantile(self, share: float) -> float:
        """The least number that this share of all do not exceed."""
        reached = np.cumsum(self.counts) >= share * self.total - 1e-9
        return float(self.values[int(np.argmax(reached))])

    def share(self, least: float, most: float) -> float:
        """The share of the numbers from one to another, both included."""
        return float(self.counts[(self.values >= least) & (self.values <= most)].sum() / self.total)

    def to_dict(self) -> dict[str, Any]:
        """For JSON."""
        return {"values": self.values.tolist(), "counts": self.counts.tolist()}


@dataclass(frozen=True)
class Habits:
    """What the games were like in which an agent sat."""

    agent: str
    margins: Histogram  # of every game, points ahead of the mean of the others
    turns: Histogram  # of every game, all seats together
    rounds: Histogram  # of every game
    facts: dict[str, Histogram]  # of every game, what its rounds left behind for this agent's seat

    def fact_a_round(self, name: str) -> float:
        """What an average round left behind."""
        return self.facts[name].mean / self.rounds.mean

    @property
    def turns_a_round(self) -> float:
        """How many turns an average round took."""
        return self.turns.mean / self.rounds.mean

    def to_dict(self) -> dict[str, Any]:
        """For JSON."""
        counted = {name: getattr(self, name).to_dict() for name in ("margins", "turns", "rounds")}
        facts = {name: histogram.to_dict() for name, histogram in self.facts.items()}
        means: dict[str, Any] = {f"{name}_a_round": self.fact_a_round(name) for name in facts}
        return {"agent": self.agent} | means | {"turns_a_round": self.turns_a_round} | counted | facts


@dataclass(frozen=True)
class Seat:
    """The results of all who sat in a seat, each agent of a table equally often."""

    seat: int
    score: Estimate
    ahead: Estimate  # points by which it is ahead of the mean of the other seats
    p_value: float  # of no difference, adjusted by Holm for being one of several


@dataclass(frozen=True)
class Games:
    """What was gathered of the games that count."""

    habits: dict[str, Habits]
    seats: tuple[Seat, ...]
    deals: dict[int, int]  # by table, played from every seat


def gathered(store: Store, plan: Plan, report: Callable[[float], None]) -> Games:
    """All games that count; `report` is called with the deals of every piece.

    StoreError if there are none, something is damaged, or an agent plays against itself.
    """
    facts, others = plan.game.facts(plan.setup.rules), plan.players - 1
    units = 1 / others, 1.0, 1.0, *(fact.unit for fact in facts)  # of what is counted, which is whole numbers
    counts: dict[str, list[Counter[int]]] = defaultdict(lambda: [Counter() for _ in units])
    by_seat: dict[int, list[tuple[Any, ...]]] = defaultdict(list)
    for piece, rotations in counted(store, plan):
        deals = np.array(piece.deals)
        ahead = np.concatenate([by_agent(played, played.margins) for played in rotations])
        left = np.concatenate([by_agent(played, played.facts) for played in rotations])
        turns, rounds = (
            np.concatenate([getattr(played, name) for played in rotations]) for name in ("turns", "rounds")
        )
        for place, agent in enumerate(plan.tables[piece.table]):
            columns = np.rint(ahead[:, place] * others).astype(np.int64), turns, rounds, *left[:, place].T
            for counter, numbers in zip(counts[agent], columns, strict=True):
                values, times = np.unique(numbers, return_counts=True)
                counter.update(dict(zip(values.tolist(), times.tolist(), strict=True)))
        by_seat[piece.table].append((deals, np.mean([each.scores for each in rotations], axis=0)))
        report(len(deals))
    if not counts:
        raise StoreError(f"{store.folder}: nothing has been played yet")
    habits = {}
    for agent, counters in counts.items():
        found = [Histogram.of(counter, unit) for counter, unit in zip(counters, units, strict=True)]
        named = {fact.name: each for fact, each in zip(facts, found[3:], strict=True)}
        habits[agent] = Habits(agent, found[0], found[1], found[2], named)
    tables = {table: tuple(map(np.concatenate, zip(*parts, strict=True))) for table, parts in by_seat.items()}
    deals_at = {table: len(numbers) for table, (numbers, _) in tables.items()}
    return Games(habits, _seats(plan, list(tables.values())), deals_at)


def _seats(plan: Plan, tables: Sequence[tuple[Any, ...]]) -> tuple[Seat, ...]:
    """All seats, from the deals of each table and the scores by seat, [deals, seats]."""
    players, fewest = plan.players, min(len(deals) for deals, _ in tables)
    sign = 1 if plan.game.lower_is_better else -1
    scores, ahead = [], []
    for seat in range(players):
        scores.append(mean_of_parts([(deals, points[:, seat]) for deals, points in tables]))
        margins = [sign * (points.sum(axis=1) - players * points[:, seat]) / (players - 1) for _, points in tables]
        ahead.append(mean_of_parts([(deals, margin) for (deals, _), margin in zip(tables, margins, strict=True)]))
    p_values = holm([p_value(each, fewest) for each in ahead])
    return tuple(Seat(*each) for each in zip(range(players), scores, ahead, p_values.tolist(), strict=True))
