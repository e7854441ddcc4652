"""How well a browser has played: its finished games, by how much it was ahead in every round, and how much of that was
luck.

All of it is computed from the files of tables, so it can be done outside the server's event loop.
"""

from collections import Counter
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from datetime import datetime
from statistics import fmean
from typing import Any

import numpy as np
from numpy.typing import NDArray

from cardtable.arena.play.luck import advantage, luck_of
from cardtable.arena.statistics import estimate
from cardtable.table.errors import IllegalActionError, TableError
from cardtable.table.game.card_game import Setup, find_game
from cardtable.table.game.measured_deals import MeasuredDeals
from cardtable.table.game.table_game import TableGame, game_class
from cardtable.table.kernel.scoring import margins_and_wins
from skyjo.table.seating import PEOPLE, seat_titles
from skyjo.web.messages import VERSION
from skyjo.web.table_files import Line, TableFile
from skyjo.web.tables import TableSetup

MAX_LOOKED_AT = 200  # of a browser's tables, the last ones
MAX_CACHED = 2000  # tables whose results are remembered
MIN_ROUNDS = 5  # for an interval
DIGITS = 3
SHARPEST = "network"  # the best measure of luck, where it knows the game and the rules

Floats = NDArray[np.float64]


@dataclass(frozen=True)
class FinishedTable:
    """The results of a table that was played to the end and is not practice."""

    seats: Sequence[str]  # you, open, or an agent's text
    owners: Sequence[str | None]  # by seat, the browser that held it
    names: Sequence[str]  # by seat, what it was called; empty where it had no name
    margins: Floats  # [rounds, players], points ahead of the mean of the others
    luck: Floats  # [rounds, players], the points of the margin that the cards brought
    wins: Floats  # [players], 1 for the winner, shared among several, or among all if nobody wins


@dataclass(frozen=True)
class _Cached:
    """The results of a table, None if it does not count, and when its file was last written to."""

    written: int  # nanoseconds
    table: FinishedTable | None


class OwnResults:
    """The results of tables, cached. To be used by one thread, outside the server's event loop."""

    def __init__(self) -> None:
        self._cached: dict[str, _Cached] = {}  # by number, the most recent last

    def document(self, owner: str, files: Sequence[TableFile]) -> dict[str, Any]:
        """The finished games of a browser among the tables with these files, newest first, and what they come to."""
        games, margins, luck = [], [], []
        for file in files:
            table, written = self._look_up(file)
            if table is None or table.owners.count(owner) != 1:
                continue
            seat = table.owners.index(owner)
            games.append((written, _game(file.number, table, seat, owner, written)))
            margins += table.margins[:, seat].tolist()
            luck += table.luck[:, seat].tolist()
        games.sort(key=lambda game: -game[0])
        return {
            "version": VERSION,
            "most": MAX_LOOKED_AT,
            "fewest": MIN_ROUNDS,
            "games": [game for _, game in games],
            "total": _total(margins, luck) if games else None,
        }

    def _look_up(self, file: TableFile) -> tuple[FinishedTable | None, int]:
        """The results of a table, and when its file was last written to."""
        try:
            written = file.path.stat().st_mtime_ns
        except OSError:  # it has gone
            return None, 0
        cached = self._cached.get(file.number)
        if cached is None or cached.written != written:
            cached = _Cached(written, _results_of(file))
            self._cached.pop(file.number, None)
            while len(self._cached) >= MAX_CACHED:
                del self._cached[next(iter(self._cached))]
            self._cached[file.number] = cached
        return cached.table, cached.written


def finished_table(lines: Sequence[Line]) -> FinishedTable | None:
    """The table described by the lines of a file; None if it is not over, was stopped, or is practice.

    TableError if the lines are damaged.
    """
    first, *rest = lines
    table = TableSetup.read(first)
    if table.is_practice or any({"undo", "lent"} & line.keys() for line in rest):
        return None
    setup = _setup(table)
    actions = np.array([line["action"] for line in rest if "action" in line], setup.game.action_type)
    game = game_class(find_game(table.game))(setup.rules, table.seed, 0, table.episode)
    ends, scores = _play(game, actions)
    if not game.is_over or game.is_truncated:
        return None
    lower = setup.game.lower_is_better
    margins, _ = margins_and_wins(np.array(scores), lower)
    _, wins = margins_and_wins(np.array([np.sum(scores, axis=0)]), lower)
    owners, names = _seated(table, rest)
    return FinishedTable(table.seats, owners, names, margins, _luck(setup, actions, ends), wins[0])


