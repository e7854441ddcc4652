"""Judges a recorded game one decision at a time, while somebody waits, and checks those that seem to give something
away.

Results are ready for JSON, and decisions are numbered from 1.
"""

from collections.abc import Callable, Sequence
from contextlib import suppress
from typing import Any, TypedDict

from cardtable.arena.exam.analysis import Analyst, Judged, StoppedError, conduct_of
from cardtable.table.agents.agents import agents_of
from cardtable.table.errors import AgentError, TableError
from cardtable.table.game.card_game import find_game
from cardtable.table.game.records import RecordFormat
from skyjo.analysis.analysed_game import (
    PHRASES,
    ChoiceDocument,
    ConductDocument,
    JudgedDocument,
    choices_at,
    conduct_document,
    conduct_lines,
    judged_document,
    marked,
    marks_in_words,
    rounded,
)
from skyjo.interfaces import GameInterface, loaded
from skyjo.table.described_game import DescribedGame

MAX_MISTAKES = 3  # that are shown of a round


class ExplainedDocument(JudgedDocument):
    """A judged decision with its reasons."""

    why: str  # the best choice and the one that was made, compared; empty for a decision without a mark


class PositionDocument(TypedDict):
    """What the choices of the seat to move are worth."""

    choices: Sequence[ChoiceDocument]
    seat: int


class PlayersDocument(TypedDict):
    """How all seats played."""

    players: Sequence[ConductDocument]
    worst: Sequence[int]  # the marked decisions by number, the most costly first
    lines: Sequence[Sequence[str]]  # by seat, the same in words
    doubtful: int  # decisions that a check would try out


class Judge:
    """Judges a game of this program's by the first of its judges that can."""

    def __init__(self, interface: GameInterface, record: dict[str, Any]) -> None:
        """TableError if nobody can judge by these rules."""
        game = find_game(interface.game)
        self.total = len(record["actions"])  # decisions; 0 for a position
        self._start, self._interface = RecordFormat(game).begin(record), interface
        _, self._analyst = analyst_for(interface, self._start.rules)
        self._decisions = self._analyst.decisions(record)
        self._judged: list[Judged] = []
        self._names = game.action_names(self._start.rules)

    @property
    def judged(self) -> int:
        """How many decisions have been judged."""
        return len(self._judged)

    def judge(self) -> None:
        """Judge the next decision."""
        self._judged.append(next(self._decisions))

    def position(self) -> PositionDocument:
        """What every choice is worth at the beginning."""
        return {"choices": rounded(choices_at(self._start, self._analyst)), "seat": self._start.seat}

    @property
    def doubtful(self) -> Sequence[int]:
        """The decisions that seem to give something away, the worst first."""
        doubtful = [judged for judged in self._judged if self._analyst.is_doubtful(judged)]
        return [judged.number for judged in sorted(doubtful, key=lambda judged: -judged.seems_lost)]

    def check(self, move: int, is_stopped: Callable[[], bool]) -> bool:
        """Check a decision unless that is done; False if it was stopped."""
        with suppress(StoppedError):
            self._judged[move - 1] = self._analyst.checked(self._judged[move - 1], is_stopped)
            return True
        return False

    def move(self, move: int) -> ExplainedDocument:
        """A judged decision."""
        judged = self._judged[move - 1]
        why = self._why(judged) if judged.mark else ""
        explained: ExplainedDocument = rounded({**judged_document(judged, self._names), "why": why})
        return explained

    def conduct(self, names: Sequence[str]) -> PlayersDocument:
        """How all seats played, as far as is judged and checked."""
        conducts = [conduct_of(seat, self._judged) for seat in range(self._start.rules.players)]
        return {
            "players": [rounded(conduct_document(conduct, self._interface.levels)) for conduct in conducts],
            "worst": [judged.number for judged in marked(self._judged)],
            "lines": [
                conduct_lines(name, conduct, self._interface.levels)
                for name, conduct in zip(names, conducts, strict=True)
            ],
            "doubtful": len(self.doubtful),
        }

    def _why(self, judged: Judged) -> str:
        """What the game can say of the best choice, and of the one that was made."""
        reason = self._interface.phrases.reason
        better, chosen = (reason(self._start.rules, judged.observation, one) for one in (judged.best, judged.action))
        if not better or not chosen or chosen in better:
            return better or chosen
        return PHRASES["compared"].format(better=better, made=chosen)


def analyst_for(interface: GameInterface, rules: Any, judge: str = "") -> tuple[str, Analyst]:
    """The agent that judges, and its analyst: this one, or the first of the game's judges that can by these rules;
    TableError if there is none.
    """
    agents = agents_of(find_game(interface.game))
    if judge:
        try:
            return judge, loaded(interface.analyst)(agents.make(judge, rules))
        except AgentError as error:
            raise AgentError(f"judge {judge}: {error}") from None
    for name in interface.judges:
        with suppress(AgentError):  # whose words may name a file of the server
            return name, loaded(interface.analyst)(agents.make(name, rules))
    raise TableError(f"no agent can judge games of {interface.title} under these rules with {rules.players} players")


def mistakes(interface: GameInterface, record: dict[str, Any], seat: int, number: int) -> list[str]:
    """What the decisions of a seat in a round gave away, and the worst of them, in lines for the player; TableError if
    nobody can judge.
    """
    game = find_game(interface.game)
    start = RecordFormat(game).begin(record)
    names, (_, analyst) = game.action_names(start.rules), analyst_for(interface, start.rules)
    own = list(analyst.decisions(record, lambda *of: of == (number, seat)))
    conduct = conduct_of(seat, own)
    described = DescribedGame(start)
    words = [described.apply(action).words for action in record["actions"]]
    first = f"Your decisions gave away {conduct.lost:.1f} points in this round: {marks_in_words(conduct.marks)}."
    return [first, *(_mistake(judged, words[judged.number - 1], names) for judged in marked(own)[:MAX_MISTAKES])]


def _mistake(judged: Judged, words: str, names: Sequence[str]) -> str:
    best = names[judged.best]
    return f"  move {judged.number}: {words}; {best} was worth {judged.lost:.1f} points more"
