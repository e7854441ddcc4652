"""Stored games played again, as written records and all at once, to see that they come out as they are stored.

Their actions are enough for that: nobody who played need be installed.
"""

from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
from numpy.typing import NDArray
from skyjo_agents.compiled_replay import first_wrong
from skyjo_agents.compiled_rounds import OUTCOME_DTYPE

from cardtable.checks import brief
from cardtable.errors import IllegalActionError, TableError
from cardtable.play.plan import Plan
from cardtable.play.rounds import Rounds
from cardtable.stored.pieces import GameId, StoredPiece, plan_of, read_piece
from cardtable.stored.rows import numbers
from cardtable.stored.store import Store, StoreError
from skyjo_env.game import Game
from skyjo_env.kernel.state import EPISODES, GAME_DTYPE


def record_of(store: Store, game: GameId) -> dict[str, Any]:
    """The written record of a game, as `skyjo_env.replay` takes it.

    TableError if there is no such game, StoreError if it does not come out as it is stored.
    """
    plan = plan_of(store)
    for number, file in store.pieces().items():
        places = store.read(file, ["table", "deal"])
        if numbers(places, "table")[0] != game.table or game.deal not in numbers(places, "deal"):
            continue
        if game.rotation < plan.rules.players:
            each = read_piece(store, plan, number, file)
            return _played_again(plan, each, each.piece.deals.index(game.deal) + game.rotation * len(each.piece.deals))
    raise TableError(f"{store.folder}: there is no game {game}; skyjo games list shows those that there are")


def _played_again(plan: Plan, stored: StoredPiece, row: int) -> dict[str, Any]:
    """The record of the game in a row; StoreError says what is not as it is stored."""
    called, noted = stored.id_of(row), stored.rows.slice(row, 1).to_pylist()[0]
    where = f"{stored.file}: game {called}"
    game = Game(plan.rules, plan.seed, called.deal, plan.episode)
    found: dict[str, Any] = {"rounds": 0, "turns": 0, "round_scores": [], "cleared": [0] * plan.rules.players}
    for number, action in enumerate(noted["actions"], 1):
        turns = game.turns
        try:
            game.apply(action)
        except IllegalActionError as error:
            raise StoreError(f"{where}: move {number}: {error}") from None
        if game.has_scored or game.is_truncated:
            found["rounds"] += 1
            found["turns"] += turns + 1
            found["round_scores"] += game.round_scores
            cleared = game.state["cleared"][0].tolist()
            found["cleared"] = [sum(both) for both in zip(found["cleared"], cleared, strict=False)]
    scores = game.totals if plan.episode == "game" else game.round_scores
    found |= {"scores": list(scores), "stopped": game.is_truncated}
    for name, value in found.items():
        if noted[name] != value:
            raise StoreError(f"{where}: {name}: {brief(noted[name])} is stored, but the moves give {brief(value)}")
    if not game.is_over:
        raise StoreError(f"{where}: it is not over after its {len(noted['actions'])} moves")
    return game.record()


def faults(store: Store, report: Callable[[float], None] = lambda _: None) -> Iterator[str]:
    """What is wrong: files that are missing, misplaced or damaged, and the first game of each other file that does not
    come out as it is stored when its actions are played again. `report` is told of the pieces done.

    Luck terms are not reckoned again.
    """
    plan, finished = plan_of(store), store.manifest["finished"]
    has_gaps = finished is None or len(finished["left_out"]) > 0
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
    """StoreError if a piece does not go on where those before it have ended, by table."""
    table, deals = stored.piece.table, stored.piece.deals
    if deals.start < ends[table] or (deals.start > ends[table] and not has_gaps):
        words = f"it begins with deal {deals.start} of table {table}, where {ends[table]} should come"
        raise StoreError(f"{stored.file}: {words}; it has the number of another file")
    ends[table] = deals.stop


def _check_games(plan: Plan, stored: StoredPiece) -> None:
    """StoreError names the first game that does not come out as it is stored."""
    for rotation, played in enumerate(stored.rotations):
        wrong = _first_wrong(plan, stored.piece.deals, played)
        if wrong >= 0:
            row = wrong + rotation * len(stored.piece.deals)
            _played_again(plan, stored, row)
            raise StoreError(f"{stored.file}: game {stored.id_of(row)} does not come out as it is stored")


def _first_wrong(plan: Plan, deals: range, played: Rounds) -> int:
    """The number of the game among these, or -1."""
    outcomes = np.zeros(len(deals), OUTCOME_DTYPE)
    for name in ("rounds", "turns", "decisions"):
        outcomes[name] = getattr(played, name)
    outcomes["is_stopped"] = played.is_stopped
    for name in ("scores", "cleared"):
        outcomes[name][:, : plan.rules.players] = getattr(played, name)
    points: NDArray[np.int16] = played.round_scores.ravel()
    table = np.zeros(1, GAME_DTYPE), plan.rules.params, np.uint64(plan.seed), np.uint64(deals.start)
    found = outcomes, np.zeros_like(outcomes), played.actions, points, np.zeros_like(points)
    return int(first_wrong(*table, EPISODES.index(plan.episode), *found))
