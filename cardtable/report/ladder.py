"""How strong everybody is: the ratings, margins and pairings of all who played in a store."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import permutations
from typing import Any

import numpy as np
from numpy.typing import NDArray

from cardtable.play.luck import points_of_luck
from cardtable.play.pairing import paired, shares_of_rounds
from cardtable.play.plan import Piece, Plan
from cardtable.ratings.bradley_terry import Strengths, fit
from cardtable.ratings.results import Results
from cardtable.rounds import Rounds
from cardtable.statistics import Estimate, mean_of_parts
from cardtable.stored.pieces import plan_of, read_pieces
from cardtable.stored.store import Store, StoreError

Floats = NDArray[np.float64]
PRIOR = 1.0  # a drawn game of everybody against an imaginary player, so that no rating is infinite


@dataclass(frozen=True)
class LadderRow:
    """One agent's place. All but the rating are means over its tables, each table counting equally."""

    agent: str
    rating: float
    low: float  # of the rating's 95 % interval
    high: float
    margin: Estimate  # points by which it is ahead of the mean of the others
    without_luck: Estimate  # the same, less what luck explains if that was noted
    score: Estimate
    wins: Estimate
    games: int


@dataclass(frozen=True)
class Ladder:
    """The best first. `ahead` is by how many points the row's agent is ahead of the column's where both sit."""

    rungs: tuple[LadderRow, ...]
    ahead: dict[tuple[str, str], Estimate]
    anchor: str  # who is rated 1000
    games: int
    stopped: float  # the share of games that were stopped, which count as won by nobody and are not rated
    shares: dict[str, float]  # of all rounds, those that had each trace of the whole table
    results: Results  # of every game that is rated


@dataclass
class _Table:
    """What was played at one table, deal by deal."""

    deals: list[Any]
    numbers: dict[str, list[Any]]  # each [deals, agents]
    games: int = 0
    stopped: float = 0.0
    rounds: float = 0.0
    traces: Any = 0.0  # [traces], of a seat


def ladder(
    store: Store, anchor: str | None = None, resamples: int = 400, report: Callable[[float], None] | None = None
) -> Ladder:
    """The ladder of all who played; `anchor`, by default the median agent, is rated 1000.

    Agents that failed are left out, with their tables. StoreError if nothing was played or something is damaged.
    """
    plan = plan_of(store)
    tables: dict[int, _Table] = {}
    games = _Games()
    for piece, rotations in counted(store, plan):
        table, found = tables.setdefault(piece.table, _Table([], {})), paired(plan.setup, rotations)
        table.deals.append(np.array(piece.deals))
        for name in ("margins", "without_luck", "scores", "wins"):
            table.numbers.setdefault(name, []).append(getattr(found, name))
        table.games += len(rotations) * len(piece.deals)
        table.stopped += float(found.is_stopped.sum()) * len(rotations)
        table.rounds += float(found.rounds.sum()) * len(rotations)
        table.traces = table.traces + found.traces.sum(axis=0) * len(rotations)
        games.add(plan, piece, rotations)
    results = games.results(store, plan)
    return _ladder(plan, tables, results, fit(results, anchor, prior=PRIOR, resamples=resamples, report=report))


def store_results(store: Store) -> tuple[Results, Results | None]:
    """Everybody's scores in every game that was not stopped, and what luck added to them if that was recorded."""
    plan, games = plan_of(store), _Games()
    for piece, rotations in counted(store, plan):
        games.add(plan, piece, rotations)
    found = games.results(store, plan)
    return found, replace(found, scores=np.concatenate(games.luck)) if plan.setup.with_luck else None


