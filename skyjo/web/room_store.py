"""Rooms on disk: one SQLite file, to which every change is committed before any browser is sent it.

It holds the seeds, so only its owner may read it, and only one server at a time may use it.
"""

import json
import os
import sqlite3
import sys
import time
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

from cardtable.table.errors import TableError
from skyjo.web.access import FOR_ME
from skyjo.web.requests import FullError, MissingError

FILE = "rooms.sqlite"
MOST = 1000  # rooms
VERSION = 2  # of the file
PEOPLE = ("you", "open")  # the seats of people, as in `skyjo.table.seating`
TABLES = f"""
PRAGMA locking_mode = EXCLUSIVE;
PRAGMA journal_mode = WAL;
PRAGMA synchronous = NORMAL;
PRAGMA secure_delete = ON;
CREATE TABLE IF NOT EXISTS rooms (id TEXT PRIMARY KEY, game TEXT, changed REAL, state TEXT);
PRAGMA user_version = {VERSION};
"""
# If all places are taken, the room whose game has been over for longest gives way
MAKE_ROOM = """
DELETE FROM rooms WHERE (SELECT COUNT(*) FROM rooms) >= ? AND id =
    (SELECT id FROM rooms WHERE json_extract(state, '$.decider') IS NULL ORDER BY changed LIMIT 1)
"""


@dataclass
class RoomState:
    """A room: who plays what, what has been decided, and how it stands, as lists of rooms show it."""

    game: str
    rules: str
    seed: int
    episode: str
    seats: list[str]  # "you", "open", or an agent's text
    owners: list[str | None]  # by seat, the browser of the person who holds it
    names: list[str]  # by seat, empty where it has none
    actions: list[int] = field(default_factory=list)
    next_room: str = ""  # where its players have gone on
    round: int = 1
    totals: list[int] = field(default_factory=list)
    decider: int | None = 0
    winners: list[int] = field(default_factory=list)
    truncated: bool = False

    @property
    def free_seats(self) -> list[int]:
        """The seats that wait for a player; none once the game is over."""
        free = [seat for seat, owner in enumerate(self.owners) if owner is None and self.seats[seat] in PEOPLE]
        return [] if self.decider is None else free

    def seats_of(self, owner: str) -> list[int]:
        """Return the seats that a browser holds."""
        return [seat for seat, other in enumerate(self.owners) if other == owner]


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
        """Store a new room; FullError if there are too many whose games go on."""
        self._database.execute(MAKE_ROOM, (MOST,))
        (count,) = self._database.execute("SELECT COUNT(*) FROM rooms").fetchone()
        if count >= MOST:
            raise FullError(f"{count:,} rooms are in play, and this server keeps no more: remove those you do not need")
        self.write(number, state)

    def write(self, number: str, state: RoomState) -> None:
        """Commit a room as it stands."""
        row = (number, state.game, time.time(), json.dumps(vars(state)))
        self._database.execute("INSERT OR REPLACE INTO rooms VALUES (?, ?, ?, ?)", row)

    def read(self, number: str) -> RoomState:
        """Return a room; MissingError if there is none."""
        row = self._database.execute("SELECT state FROM rooms WHERE id = ?", (number,)).fetchone()
        if row is None:
            raise MissingError("there is no such room")
        return RoomState(**json.loads(row[0]))

    def listed(self, game: str, owner: str) -> Iterator[tuple[str, RoomState, float]]:
        """Yield the rooms where a browser holds a seat, the last changed first, with the seconds of their changes."""
        rows = self._database.execute(
            "SELECT id, state, changed FROM rooms WHERE game = ? ORDER BY changed DESC", (game,)
        )
        for number, text, changed in rows:
            state = RoomState(**json.loads(text))
            if owner in state.owners:
                yield number, state, changed

    def has(self, number: str) -> bool:
        """Return whether there is a room."""
        return self._database.execute("SELECT 1 FROM rooms WHERE id = ?", (number,)).fetchone() is not None

    def delete(self, number: str) -> None:
        """Delete a room."""
        self._database.execute("DELETE FROM rooms WHERE id = ?", (number,))


def usual_folder() -> Path:
    """Return where a user's rooms are kept, where the system keeps such data."""
    if sys.platform == "win32":
        parent = Path(os.environ.get("LOCALAPPDATA") or Path.home() / "AppData/Local")
    elif sys.platform == "darwin":
        parent = Path.home() / "Library/Application Support"
    else:
        parent = Path(os.environ.get("XDG_DATA_HOME") or Path.home() / ".local/share")
    return parent / "skyjo-env"
