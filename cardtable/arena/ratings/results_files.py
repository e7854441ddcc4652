"""Results as CSV: a header, and a row for each seat of each game with the columns game, player and score.

A column `deal` is optional: games of one deal share their luck. Games count as played in the order of their first rows,
and the rows of a game need not stand together.
"""

import csv
from collections.abc import Sequence
from io import StringIO
from math import isfinite
from typing import Any

import numpy as np

from cardtable.arena.ratings.results import NOBODY, RatingError, Results
from cardtable.table.checks import brief

NEEDED = ("game", "player", "score")


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
        return [Results.of(list(players), seated, each, deals, lower_is_better) for each in scores]
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
