"""Rooms on disk: one SQLite file, to which every change is committed before any browser is sent it.

It holds the seeds, so only its owner may read it, and only one server at a time may use it.
"""

import json
import os
import sqlite3
import sys
import time
from collections.abc import Iterator
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

from cardtable.table.errors import TableError
from skyjo.web.access import FOR_ME
from skyjo.web.requests import FullError, MissingError

FILE = "rooms.sqlite"
MOST = 1000  # rooms
VERSION = 1  # of the file
OPEN = "open"  # a seat, as in `skyjo.table.seating`
USUAL = 2.0  # decisions of agents a second
TABLES = f"""
PRAGMA locking_mode = EXCLUSIVE;
PRAGMA journal_mode = WAL;
PRAGMA synchronous = NORMAL;
PRAGMA secure_delete = ON;
CREATE TABLE IF NOT EXISTS rooms (id TEXT PRIMARY KEY, game TEXT, changed REAL, state TEXT);
CREATE TABLE IF NOT EXISTS decisions (room TEXT, number INTEGER, action INTEGER, PRIMARY KEY (room, number))
    WITHOUT ROWID;
PRAGMA user_version = {VERSION};
"""


@dataclass
class RoomState:
    """A room without its cards: who plays what, and how it stands, as lists of rooms show it."""

    game: str
    rules: str
    seed: int
    episode: str
    seats: list[str]  # "you", "open", or an agent's text
    owners: list[str | None]  # by seat, the browser of the person who holds it
    names: list[str]  # by seat, empty where it has none
    opener: str  # the browser that opened the room
    practice: bool = False  # have its cards been played before?
    pace: float = USUAL
    next_rooms: dict[str, str] = field(default_factory=dict)  # where its players have gone on, by what they asked
    forgotten: list[str] = field(default_factory=list)  # browsers that have removed it from their lists
    round: int = 1
    totals: list[int] = field(default_factory=list)
    decider: int | None = 0
    winners: list[int] = field(default_factory=list)
    truncated: bool = False

    @property
    def free_seats(self) -> list[int]:
        """The seats that wait for somebody; none once the game is over."""
        seats = zip(self.seats, self.owners, strict=True)
        return [] if self.decider is None else [seat for seat, each in enumerate(seats) if each == (OPEN, None)]

    def seats_of(self, owner: str) -> list[int]:
        """Return the seats that a browser holds."""
        return [seat for seat, other in enumerate(self.owners) if other == owner]

    @property
    def browsers(self) -> set[str]:
        """The browsers whose lists have the room."""
        return {owner for owner in [*self.owners, self.opener] if owner is not None} - {*self.forgotten}


class RoomStore:
    """The rooms of all games. Any method may raise `sqlite3.Error` if the disk is full or has gone."""

    def __init__(self, folder: Path) -> None:
        """Open the file of a folder, made when there is none; TableError if another server has it open."""
        folder.mkdir(0o700, parents=True, exist_ok=True)
        path = folder / FILE
        os.close(os.open(path, os.O_RDWR | os.O_CREAT, FOR_ME))
        self._database = sqlite3.connect(path, timeout=0, isolation_level=None, check_same_thread=False)
        try:
            (version,) = self._database.execute("PRAGMA user_version").fetchone()
            if version not in (0, VERSION):
                raise TableError(f"{path} is of another version; move it away, or choose another --folder")
            self._database.executescript(TABLES)
        except sqlite3.DatabaseError as error:
            words = "stop the other server that uses it, or choose another --folder"
            raise TableError(f"{path} cannot be opened ({error}); {words}") from None

    def close(self) -> None:
        """Close the file."""
        self._database.close()

    def create(self, number: str, state: RoomState) -> None:
        """Store a new room; FullError if there are too many."""
        (count,) = self._database.execute("SELECT COUNT(*) FROM rooms").fetchone()
        if count >= MOST:
            raise FullError(f"this server keeps at most {MOST:,} rooms: remove some of yours")
        self.write(number, state)

    def write(self, number: str, state: RoomState, decision: tuple[int, int] | None = None) -> None:
        """Commit how a room stands, and perhaps a decision: its number, from 0, and the action."""
        with self._database as database:
            database.execute("BEGIN")
            row = (number, state.game, time.time(), json.dumps(asdict(state)))
            database.execute("INSERT OR REPLACE INTO rooms VALUES (?, ?, ?, ?)", row)
            if decision is not None:
                database.execute("INSERT INTO decisions VALUES (?, ?, ?)", (number, *decision))

    def read(self, number: str) -> tuple[RoomState, list[int]]:
        """Return a room and its decisions; MissingError if there is none."""
        row = self._database.execute("SELECT state FROM rooms WHERE id = ?", (number,)).fetchone()
        if row is None:
            raise MissingError("there is no such room")
        actions = self._database.execute("SELECT action FROM decisions WHERE room = ? ORDER BY number", (number,))
        return RoomState(**json.loads(row[0])), [action for (action,) in actions]

    def listed(self, game: str, owner: str) -> Iterator[tuple[str, RoomState, float]]:
        """Yield the rooms in a browser's list, the last changed first, with the seconds of their last changes."""
        rows: Any = self._database.execute(
            "SELECT id, state, changed FROM rooms WHERE game = ? ORDER BY changed DESC", (game,)
        )
        for number, text, changed in rows:
            state = RoomState(**json.loads(text))
            if owner in state.browsers:
                yield number, state, changed

    def has(self, number: str) -> bool:
        """Return whether there is a room."""
        return self._database.execute("SELECT 1 FROM rooms WHERE id = ?", (number,)).fetchone() is not None

    def delete(self, number: str) -> None:
        """Delete a room."""
        with self._database as database:
            database.execute("BEGIN")
            database.execute("DELETE FROM decisions WHERE room = ?", (number,))
            database.execute("DELETE FROM rooms WHERE id = ?", (number,))


def usual_folder() -> Path:
    """Return where a user's rooms are kept, where the system keeps such data."""
    if sys.platform == "win32":
        parent = Path(os.environ.get("LOCALAPPDATA") or Path.home() / "AppData/Local")
    elif sys.platform == "darwin":
        parent = Path.home() / "Library/Application Support"
    else:
        parent = Path(os.environ.get("XDG_DATA_HOME") or Path.home() / ".local/share")
    return parent / "skyjo-env"
