"""All games of a store that count, read in one pass over its pieces."""

from collections import defaultdict
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from cardtable.arena.play.luck import points_of_luck
from cardtable.arena.play.pairing import Paired, by_agent, paired
from cardtable.arena.play.plan import Plan
from cardtable.arena.ratings.results import Results
from cardtable.arena.statistics import Estimate, holm, mean_of_parts, p_value
from cardtable.arena.stored.pieces import plan_of, read_pieces
from cardtable.arena.stored.store import Store, StoreError
from cardtable.table.game.card_game import Fact

Ints = NDArray[np.int64]
Floats = NDArray[np.float64]


@dataclass(frozen=True)
class TableGames:
    """The games of one table: deal by deal, and game by game for the agents in the order of the first rotation."""

    deals: Ints  # [D] their numbers
    paired: Paired
    by_seat: Floats  # [D, seats] scores, the mean of all rotations
    facts: Floats  # [G, agents, facts]
    turns: Ints  # [G]
    rounds: Ints  # [G]


@dataclass(frozen=True)
class PlayedGames:
    """The games that count, with all results that are rated: those of games that were not stopped."""

    plan: Plan
    tables: dict[int, TableGames]  # by the number of the table
    results: Results
    luck: Results | None  # what luck added to the scores, if that was recorded

    @property
    def facts(self) -> tuple[Fact, ...]:
        """The numbers that a round leaves behind."""
        return self.plan.game.facts(self.plan.setup.rules)

    def places(self, agent: str) -> list[tuple[TableGames, int]]:
        """Return the tables where an agent sits, each with the number of its place."""
        tables = ((self.plan.tables[number], games) for number, games in self.tables.items())
        return [(games, table.index(agent)) for table, games in tables if agent in table]


def read_games(store: Store, report: Callable[[int], None] = lambda _: None) -> PlayedGames:
    """Return all games of tables at which no agent failed; `report` is called with the deals of every piece.

    StoreError if there are none, something is damaged, or an agent plays against itself.
    """
    plan, failed = plan_of(store), (store.manifest["finished"] or {}).get("failed", {})
    for table in plan.tables:
        if len(set(table)) < len(table):
            twice = max(table, key=table.count)
            raise StoreError(f"{store.folder}: {twice} plays against itself, which says nothing about its strength")
    parts: dict[int, list[tuple[Any, ...]]] = defaultdict(list)
    rated: list[tuple[Any, ...]] = []
    agents: dict[str, int] = {}
    for piece, each in ((stored.piece, stored.results) for stored in read_pieces(store, plan)):
        table, deals = plan.tables[piece.table], np.array(piece.deals)
        if failed.keys() & set(table):
            continue
        numbers = np.array([agents.setdefault(name, len(agents)) for name in table])
        by_seat = each.scores.reshape(plan.players, len(deals), -1).mean(axis=0)
        games = by_agent(each, each.facts), each.turns, each.rounds
        parts[piece.table].append((deals, paired(plan.setup, piece.deals, each), by_seat, *games))
        kept = ~each.is_stopped
        luck = points_of_luck(plan.setup, each.luck) if plan.setup.with_luck else each.scores
        rated.append((numbers[each.seated[kept]], each.scores[kept], np.tile(deals, plan.players)[kept], luck[kept]))
        report(len(deals))
    if not parts:
        raise StoreError(f"{store.folder}: nothing has been played yet")
    seats, scores, numbers, luck = map(np.concatenate, zip(*rated, strict=True))
    results, by_luck = (
        Results.of(list(agents), seats, points, numbers, plan.game.lower_is_better) for points in (scores, luck)
    )
    tables = {number: _joined(each) for number, each in parts.items()}
    return PlayedGames(plan, tables, results, by_luck if plan.setup.with_luck else None)


def _joined(parts: list[tuple[Any, ...]]) -> TableGames:
    """Return the pieces of a table as one."""
    deals, pairs, *others = zip(*parts, strict=True)
    return TableGames(np.concatenate(deals), Paired.joined(pairs), *map(np.concatenate, others))


# The games of an agent, and of a seat


@dataclass(frozen=True)
class Habits:
    """The course of the games in which an agent sat, in means."""

    agent: str
    turns: float  # a game, of all seats together
    rounds: float  # a game
    facts: dict[str, float]  # what a round left behind for this agent's seat


def habits_of(games: PlayedGames, agent: str) -> Habits:
    """Return the course of an agent's games, from all its tables."""
    places = games.places(agent)
    turns, rounds = (
        float(np.concatenate([getattr(table, name) for table, _ in places]).mean()) for name in ("turns", "rounds")
    )
    left = np.concatenate([table.facts[:, place] for table, place in places]).mean(axis=0) / rounds
    return Habits(agent, turns, rounds, {fact.name: fact.unit * float(left[k]) for k, fact in enumerate(games.facts)})


@dataclass(frozen=True)
class Seat:
    """The results of all agents in a seat, where each agent of a table sat equally often."""

    seat: int
    score: Estimate
    ahead: Estimate  # points by which it is ahead of the mean of the other seats
    p_value: float  # of no difference, adjusted by Holm for being one of several


def seats_of(games: PlayedGames) -> list[Seat]:
    """Return the results of every seat."""
    tables, others = list(games.tables.values()), games.plan.players - 1
    sign, fewest = 1 if games.plan.game.lower_is_better else -1, min(len(table.deals) for table in tables)
    found = []
    for seat in range(games.plan.players):
        scores = [(table.deals, table.by_seat[:, seat]) for table in tables]
        totals = [table.by_seat.sum(axis=1) for table in tables]
        ahead = [
            (deals, sign * ((total - own) / others - own)) for (deals, own), total in zip(scores, totals, strict=True)
        ]
        found.append((mean_of_parts(scores), mean_of_parts(ahead)))
    p_values = holm([p_value(ahead, fewest) for _, ahead in found])
    return [Seat(seat, *each, float(p)) for seat, (each, p) in enumerate(zip(found, p_values, strict=True))]
