"""How well a browser has played: its finished games, with the luck of the cards subtracted."""

from collections import Counter
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass
from datetime import datetime
from math import sqrt
from statistics import NormalDist, fmean, stdev
from typing import Any

from cardtable.errors import TableError
from skyjo.web.finished_tables import FinishedTable, finished_table
from skyjo.web.messages import VERSION
from skyjo.web.seating import PEOPLE, seat_titles
from skyjo.web.table_files import TableFile

MOST_LOOKED_AT = 200  # of a browser's tables, the last ones
MOST_KEPT = 2000  # tables of which is known what came of them
FEWEST_ROUNDS = 5  # for an interval
LEVEL = 0.95  # how often the interval covers the true mean
DIGITS = 3


@dataclass(frozen=True)
class _Kept:
    """The results of a table when its file was last written to at this time; None if it does not count."""

    written: int  # nanoseconds
    table: FinishedTable | None


class OwnResults:
    """The results of tables, cached. To be used by one thread, outside the server's event loop."""

    def __init__(self) -> None:
        self._kept: dict[str, _Kept] = {}  # by number, the one that was worked out last at the end

    def document(self, owner: str, files: Sequence[TableFile]) -> dict[str, Any]:
        """The finished games of a browser, newest first, and what they come to; of tables with these files."""
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
            "most": MOST_LOOKED_AT,
            "fewest": FEWEST_ROUNDS,
            "games": [game for _, game in games],
            "total": _total(margins, luck) if games else None,
        }

    def _look_up(self, file: TableFile) -> tuple[FinishedTable | None, int]:
        """What came of the table, and when its file was written to last."""
        try:
            written = file.path.stat().st_mtime_ns
        except OSError:  # it has gone
            return None, 0
        kept = self._kept.get(file.number)
        if kept is None or kept.written != written:
            kept = _Kept(written, _worked_out(file))
            self._kept.pop(file.number, None)
            while len(self._kept) >= MOST_KEPT:
                del self._kept[next(iter(self._kept))]
            self._kept[file.number] = kept
        return kept.table, kept.written


def _worked_out(file: TableFile) -> FinishedTable | None:
    with suppress(
        TableError, OSError, KeyError, TypeError, ValueError, IndexError, OverflowError
    ):  # a damaged one does not count
        return finished_table(file.whole_lines())
    return None


def _game(number: str, table: FinishedTable, seat: int, owner: str, written: int) -> dict[str, Any]:
    titles = seat_titles(table.seats, table.owners, owner)
    names = [titles[other] if text in PEOPLE else text for other, text in enumerate(table.seats) if other != seat]
    share = table.wins[seat]
    outcome = "won" if share == 1 else "lost" if share == 0 else "shared the win"
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
    mean, count = round(fmean(numbers), DIGITS), len(numbers)
    if count < FEWEST_ROUNDS:
        return mean, None
    return mean, round(t_quantile(count - 1) * stdev(numbers) / sqrt(count), DIGITS)


def t_quantile(freedom: int) -> float:
    """The quantile of Student's t that bounds the interval, for at least four degrees of freedom: correct to 0.001.

    By the expansion of Abramowitz and Stegun (26.7.5); scipy, which has it, does not come with the table.
    """
    z = NormalDist().inv_cdf((1 + LEVEL) / 2)
    terms = (
        z,
        (z**3 + z) / 4,
        (5 * z**5 + 16 * z**3 + 3 * z) / 96,
        (3 * z**7 + 19 * z**5 + 17 * z**3 - 15 * z) / 384,
        (79 * z**9 + 776 * z**7 + 1482 * z**5 - 1920 * z**3 - 945 * z) / 92160,
    )
    return sum(term * (1 / freedom) ** power for power, term in enumerate(terms))
