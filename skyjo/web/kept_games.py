"""Recorded games that users have pasted, uploaded or opened: each is a file beside the tables, named after its text.

A file is lines of JSON, as a table's is. The first one holds the game, the others tell which browsers have opened it.
"""

from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from datetime import datetime
from hashlib import blake2b
from itertools import zip_longest
from pathlib import Path
from typing import Any

from cardtable.table.errors import TableError
from skyjo.table.seating import OPEN, PEOPLE, YOU, seat_titles
from skyjo.web.person_names import read_name
from skyjo.web.table_files import Line, TableFile, files_in, prepared

VERSION = 1  # of a kept game's file
SUFFIX = ".game"
MAX_KEPT = 200
LISTED = 24  # of a browser's kept games
ELSEWHERE = ""  # in the place of a browser: somebody's at another site


@dataclass(frozen=True)
class Seated:
    """Who sat where: you, open, or an agent's text by seat, the browsers that held the seats of people, and names."""

    seats: tuple[str, ...]
    owners: tuple[str | None, ...]
    names: tuple[str, ...] = ()


@dataclass(frozen=True)
class GameText:
    """A written game as it is kept."""

    text: str  # a record
    words: str  # how long it is, for lists
    players: int

    @property
    def number(self) -> str:
        """What the game is called in addresses: the same text is the same game."""
        return blake2b(self.text.encode(), digest_size=10).hexdigest()


class KeptGame:
    """One kept game."""

    def __init__(self, text: GameText, file: TableFile) -> None:
        self.text, self._file = text, file
        self.opened: set[str] = set()  # by these browsers
        self.seated: Seated | None = None  # if that is known

    def names(self, viewer: str) -> list[str]:
        """What the seats are called to a browser."""
        if self.seated is None:
            return [f"seat {seat + 1}" for seat in range(self.text.players)]
        return seat_titles(self.seated.seats, self.seated.owners, viewer, self.seated.names)

    def seats(self, viewer: str) -> list[str]:
        """Who sat where, for somebody who plays on: "you", an agent's text, or empty where that is not known."""
        if self.seated is None:
            return [""] * self.text.players
        seats = zip(self.seated.seats, self.seated.owners, strict=True)
        return [text if text not in PEOPLE else YOU if owner == viewer else "" for text, owner in seats]

    def names_of(self, seats: Sequence[str], viewer: str) -> list[str]:
        """The names of those who keep their seats when somebody plays on; empty for all others."""
        known = self.seated.names if self.seated else ()
        return [name if was == now else "" for name, was, now in zip(known, self.seats(viewer), seats, strict=False)]

    @property
    def public_names(self) -> list[str]:
        """What whoever is shown the game may call its seats: names that people gave, and agents."""
        if self.seated is None:
            return []
        named = zip_longest(self.seated.seats, self.seated.names, fillvalue="")
        return [name or ("" if text in PEOPLE else text) for text, name in named]

    def note(self, line: Line) -> None:
        """Write a line to the file, and take it over."""
        self._file.append(line)
        self.take(line)

    def close(self, owner: str) -> None:
        """Forget that a browser has opened the game. The file is written anew, since it would else grow for ever."""
        opened = self.opened - {owner}
        seated = [] if self.seated is None else [vars(self.seated)]
        first, *_ = self._file.whole_lines()
        self._file.write([first, *seated, *({"opened": other} for other in sorted(opened))])
        self.opened = opened

    def take(self, line: Line) -> None:
        """Take over a line of the file; KeyError, TypeError if it is none."""
        if "opened" in line:
            self.opened.add(str(line["opened"]))
        else:
            seats = tuple(map(_text, line["seats"]))
            owners = tuple(None if owner is None else _text(owner) for owner in line["owners"])
            if not len(seats) == len(owners) == self.text.players:
                raise TableError("the seats in the file are not those of the game")
            self.seated = Seated(seats, owners, tuple(map(_text, line.get("names", ()))))

    @property
    def written(self) -> datetime:
        """When the file was last written to."""
        return self._file.written

    def remove(self) -> None:
        """Remove the file."""
        self._file.path.unlink(missing_ok=True)


