"""Results as text: a CSV with a header, or a JSON list of objects, with one row for each seat of each game.

The columns are `game`, `player` and `score`, and optionally `deal` (games of one deal share their luck) and `seat`;
others are ignored unless they are asked for. The rows of a game need not stand together: games count as played in the
order of their first rows.
"""

import csv
import json
from collections.abc import Sequence
from dataclasses import dataclass, replace
from io import StringIO
from operator import itemgetter
from typing import Any

import numpy as np
from numpy.typing import NDArray

from cardtable.checks import brief
from cardtable.ratings.results import NOBODY, Floats, Ints, RatingError, Results

NAMES, OPTIONAL = ("game", "player", "score"), ("deal", "seat")
HINT = "required: game, player, score; optional: deal, seat"


@dataclass(frozen=True)
class Rows:
    """The columns of a file, and where in the file each row stands."""

    file: str
    unit: str  # what is counted in the file: lines, or objects
    places: Sequence[int]
    columns: dict[str, list[str]]

    def error(self, row: Any, what: str) -> RatingError:
        """The error for a row."""
        return RatingError(f"{self.file}: {self.unit} {self.places[int(row)]}: {what}")

    def refuse(self, is_wrong: NDArray[np.bool_], name: str, what: str) -> None:
        """RatingError for the first row whose value in a column is wrong."""
        if is_wrong.any():
            row = int(np.argmax(is_wrong))
            raise self.error(row, f"{name} must be {what}, not {brief(self.columns[name][row])}")

    def numbers(self, name: str) -> Floats:
        """A column of finite numbers, [rows]."""
        column = self.columns[name]
        try:
            values = np.array(column, np.float64)
        except ValueError:
            values = np.array([_number(text) for text in column])
        self.refuse(~np.isfinite(values), name, "a finite number")
        return values

    def codes(self, name: str) -> tuple[Ints, list[str]]:
        """A column of names as numbers in the order of their first rows, [rows], and the names."""
        known: dict[str, int] = {}
        codes = np.array([known.setdefault(text, len(known)) for text in self.columns[name]], np.int64)
        if "" in known:
            self.refuse(codes == known[""], name, "a name or a number")
        return codes, list(known)


def read_results(text: str, file: str, numbers: Sequence[str] = (), lower_is_better: bool = True) -> list[Results]:
    """The games with their scores, then for each of the further columns the same games with its numbers as scores.

    RatingError names the file, the line (of JSON the object, counted from 1), and what is allowed.
    """
    body = text.removeprefix("\ufeff")
    read = _from_json if body.lstrip()[:1] in ("[", "{") else _from_csv
    rows = read(body, file, numbers)
    games, names = rows.codes("game")
    players, people = rows.codes("player")
    _check_tables(rows, games, names, players, people)
    deals = _deals(rows, games, names)
    order = _order(rows, games, names)
    sizes = np.bincount(games)
    places = np.arange(len(order)) - np.repeat(np.cumsum(sizes) - sizes, sizes)

    def seated(values: NDArray[Any], filler: int) -> NDArray[Any]:
        table = np.full((len(sizes), sizes.max()), filler, values.dtype)
        table[games[order], places] = values[order]
        return table

    scores = [seated(rows.numbers(name), 0) for name in ("score", *numbers)]
    first = Results.of(people, seated(players, NOBODY), scores[0], deals, lower_is_better)
    return [first, *(replace(first, scores=each) for each in scores[1:])]


def _from_csv(text: str, file: str, numbers: Sequence[str]) -> Rows:
    reader = csv.reader(StringIO(text, newline=""), skipinitialspace=True, strict=True)
    rows, places = [], []
    try:
        header = [name.strip() for name in next(filter(None, reader), [])]
        for row in filter(None, reader):
            rows.append(row)
            places.append(reader.line_num)
    except csv.Error as error:
        raise RatingError(f"{file}: line {reader.line_num}: {error}") from None
    wanted = _wanted(header, file, numbers)
    twice = next((name for name in wanted if header.count(name) > 1), None)
    if twice is not None:
        raise RatingError(f"{file}: the column {twice} appears twice in the header")
    if not rows:
        raise RatingError(f"{file}: there are no games under the header")
    found = Rows(file, "line", places, {})
    uneven = next((number for number, row in enumerate(rows) if len(row) != len(header)), None)
    if uneven is not None:
        words = f"{len(rows[uneven])} fields under a header of {len(header)}; put a name with a comma in quotes"
        raise found.error(uneven, words)
    columns = {name: list(map(itemgetter(header.index(name)), rows)) for name in wanted}
    return replace(found, columns={name: list(map(str.strip, column)) for name, column in columns.items()})


