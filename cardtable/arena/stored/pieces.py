"""Stored games: the name of each, their rows, and the pieces read one after another.

One row a game holds the table and deal, the rotation of the deal's order of agents, and every action. By seat, it holds
the agent, the scores and the statistics of rounds.
"""

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple, Self

import numpy as np
import pyarrow as pa

from cardtable.arena.play.luck import luck_of
from cardtable.arena.play.plan import MAX_PIECE, Piece, Plan
from cardtable.arena.play.rounds import seating
from cardtable.arena.stored.store import Store, StoreError
from cardtable.table.checks import brief
from cardtable.table.errors import TableError
from cardtable.table.game.card_game import find_game
from cardtable.table.game.measured_deals import DealResults


class GameId(NamedTuple):
    """The name of a game in its store; as text table.deal.rotation, such as 0.1024.1."""

    table: int
    deal: int
    rotation: int

    def __str__(self) -> str:
        return f"{self.table}.{self.deal}.{self.rotation}"

    @classmethod
    def read(cls, text: str) -> Self:
        """Return the game that the text names; TableError if it is not a name."""
        if not re.fullmatch(r"\d{1,9}(\.\d{1,9}){2}", text, re.ASCII):
            raise TableError(f"{brief(text)} does not name a game: write table.deal.rotation, such as 0.1024.1")
        return cls(*map(int, text.split(".")))


class StoredPiece(NamedTuple):
    """A piece as it was read: the rows, and the same games as they were played."""

    file: Path
    piece: Piece
    rows: pa.Table
    results: DealResults

    def id_of(self, row: int) -> GameId:
        """Return the name of the game in a row."""
        rotation, deal = divmod(row, len(self.piece.deals))
        return GameId(self.piece.table, self.piece.deals[deal], rotation)


def plan_of(store: Store) -> Plan:
    """Return the plan of the stored games; TableError if the game is not installed, StoreError for another version."""
    try:
        return Plan.from_dict(find_game(store.manifest["game"]), store.manifest["plan"])
    except (KeyError, TypeError, AttributeError) as error:
        raise StoreError(f"{store.folder}: its manifest is of another version: {brief(str(error))}") from None


def seats_of(plan: Plan, game: GameId) -> list[str]:
    """Return the agents of a game by seat."""
    numbers = seating(plan.players, range(game.deal, game.deal + 1)).seats[game.rotation]
    return [plan.tables[game.table][agent] for agent in numbers]


