"""Stored games played again, as records and all at once, to check that they give the stored results.

Their actions are enough for that: the agents need not be installed.
"""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from cardtable.arena.play.plan import Plan
from cardtable.arena.stored.pieces import GameId, StoredPiece, fact_names, numbers, plan_of, read_piece
from cardtable.arena.stored.store import Store, StoreError
from cardtable.table.checks import brief
from cardtable.table.errors import IllegalActionError, TableError
from cardtable.table.game.records import recorded
from cardtable.table.game.tables import DealResults, replayed


def record_of(store: Store, game: GameId) -> dict[str, Any]:
    """The written record of a game.

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
    """The record of the game in a row; StoreError says what is not as it is stored."""
    called, noted = stored.id_of(row), stored.rows.slice(row, 1).to_pylist()[0]
    where = f"{stored.file}: game {called}"
    actions: NDArray[Any] = np.frombuffer(noted["actions"], plan.game.action_type)
    try:
        record = recorded(plan.setup, called.deal, actions.tolist())
    except IllegalActionError as error:
        raise StoreError(f"{where}: {error}") from None
    found = _replayed(plan, np.array([called.deal]), np.array([len(actions)]), actions)
    for name, value in _as_stored(plan, found).items():
        if noted[name] != value:
            raise StoreError(f"{where}: {name}: {brief(noted[name])} is stored, but the moves give {brief(value)}")
    if found.decisions[0] < 0:
        raise StoreError(f"{where}: it is not over after its {len(actions)} moves")
    return record


def _as_stored(plan: Plan, found: DealResults) -> dict[str, Any]:
    """The only game of these rounds as its row has it."""
    facts = {name: found.facts[0, :, k].tolist() for k, name in enumerate(fact_names(plan))}
    points = found.round_scores.ravel().tolist()
    lengths = {"rounds": int(found.rounds[0]), "turns": int(found.turns[0]), "round_scores": points}
    return lengths | facts | {"scores": found.scores[0].tolist(), "stopped": bool(found.is_stopped[0])}


def _replayed(plan: Plan, deals: NDArray[np.int64], lengths: NDArray[np.int64], actions: NDArray[Any]) -> DealResults:
    return replayed(replace(plan.setup, with_luck=False, keep=True), deals, lengths, actions)


def faults(store: Store, report: Callable[[float], None] = lambda _: None) -> Iterator[str]:
    """What is wrong: files that are missing, misplaced or damaged, and the first game of each other file that does not
    give the stored result when its actions are played again. `report` is called with the pieces done.

    Luck terms are not checked.
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
            _check_games(plan, stored)
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


def _check_games(plan: Plan, stored: StoredPiece) -> None:
    """StoreError names the first game that does not give the stored result."""
    played = stored.results
    row = _first_wrong(played, _replayed(plan, numbers(stored.rows, "deal"), played.decisions, played.actions))
    if row >= 0:
        record_in(plan, stored, row)
        raise StoreError(f"{stored.file}: game {stored.id_of(row)} does not give the stored result")


def _first_wrong(stored: DealResults, found: DealResults) -> int:
    """The number of the first game that is not the same in everything but luck, or -1."""
    by_game = ("rounds", "turns", "decisions", "is_stopped", "scores", "facts")
    is_wrong = np.zeros(len(stored.rounds), np.bool_)
    for name in by_game:
        differs = getattr(stored, name) != getattr(found, name)
        is_wrong |= differs.reshape(len(is_wrong), -1).any(axis=1)
    wrong = int(is_wrong.argmax()) if is_wrong.any() else len(is_wrong)
    ends = np.cumsum(stored.rounds[:wrong])  # of as many rounds in both
    rounds = int(ends[-1]) if wrong > 0 else 0
    there = min(rounds, len(stored.round_scores))
    differs = (stored.round_scores[:there] != found.round_scores[:there]).any(axis=1)
    first = int(differs.argmax()) if differs.any() else there
    if first < rounds:
        wrong = int(np.searchsorted(ends, first, "right"))
    return wrong if wrong < len(is_wrong) else -1
