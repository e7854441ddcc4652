"""The ladder of a store: the ratings and margins of all agents in it, and who is ahead of whom."""

from collections.abc import Callable
from dataclasses import dataclass
from itertools import permutations

from cardtable.arena.play.pairing import Paired, shares_of_rounds
from cardtable.arena.ratings.bradley_terry import fit
from cardtable.arena.ratings.results import Results
from cardtable.arena.results.played_games import PlayedGames, read_games
from cardtable.arena.results.result_document import Range
from cardtable.arena.statistics import Estimate, mean_of_parts
from cardtable.arena.stored.store import Store

PRIOR = 1.0  # a drawn game of every agent against an imaginary player, so that no rating is infinite


@dataclass(frozen=True)
class LadderRow:
    """One agent's place. All but the rating are means over its tables, each table counting equally."""

    agent: str
    rating: float
    low: float  # of the rating's 95 % interval
    high: float
    margin: Estimate  # points by which it is ahead of the mean of the others
    without_luck: Estimate  # margin minus what luck explains, if that was recorded
    score: Estimate
    wins: Estimate
    games: int

    @property
    def rated(self) -> Range:
        """The rating with its interval."""
        return Range(self.rating, self.low, self.high)


@dataclass(frozen=True)
class Ladder:
    """The best first. `ahead` is by how many points the row's agent is ahead of the column's where both sit."""

    rungs: tuple[LadderRow, ...]
    ahead: dict[tuple[str, str], Estimate]
    anchor: str  # the agent rated 1000
    games: int
    stopped: float  # the share of games that were stopped: nobody won them, and they are not rated
    shares: dict[str, float]  # of all rounds, those that had each fact of the whole table
    results: Results  # of every game that is rated


def ladder(
    store: Store, anchor: str | None = None, resamples: int = 400, report: Callable[[float], None] | None = None
) -> Ladder:
    """Return the ladder of all agents; `anchor`, by default the median agent, is rated 1000.

    Agents that failed are left out, with their tables. StoreError if nothing was played or something is damaged.
    """
    return ladder_of(read_games(store), anchor, resamples, report)


def ladder_of(
    games: PlayedGames, anchor: str | None, resamples: int, report: Callable[[float], None] | None = None
) -> Ladder:
    """Return the ladder of these games; see `ladder`."""
    plan, results = games.plan, games.results
    strengths = fit(results, anchor, prior=PRIOR, resamples=resamples, report=report)
    rated = zip(strengths.players, strengths.ratings, strengths.low, strengths.high, strict=True)
    rungs = [
        LadderRow(
            agent,
            float(rating),
            float(low),
            float(high),
            _mean(games, agent, "margins"),
            _mean(games, agent, "without_luck"),
            _mean(games, agent, "scores"),
            _mean(games, agent, "wins"),
            plan.players * sum(len(table.deals) for table, _ in games.places(agent)),
        )
        for agent, rating, low, high in rated
    ]
    rungs.sort(key=lambda rung: -rung.rating)
    pairs = permutations(strengths.players, 2)
    ahead = {pair: found for pair in pairs if (found := _ahead(games, *pair)) is not None}
    played = Paired.joined([table.paired for table in games.tables.values()])
    shares = shares_of_rounds(plan.setup, played.facts.mean(axis=1).sum(axis=0), float(played.rounds.sum()))
    count, stopped = plan.players * len(played.rounds), float(played.is_stopped.mean())
    return Ladder(tuple(rungs), ahead, strengths.anchor, count, stopped, shares, results)


def _mean(games: PlayedGames, agent: str, name: str) -> Estimate:
    """Return the mean of an agent's numbers of this name, over all its tables."""
    return mean_of_parts([(table.deals, getattr(table.paired, name)[:, place]) for table, place in games.places(agent)])


def _ahead(games: PlayedGames, agent: str, other: str) -> Estimate | None:
    """Return by how many points one agent's scores are better than another's, over all tables where both sit."""
    sign = 1 if games.plan.game.lower_is_better else -1
    elsewhere = {id(table): place for table, place in games.places(other)}
    parts = [
        (table.deals, sign * (table.paired.scores[:, elsewhere[id(table)]] - table.paired.scores[:, place]))
        for table, place in games.places(agent)
        if id(table) in elsewhere
    ]
    return mean_of_parts(parts) if parts else None