class KeptGames:
    """The kept games of one game in one folder.

    When there are too many, those opened longest ago are removed: first those whose players are known, since they come
    from a table, a store or an address, where they can be opened again.
    """

    def __init__(self, game: str, folder: Path, most: int = MAX_KEPT) -> None:
        self._game, self._folder, self._most = game, prepared(folder), most
        self._kept: dict[str, KeptGame] = {}  # the one that was opened last at the end
        for file in reversed([*files_in(self._folder, SUFFIX)]):
            with suppress(
                TableError, OSError, KeyError, TypeError, ValueError
            ):  # a damaged one, or one of another game
                self._kept[file.path.name.removesuffix(SUFFIX)] = self._read(file)

    def keep(self, text: GameText, owner: str, seated: Seated | None) -> str:
        """Keep a game that a browser has sent, unless it is kept already; returns its number."""
        number = text.number
        if number not in self._kept:
            self._kept[number] = self._create(text)
            self._make_room(number)
        game = self._kept[number]
        if seated is not None and game.seated is None:
            game.note(vars(seated))
        self.open(number, owner)
        return number

    def open(self, number: str, owner: str) -> KeptGame:
        """A game that a browser opens; TableError if there is none."""
        game = self.find(number)
        if owner not in game.opened:
            game.note({"opened": owner})
        self._kept[number] = self._kept.pop(number)
        return game

    def has(self, number: str) -> bool:
        """Is there a game of this number?"""
        return number in self._kept

    def find(self, number: str) -> KeptGame:
        """The game of this number; TableError if there is none."""
        if number not in self._kept:
            raise TableError("there is no such game")
        return self._kept[number]

    def forget(self, number: str, owner: str) -> None:
        """Remove a game from a browser's list, and delete it once it is in no list."""
        if owner not in self.find(number).opened:
            raise TableError("this game is not in your list")
        if self._kept[number].opened == {owner}:
            self._remove(number)
        else:
            self._kept[number].close(owner)

    def opened_by(self, owner: str) -> Mapping[str, KeptGame]:
        """The games that a browser has opened, the last one first."""
        opened = [(number, game) for number, game in reversed(self._kept.items()) if owner in game.opened]
        return dict(opened[:LISTED])

    def _create(self, text: GameText) -> KeptGame:
        """Write a game to a file, as a whole or not at all."""
        file = TableFile(self._folder / f"{text.number}{SUFFIX}")
        file.write([{"kept": VERSION, "game": self._game, **vars(text)}])
        return KeptGame(text, file)

    def _read(self, file: TableFile) -> KeptGame:
        first, *_ = file.whole_lines() or [{}]
        if first["kept"] != VERSION or first["game"] != self._game:
            raise TableError("the file is of another version, or of another game")
        first, *rest = file.read()
        text = GameText(_text(first["text"]), _text(first["words"]), int(first["players"]))
        game = KeptGame(text, file)
        for line in rest:
            game.take(line)
        return game

    def _make_room(self, newest: str) -> None:
        """Remove games while there are too many."""
        while len(self._kept) > self._most:
            others = [number for number in self._kept if number != newest]
            self._remove(next((number for number in others if self._kept[number].seated is not None), others[0]))

    def _remove(self, number: str) -> None:
        self._kept[number].remove()
        del self._kept[number]


def named_seats(names: Sequence[Any], players: int) -> Seated | None:
    """Seats of somebody elsewhere, called as an address says; None if it names nobody, TableError if these are no
    names.
    """
    if len(names) > players:
        raise TableError(f"{len(names)} names for {players} seats")
    read = tuple(map(read_name, names))
    return Seated((OPEN,) * players, (ELSEWHERE,) * players, read) if any(read) else None


def _text(value: Any) -> str:
    """A text that can be sent; TypeError, ValueError if it is none."""
    if not isinstance(value, str):
        raise TypeError("text")
    return value.encode().decode()  # which half a letter stops
