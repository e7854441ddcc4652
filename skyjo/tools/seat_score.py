"""The score of a seat's play in a finished game: the losses of its decisions, without luck."""

from collections.abc import Sequence
from contextlib import suppress
from time import monotonic
from typing import Any

from cardtable.arena.exam.analysis import Analyst, Judged, conduct_of
from cardtable.table.errors import TableError
from cardtable.table.game.table_game import TableGame
from skyjo.analysis.analysed_game import ConductDocument, conduct_document, rounded
from skyjo.analysis.judge import analyst_for
from skyjo.interfaces import GameInterface


class SeatJudge:
    """Judges one seat's decisions in a finished game, as many at a time as there is patience for."""

    def __init__(self, interface: GameInterface, game: TableGame[Any], seat: int, movers: Sequence[int]) -> None:
        """Take the seats that decided, in order, as `movers`. Without an agent that can judge, nothing is judged."""
        self._interface, self._game, self._seat = interface, game, seat
        self._judged: list[Judged] = []
        self.judge, self.left = "", 0  # who judges, and how many decisions are not judged yet
        with suppress(TableError):  # no judge knows these rules
            self.judge, analyst = analyst_for(interface, game.rules)
            self._prepare(analyst, movers)

    def _prepare(self, analyst: Analyst, movers: Sequence[int]) -> None:
        """Only where luck is measured do the decisions of the others matter."""
        seats = range(self._game.rules.players) if analyst.measures_luck else [self._seat]
        self._decisions = analyst.decisions(self._game.record(), lambda _, mover: mover in seats)
        self.left = sum(mover in seats for mover in movers)

    def work_on(self, seconds: float) -> None:
        """Judge the next decision, and more of them for so long."""
        until = monotonic() + seconds
        while self.left > 0:
            self._judged.append(next(self._decisions))
            self.left -= 1
            if monotonic() >= until:
                return

    def score(self) -> ConductDocument | None:
        """Return the conduct of the seat, with the margin of the totals; None without a judge, or while decisions are
        left.
        """
        if not self.judge or self.left > 0:
            return None
        conduct = conduct_document(conduct_of(self._seat, self._judged), self._interface.levels)
        score: ConductDocument = rounded(conduct | {"margin": self._margin()})
        return score

    def _margin(self) -> float:
        totals = self._game.totals
        own = totals[self._seat]
        ahead = own - (sum(totals) - own) / (len(totals) - 1)
        return -ahead if self._game.card_game.lower_is_better else ahead
