"""The results that ratings are computed from: the player and score of every seat, and the games that share a deal.

As CSV they are a header, and a row for each seat of each game with the columns game, player and score. A column `deal`
is optional: games of one deal share their luck. Games count as played in the order of their first rows, and the rows of
a game need not stand together.
"""

import csv
from collections.abc import Sequence
from dataclasses import dataclass, replace
from io import StringIO
from math import isfinite
from typing import Any, Self

import numpy as np
from numpy.typing import ArrayLike, NDArray

from cardtable.table.checks import brief
from cardtable.table.errors import TableError

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]

NEEDED = ("game", "player", "score")
NOBODY = -1  # an empty seat, where tables of several sizes share one array


class RatingError(TableError):
    """These results cannot be rated; the message gives the reason and a remedy."""


@dataclass(frozen=True)
class Results:
    """Games, or series of games, in the order in which they were played.

    Raises RatingError for results that cannot have happened.

    >>> Results.of(["ann", "bob"], [[0, 1], [1, 0]], [[12, 30], [25, 8]]).better.tolist()
    [[-12.0, -30.0], [-25.0, -8.0]]
    """

    players: tuple[str, ...]
    seated: Ints  # [G, n] the player in every seat, an index into `players`, or NOBODY
    scores: Floats  # [G, n]
    deals: Ints  # [G] games of equal number share a deal
    lower_is_better: bool = True

    @classmethod
    def of(
        cls,
        players: Sequence[str],
        seated: ArrayLike,
        scores: ArrayLike,
        deals: ArrayLike | None = None,
        lower_is_better: bool = True,
    ) -> Self:
        """Return results from anything that numpy can turn into arrays; without deals every game has its own."""
        seats = np.asarray(seated, np.int64)
        numbers = np.arange(len(seats)) if deals is None else np.asarray(deals, np.int64)
        return cls(tuple(players), seats, np.asarray(scores, np.float64), numbers, lower_is_better)

    def __post_init__(self) -> None:
        _refuse(self.is_taken.sum(axis=1, keepdims=True) < 2, "fewer than two players sit at the table")
        _refuse(self.is_taken & ~np.isfinite(self.scores), "a score is not a finite number")
        ranked = np.sort(self.seated, axis=1)
        _refuse((ranked[:, 1:] == ranked[:, :-1]) & (ranked[:, 1:] != NOBODY), "a player sits there twice")

    @property
    def is_taken(self) -> NDArray[np.bool_]:
        """True for every taken seat, [G, n]."""
        return np.not_equal(self.seated, NOBODY)

    @property
    def better(self) -> Floats:
        """The scores such that more is better, [G, n]."""
        return -self.scores if self.lower_is_better else self.scores


def _refuse(is_wrong: NDArray[np.bool_], what: str) -> None:
    """Raise RatingError that names the first row where something is wrong, [G, anything]."""
    if is_wrong.any():
        raise RatingError(f"row {int(np.argmax(is_wrong.any(axis=1)))}: {what}")


def in_series(results: Results, length: int) -> Results:
    """Sum the scores of `length` games at a time between the same players, wherever they sit.

    A series takes the place and the deal of its last game. The last games of a table that fill no series are left out:
    a shorter series would be noisier than the others.
    """
    if length < 1:
        raise RatingError(f"a series has at least one game, not {length}")
    order = np.argsort(results.seated, axis=1)  # the same players in the same columns
    seated = np.take_along_axis(results.seated, order, axis=1)
    scores = np.take_along_axis(results.scores, order, axis=1)
    table = np.unique(seated, axis=0, return_inverse=True)[1].reshape(-1)
    rows = np.argsort(table, kind="stable")  # table by table, in the order of play
    starts = np.flatnonzero(np.diff(table[rows], prepend=-1))
    ends = [*starts[1:], len(rows)]
    whole = [rows[start : end - (end - start) % length] for start, end in zip(starts, ends, strict=True)]
    groups = np.concatenate([np.zeros(0, np.int64), *whole]).reshape(-1, length)
    groups = groups[np.argsort(groups[:, -1])]
    last = groups[:, -1]
    return replace(results, seated=seated[last], scores=scores[groups].sum(axis=1), deals=results.deals[last])