def counted(store: Store, plan: Plan) -> Iterator[tuple[Piece, list[Rounds]]]:
    """The stored pieces of tables at which no agent failed; StoreError if an agent plays against itself."""
    failed = (store.manifest["finished"] or {}).get("failed", {})
    for table in plan.tables:
        twice = [name for name in table if table.count(name) > 1]
        if twice:
            raise StoreError(f"{store.folder}: {twice[0]} plays against itself, which says nothing about its strength")
    for stored in read_pieces(store, plan):
        if not any(name in failed for name in plan.tables[stored.piece.table]):
            yield stored.piece, stored.rotations


class _Games:
    """Games as the ratings take them, those that were stopped left out."""

    def __init__(self) -> None:
        self.agents: dict[str, int] = {}
        self.seats: list[Any] = []
        self.scores: list[Any] = []
        self.deals: list[Any] = []
        self.luck: list[Any] = []

    def add(self, plan: Plan, piece: Piece, rotations: Sequence[Rounds]) -> None:
        """A piece of them."""
        numbers = np.array([self.agents.setdefault(name, len(self.agents)) for name in plan.tables[piece.table]])
        for rounds in rotations:
            kept = ~rounds.is_stopped
            self.seats.append(numbers[rounds.seated[kept]])
            self.scores.append(rounds.scores[kept])
            self.deals.append(np.array(piece.deals)[kept])
            if plan.setup.with_luck:
                self.luck.append(points_of_luck(plan.setup, rounds.luck)[kept])

    def results(self, store: Store, plan: Plan) -> Results:
        """All of them; StoreError if there are none."""
        if not self.seats:
            raise StoreError(f"{store.folder}: nothing has been played yet")
        seats, scores, deals = (np.concatenate(each) for each in (self.seats, self.scores, self.deals))
        return Results.of(list(self.agents), seats, scores, deals, plan.game.lower_is_better)


def _ladder(plan: Plan, tables: dict[int, _Table], results: Results, strengths: Strengths) -> Ladder:
    def mean(name: str, agent: str) -> Estimate:
        return mean_of_parts([_column(tables[table], name, seat) for table, seat in _places(plan, tables, agent)])

    rungs = [
        LadderRow(
            agent,
            float(strengths.ratings[number]),
            float(strengths.low[number]),
            float(strengths.high[number]),
            mean("margins", agent),
            mean("without_luck", agent),
            mean("scores", agent),
            mean("wins", agent),
            sum(tables[table].games for table, _ in _places(plan, tables, agent)),
        )
        for number, agent in enumerate(strengths.players)
    ]
    rungs.sort(key=lambda rung: -rung.rating)
    games = sum(table.games for table in tables.values())
    stopped = sum(table.stopped for table in tables.values()) / games
    traces, rounds = (sum(getattr(table, name) for table in tables.values()) for name in ("traces", "rounds"))
    pairs = permutations(strengths.players, 2)
    ahead = {pair: found for pair in pairs if (found := _ahead(plan, tables, *pair)) is not None}
    shares = shares_of_rounds(plan.setup, traces, rounds)
    return Ladder(tuple(rungs), ahead, strengths.anchor, games, stopped, shares, results)


def _places(plan: Plan, tables: Iterable[int], agent: str) -> list[tuple[int, int]]:
    """The tables where an agent sits, and the number of its place in the first rotation."""
    return [(table, plan.tables[table].index(agent)) for table in tables if agent in plan.tables[table]]


def _column(table: _Table, name: str, agent: int) -> tuple[Any, Floats]:
    return np.concatenate(table.deals), np.concatenate(table.numbers[name])[:, agent]


def _ahead(plan: Plan, tables: dict[int, _Table], agent: str, other: str) -> Estimate | None:
    """By how many points one agent's scores are better than another's, over all tables where both sit."""
    parts, sign = [], 1 if plan.game.lower_is_better else -1
    for number, place in _places(plan, tables, agent):
        if other in plan.tables[number]:
            deals, own = _column(tables[number], "scores", place)
            others = _column(tables[number], "scores", plan.tables[number].index(other))[1]
            parts.append((deals, sign * (others - own)))
    return mean_of_parts(parts) if parts else None
