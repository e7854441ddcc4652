"""How a seat played a finished game: what its decisions gave away, in which luck has no part."""

from collections.abc import Sequence
from contextlib import suppress
from time import monotonic
from typing import Any, TypedDict

from cardtable.arena.exam.analysis import Analyst, Judged, conduct_of
from cardtable.table.errors import TableError
from cardtable.table.game.table_game import TableGame
from skyjo.analysis.analysed_game import conduct_document
from skyjo.analysis.judge import analyst_for
from skyjo.programs import Program

DIGITS = 3


class ScoreDocument(TypedDict):
    """What is known of a seat, in points; better is more in all of them but `lost`."""

    decisions: int
    unforced: int  # in which it made a difference what was chosen
    lost: float  # given away by all decisions
    lost_a_decision: float  # by an unforced one, on average
    level: str  # the agent that gives away about as much; empty if none is known
    inaccuracies: int
    mistakes: int
    blunders: int
    margin: float  # by how much its total is ahead of the mean of the others
    luck: float | None  # what the cards brought to that margin; None where nobody measures it


class SeatJudge:
    """Judges one seat's decisions in a finished game, as many at a time as there is patience for."""

    def __init__(self, program: Program, game: TableGame[Any], seat: int, movers: Sequence[int]) -> None:
        """`movers` are the seats that decided, in order. Without an agent that can judge, there is nothing to do."""
        self._program, self._game, self._seat = program, game, seat
        self._judged: list[Judged] = []
        self.judge, self.left = "", 0  # who judges, and how many decisions are not judged yet
        with suppress(TableError):  # nobody knows these rules
            self.judge, analyst = analyst_for(program, game.rules)
            self._prepare(analyst, movers)

    def _prepare(self, analyst: Analyst, movers: Sequence[int]) -> None:
        """Only where luck is measured do the decisions of the others matter."""
        seats = range(self._game.rules.players) if analyst.measures_luck else [self._seat]
        self._decisions = analyst.decisions(self._game.record(), lambda _, mover: mover in seats)
        self.left = sum(mover in seats for mover in movers)

    def go_on(self, seconds: float) -> None:
        """Judge the next decision, and more of them for so long."""
        until = monotonic() + seconds
        while self.left > 0:
            self._judged.append(next(self._decisions))
            self.left -= 1
            if monotonic() >= until:
                return

    def score(self) -> ScoreDocument | None:
        """How the seat played; None if nobody can judge, or as long as decisions are left."""
        if not self.judge or self.left > 0:
            return None
        conduct = conduct_of(self._seat, self._judged)
        document = conduct_document(conduct, self._program.levels)
        return {
            "decisions": document["decisions"],
            "unforced": document["unforced"],
            "lost": round(conduct.lost, DIGITS),
            "lost_a_decision": round(conduct.lost_a_decision, DIGITS),
            "level": document["level"],
            "inaccuracies": document["inaccuracies"],
            "mistakes": document["mistakes"],
            "blunders": document["blunders"],
            "margin": round(self._margin(), DIGITS),
            "luck": None if conduct.luck is None else round(conduct.luck, DIGITS),
        }

    def _margin(self) -> float:
        totals = self._game.totals
        own = totals[self._seat]
        ahead = own - (sum(totals) - own) / (len(totals) - 1)
        return -ahead if self._game.kind.lower_is_better else ahead
