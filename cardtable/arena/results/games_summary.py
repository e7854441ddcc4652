"""The numbers that a report says about each store, and the ladders for the table in the browser."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import combinations
from pathlib import Path
from typing import Any

from cardtable.arena.play.plan import Plan
from cardtable.arena.results.ladder import Ladder, LadderRow, ladder_of
from cardtable.arena.results.played_games import Habits, PlayedGames, Seat, habits_of, read_games, seats_of
from cardtable.arena.statistics import Estimate, holm, p_value
from cardtable.arena.stored.pieces import plan_of
from cardtable.arena.stored.plan_store import open_games
from cardtable.arena.stored.store import Store
from cardtable.table.errors import TableError
from cardtable.table.game.card_game import CardGame, Fact, distribution_of

RESAMPLES = 400
CHANCE = 0.05  # what is more likely than this may be chance
VERSION, DIGITS = 1, 3  # of the ladders as JSON

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
    """The games of a store and their results; lists of agents are in the order of the ladder."""

    label: str  # what tells this store from the others
    folder: str  # as the user named it
    manifest: dict[str, Any]
    plan: Plan
    ladder: Ladder
    pairs: list[Pair]
    habits: list[Habits]
    seats: list[Seat]
    deals: int  # that count, at all tables
    planned: int

    @property
    def unit(self) -> str:
        """The unit of play: round or game."""
        return self.plan.setup.episode

    @property
    def failed(self) -> dict[str, Any]:
        """The seat, the deal and the reason of every agent that failed."""
        return dict((self.manifest["finished"] or {}).get("failed", {}))

    @property
    def facts(self) -> tuple[Fact, ...]:
        """The numbers that a round leaves behind."""
        return self.plan.game.facts(self.plan.setup.rules)

    def to_dict(self) -> dict[str, Any]:
        """Return all numbers, for JSON."""
        names = ("label", "folder", "manifest", "deals", "planned", "pairs", "seats")
        numbers = {name: getattr(self, name) for name in names}
        numbers |= {name: getattr(self.ladder, name) for name in ("anchor", "games", "stopped", "rungs")}
        return numbers | self.ladder.shares | {"habits": self.habits}


def summaries(
    game: CardGame, folders: Sequence[str], anchor: str | None = None, report: Report = lambda _: None
) -> list[Summary]:
    """Return summaries of the stores in these folders, all rated from one anchor: by default the median agent of the
    first store.

    `report` is called with the share of the work done. TableError if the anchor does not play everywhere, a folder
    holds no games, they are damaged, or an agent plays against itself.
    """
    if not folders:
        raise TableError("a report needs games: name a folder written by --store")
    if len(set(folders)) < len(folders):
        raise TableError("a folder is named twice: every store is reported once")
    stores = [open_games(Path(folder).expanduser(), game) for folder in folders]
    plans = [plan_of(store) for store in stores]
    labels = [f"{plan.players} players, {plan.setup.episode}s" for plan in plans]
    found: list[Summary] = []
    for label, folder, store in zip(labels, folders, stores, strict=True):
        _refuse_strangers(anchor, folders, plans)
        unlike = label if labels.count(label) == 1 else f"{label} ({folder})"
        found.append(_summary(unlike, folder, store, anchor, lambda share: report(share / len(folders))))
        anchor = found[0].ladder.anchor
    return found


def _refuse_strangers(anchor: str | None, folders: Sequence[str], plans: Sequence[Plan]) -> None:
    """Raise TableError if the anchor is missing somewhere."""
    names = [{name for table in plan.tables for name in table} for plan in plans]
    for folder, here in zip(folders, names, strict=True):
        if anchor is not None and anchor not in here:
            everywhere = ", ".join(sorted(set.intersection(*names)))
            hint = f"--anchor can be {everywhere}" if everywhere else "and no agent plays in all of these"
            raise TableError(f"{anchor} does not play in {folder}: {hint}")


def _summary(label: str, folder: str, store: Store, anchor: str | None, report: Report) -> Summary:
    planned = sum(plan_of(store).deals)
    games = read_games(store, lambda deals: report(0.3 * deals / planned))
    found = ladder_of(games, anchor, RESAMPLES, lambda _: report(0.7 / RESAMPLES))
    habits = [habits_of(games, rung.agent) for rung in found.rungs]
    deals = sum(len(table.deals) for table in games.tables.values())
    pairs, seats = _pairs(found, games), seats_of(games)
    played = found, pairs, habits, seats, deals, planned
    return Summary(label, folder, store.manifest, games.plan, *played)


def _pairs(found: Ladder, games: PlayedGames) -> list[Pair]:
    """Return all pairs of agents that met."""
    met = [pair for pair in combinations([rung.agent for rung in found.rungs], 2) if pair in found.ahead]
    sizes = {number: len(table.deals) for number, table in games.tables.items()}
    fewest = [min(sizes[each] for each in sizes if {*pair} <= {*games.plan.tables[each]}) for pair in met]
    p_values = holm([p_value(found.ahead[pair], deals) for pair, deals in zip(met, fewest, strict=True)])
    return [Pair(*pair, found.ahead[pair], float(p)) for pair, p in zip(met, p_values, strict=True)]


def ladder_document(found: Sequence[Summary]) -> dict[str, Any]:
    """Return the ladders of these stores, which are of one game, in numbers that people read: for the browser."""
    first = found[0]
    game, manifest = first.plan.game, first.manifest
    version = str(manifest["versions"].get(distribution_of(game)))
    made = {"begun": manifest["begun"].partition("T")[0], "version": version, "anchor": first.ladder.anchor}
    tables = [
        {
            "players": each.plan.players,
            "episode": each.unit,
            "command": each.manifest["command"],
            "rows": [_ladder_row(rung) for rung in each.ladder.rungs],
        }
        for each in found
    ]
    return {"version": VERSION, "game": game.name, "title": game.title, "made": made, "tables": tables}


def _ladder_row(rung: LadderRow) -> dict[str, Any]:
    numbers = {
        "rating": rung.rating,
        "low": rung.low,
        "high": rung.high,
        "points": rung.margin.mean,
        "error": rung.margin.half,
        "without_luck": rung.without_luck.mean,
        "score": rung.score.mean,
        "won": rung.wins.mean,
    }
    rounded = {name: round(value, DIGITS) for name, value in numbers.items()}
    return {"agent": rung.agent} | rounded | {"rounds": rung.games}
