"""What the games of a store were like, gathered in one pass over its pieces.

Distributions are counted, so that they take the same room for any number of games; the comparison of seats needs a few
numbers of every deal, as the ladder does.
"""

from collections import Counter, defaultdict
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np

from cardtable.play.pairing import by_agent
from cardtable.play.plan import Plan
from cardtable.report.histogram import Histogram, count
from cardtable.report.ladder import counted
from cardtable.rounds import Rounds
from cardtable.statistics import Estimate, holm, mean_of_parts, p_value
from cardtable.stored.store import Store, StoreError


@dataclass(frozen=True)
class Habits:
    """What the games were like in which an agent sat."""

    agent: str
    margins: Histogram  # of every game, points ahead of the mean of the others
    turns: Histogram  # of every game, all seats together
    rounds: Histogram  # of every game
    traces: dict[str, Histogram]  # of every game, what its rounds left behind for this agent's seat

    def trace_a_round(self, name: str) -> float:
        """What the rounds left behind, in the mean of all rounds."""
        return self.traces[name].mean / self.rounds.mean

    @property
    def turns_a_round(self) -> float:
        """In the mean of all rounds."""
        return self.turns.mean / self.rounds.mean

    def to_dict(self) -> dict[str, Any]:
        """For JSON."""
        counted = {name: getattr(self, name).to_dict() for name in ("margins", "turns", "rounds")}
        traces = {name: histogram.to_dict() for name, histogram in self.traces.items()}
        means: dict[str, Any] = {f"{name}_a_round": self.trace_a_round(name) for name in traces}
        return {"agent": self.agent} | means | {"turns_a_round": self.turns_a_round} | counted | traces


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


class _Counts(NamedTuple):
    """Of one agent, in the smallest units: margins are shares of this many others."""

    margins: Counter[int]
    turns: Counter[int]
    rounds: Counter[int]
    traces: list[Counter[int]]


def gathered(store: Store, plan: Plan, report: Callable[[float], None] | None = None) -> Games:
    """All games that count; `report` is called with the deals of every piece.

    StoreError if there are none, something is damaged, or an agent plays against itself.
    """
    traces = plan.game.traces(plan.setup.rules)
    counts: dict[str, _Counts] = defaultdict(
        lambda: _Counts(Counter(), Counter(), Counter(), [Counter() for _ in traces])
    )
    by_seat: dict[int, list[tuple[Any, ...]]] = defaultdict(list)
    for piece, rotations in counted(store, plan):
        table, deals = plan.tables[piece.table], np.array(piece.deals)
        _count(counts, table, rotations)
        by_seat[piece.table].append((deals, np.mean([each.scores for each in rotations], axis=0)))
        if report is not None:
            report(len(deals))
    if not counts:
        raise StoreError(f"{store.folder}: nothing has been played yet")
    tables = {table: _joined(parts) for table, parts in by_seat.items()}
    habits = {agent: _habits(agent, each, plan) for agent, each in counts.items()}
    deals_at = {table: len(numbers) for table, (numbers, _) in tables.items()}
    return Games(habits, _seats(plan, list(tables.values())), deals_at)


def _joined(parts: Sequence[tuple[Any, ...]]) -> tuple[Any, ...]:
    """Arrays of several pieces, one after the other."""
    return tuple(np.concatenate(each) for each in zip(*parts, strict=True))


def _count(counts: dict[str, _Counts], table: Sequence[str], rotations: Sequence[Rounds]) -> None:
    """Count the games of a piece for everybody at its table."""
    margins, traces = _by_agent(rotations, _whole_margins), _by_agent(rotations, lambda each: each.traces)
    turns, rounds = (np.concatenate([getattr(each, name) for each in rotations]) for name in ("turns", "rounds"))
    for place, agent in enumerate(table):
        found = counts[agent]
        into = [found.margins, found.turns, found.rounds, *found.traces]
        for counter, numbers in zip(into, (margins[:, place], turns, rounds, *traces[:, place].T), strict=True):
            count(counter, numbers)


def _by_agent(rotations: Sequence[Rounds], what: Callable[[Rounds], Any]) -> Any:
    """Numbers by seat as numbers by agent, [games, agents]."""
    return np.concatenate([by_agent(each, what(each)) for each in rotations])


def _whole_margins(rounds: Rounds) -> Any:
    """As many times the margins as there are others, [deals, players]: whole numbers."""
    return np.rint(rounds.margins * (rounds.scores.shape[1] - 1)).astype(np.int64)


def _habits(agent: str, counts: _Counts, plan: Plan) -> Habits:
    turns, rounds = Histogram.of(counts.turns), Histogram.of(counts.rounds)
    named = zip(plan.game.traces(plan.setup.rules), counts.traces, strict=True)
    traces = {trace.name: Histogram.of(counted, trace.unit) for trace, counted in named}
    return Habits(agent, Histogram.of(counts.margins, 1 / (plan.players - 1)), turns, rounds, traces)


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
