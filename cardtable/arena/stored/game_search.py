"""Search of stored games: the matching games, their order, and the columns shown of each."""

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass
from operator import itemgetter
from typing import Any, NamedTuple

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from cardtable.arena.play.luck import luck_of, points_of_luck
from cardtable.arena.play.plan import Plan
from cardtable.arena.stored.pieces import StoredPiece, by_seat, ids_of, numbers, stat_names
from cardtable.table.errors import TableError

LONG = ("actions", "round_scores", "luck")  # columns that a list has no room for
BY_GAME = ("deal", "table", "rotation", "rounds", "turns", "stopped")


@dataclass(frozen=True)
class Wanted:
    """The games that match every given filter. TableError for an agent that does not play."""

    plan: Plan
    agent: str | None = None  # sits at the table
    with_: str | None = None  # too, in another seat
    winner: str | None = None  # alone or among others
    table: int | None = None
    deal: int | None = None
    min_turns: int = 0
    stopped: bool = False

    def __post_init__(self) -> None:
        there = sorted({name for table in self.plan.tables for name in table})
        for name in (self.agent, self.with_, self.winner):
            if name is not None and name not in there:
                raise TableError(f"{name!r} does not play in these games; {', '.join(there)} do")
        if self.table is not None and not 0 <= self.table < len(self.plan.tables):
            raise TableError(f"table {self.table} must be a number from 0 to {len(self.plan.tables) - 1}")
        if self.deal is not None and not 0 <= self.deal < max(self.plan.deals):
            raise TableError(f"deal {self.deal} must be a number from 0 to {max(self.plan.deals) - 1}")

    def is_possible(self, table: int) -> bool:
        """Return whether games of this table can match."""
        people = Counter(name for name in (self.agent, self.with_) if name is not None)
        return self.table in (None, table) and people <= Counter(self.plan.tables[table])


class Chosen(NamedTuple):
    """Games in the order of their rows."""

    plan: Plan
    rows: pa.Table
    names: NDArray[Any]  # [games, seats]
    margins: NDArray[np.float64]  # [games, seats]
    wins: NDArray[np.float64]  # [games, seats]


def matching(wanted: Wanted, stored: StoredPiece) -> Chosen | None:
    """Return the games of a piece that match; None if nothing of its table can."""
    table = stored.piece.table
    if not wanted.is_possible(table):
        return None
    played = stored.results
    names = np.array(wanted.plan.tables[table])[played.seated]
    is_wanted = played.turns >= wanted.min_turns
    if wanted.stopped:
        is_wanted &= played.is_stopped
    if wanted.deal is not None:
        is_wanted &= numbers(stored.rows, "deal") == wanted.deal
    if wanted.winner is not None:
        is_wanted &= ((names == wanted.winner) & (played.wins > 0)).any(axis=1)
    rows = stored.rows.filter(pa.array(is_wanted))
    return Chosen(wanted.plan, rows, *(column[is_wanted] for column in (names, played.margins, played.wins)))


def first_of(
    chosen: Iterable[Chosen], sort: str | None, lowest: bool, agent: str | None, limit: int
) -> tuple[list[dict[str, Any]], int]:
    """Return up to `limit` games, those with the highest (or lowest) margin, turns or score first, and how many there
    are.

    Margin and score are the agent's; without an agent, or where it has several seats, those of the best of these seats.
    """
    best_games: list[tuple[float, dict[str, Any]]] = []
    count = 0
    for part in chosen:
        count += len(part.rows)
        keys = _keys(part, sort, agent) * (1 if lowest else -1)
        order = np.argsort(keys, kind="stable")[:limit]
        best = part._replace(rows=part.rows.drop_columns([name for name in LONG if name in part.rows.column_names]))
        games = objects(Chosen(best.plan, best.rows.take(pa.array(order)), *(column[order] for column in best[2:])))
        best_games = sorted([*best_games, *zip(keys[order].tolist(), games, strict=True)], key=itemgetter(0))[:limit]
    return [game for _, game in best_games], count


def _keys(chosen: Chosen, sort: str | None, agent: str | None) -> Any:
    """By what games are sorted, [games]."""
    games, players = chosen.names.shape
    if sort is None:
        return np.zeros(games)
    if sort == "turns":
        return numbers(chosen.rows, "turns")
    counts = (chosen.names == agent) | (agent is None)
    if sort == "margin":
        return np.where(counts, chosen.margins, -np.inf).max(axis=1)
    scores = by_seat(chosen.rows, "scores", players)
    if chosen.plan.game.lower_is_better:
        return np.where(counts, scores, np.inf).min(axis=1)
    return np.where(counts, scores, -np.inf).max(axis=1)


def objects(chosen: Chosen) -> list[dict[str, Any]]:
    """Return every game with all its columns, ready for JSON."""
    action_type, players = chosen.plan.game.action_type, chosen.names.shape[1]
    documents, terms = [], len(luck_of(chosen.plan.setup).terms)
    seats = chosen.names.tolist(), chosen.wins
    for game, row, names, wins in zip(ids_of(chosen.rows), chosen.rows.to_pylist(), *seats, strict=True):
        if "actions" in row:
            row["actions"] = np.frombuffer(row["actions"], action_type).tolist()
        for name, width in (("round_scores", players), ("luck", terms)):
            if name in row:
                row[name] = [row[name][at : at + width] for at in range(0, len(row[name]), width)]
        documents.append({"game": str(game), **row, "agents": names, "winners": np.flatnonzero(wins).tolist()})
    return documents


def seat_table(chosen: Chosen) -> pa.Table:
    """Return a row for each seat of each game, as the command `ratings` reads them.

    `luck` is how many points luck added to the score; subtracting it gives the margins without luck.
    """
    (games, players), rows, plan = chosen.names.shape, chosen.rows, chosen.plan
    by_game = {name: np.repeat(numbers(rows, name), players) for name in BY_GAME}
    columns = {
        "game": np.repeat([str(game) for game in ids_of(rows)], players),
        "deal": by_game.pop("deal"),
        "seat": np.tile(np.arange(players), games),
        "player": chosen.names.ravel(),
        "score": by_seat(rows, "scores", players).ravel(),
        "won": chosen.wins.ravel(),
        **by_game,
        "stopped": by_game["stopped"].astype(np.int8),
        **{name: by_seat(rows, name, players).ravel() for name in stat_names(plan)},
    }
    if "luck" in rows.column_names:
        names = luck_of(plan.setup).terms
        terms = by_seat(rows, "luck", players * len(names)).reshape(-1, len(names))
        columns |= dict(zip(names, terms.T, strict=True))
        columns["luck"] = points_of_luck(plan.setup, terms).round(6)
    return pa.table(columns)
