"""How strong everybody is: the ratings, margins and pairings of all who played in a store."""

from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import permutations
from typing import Any

import numpy as np
from numpy.typing import NDArray

from cardtable.deal_results import DealResults
from cardtable.play.luck import points_of_luck
from cardtable.play.pairing import Paired, paired, shares_of_rounds
from cardtable.play.plan import Piece, Plan
from cardtable.ratings.bradley_terry import Strengths, fit
from cardtable.ratings.results import Results
from cardtable.statistics import Estimate, mean_of_parts
from cardtable.stored.pieces import plan_of, read_pieces
from cardtable.stored.store import Store, StoreError

Tables = dict[int, tuple[NDArray[np.int64], Paired]]  # the numbers of the deals, and what was played, by table
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
    shares: dict[str, float]  # of all rounds, those that had each fact of the whole table
    results: Results  # of every game that is rated


def ladder(
    store: Store, anchor: str | None = None, resamples: int = 400, report: Callable[[float], None] | None = None
) -> Ladder:
    """The ladder of all who played; `anchor`, by default the median agent, is rated 1000.

    Agents that failed are left out, with their tables. StoreError if nothing was played or something is damaged.
    """
    plan = plan_of(store)
    parts: dict[int, list[tuple[NDArray[np.int64], Paired]]] = defaultdict(list)
    games = _Games()
    for piece, rotations in counted(store, plan):
        parts[piece.table].append((np.array(piece.deals), paired(plan.setup, rotations)))
        games.add(plan, piece, rotations)
    results = games.results(store, plan)
    strengths = fit(results, anchor, prior=PRIOR, resamples=resamples, report=report)
    tables = {}
    for table, found in parts.items():
        deals, results_there = zip(*found, strict=True)
        tables[table] = np.concatenate(deals), Paired.joined(results_there)
    return _ladder(plan, tables, results, strengths)


def store_results(store: Store) -> tuple[Results, Results | None]:
    """Everybody's scores in every game that was not stopped, and what luck added to them if that was recorded."""
    plan, games = plan_of(store), _Games()
    for piece, rotations in counted(store, plan):
        games.add(plan, piece, rotations)
    found = games.results(store, plan)
    return found, replace(found, scores=np.concatenate(games.luck)) if plan.setup.with_luck else None


def counted(store: Store, plan: Plan) -> Iterator[tuple[Piece, list[DealResults]]]:
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

    def add(self, plan: Plan, piece: Piece, rotations: Sequence[DealResults]) -> None:
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


def _ladder(plan: Plan, tables: Tables, results: Results, strengths: Strengths) -> Ladder:
    def mean(name: str, agent: str) -> Estimate:
        return mean_of_parts(
            [
                (tables[table][0], getattr(tables[table][1], name)[:, seat])
                for table, seat in _places(plan, tables, agent)
            ]
        )

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
            plan.players * sum(len(tables[table][0]) for table, _ in _places(plan, tables, agent)),
        )
        for number, agent in enumerate(strengths.players)
    ]
    rungs.sort(key=lambda rung: -rung.rating)
    played = Paired.joined([found for _, found in tables.values()])
    pairs = permutations(strengths.players, 2)
    ahead = {pair: found for pair in pairs if (found := _ahead(plan, tables, *pair)) is not None}
    shares = shares_of_rounds(plan.setup, played.facts.sum(axis=0), float(played.rounds.sum()))
    games, stopped = plan.players * len(played.rounds), float(played.is_stopped.mean())
    return Ladder(tuple(rungs), ahead, strengths.anchor, games, stopped, shares, results)


def _places(plan: Plan, tables: Iterable[int], agent: str) -> list[tuple[int, int]]:
    """The tables where an agent sits, and the number of its place in the first rotation."""
    return [(table, plan.tables[table].index(agent)) for table in tables if agent in plan.tables[table]]


def _ahead(plan: Plan, tables: Tables, agent: str, other: str) -> Estimate | None:
    """By how many points one agent's scores are better than another's, over all tables where both sit."""
    parts, sign = [], 1 if plan.game.lower_is_better else -1
    for table, seat in _places(plan, tables, agent):
        if other in plan.tables[table]:
            deals, found = tables[table]
            others = found.scores[:, plan.tables[table].index(other)]
            parts.append((deals, sign * (others - found.scores[:, seat])))
    return mean_of_parts(parts) if parts else None
