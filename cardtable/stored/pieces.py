"""Reading stored games: the name of each, and the pieces one after another."""

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple, Self

import numpy as np
import pyarrow as pa

from cardtable.card_game import find_game
from cardtable.checks import brief
from cardtable.errors import TableError
from cardtable.play.luck import luck_of
from cardtable.play.pairing import seating
from cardtable.play.plan import Piece, Plan
from cardtable.rounds import Rounds
from cardtable.stored.rows import check_lengths, from_rows, numbers, to_rows
from cardtable.stored.store import Store, StoreError, is_secret


class GameId(NamedTuple):
    """What a game is called in its store; as text table.deal.rotation, such as 0.1024.1."""

    table: int
    deal: int
    rotation: int

    def __str__(self) -> str:
        return f"{self.table}.{self.deal}.{self.rotation}"

    @classmethod
    def read(cls, text: str) -> Self:
        """The game that the text names; TableError if it is not a name."""
        if not re.fullmatch(r"\d{1,9}(\.\d{1,9}){2}", text, re.ASCII):
            raise TableError(f"{brief(text)} does not name a game: write table.deal.rotation, such as 0.1024.1")
        return cls(*map(int, text.split(".")))


class StoredPiece(NamedTuple):
    """A piece as it was read: the rows, and the same games by rotation."""

    file: Path
    piece: Piece
    rows: pa.Table
    rotations: list[Rounds]

    def id_of(self, row: int) -> GameId:
        """What the game in a row is called."""
        rotation, deal = divmod(row, len(self.piece.deals))
        return GameId(self.piece.table, self.piece.deals[deal], rotation)


def plan_of(store: Store) -> Plan:
    """What was played; TableError if the game is not installed, or a referee keeps the seed secret."""
    if is_secret(store):
        secret = "a referee keeps the seed secret until the last game"
        raise StoreError(f"{store.folder}: {secret}; repeat the command that began these games to finish them")
    try:
        return Plan.from_dict(find_game(store.manifest["game"]), store.manifest["plan"])
    except (KeyError, TypeError) as error:
        raise StoreError(f"{store.folder}: its manifest is of another version: {error} is missing") from None


def seats_of(plan: Plan, game: GameId) -> list[str]:
    """The agents of a game by seat."""
    (seats,) = seating(plan.players, np.array([game.deal]), game.rotation)
    return [plan.tables[game.table][agent] for agent in seats]


def read_piece(store: Store, plan: Plan, number: int, file: Path) -> StoredPiece:
    """The games of a file; StoreError if it is damaged, or holds anything but a piece of the plan."""
    rows = store.read(file)
    if rows.schema != _columns(plan) or len(rows) < plan.players or any(column.null_count for column in rows.columns):
        raise StoreError(f"{file}: the columns are not those of stored games")
    table, first = (int(numbers(rows, name)[0]) for name in ("table", "deal"))
    piece = Piece(number, table, range(first, first + len(rows) // plan.players))
    try:
        if table >= len(plan.tables):
            raise StoreError(f"there is no table {table}")
        return StoredPiece(file, piece, rows, from_rows(plan, piece, rows))
    except (ValueError, TypeError, OverflowError) as error:  # also from numpy, where lists are too short or have gaps
        raise StoreError(f"{file}: {error}") from None


def read_pieces(store: Store, plan: Plan) -> Iterator[StoredPiece]:
    """All pieces, one after another; StoreError names the first file that is damaged or missing."""
    for number, file in store.pieces().items():
        yield read_counted(store, plan, number, file)


def read_counted(store: Store, plan: Plan, number: int, file: Path) -> StoredPiece:
    """The games of a file; StoreError also if one of them has not as many round scores as rounds."""
    stored = read_piece(store, plan, number, file)
    try:
        check_lengths(plan, stored.rows)
    except StoreError as error:
        raise StoreError(f"{file}: {error}") from None
    return stored


def _columns(plan: Plan) -> pa.Schema:
    """The columns that games of this plan have."""
    game, players = plan.game, plan.players
    terms = len(luck_of(plan.setup).terms) if plan.setup.with_luck else 0
    by_game, by_seat = np.zeros(1, np.int64), np.zeros((1, players), np.int64)
    traces = np.zeros((1, players, len(game.traces(plan.setup.rules))), np.int64)
    luck: Any = np.zeros((1, players, terms), np.float32)
    nothing = np.zeros(0, game.action_type), np.zeros((0, players), np.int16)
    noted = by_seat, by_game, by_game, by_game != 0, traces, luck, by_game, *nothing, by_seat
    return to_rows(plan, Piece(0, 0, range(1)), [Rounds(game.lower_is_better, *noted)]).schema
