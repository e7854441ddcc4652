"""Stored games played again, as records and all at once, to check that they give the stored results.

Their actions are enough for that: the agents need not be installed.
"""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa

from cardtable.arena.play.plan import Plan
from cardtable.arena.stored.pieces import GameId, StoredPiece, numbers, plan_of, read_piece, result_columns
from cardtable.arena.stored.store import Store, StoreError
from cardtable.table.checks import brief
from cardtable.table.errors import IllegalActionError, TableError
from cardtable.table.game.measured_deals import replayed
from cardtable.table.game.records import recorded


def record_of(store: Store, game: GameId) -> dict[str, Any]:
    """Return the written record of a game.

    TableError if there is no such game, StoreError if it does not give the stored result.
    """
    plan = plan_of(store)
    for number, file in store.pieces().items():
        places = store.read(file, list(GameId._fields))
        row = np.flatnonzero(np.all([numbers(places, name) == getattr(game, name) for name in GameId._fields], axis=0))
        if len(row) > 0:
            return record_in(plan, read_piece(store, plan, number, file), int(row[0]))
    raise TableError(f"{store.folder}: there is no game {game}; {plan.game.name} games list shows the games")


def record_in(plan: Plan, stored: StoredPiece, row: int) -> dict[str, Any]:
    """Return the record of the game in a row; StoreError names the first difference from the stored game."""
    _check_games(plan, stored, row, 1)
    actions = np.frombuffer(stored.rows["actions"][row].as_py(), plan.game.action_type)
    return recorded(plan.setup, stored.id_of(row).deal, actions.tolist())


def faults(store: Store, report: Callable[[float], None] = lambda _: None) -> Iterator[str]:
    """Yield each fault: a file that is missing, misplaced or damaged, or a game whose replay gives another result.

    Only the first such game of each file is yielded. `report` is called with the pieces done. Luck terms are not
    checked.
    """
    plan, finished = plan_of(store), store.manifest["finished"]
    has_gaps = finished is None or len(finished["left_out"]) > 0
    files: Mapping[int, Path]
    try:
        files = store.pieces()
    except StoreError as error:
        yield str(error)
        files, has_gaps = dict(enumerate(store.paths())), True
    ends = [0] * len(plan.tables)
    for number, file in files.items():
        try:
            stored = read_piece(store, plan, number, file)
            _check_place(stored, ends, has_gaps)
            _check_games(plan, stored, 0, len(stored.rows))
        except StoreError as error:
            yield str(error)
            has_gaps = True
        report(1)


def _check_place(stored: StoredPiece, ends: list[int], has_gaps: bool) -> None:
    """StoreError if a piece does not begin where the one before it at its table ended."""
    table, deals = stored.piece.table, stored.piece.deals
    if deals.start < ends[table] or (deals.start > ends[table] and not has_gaps):
        words = f"it begins with deal {deals.start} of table {table}, where {ends[table]} should come"
        raise StoreError(f"{stored.file}: {words}; it has the number of another file")
    ends[table] = deals.stop


def _check_games(plan: Plan, stored: StoredPiece, first: int, many: int) -> None:
    """Play so many games again; StoreError names the first with another result than the stored one, luck apart."""
    rows, setup = stored.rows.slice(first, many), replace(plan.setup, with_luck=False, record_actions=True)
    moves = [np.frombuffer(data, plan.game.action_type) for data in rows["actions"].to_pylist()]
    lengths = np.array([len(actions) for actions in moves])
    results = replayed(setup, numbers(rows, "deal"), lengths, np.concatenate(moves))
    again, is_broken = pa.table(result_columns(plan, replace(results, decisions=lengths))), results.decisions < 0
    stored_rows = rows.select(again.column_names)
    if stored_rows.equals(again) and not is_broken.any():
        return
    for row, (old, new) in enumerate(zip(stored_rows.to_pylist(), again.to_pylist(), strict=True)):
        called = stored.id_of(first + row)
        where = f"{stored.file}: game {called}"
        if is_broken[row]:
            try:
                recorded(plan.setup, called.deal, moves[row].tolist())
            except IllegalActionError as error:
                raise StoreError(f"{where}: {error}") from None
        for name, value in new.items():
            if old[name] != value:
                raise StoreError(f"{where}: {name}: {brief(old[name])} is stored, but the moves give {brief(value)}")
        if is_broken[row]:
            raise StoreError(f"{where}: it is not over after its {lengths[row]} moves")
