"""Judges a recorded game of Skyjo one decision at a time, while somebody waits. See `skyjo.programs.Judge`."""

from collections.abc import Callable, Sequence
from typing import Any, TypedDict

import numpy as np
from numpy.typing import NDArray

from cardtable.card_game import find_game
from cardtable.errors import AgentError, TableError
from skyjo.games.skyjo.analysed_game import (
    WORST,
    CheckDocument,
    ChoiceDocument,
    ConductDocument,
    choices_of,
    conduct_document,
    conduct_lines,
    marks_in_words,
)
from skyjo.table.described_game import DescribedGame
from skyjo_agents.analysis import DOUBTFUL, Analyst, Check, Judged, conduct_of
from skyjo_agents.policy import LookAgent
from skyjo_env.card_game import SKYJO
from skyjo_env.rules import Rules

DIGITS = 3
MOST_MISTAKES = 3  # that are shown of a round


class MoveDocument(TypedDict):
    """A judged decision; the lists are by seat, all of them points of the margin."""

    move: int  # from 1
    seat: int
    action: int
    choices: Sequence[ChoiceDocument]  # best first
    forced: bool
    lost: float
    mark: str
    check: CheckDocument | None
    luck: Sequence[float]
    expected: Sequence[float]  # what the best choice was worth
    chosen: Sequence[float]  # what the choice that was made was worth
    margins: Sequence[float] | None  # of the round that it ended


class PositionDocument(TypedDict):
    """What the choices of the seat to move are worth."""

    choices: Sequence[ChoiceDocument]
    seat: int


class PlayersDocument(TypedDict):
    """How all seats played."""

    players: Sequence[ConductDocument]
    worst: Sequence[int]  # the decisions that gave most away, by number
    lines: Sequence[Sequence[str]]  # by seat, the same in words


class _StoppedError(Exception):
    """Nobody waits for the check any more."""


class _StoppableAnalyst(Analyst):
    """An analyst whose checks end early if nobody waits for them."""

    def __init__(self, look: LookAgent) -> None:
        super().__init__(look)
        self.is_stopped: Callable[[], bool] = lambda: False

    def _try(self, *guesses: Any) -> NDArray[np.float64]:
        if self.is_stopped():
            raise _StoppedError
        return super()._try(*guesses)


class Judge:
    """Judges by `look`, with the policy that comes with the package."""

    def __init__(self, record: dict[str, Any]) -> None:
        """AgentError if no policy knows the rules."""
        self._actions: Sequence[int] = record["actions"]
        self.total = len(self._actions)
        self._start = SKYJO.records.begin(record)
        self._analyst = _StoppableAnalyst(_look(self._start.rules))
        self._decisions = self._analyst.decisions(record)
        self._judged: list[Judged] = []
        self._names = find_game("skyjo").action_names(self._start.rules)

    @property
    def judged(self) -> int:
        """How many decisions have been judged."""
        return len(self._judged)

    def judge(self) -> None:
        """Judge the next decision."""
        self._judged.append(next(self._decisions))

    def position(self) -> PositionDocument:
        """What every choice is worth at the beginning."""
        if self._start.is_over:
            raise TableError("the game is over and has no decisions")
        worths = self._analyst.look.worths(self._start.observation())
        return {"choices": self._choices(worths[:, self._start.seat]), "seat": self._start.seat}

    @property
    def doubtful(self) -> Sequence[int]:
        """The decisions that seem to give something away, the worst first."""
        doubtful = [judged for judged in self._judged if judged.seems_lost >= DOUBTFUL]
        return [judged.number for judged in sorted(doubtful, key=lambda judged: -judged.seems_lost)]

    def check(self, move: int, is_stopped: Callable[[], bool]) -> bool:
        """Check a decision unless that is done; False if it was stopped."""
        judged = self._judged[move - 1]
        if judged.check is None:
            self._analyst.is_stopped = is_stopped
            try:
                self._judged[move - 1] = self._analyst.checked(judged)
            except _StoppedError:
                return False
        return True

    def move(self, move: int) -> MoveDocument:
        """A judged decision."""
        judged = self._judged[move - 1]
        return {
            "move": judged.number,
            "seat": judged.seat,
            "action": judged.action,
            "choices": self._choices(judged.worths[:, judged.seat]),
            "forced": judged.is_forced,
            "lost": _point(judged.lost),
            "mark": judged.mark,
            "check": None if judged.check is None else _check(judged.check),
            "luck": _points(judged.luck),
            "expected": _points(judged.worths[judged.best]),
            "chosen": _points(judged.worths[judged.action]),
            "margins": None if judged.margins is None else _points(judged.margins),
        }

    def conduct(self, names: Sequence[str]) -> PlayersDocument:
        """How all seats played, as far as is judged and checked."""
        conducts = [conduct_of(seat, self._judged) for seat in range(self._start.rules.players)]
        marked = sorted((judged for judged in self._judged if judged.mark), key=lambda judged: -judged.lost)
        return {
            "players": [_rounded(conduct_document(conduct)) for conduct in conducts],
            "worst": [judged.number for judged in marked[:WORST]],
            "lines": [conduct_lines(name, conduct) for name, conduct in zip(names, conducts, strict=True)],
        }

    def mistakes(self, seat: int, number: int) -> Sequence[str]:
        """What a seat's decisions in a round gave away, and the worst of them."""
        own = [judged for judged in self._judged if (judged.seat, judged.round) == (seat, number)]
        conduct = conduct_of(seat, own)
        worst = sorted((judged for judged in own if judged.mark), key=lambda judged: -judged.lost)[:MOST_MISTAKES]
        first = f"Your decisions gave away {conduct.lost:.1f} points in this round: {marks_in_words(conduct.marks)}."
        game = DescribedGame(self._start.copy())
        words = [game.apply(action).words for action in self._actions]
        return [first, *(self._mistake(judged, words[judged.number - 1]) for judged in worst)]

    def _mistake(self, judged: Judged, words: str) -> str:
        best = choices_of(judged.worths[:, judged.seat], self._names)[0].name
        return f"  move {judged.number}: {words}; {best} was worth {judged.lost:.1f} points more"

    def _choices(self, worths: NDArray[np.float64]) -> list[ChoiceDocument]:
        return [
            {"action": choice.action, "name": choice.name, "worth": _point(choice.worth)}
            for choice in choices_of(worths, self._names)
        ]


def _look(rules: Rules) -> LookAgent:
    try:
        return LookAgent(rules)
    except AgentError:  # whose words name a file of the server
        words = f"the package has no policy that can judge under these rules with {rules.players} players"
        raise AgentError(words) from None


def _check(check: Check) -> CheckDocument:
    return {"lost": _point(check.lost), "error": _point(check.error), "guesses": check.guesses}


def _point(value: Any) -> float:
    return round(float(value), DIGITS)


def _points(values: NDArray[np.float64]) -> list[float]:
    return [_point(value) for value in values.tolist()]


def _rounded(conduct: ConductDocument) -> ConductDocument:
    rounded: Any = {name: _point(value) if isinstance(value, float) else value for name, value in conduct.items()}
    document: ConductDocument = rounded
    return document
