"""Everything that a report says about one store, as numbers."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass
from functools import cached_property
from itertools import combinations
from pathlib import Path
from typing import Any, TypedDict

from cardtable.card_game import CardGame, Fact, distribution_of
from cardtable.errors import TableError
from cardtable.play.plan import Plan
from cardtable.ratings.bradley_terry import fit, intransitivity
from cardtable.ratings.rating_documents import PairRow, pair_rows
from cardtable.report.habits import Games, Habits, Seat, gathered
from cardtable.report.ladder import PRIOR, Ladder, ladder
from cardtable.statistics import Estimate, holm, p_value
from cardtable.stored.pieces import plan_of
from cardtable.stored.plan_store import open_games
from cardtable.stored.store import Store

RESAMPLES = 400
CHANCE = 0.05  # what is more likely than this may be chance
VERSION, DIGITS = 1, 3  # of the ladders as JSON
LEAST_SURPRISE = 0.01  # of all games; less can come from the drawn game against the imaginary player

Report = Callable[[float], None]


@dataclass(frozen=True)
class Pair:
    """Two agents that sat at the same tables, the one of the higher rating first."""

    agent: str
    other: str
    ahead: Estimate  # points
    p_value: float  # of no difference, adjusted by Holm for being one of several

    @property
    def is_clear(self) -> bool:
        """Whether the difference is beyond chance."""
        return self.p_value <= CHANCE


@dataclass(frozen=True)
class Summary:
    """What was played, and the results; lists of agents are in the order of the ladder."""

    label: str  # what tells this store from the others
    folder: str  # as it was named
    manifest: dict[str, Any]
    plan: Plan
    ladder: Ladder
    pairs: tuple[Pair, ...]
    surprises: tuple[PairRow, ...]  # pairs that the ratings do not explain
    habits: tuple[Habits, ...]
    seats: tuple[Seat, ...]
    deals: int  # that count, at all tables
    planned: int

    @property
    def finished(self) -> dict[str, Any] | None:
        """What the manifest says of the end: None while games are still to be played."""
        found: dict[str, Any] | None = self.manifest["finished"]
        return found

    @property
    def failed(self) -> dict[str, Any]:
        """Who failed: the seat, the deal and why."""
        return dict(self.finished["failed"]) if self.finished else {}

    @property
    def changed_rules(self) -> str:
        """Changes to the official rules, apart from the number of players; "" if there are none."""
        words = self.plan.setup.rules.to_text().split()
        return " ".join(word for word in words if not word.startswith("players="))

    @property
    def table_shares(self) -> list[tuple[Fact, float]]:
        """The facts of whole tables, and the share of all rounds that have each."""
        shares = self.ladder.shares
        return [(fact, shares[fact.name]) for fact in self.facts if fact.of_table]

    @property
    def facts(self) -> tuple[Fact, ...]:
        """What a round leaves behind."""
        return self.plan.game.facts(self.plan.setup.rules)

    @property
    def seat_matters(self) -> bool:
        """Whether some seat is better or worse than the others beyond chance."""
        return any(seat.p_value <= CHANCE for seat in self.seats)

    def to_dict(self) -> dict[str, Any]:
        """For JSON."""
        names = ("label", "folder", "manifest", "deals", "planned", "surprises")
        standings = {name: getattr(self.ladder, name) for name in ("anchor", "games", "stopped")}
        tables: dict[str, Any] = {"rungs": self.ladder.rungs, "pairs": self.pairs, "seats": self.seats}
        rows = {name: [asdict(each) for each in table] for name, table in tables.items()}
        habits = [each.to_dict() for each in self.habits]
        about = {name: getattr(self, name) for name in names} | standings | self.ladder.shares
        return about | rows | {"habits": habits}


class _Still(Store):
    """A store with the pieces that it had when it was first read: more may be written meanwhile."""

    def pieces(self) -> Mapping[int, Path]:
        """Those that were there."""
        return self._pieces

    @cached_property
    def _pieces(self) -> Mapping[int, Path]:
        return super().pieces()


def summaries(
    game: CardGame, folders: Sequence[str], anchor: str | None = None, report: Report = lambda _: None
) -> tuple[Summary, ...]:
    """Summaries of the stores in these folders, all rated from one anchor, by default the median agent of the first
    store.

    `report` is called with the share of the work done. TableError if the anchor does not play everywhere, a folder
    holds no games, they are damaged, or an agent plays against itself.
    """
    if not folders:
        raise TableError("a report needs games: name a folder written by --store")
    if len(set(folders)) < len(folders):
        raise TableError("a folder is named twice: every store is reported once")
    opened = [open_games(Path(folder).expanduser(), game) for folder in folders]
    stores = [_Still(store.folder, store.manifest) for store in opened]
    plans = [plan_of(store) for store in stores]
    labels = [f"{plan.players} players, {plan.setup.episode}s" for plan in plans]
    found: list[Summary] = []
    for label, folder, store, plan in zip(labels, folders, stores, plans, strict=True):
        _refuse_strangers(anchor, folders, plans)
        unlike = label if labels.count(label) == 1 else f"{label} ({folder})"
        found.append(_summary(unlike, folder, store, plan, anchor, lambda share: report(share / len(folders))))
        anchor = found[0].ladder.anchor
    return tuple(found)


def _refuse_strangers(anchor: str | None, folders: Sequence[str], plans: Sequence[Plan]) -> None:
    """TableError if the anchor is missing somewhere."""
    names = [{name for table in plan.tables for name in table} for plan in plans]
    for folder, here in zip(folders, names, strict=True):
        if anchor is not None and anchor not in here:
            everywhere = ", ".join(sorted(set.intersection(*names)))
            hint = f"--anchor can be {everywhere}" if everywhere else "and nobody plays in all of these"
            raise TableError(f"{anchor} does not play in {folder}: {hint}")


def _summary(label: str, folder: str, store: Store, plan: Plan, anchor: str | None, report: Report) -> Summary:
    reading = 0.3 / sum(plan.deals)
    games = gathered(store, plan, lambda deals: report(reading * deals))
    found = ladder(store, anchor, RESAMPLES, lambda _: report(0.35 / RESAMPLES))
    surprises = _surprises(found, lambda _: report(0.35 / RESAMPLES))
    habits = tuple(games.habits[rung.agent] for rung in found.rungs)
    pairs, deals = _pairs(found, games, plan), sum(games.deals.values())
    return Summary(
        label, folder, store.manifest, plan, found, pairs, surprises, habits, games.seats, deals, sum(plan.deals)
    )


def _pairs(found: Ladder, games: Games, plan: Plan) -> tuple[Pair, ...]:
    """All that met."""
    agents = [rung.agent for rung in found.rungs]
    met = [pair for pair in combinations(agents, 2) if pair in found.ahead]
    fewest = [min(deals for table, deals in games.deals.items() if {*pair} <= {*plan.tables[table]}) for pair in met]
    p_values = holm([p_value(found.ahead[pair], deals) for pair, deals in zip(met, fewest, strict=True)])
    return tuple(Pair(*pair, found.ahead[pair], float(p)) for pair, p in zip(met, p_values, strict=True))


def _surprises(found: Ladder, report: Report) -> tuple[PairRow, ...]:
    """The pairs of which one wins more often than its rating says, beyond chance; the most surprising first."""
    compared = intransitivity(found.results, prior=PRIOR, resamples=RESAMPLES, report=report)
    pairs = pair_rows(fit(found.results, found.anchor, prior=PRIOR, resamples=0), compared)
    clear = [pair for pair in pairs if pair["p_value"] is not None and pair["p_value"] <= CHANCE]
    large = [pair for pair in clear if abs(pair["excess"]) >= LEAST_SURPRISE]
    return tuple(sorted(large, key=lambda pair: -abs(pair["excess"])))


# The ladders as JSON, in numbers that people read, for the table in the browser


class LadderRowDocument(TypedDict):
    """One agent's place; the intervals are of 95 %."""

    agent: str
    rating: float
    low: float
    high: float
    points: float  # by which it is ahead of the mean of the others
    error: float  # half the interval of the points
    without_luck: float  # points, less what luck explains if that was noted
    score: float
    won: float  # the share of rounds, or of games
    rounds: int  # or games