def _from_json(text: str, file: str, numbers: Sequence[str]) -> Rows:
    try:
        objects = json.loads(text)
    except json.JSONDecodeError as error:
        raise RatingError(f"{file}: line {error.lineno}: this is not JSON: {error.msg}") from None
    except (RecursionError, ValueError):  # nested without end, or a number of thousands of digits
        raise RatingError(f"{file}: this JSON holds more than names and numbers") from None
    if not isinstance(objects, list) or not all(isinstance(each, dict) for each in objects):
        raise RatingError(f"{file}: this JSON is not a list of objects, one per seat and game")
    if not objects:
        raise RatingError(f"{file}: there are no games in the list")
    wanted = _wanted(list(objects[0]), file, numbers)
    found = Rows(file, "object", range(1, len(objects) + 1), {})
    columns: dict[str, list[str]] = {name: [] for name in wanted}
    for row, each in enumerate(objects):
        for name in wanted:
            value = each.get(name)
            if type(value) not in (str, int, float):
                raise found.error(row, f"{name} must be text or a number, not {json.dumps(value)[:40]}")
            columns[name].append(str(value).strip())
    return replace(found, columns=columns)


def _wanted(names: Sequence[str], file: str, numbers: Sequence[str]) -> list[str]:
    """The columns to read; RatingError if a needed one is missing."""
    missing = [name for name in (*NAMES, *numbers) if name not in names]
    if missing:
        there = f"there are {', '.join(names)[:100]}" if any(names) else "the file is empty"
        raise RatingError(f"{file}: no column {' and no column '.join(missing)}: {there}; {HINT}")
    return [*NAMES, *(name for name in OPTIONAL if name in names), *(name for name in numbers if name not in NAMES)]


def _number(text: str) -> float:
    try:
        return float(text)
    except ValueError:
        return np.nan


def _check_tables(rows: Rows, games: Ints, names: list[str], players: Ints, people: list[str]) -> None:
    """RatingError if a game has one player, or a player twice."""
    alone = np.bincount(games)[games] < 2
    if alone.any():
        row = np.argmax(alone)
        raise rows.error(row, f"game {names[games[row]]} has only one player; a table has at least two")
    twice = _repeated(games * len(people) + players)
    if twice is not None:
        raise rows.error(twice, f"{people[players[twice]]} plays twice in game {names[games[twice]]}")


def _repeated(keys: Ints) -> int | None:
    """The first row whose key another row had before."""
    order = np.argsort(keys, kind="stable")
    again = order[1:][keys[order[1:]] == keys[order[:-1]]]
    return int(again.min()) if len(again) else None


def _deals(rows: Rows, games: Ints, names: list[str]) -> Ints | None:
    """The deal of every game, [G]; None without a column for it."""
    if "deal" not in rows.columns:
        return None
    deals, said = rows.codes("deal")
    of_game = deals[np.unique(games, return_index=True)[1]]
    row = int(np.argmax(deals != of_game[games]))
    if deals[row] != of_game[games[row]]:
        both = f"{said[of_game[games[row]]]} and {said[deals[row]]}"
        raise rows.error(row, f"game {names[games[row]]} has two deals, {both}; a game has one")
    return of_game


def _order(rows: Rows, games: Ints, names: list[str]) -> Ints:
    """The rows game by game, and in each game by seat, or as they stand."""
    if "seat" not in rows.columns:
        return np.argsort(games, kind="stable")
    seats = rows.numbers("seat")
    rows.refuse((seats != np.round(seats)) | (seats < 0) | (seats > 10**6), "seat", "a whole number, 0 or more")
    taken = _repeated(games * (10**6 + 1) + seats.astype(np.int64))
    if taken is not None:
        raise rows.error(taken, f"seat {rows.columns['seat'][taken]} of game {names[games[taken]]} is taken already")
    return np.lexsort((seats, games))
