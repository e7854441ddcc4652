"""Games stored by matches and tournaments: one page of the list at a time, and single games as text.

This needs pyarrow: nothing imports it unless such games are to be shown.
"""

from bisect import bisect_right
from itertools import accumulate
from pathlib import Path
from threading import Lock

import pyarrow.parquet as pq

from cardtable.arena.stored.pieces import StoredPiece, plan_of, read_piece, seats_of
from cardtable.arena.stored.recheck import record_in
from cardtable.arena.stored.store import Store, StoreError
from cardtable.table.errors import TableError
from cardtable.table.game.card_game import find_game
from cardtable.table.game.records import RecordFormat

MAX_LISTED = 50  # games in an answer


class StoredGames:
    """One store. Its games are numbered in the order in which they are stored."""

    def __init__(self, folder: Path) -> None:
        """Raise TableError if no games are stored there, or the game is unknown."""
        self._store = Store.open(folder)
        self.game = find_game(str(self._store.manifest.get("game")))
        self.name = "/".join(folder.resolve().parts[-2:])
        self._plan, self._pieces = plan_of(self._store), [*self._store.pieces().items()]
        self._ends = [*accumulate(_length(file) for _, file in self._pieces)]
        self._lock = Lock()
        self._last: tuple[int, StoredPiece] | None = None  # which piece was read last, and its games

    @property
    def games(self) -> int:
        """Number of games."""
        return self._ends[-1] if self._ends else 0

    def listed(self, first: int) -> list[dict[str, int | str]]:
        """Return some games from a number on, in a few words each."""
        numbers = range(first, min(first + MAX_LISTED, self.games))
        with self._lock:
            return [{"number": number, "words": self._words(*self._find(number))} for number in numbers]

    def written(self, number: int) -> tuple[str, tuple[str, ...]]:
        """Return a game as text, and its agents by seat; TableError if there is none."""
        with self._lock:
            piece, row = self._find(number)
        record = record_in(self._plan, piece, row)
        return RecordFormat(self.game).format_record(record), tuple(seats_of(self._plan, piece.id_of(row)))

    def _find(self, number: int) -> tuple[StoredPiece, int]:
        """Return the piece that holds a game, and its row there."""
        if number >= self.games:
            raise TableError(f"there are {self.games:,} games, counted from 0")
        place = bisect_right(self._ends, number)
        if self._last is None or self._last[0] != place:
            self._last = place, read_piece(self._store, self._plan, *self._pieces[place])
        return self._last[1], number - (self._ends[place - 1] if place > 0 else 0)

    def _words(self, piece: StoredPiece, row: int) -> str:
        """Return the players with their scores, in words."""
        scores = piece.rows["scores"][row].as_py()
        agents = seats_of(self._plan, piece.id_of(row))
        return ", ".join(f"{agent} {score}" for agent, score in zip(agents, scores, strict=True))


def _length(file: Path) -> int:
    try:
        rows: int = pq.read_metadata(file).num_rows
    except ValueError:
        raise StoreError(f"{file}: damaged") from None
    return rows