class LadderTableDocument(TypedDict):
    """The ladder of one store, the best first."""

    players: int
    episode: str
    command: str
    rows: list[LadderRowDocument]


class MadeDocument(TypedDict):
    """When the games were played, and by what."""

    begun: str  # the day
    version: str  # of the package
    anchor: str  # who is rated 1000


class LadderDocument(TypedDict):
    """The ladders of some stores of one game."""

    version: int
    game: str
    title: str
    made: MadeDocument
    tables: list[LadderTableDocument]


def ladder_document(found: Sequence[Summary]) -> LadderDocument:
    """The ladders of these stores, which are of one game and rated from the same anchor."""
    first = found[0]
    game, manifest = first.plan.game, first.manifest
    return {
        "version": VERSION,
        "game": game.name,
        "title": game.title,
        "made": {
            "begun": manifest["begun"].partition("T")[0],
            "version": str(manifest["versions"].get(distribution_of(game))),
            "anchor": first.ladder.anchor,
        },
        "tables": [
            {
                "players": each.plan.players,
                "episode": each.plan.setup.episode,
                "command": each.manifest["command"],
                "rows": [
                    {
                        "agent": rung.agent,
                        "rating": round(rung.rating, DIGITS),
                        "low": round(rung.low, DIGITS),
                        "high": round(rung.high, DIGITS),
                        "points": round(rung.margin.mean, DIGITS),
                        "error": round(rung.margin.half, DIGITS),
                        "without_luck": round(rung.without_luck.mean, DIGITS),
                        "score": round(rung.score.mean, DIGITS),
                        "won": round(rung.wins.mean, DIGITS),
                        "rounds": rung.games,
                    }
                    for rung in each.ladder.rungs
                ],
            }
            for each in found
        ],
    }
