"""The ladder of a store: how strong its agents are, how they play, who is ahead of whom, and whether seats matter."""

from collections import defaultdict
from collections.abc import Callable
from dataclasses import dataclass
from itertools import combinations
from typing import Any

import numpy as np

from cardtable.arena.play.luck import points_of_luck
from cardtable.arena.play.pairing import Paired, Standing, paired, shares_of_rounds
from cardtable.arena.play.plan import Plan
from cardtable.arena.ratings.bradley_terry import fit
from cardtable.arena.ratings.results import Results
from cardtable.arena.statistics import Estimate, Floats, Range, holm, mean_of_parts, p_value
from cardtable.arena.stored.pieces import plan_of, read_pieces
from cardtable.arena.stored.store import Store, StoreError
from cardtable.table.game.card_game import RoundStat

PRIOR = 1.0  # a drawn game of every agent against an imaginary player, so that no rating is infinite
RESAMPLES = 400
CHANCE = 0.05  # what is more likely than this may be chance

Report = Callable[[float], None]


@dataclass(frozen=True)
class LadderRow(Standing):
    """One agent's place. All but the rating are means over its tables, each table counting equally."""

    rating: Range
    games: int
    turns: float  # a game, of all seats together
    rounds: float  # a game
    round_stats: dict[str, float]  # what a round left behind for this agent's seat


@dataclass(frozen=True)
class Pair:
    """Two agents that sat at the same tables, the one of the higher rating first."""

    agent: str
    other: str
    ahead: Estimate  # points
    p_value: float  # of no difference, adjusted by Holm for being one of several

    @property
    def is_clear(self) -> bool:
        """True if the difference is beyond chance."""
        return self.p_value <= CHANCE


@dataclass(frozen=True)
class Seat:
    """The results of all agents in a seat, where each agent of a table sat equally often."""

    seat: int
    score: Estimate
    ahead: Estimate  # points by which it is ahead of the mean of the other seats
    p_value: float  # of no difference, adjusted by Holm for being one of several


@dataclass(frozen=True)
class Ladder:
    """The games of a store and their results, the best agent first."""

    store: Store
    plan: Plan
    label: str  # what tells this store from the others of a report
    rungs: tuple[LadderRow, ...]
    pairs: tuple[Pair, ...]
    seats: tuple[Seat, ...]
    anchor: str  # the agent rated 1000
    deals: int  # at all tables
    games: int
    stopped: float  # the share of games that were stopped: nobody won them, and they are not rated
    shares: dict[str, float]  # of all rounds, those that had each fact of the whole table

    @property
    def unit(self) -> str:
        """The unit of play: round or game."""
        return self.plan.setup.episode

    @property
    def round_stats(self) -> tuple[RoundStat, ...]:
        """The numbers that a round leaves behind."""
        return self.plan.game.round_stats(self.plan.setup.rules)

    def to_dict(self) -> dict[str, Any]:
        """Return all numbers, for JSON."""
        about = {"label": self.label, "folder": str(self.store.folder), "manifest": self.store.manifest}
        left_out = ("store", "plan", "label", "shares")
        return about | {name: value for name, value in vars(self).items() if name not in left_out} | self.shares

    def pair(self, agent: str, other: str) -> Pair | None:
        """Return how far one agent is ahead of another where both sit; None if they did not meet."""
        for pair in self.pairs:
            if (pair.agent, pair.other) == (agent, other):
                return pair
            if (pair.other, pair.agent) == (agent, other):
                return Pair(agent, other, Estimate(-pair.ahead.mean, pair.ahead.half), pair.p_value)
        return None


def ladder(
    store: Store, anchor: str | None = None, resamples: int = RESAMPLES, report: Report = lambda _: None
) -> Ladder:
    """Return the ladder of all agents; `anchor`, by default the median agent, is rated 1000.

    Agents that failed are left out, with their tables. StoreError if nothing was played, something is damaged, or an
    agent plays against itself. `report` is called with the share of the work done.
    """
    planned = sum(plan_of(store).deals)
    games = read_games(store, lambda deals: report(0.3 * deals / planned))
    strengths = fit(games.results, anchor, PRIOR, resamples, report=lambda _: report(0.7 / resamples))
    ratings = zip(strengths.ratings.tolist(), strengths.low.tolist(), strengths.high.tolist(), strict=True)
    rungs = [_row(games, agent, Range(*bounds)) for agent, bounds in zip(strengths.players, ratings, strict=True)]
    rungs.sort(key=lambda rung: -rung.rating.value)
    tables, plan = list(games.tables.values()), games.plan
    whole = Paired.joined(tables)
    return Ladder(
        store=store,
        plan=plan,
        label=f"{plan.players} players, {plan.setup.episode}s",
        rungs=tuple(rungs),
        pairs=_pairs(games, [rung.agent for rung in rungs]),
        seats=_seats(games),
        anchor=strengths.anchor,
        deals=len(whole.deals),
        games=plan.players * len(whole.deals),
        stopped=float(whole.is_stopped.mean()),
        shares=shares_of_rounds(plan.setup, whole.round_stats.mean(axis=1).sum(axis=0), float(whole.rounds.sum())),
    )


# The games of a store