def read_piece(store: Store, plan: Plan, number: int, file: Path) -> StoredPiece:
    """Return the games of a file; StoreError if it is damaged, holds anything but a piece of the plan, or a game in it
    has not as many round scores as rounds.
    """
    rows = store.read(file, most_rows=plan.players * max(MAX_PIECE.values()))
    if rows.schema != _columns(plan) or len(rows) < plan.players or any(column.null_count for column in rows.columns):
        raise StoreError(f"{file}: the columns are not those of stored games")
    table, first = (int(numbers(rows, name)[0]) for name in ("table", "deal"))
    piece = Piece(number, table, range(first, first + len(rows) // plan.players))
    try:
        if table >= len(plan.tables):
            raise StoreError(f"there is no table {table}")
        stored = StoredPiece(file, piece, rows, from_rows(plan, piece, rows))
    except (ValueError, TypeError, OverflowError) as error:  # also from numpy, where lists are too short or have gaps
        raise StoreError(f"{file}: {error}") from None
    rounds = stored.results.rounds
    scored = rows["round_scores"].combine_chunks().value_lengths().to_numpy() / plan.players
    for row in np.flatnonzero(rounds != scored)[:1].tolist():
        words = f"rounds: {rounds[row]} is stored, but there are scores of {scored[row]:g}"
        raise StoreError(f"{file}: game {stored.id_of(row)}: {words}")
    return stored


def read_pieces(store: Store, plan: Plan) -> Iterator[StoredPiece]:
    """Return all pieces, one after another; StoreError names the first file that is damaged or missing."""
    return (read_piece(store, plan, number, file) for number, file in store.pieces().items())


def _columns(plan: Plan) -> pa.Schema:
    """Return the columns that games of this plan have."""
    game, players = plan.game, plan.players
    terms = len(luck_of(plan.setup).terms) if plan.setup.with_luck else 0
    by_game, by_seat = np.zeros(players, np.int64), np.zeros((players, players), np.int64)
    round_stats = np.zeros((players, players, len(game.round_stats(plan.setup.rules))), np.int64)
    luck: Any = np.zeros((players, players, terms), np.float32)
    nothing = np.zeros(0, game.action_type), np.zeros((0, players), np.int16)
    empty_columns = by_seat, by_game, by_game, by_game != 0, round_stats, luck, by_game, *nothing, by_seat
    return to_rows(plan, Piece(0, 0, range(1)), DealResults(game.lower_is_better, *empty_columns)).schema


# Rows


def to_rows(plan: Plan, piece: Piece, played: DealResults) -> pa.Table:
    """Return the games of a piece as rows, one rotation after the other."""
    games, players = played.scores.shape
    places = {
        "table": pa.array(np.full(games, piece.table, np.uint32)),
        "deal": pa.array(np.tile(np.array(piece.deals, np.int64), players)),
        "rotation": pa.array(np.repeat(np.arange(players, dtype=np.uint8), len(piece.deals))),
        "seats": _by_seat(played.seated.astype(np.uint8)),
    }
    luck = {"luck": _by_seat(played.luck.reshape(games, -1))} if played.luck.shape[2] > 0 else {}
    return pa.table(places | result_columns(plan, played) | luck)


def result_columns(plan: Plan, played: DealResults) -> dict[str, pa.Array]:
    """Return the columns that follow from the deals and the actions."""
    games, players = played.scores.shape
    # As bytes, which take a quarter of the time and three quarters of the room of a list.
    ends = _ends(played.decisions * played.actions.itemsize)
    actions = [None, pa.py_buffer(ends), pa.py_buffer(played.actions)]
    return {
        "scores": _by_seat(played.scores.astype(np.int32)),
        "rounds": pa.array(played.rounds.astype(np.int32)),
        "turns": pa.array(played.turns.astype(np.int32)),
        "stopped": pa.array(played.is_stopped),
        **{name: _by_seat(played.round_stats[:, :, k].astype(np.int32)) for k, name in enumerate(stat_names(plan))},
        "round_scores": pa.ListArray.from_arrays(
            pa.array(_ends(played.rounds * players)), pa.array(played.round_scores.ravel())
        ),
        "actions": pa.BinaryArray.from_buffers(pa.binary(), games, actions),
    }


def _by_seat(numbers: Any) -> pa.FixedSizeListArray:
    return pa.FixedSizeListArray.from_arrays(pa.array(numbers.ravel()), numbers.shape[1])


def _ends(lengths: Any) -> Any:
    return np.concatenate([[0], np.cumsum(lengths)]).astype(np.int32)


def stat_names(plan: Plan) -> list[str]:
    """Return the columns with the statistics of rounds."""
    return [stat.name for stat in plan.game.round_stats(plan.setup.rules)]


def from_rows(plan: Plan, piece: Piece, rows: pa.Table) -> DealResults:
    """Return the results that `to_rows` was given; StoreError if these are not the piece's games."""
    games, players, terms = len(rows), plan.players, len(luck_of(plan.setup).terms)
    expected, rotations = seating(players, piece.deals), np.repeat(np.arange(players), len(piece.deals))
    seats = by_seat(rows, "seats", players).astype(np.int64)
    stored = numbers(rows, "table"), numbers(rows, "deal"), numbers(rows, "rotation"), seats
    wanted = np.full(len(rotations), piece.table), expected.deals, rotations, expected.seats
    if not all(map(np.array_equal, stored, wanted)):
        raise StoreError(f"piece {piece.number} does not hold the games in its plan, in their order")
    round_stats = [by_seat(rows, name, players) for name in stat_names(plan)]
    luck = by_seat(rows, "luck", players * terms) if "luck" in rows.column_names else np.zeros((games, 0))
    actions, kind = rows["actions"].to_pylist(), plan.game.action_type
    return DealResults(
        lower_is_better=plan.game.lower_is_better,
        scores=by_seat(rows, "scores", players).astype(np.int64),
        rounds=numbers(rows, "rounds").astype(np.int64),
        turns=numbers(rows, "turns").astype(np.int64),
        is_stopped=numbers(rows, "stopped"),
        round_stats=np.stack(round_stats, axis=2).astype(np.int64)
        if round_stats
        else np.zeros((games, players, 0), np.int64),
        luck=luck.reshape(games, players, luck.shape[1] // players),
        decisions=np.array([len(data) for data in actions], np.int64) // kind.itemsize,
        actions=np.frombuffer(b"".join(actions), kind),
        round_scores=listed(rows, "round_scores").reshape(-1, players),
        seated=seats,
    )


def ids_of(rows: pa.Table) -> list[GameId]:
    """Return the names of the games."""
    columns = (numbers(rows, name).tolist() for name in GameId._fields)
    return [GameId(*row) for row in zip(*columns, strict=True)]


def numbers(rows: pa.Table, name: str) -> Any:
    """Return a column of numbers, [games]."""
    return rows[name].to_numpy()


def by_seat(rows: pa.Table, name: str, width: int) -> Any:
    """Return a column of as many numbers for every game, [games, width]."""
    return listed(rows, name).reshape(-1, width)


def listed(rows: pa.Table, name: str) -> Any:
    """Return the numbers of a column of lists, one game's after the other's."""
    return rows[name].combine_chunks().flatten().to_numpy()
