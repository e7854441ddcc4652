"""Stored games as rows: what is recorded of each, and the rounds read back from that.

One row a game: the table and deal, the rotation of the deal's order of agents, who sat in every seat, what everybody
scored by seat, what the rounds left behind, and every action.
"""

from collections.abc import Sequence
from typing import Any

import numpy as np
import pyarrow as pa

from cardtable.play.luck import luck_of
from cardtable.play.pairing import seating
from cardtable.play.plan import Piece, Plan
from cardtable.rounds import Rounds
from cardtable.stored.store import StoreError


def to_rows(plan: Plan, piece: Piece, rotations: Sequence[Rounds]) -> pa.Table:
    """The games of a piece as rows, one rotation after the other."""
    deals = np.array(piece.deals, np.int64)
    parts = [_rows(plan, piece.table, rotation, deals, played) for rotation, played in enumerate(rotations)]
    return pa.concat_tables(parts).combine_chunks()


def _rows(plan: Plan, table: int, rotation: int, deals: Any, played: Rounds) -> pa.Table:
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
        **{name: _by_seat(played.traces[:, :, k].astype(np.int32)) for k, name in enumerate(trace_names(plan))},
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
    """The numbers as bytes, which takes a quarter of the time and three quarters of the room of a list."""
    buffers = [None, pa.py_buffer(_ends(lengths * numbers.itemsize)), pa.py_buffer(numbers)]
    return pa.BinaryArray.from_buffers(pa.binary(), len(lengths), buffers)


def _ends(lengths: Any) -> Any:
    return np.concatenate([[0], np.cumsum(lengths)]).astype(np.int32)


def trace_names(plan: Plan) -> list[str]:
    """The columns with what the rounds left behind."""
    return [trace.name for trace in plan.game.traces(plan.setup.rules)]


def from_rows(plan: Plan, piece: Piece, rows: pa.Table) -> list[Rounds]:
    """What `to_rows` was given; StoreError if these are not the piece's games."""
    players = plan.players
    deals = np.tile(np.array(piece.deals, np.int64), players)
    turns = np.repeat(np.arange(players), len(piece.deals))
    seats = np.concatenate([seating(players, np.array(piece.deals), rotation) for rotation in range(players)])
    expected = {"table": np.full(len(deals), piece.table), "deal": deals, "rotation": turns}
    are_others = any(not np.array_equal(numbers(rows, name), column) for name, column in expected.items())
    if are_others or not np.array_equal(by_seat(rows, "seats", players), seats):
        raise StoreError(f"piece {piece.number} does not hold the games in its plan, in their order")
    return [_rounds(plan, rows.slice(k * len(piece.deals), len(piece.deals))) for k in range(players)]


def check_lengths(plan: Plan, rows: pa.Table) -> None:
    """StoreError names a game with more or fewer round scores than its number of rounds."""
    rounds = numbers(rows, "rounds").astype(np.int64)
    scored = rows["round_scores"].combine_chunks().value_lengths().to_numpy() / plan.players
    for row in np.flatnonzero(rounds != scored)[:1].tolist():
        game = ".".join(str(numbers(rows, name)[row]) for name in ("table", "deal", "rotation"))
        raise StoreError(f"game {game}: rounds: {rounds[row]} is stored, but there are scores of {scored[row]:g}")


def _rounds(plan: Plan, rows: pa.Table) -> Rounds:
    games, players, terms = len(rows), plan.players, len(luck_of(plan.setup).terms)
    traces = [by_seat(rows, name, players) for name in trace_names(plan)]
    luck = by_seat(rows, "luck", players * terms) if "luck" in rows.column_names else np.zeros((games, 0))
    actions, kind = rows["actions"].to_pylist(), plan.game.action_type
    return Rounds(
        plan.game.lower_is_better,
        by_seat(rows, "scores", players).astype(np.int64),
        numbers(rows, "rounds").astype(np.int64),
        numbers(rows, "turns").astype(np.int64),
        numbers(rows, "stopped"),
        np.stack(traces, axis=2).astype(np.int64) if traces else np.zeros((games, players, 0), np.int64),
        luck.reshape(games, players, luck.shape[1] // players),
        np.array([len(each) for each in actions], np.int64) // kind.itemsize,
        np.frombuffer(b"".join(actions), kind),
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