def failed_in(store: Store) -> dict[str, Any]:
    """Return the seat, the deal and the reason of every agent that failed."""
    return dict((store.manifest["finished"] or {}).get("failed", {}))


@dataclass(frozen=True)
class PlayedGames:
    """The games that count, with all results that are rated: those of games that were not stopped."""

    plan: Plan
    tables: dict[int, Paired]  # by the number of the table
    results: Results
    luck: Results | None  # what luck added to the scores, if that was recorded

    def places(self, agent: str) -> list[tuple[Paired, int]]:
        """Return the tables where an agent sits, each with the number of its place."""
        tables = ((self.plan.tables[number], games) for number, games in self.tables.items())
        return [(games, table.index(agent)) for table, games in tables if agent in table]


def read_games(store: Store, report: Callable[[int], None] = lambda _: None) -> PlayedGames:
    """Return all games of tables at which no agent failed, read in one pass; `report` is called with the deals of every
    piece.

    StoreError if there are none, something is damaged, or an agent plays against itself.
    """
    plan, failed = plan_of(store), failed_in(store)
    for table in plan.tables:
        if len(set(table)) < len(table):
            twice = max(table, key=table.count)
            raise StoreError(f"{store.folder}: {twice} plays against itself: that does not measure its strength")
    parts: dict[int, list[Paired]] = defaultdict(list)
    rated, agents = [], dict[str, int]()
    for piece, played in ((stored.piece, stored.results) for stored in read_pieces(store, plan)):
        table = plan.tables[piece.table]
        if failed.keys() & set(table):
            continue
        numbers = np.array([agents.setdefault(name, len(agents)) for name in table])
        parts[piece.table].append(paired(plan.setup, piece.deals, played))
        is_rated = ~played.is_stopped
        luck = points_of_luck(plan.setup, played.luck) if plan.setup.with_luck else played.scores
        deals = np.tile(piece.deals, plan.players)
        rated.append((numbers[played.seated[is_rated]], deals[is_rated], played.scores[is_rated], luck[is_rated]))
        report(len(piece.deals))
    if not parts:
        raise StoreError(f"{store.folder}: nothing has been played yet")
    seats, deals, *scores = map(np.concatenate, zip(*rated, strict=True))
    results, by_luck = (Results.of(list(agents), seats, points, deals, plan.game.lower_is_better) for points in scores)
    tables = {number: Paired.joined(pieces) for number, pieces in parts.items()}
    return PlayedGames(plan, tables, results, by_luck if plan.setup.with_luck else None)


def _row(games: PlayedGames, agent: str, rating: Range) -> LadderRow:
    """Return an agent's place."""
    places, round_stats = games.places(agent), games.plan.game.round_stats(games.plan.setup.rules)

    def mean(name: str) -> Estimate:
        return mean_of_parts([(table.deals, getattr(table, name)[:, place]) for table, place in places])

    turns = np.concatenate([table.turns for table, _ in places]).mean()
    rounds = np.concatenate([table.rounds for table, _ in places]).mean()
    stats = np.concatenate([table.round_stats[:, place] for table, place in places]).mean(axis=0) / rounds
    return LadderRow(
        agent=agent,
        margin=mean("margins"),
        without_luck=mean("without_luck"),
        score=mean("scores"),
        wins=mean("wins"),
        rating=rating,
        games=games.plan.players * sum(len(table.deals) for table, _ in places),
        turns=float(turns),
        rounds=float(rounds),
        round_stats={stat.name: stat.unit * float(stats[k]) for k, stat in enumerate(round_stats)},
    )


def _pairs(games: PlayedGames, agents: list[str]) -> tuple[Pair, ...]:
    """Return all pairs of agents that met, in the order of these agents."""
    sign = 1 if games.plan.game.lower_is_better else -1
    pairs, p_values = [], []
    for agent, other in combinations(agents, 2):
        elsewhere = {id(table): place for table, place in games.places(other)}
        parts = [
            (table.deals, sign * (table.scores[:, elsewhere[id(table)]] - table.scores[:, place]))
            for table, place in games.places(agent)
            if id(table) in elsewhere
        ]
        if parts:
            pairs.append((agent, other, mean_of_parts(parts)))
            p_values.append(p_value(pairs[-1][2], min(len(deals) for deals, _ in parts)))
    return tuple(Pair(*pair, float(p)) for pair, p in zip(pairs, holm(p_values), strict=True))


def _seats(games: PlayedGames) -> tuple[Seat, ...]:
    """Return the results of every seat."""
    sign, tables, seats = 1 if games.plan.game.lower_is_better else -1, list(games.tables.values()), []

    def ahead(scores: Floats, seat: int) -> Floats:
        others: Floats = np.delete(scores, seat, axis=1).mean(axis=1)
        return sign * (others - scores[:, seat])

    for seat in range(games.plan.players):
        score = mean_of_parts([(table.deals, table.by_seat[:, seat]) for table in tables])
        seats.append((score, mean_of_parts([(table.deals, ahead(table.by_seat, seat)) for table in tables])))
    p_values = holm([p_value(ahead_by, min(len(table.deals) for table in tables)) for _, ahead_by in seats])
    return tuple(Seat(seat, *pair, float(p)) for seat, (pair, p) in enumerate(zip(seats, p_values, strict=True)))
