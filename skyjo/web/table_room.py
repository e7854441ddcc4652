"""All tables: opened here, found again after a restart, and dropped from memory when there are too many."""

import secrets
import string
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from dataclasses import replace
from hashlib import sha256
from itertools import islice
from pathlib import Path
from typing import Any

from cardtable.table.checks import brief
from cardtable.table.errors import TableError
from cardtable.table.game.card_game import find_game
from cardtable.table.game.records import RecordFormat
from cardtable.table.game.table_game import TableGame
from skyjo.interfaces import find_interface
from skyjo.table.seating import YOU, check_seats
from skyjo.web.requests import FullError, TableRequest
from skyjo.web.table_files import SUFFIX, TableFile, files_in, prepared
from skyjo.web.tables import TableSetup, WebTable, owners_in

LETTERS = 12  # of a table's number
MAX_TABLES = 500  # in memory
MAX_KEPT, MAX_KEPT_OF_ONE = 10_000, 1000  # on disk, and of one browser
LISTED = 12  # of a browser's tables
LOOKED_THROUGH = 40  # of a browser's tables


class TableRoom:
    """The tables of one game in one folder."""

    def __init__(self, game: str, folder: Path, most: int = MAX_TABLES) -> None:
        self.game, self.interface = find_game(game), find_interface(game)
        self.folder, self._most = prepared(folder), most
        self._tables: dict[str, WebTable] = {}  # those in memory, the one that was used last at the end
        # The browsers of every file of this game. The file begun last, or used last before a restart, is at the end.
        self._owners: dict[str, set[str]] = {}
        self._openers: dict[str, str | None] = {}  # by file, the browser that opened the table
        self._daily: dict[tuple[str | None, str], str] = {}  # by browser and day, the table with the cards of that day
        for file in reversed([*files_in(self.folder)]):
            with suppress(TableError, OSError, KeyError, ValueError, TypeError):  # a damaged one is left alone
                lines = file.whole_lines()  # while another game is served, its tables are written to
                if lines and lines[0]["game"] == game:
                    opener = lines[0].get("opener")
                    self._owners[file.number], self._openers[file.number] = owners_in(lines), opener
                    self._daily[opener, lines[0].get("daily", "")] = file.number

    def open(self, request: TableRequest, owner: str) -> WebTable:
        """Deal at a new table with a random seed; TableError if that is not possible."""
        game = self.game
        if any(word.startswith("players=") for word in request.rules.split()):
            raise TableError("the number of players follows from the seats")
        check_seats(request.seats, self.players)
        rules = game.rules(request.rules, len(request.seats))
        if request.episode not in game.episodes:
            raise TableError(f"episode={brief(request.episode)} is not one of {', '.join(game.episodes)}")
        owners = [owner if text == YOU else None for text in request.seats]
        seed = secrets.randbits(64)
        seats = list(request.seats)
        fields = (game.name, rules.to_text(), seed, request.episode, seats, owners)
        return self._begin(TableSetup(*fields, opener=owner, names=request.names))

    def open_daily(self, day: str, owner: str, name: str) -> WebTable:
        """The table of a day, at which everybody has the same cards and the strongest rival: the one that the browser
        has opened, or else a new one.
        """
        number = self._daily.get((owner, day))
        if number is not None and not self.has(number):
            raise TableError("you have deleted your table with today's deal; new cards come tomorrow")
        if number is not None:
            return self.find(number)
        game, rival = self.game, self.interface.rivals[-1]
        fields = (
            game.name,
            game.rules().to_text(),
            seed_of(game.name, day),
            "round",
            [YOU, rival.agent],
            [owner, None],
        )
        return self._begin(TableSetup(*fields, opener=owner, daily=day, names=[name, rival.name]))

    def daily_of(self, day: str, owner: str) -> WebTable | None:
        """The table of a day that a browser has opened; None if it has not."""
        number = self._daily.get((owner, day))
        return self.find(number) if number is not None and self.has(number) else None

    def open_from(self, start: TableGame[Any], seats: Sequence[str], owner: str, names: Sequence[str] = ()) -> WebTable:
        """A table that continues a game, with all that has been decided: for practice, since the cards are known."""
        players = start.rules.players
        if len(seats) != players:
            raise TableError(f"this game has {players} seats, not {len(seats)}")
        if start.is_over:
            raise TableError("nothing is left to decide there; continue from an earlier decision")
        owners = [owner if text == YOU else None for text in seats]
        rules, so_far = start.rules.to_text(), RecordFormat(self.game).format_record(start.record())
        fields = (self.game.name, rules, 0, start.episode, [*seats], owners)
        return self._begin(TableSetup(*fields, True, opener=owner, start=so_far, names=names))

    def open_again(self, table: WebTable, owner: str) -> WebTable:
        """A table with the seats and cards of one whose game is over: for practice, since the cards are known."""
        return self._following(table, table.rematch, table.note_rematch, opener=owner, is_practice=True)

    def open_rematch(self, table: WebTable, owner: str) -> WebTable:
        """A table with the seats and rules of one whose game is over, and new cards."""
        changes: dict[str, Any] = {"seed": secrets.randbits(64), "start": "", "opener": owner, "is_practice": False}
        return self._following(table, table.next_table, table.note_next_table, **changes)

    def _following(self, table: WebTable, begun: str | None, note: Callable[[str], None], **changes: Any) -> WebTable:
        """The table that the players of one whose game is over go on to: the one begun before, or a new one."""
        if table.decider is not None:
            raise TableError("the game is not over")
        if begun is not None and self.has(begun):
            return self.find(begun)
        following = self._begin(replace(table.setup, owners=list(table.owners), names=table.names, daily="", **changes))
        note(following.number)
        return following

    def _begin(self, setup: TableSetup) -> WebTable:
        if setup.opener is not None and self._opened_by(setup.opener) >= MAX_KEPT_OF_ONE:
            raise FullError(f"this server keeps at most {MAX_KEPT_OF_ONE:,} tables of one browser")
        if len(self._owners) >= MAX_KEPT:
            words = "whoever runs it can delete old table files and start it again"
            raise FullError(f"this server keeps at most {MAX_KEPT:,} tables; {words}")
        self._make_room()
        number = "".join(secrets.choice(string.ascii_lowercase) for _ in range(LETTERS))
        file = TableFile(self.folder / f"{number}{SUFFIX}")
        table = WebTable(number, setup, file)  # before the file, so that nothing is kept of a table that cannot be
        file.create(setup.line())
        self._owners[number], self._openers[number] = setup.browsers, setup.opener
        self._daily[setup.opener, setup.daily] = number
        return self._keep(table)

    def has(self, number: str) -> bool:
        """Is there a table of this number?"""
        return number in self._owners

    def find(self, number: str) -> WebTable:
        """The table of this number; TableError if there is none."""
        if number not in self._owners:
            raise TableError("there is no such table")
        table = self._tables.pop(number, None)
        if table is None:
            self._make_room()
            table = WebTable.restored(number, TableFile(self.folder / f"{number}{SUFFIX}"))
        return self._keep(table)

    def join(self, table: WebTable, owner: str, name: str = "") -> int:
        """Take a free seat."""
        seat = table.join(owner, name)
        self._owners[table.number].add(owner)
        return seat

    def forget(self, number: str, owner: str) -> WebTable | None:
        """Remove a table from a browser's list, and delete it once it is in no list; returns it if it is deleted."""
        if owner not in self._owners.get(number, set()):
            raise TableError("this table is not in your list")
        table = self.find(number)
        if self._owners[number] != {owner}:
            table.note_forgotten(owner)
            self._owners[number].discard(owner)
            return None
        table.delete()
        del self._owners[number], self._openers[number], self._tables[number]
        return table

    def _keep(self, table: WebTable) -> WebTable:
        self._tables[table.number] = table
        return table

    def _make_room(self) -> None:
        """Drop the least recently used tables from memory, except those with a browser."""
        for number in [number for number, table in self._tables.items() if table.browsers == 0]:
            if len(self._tables) < self._most:
                return
            del self._tables[number]
        if len(self._tables) >= self._most:
            raise FullError("there are too many tables; try again later")

    def tables_of(self, owner: str) -> list[WebTable]:
        """The tables at which a browser holds a seat or that it opened, the newest first."""
        return [*islice(self.newest_tables_of(owner), LISTED)]

    def newest_tables_of(self, owner: str) -> Iterator[WebTable]:
        """The same one by one, since each may have to be replayed; without those that it opened long ago."""
        for number in self._numbers_of(owner)[:LOOKED_THROUGH]:
            with suppress(TableError, OSError):
                yield self.find(number)

    def files_of(self, owner: str, most: int) -> list[TableFile]:
        """The files of the same tables, at most this many."""
        return [TableFile(self.folder / f"{number}{SUFFIX}") for number in self._numbers_of(owner)[:most]]

    def _opened_by(self, owner: str) -> int:
        """How many tables a browser has opened that are still in its list: not those that others have put there."""
        return sum(self._openers[number] == owner and owner in owners for number, owners in self._owners.items())

    def _numbers_of(self, owner: str) -> list[str]:
        return [number for number, owners in reversed(self._owners.items()) if owner in owners]

    @property
    def players(self) -> tuple[int, int]:
        """How few and how many can play."""
        rules: Any = self.game.rules()
        least, most = rules.ranges["players"]
        return least, most


def seed_of(game: str, day: str) -> int:
    """The seed of a day's deal, by a digest that browsers have, too."""
    return int.from_bytes(sha256(f"{game} {day}".encode()).digest()[:8])