def _seated(table: TableSetup, lines: Sequence[Line]) -> tuple[list[str | None], list[str]]:
    """By seat, the browser that held it in the end, and what it was called."""
    owners, names = list(table.owners), table.all_names
    for line in lines:
        if "join" in line:
            owners[line["join"]], names[line["join"]] = line["owner"], str(line.get("name", ""))
    return owners, names


def _setup(table: TableSetup) -> Setup:
    """What was played, with the best measure of luck."""
    rules = find_game(table.game).rules(table.rules, len(table.seats))
    setup = Setup(rules, table.seed, table.episode, with_luck=True)
    with suppress(TableError):  # nobody offers it for this game, or it does not know these rules
        sharpest = replace(setup, luck_by=SHARPEST)
        luck_of(sharpest)
        return sharpest
    return setup


def _play(game: TableGame[Any], actions: NDArray[Any]) -> tuple[list[int], list[tuple[int, ...]]]:
    """After how many decisions each round ended, and its scores."""
    ends, scores = [], []
    for number, action in enumerate(actions.tolist(), 1):
        current = game.round
        try:
            game.apply(action)
        except IllegalActionError as error:
            raise TableError(f"the file of this table is damaged: {error}") from None
        if game.is_over or game.round != current:
            ends.append(number)
            scores.append(game.round_scores)
    return ends, scores


def _luck(setup: Setup, actions: NDArray[Any], ends: Sequence[int]) -> Floats:
    """The points of the margin that luck brought, [rounds, players]."""
    luck = luck_of(setup)
    if luck.read is None:
        noted = _noted(setup, actions, ends)
    else:
        noted = [luck.read(setup, np.zeros(1, np.int64), np.array([end]), actions[:end])[0] for end in ends]
    by_round = np.diff(np.stack(noted), axis=0, prepend=0)  # [rounds, players, terms]
    points: Floats = advantage(by_round) @ luck.weights
    return points


def _noted(setup: Setup, actions: NDArray[Any], ends: Sequence[int]) -> list[Floats]:
    """The luck terms up to the end of each round, each [players, terms]."""
    tables, noted = MeasuredDeals(setup, range(1)), []
    for number, action in enumerate(actions, 1):
        tables.step(np.array([action], np.int64))
        if number in ends:
            noted.append(tables.rounds().luck[0])
    return noted


def _results_of(file: TableFile) -> FinishedTable | None:
    with suppress(
        TableError, OSError, KeyError, TypeError, ValueError, IndexError, OverflowError
    ):  # a damaged one does not count
        return finished_table(file.whole_lines())
    return None


def _game(number: str, table: FinishedTable, seat: int, owner: str, written: int) -> dict[str, Any]:
    titles = seat_titles(table.seats, table.owners, owner, table.names)
    called = [titles[other] if text in PEOPLE else table.names[other] or text for other, text in enumerate(table.seats)]
    names = called[:seat] + called[seat + 1 :]
    share = table.wins[seat]
    shared = "drew" if share == min(table.wins) else "shared the win"
    outcome = "won" if share == 1 else "lost" if share == 0 else shared
    return {
        "table": number,
        "words": f"{outcome} against {_listed(names)}",
        "when": datetime.fromtimestamp(written / 1e9).astimezone().isoformat(timespec="minutes"),
        "margin": round(float(table.margins[:, seat].mean()), DIGITS),
        "luck": round(float(table.luck[:, seat].mean()), DIGITS),
        "rounds": len(table.margins),
    }


def _listed(names: Sequence[str]) -> str:
    """The names as a list in words; 2 × tempo if there are two of that name."""
    *most, last = [name if count == 1 else f"{count} × {name}" for name, count in Counter(names).items()]
    return f"{', '.join(most)} and {last}" if most else last


def _total(margins: Sequence[float], luck: Sequence[float]) -> dict[str, Any]:
    """The means of all rounds."""
    without_luck = [margin - part for margin, part in zip(margins, luck, strict=True)]
    return {"rounds": len(margins), "margin": _estimate(margins), "without_luck": _estimate(without_luck)}


def _estimate(numbers: Sequence[float]) -> tuple[float, float | None]:
    """The mean, and half the width of its interval; of few numbers there is none."""
    if len(numbers) < MIN_ROUNDS:
        return round(fmean(numbers), DIGITS), None
    found = estimate(numbers)
    return round(found.mean, DIGITS), round(found.half, DIGITS)