def joined(parts: Sequence[Results]) -> Results:
    """Return results one after the other, of the players of all parts; deals of different parts stay apart."""
    if len({part.lower_is_better for part in parts}) > 1:
        raise RatingError("only results of one kind of score can be joined")
    players = list(dict.fromkeys(player for part in parts for player in part.players))
    seats, first = max(part.seated.shape[1] for part in parts), 0
    seated, scores, deals = [], [], []
    for part in parts:
        room = ((0, 0), (0, seats - part.seated.shape[1]))
        numbers = np.array([*map(players.index, part.players), NOBODY])  # an empty seat's -1 is the last of them
        seated.append(np.pad(numbers[part.seated], room, constant_values=NOBODY))
        scores.append(np.pad(part.scores, room))
        deals.append(first + np.unique(part.deals, return_inverse=True)[1])
        first += len(part.deals)
    rows = np.concatenate(seated), np.concatenate(scores), np.concatenate(deals)
    return Results.of(players, *rows, parts[0].lower_is_better)


def games_and_wins(results: Results) -> tuple[Ints, Floats]:
    """Return how many games every player played, [P], and how many they won; those who tie for a win share it."""
    players, better = len(results.players), np.where(results.is_taken, results.better, -np.inf)
    is_best = better == better.max(axis=1, keepdims=True)
    shares = is_best / is_best.sum(axis=1, keepdims=True)
    who, games, wins = results.seated[results.is_taken], np.zeros(players, np.int64), np.zeros(players)
    np.add.at(games, who, 1)
    np.add.at(wins, who, shares[results.is_taken])
    return games, wins


# Files


def read_results(text: str, file: str, numbers: Sequence[str] = (), lower_is_better: bool = True) -> list[Results]:
    """Return the games with their scores, then for each of the further columns the same games with it as scores.

    RatingError names the file, the line, and what is allowed.
    """
    reader = csv.DictReader(StringIO(text.removeprefix("\ufeff"), newline=""), skipinitialspace=True, strict=True)
    games: dict[str, list[tuple[int, dict[str, Any]]]] = {}
    try:
        missing = [name for name in (*NEEDED, *numbers) if name not in (reader.fieldnames or ())]
        if missing:
            there = ", ".join(reader.fieldnames or ()) or "nothing"
            raise RatingError(f"{file}: no column {missing[0]}: there is {there[:100]}; required: game, player, score")
        for row in reader:
            games.setdefault(row["game"], []).append((reader.line_num, row))
    except csv.Error as error:
        raise RatingError(f"{file}: line {reader.reader.line_num}: {error}") from None
    if not games:
        raise RatingError(f"{file}: there are no games under the header")
    players = {row["player"]: 0 for rows in games.values() for _, row in rows}
    numbered = {name: number for number, name in enumerate(players)}
    seats = max(map(len, games.values()))
    seated = np.full((len(games), seats), NOBODY)
    scores = np.zeros((1 + len(numbers), len(games), seats))
    for game, rows in enumerate(games.values()):
        for seat, (line, row) in enumerate(rows):
            seated[game, seat] = numbered[row["player"]]
            scores[:, game, seat] = [_number(file, line, row, name) for name in ("score", *numbers)]
    dealt = [rows[0][1].get("deal") or f"game {game}" for game, rows in games.items()]
    deals = np.unique(dealt, return_inverse=True)[1]
    try:
        return [Results.of(list(players), seated, points, deals, lower_is_better) for points in scores]
    except RatingError as error:
        raise RatingError(f"{file}: {error}") from None


def _number(file: str, line: int, row: dict[str, Any], name: str) -> float:
    try:
        value = float(row[name])
    except (TypeError, ValueError):
        value = np.nan
    if not isfinite(value):
        raise RatingError(f"{file}: line {line}: {name} must be a finite number, not {brief(row[name])}")
    return value
