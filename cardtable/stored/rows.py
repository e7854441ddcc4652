"""Games of Skyjo in a store: what is noted of each, and the games played again from it.

One row a game: the table and deal, the rotation of the deal's order of agents, who sat in every seat, what everybody
scored by seat, and every action.
"""

from collections.abc import Sequence
from typing import Any

import numpy as np
import pyarrow as pa
from skyjo_agents.luck import TERMS

from cardtable.play.pairing import seating
from cardtable.play.plan import Piece
from cardtable.play.rounds import Rounds
from cardtable.stored.store import StoreError


def to_rows(piece: Piece, rotations: Sequence[Rounds]) -> pa.Table:
    """The games of a piece as rows, one rotation after the other."""
    deals = np.array(piece.deals, np.int64)
    parts = [_rows(piece.table, rotation, deals, played) for rotation, played in enumerate(rotations)]
    return pa.concat_tables(parts).combine_chunks()


def _rows(table: int, rotation: int, deals: Any, played: Rounds) -> pa.Table:
    games, players = played.scores.shape
    rows = {
        "table": pa.array(np.full(games, table, np.uint32)),
        "deal": pa.array(deals),
        "rotation": pa.array(np.full(games, rotation, np.uint8)),
        "seats": _by_seat(played.seated.astype(np.uint8)),
        "scores": _by_seat(played.scores.astype(np.int32)),
        "rounds": pa.array(played.rounds.astype(np.int32)),
        "turns": pa.array(played.turns.astype(np.int32)),
        "stopped": pa.array(played.is_stopped),
        "cleared": _by_seat(played.cleared.astype(np.int32)),
        "round_scores": _lists(played.rounds * players, played.round_scores.ravel()),
        "actions": _bytes(played.decisions, played.actions),
    }
    if played.luck.shape[2] > 0:
        rows["luck"] = _by_seat(played.luck.reshape(games, -1))
    return pa.table(rows)


def _by_seat(numbers: Any) -> pa.FixedSizeListArray:
    return pa.FixedSizeListArray.from_arrays(pa.array(numbers.ravel()), numbers.shape[1])


def _lists(lengths: Any, numbers: Any) -> pa.ListArray:
    return pa.ListArray.from_arrays(pa.array(_ends(lengths)), pa.array(numbers))


def _bytes(lengths: Any, numbers: Any) -> pa.BinaryArray:
    """A byte a number: a quarter of the time that a list takes to be written, and three quarters of its room."""
    buffers = [None, pa.py_buffer(_ends(lengths)), pa.py_buffer(numbers)]
    return pa.BinaryArray.from_buffers(pa.binary(), len(lengths), buffers)


def _ends(lengths: Any) -> Any:
    return np.concatenate([[0], np.cumsum(lengths)]).astype(np.int32)


def from_rows(piece: Piece, players: int, rows: pa.Table) -> list[Rounds]:
    """What `to_rows` was given; StoreError if these are not the piece's games."""
    deals = np.tile(np.array(piece.deals, np.int64), players)
    turns = np.repeat(np.arange(players), len(piece.deals))
    seats = np.concatenate([seating(players, np.array(piece.deals), rotation) for rotation in range(players)])
    expected = {"table": np.full(len(deals), piece.table), "deal": deals, "rotation": turns}
    are_others = any(not np.array_equal(numbers(rows, name), column) for name, column in expected.items())
    if are_others or not np.array_equal(by_seat(rows, "seats", players), seats):
        raise StoreError(f"piece {piece.number} holds other games, or in another order, than its plan says")
    return [_rounds(rows.slice(k * len(piece.deals), len(piece.deals)), players) for k in range(players)]


def _rounds(rows: pa.Table, players: int) -> Rounds:
    games = len(rows)
    has_luck = "luck" in rows.column_names
    actions = rows["actions"].to_pylist()
    decisions = np.array([len(each) for each in actions], np.int64)
    return Rounds(
        by_seat(rows, "scores", players).astype(np.int64),
        numbers(rows, "rounds").astype(np.int64),
        numbers(rows, "turns").astype(np.int64),
        numbers(rows, "stopped"),
        by_seat(rows, "cleared", players).astype(np.int64),
        by_seat(rows, "luck", players * TERMS).reshape(games, players, TERMS)
        if has_luck
        else np.zeros((games, players, 0)),
        decisions,
        np.frombuffer(b"".join(actions), np.uint8),
        listed(rows, "round_scores").reshape(-1, players),
        by_seat(rows, "seats", players).astype(np.int64),
    )


def numbers(rows: pa.Table, name: str) -> Any:
    """A column of numbers, [games]."""
    return rows[name].to_numpy()


def by_seat(rows: pa.Table, name: str, width: int) -> Any:
    """A column of as many numbers for every game, [games, width]."""
    return listed(rows, name).reshape(-1, width)


def listed(rows: pa.Table, name: str) -> Any:
    """The numbers of a column of lists, one game's after the other's."""
    return rows[name].combine_chunks().flatten().to_numpy()
