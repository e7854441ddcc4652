"""A recorded game and what its decisions gave away, with words, names of actions and positions."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, TypedDict

import numpy as np

from cardtable.arena.exam.analysis import MARK_NAMES, Analyst, Conduct, Floats, Judged, chances, conduct_of
from cardtable.table.errors import TableError
from cardtable.table.game.card_game import find_game
from cardtable.table.game.records import RecordFormat
from cardtable.table.game.table_game import TableGame
from skyjo.interfaces import GameInterface
from skyjo.table.described_game import DescribedGame
from skyjo.table.phrases import filled

WORST = 5
DIGITS = 3  # of a number that a server sends

# How a seat played, as templates, which pages fill, too: see skyjo/table/phrases.py
PHRASES = {
    "gave away": "{name} gave away {round:.2f} points a round, {decision:.3f} per decision that mattered"
    "[level:, about as much as {level}]: {marks}",
    "margin": "margin {margin:+.1f}[has_luck:, luck {luck:+.1f}, without luck {rest:+.1f}]",
    "inaccuracy": "{count} inaccurac[count=1:y|ies]",
    "mistake": "{count} mistake[count=1:|s]",
    "blunder": "{count} blunder[count=1:|s]",
    "unmarked": "nothing to mark",
    "unexplained": "[close:close call, |]playing it out prefers this",
}

Levels = Mapping[str, float]  # what agents give away in a decision that matters, by name


class ChoiceDocument(TypedDict):
    """The value of an action to the seat that decided, in points of the margin."""

    action: int
    name: str
    worth: float
    chance: float  # of winning the round


class CheckDocument(TypedDict):
    """The loss of a decision, measured by playing out rounds."""

    lost: float
    error: float
    guesses: int


class JudgedDocument(TypedDict):
    """A decision with its judgement; the lists are by seat, all of them but `chances` points of the margin."""

    move: int  # from 1
    seat: int
    action: int
    choices: Sequence[ChoiceDocument]  # best first
    forced: bool
    lost: float
    chance_lost: float  # of winning the round
    chances: Sequence[float]  # of winning it by seat, after the best choice
    mark: str  # inaccuracy, mistake, blunder, or empty
    check: CheckDocument | None
    luck: Sequence[float] | None  # points that its cards brought every seat, where that is measured
    expected: Sequence[float]  # what the best choice was worth
    chosen: Sequence[float]  # what the choice that was made was worth
    margins: Sequence[float] | None  # of the round that it ended


class MoveDocument(JudgedDocument):
    """A decision of an analysed game."""

    round: int
    words: str


class ConductDocument(TypedDict):
    """Decisions, losses, marks, margin and luck of a seat."""

    decisions: int
    unforced: int
    lost: float
    lost_a_decision: float
    level: str
    inaccuracies: int
    mistakes: int
    blunders: int
    rounds: int
    margin: float
    luck: float | None


class WorstDocument(TypedDict):
    """A decision that gave a lot away, to be tried again."""

    move: int
    position: str


class AnalysisDocument(TypedDict):
    """An analysed game as --json prints it."""

    record: dict[str, Any]
    judge: str
    weights: str  # digest of the network that judged, if one did
    players: Sequence[ConductDocument]
    moves: Sequence[MoveDocument]
    worst: Sequence[WorstDocument]


@dataclass(frozen=True)
class AnalysedDecision:
    """A decision in words, its judgement, and the position in which it was made."""

    words: str
    judged: Judged
    position: str
    document: JudgedDocument


@dataclass(frozen=True)
class AnalysedGame:
    """All decisions of a game."""

    interface: GameInterface
    record: dict[str, Any]
    judge: str
    weights: str
    decisions: tuple[AnalysedDecision, ...]
    conducts: tuple[Conduct, ...]

    @property
    def marked(self) -> list[AnalysedDecision]:
        """The marked decisions, the most costly first."""
        return [self.decisions[judged.number - 1] for judged in marked(decision.judged for decision in self.decisions)]

    @property
    def worst(self) -> list[AnalysedDecision]:
        """The most costly ones."""
        return self.marked[:WORST]

    def to_document(self) -> AnalysisDocument:
        """Return the analysis for JSON."""
        return {
            "record": self.record,
            "judge": self.judge,
            "weights": self.weights,
            "players": [conduct_document(conduct, self.interface.levels) for conduct in self.conducts],
            "moves": [{**row.document, "round": row.judged.round, "words": row.words} for row in self.decisions],
            "worst": [{"move": decision.judged.number, "position": decision.position} for decision in self.worst],
        }


def analyse(
    interface: GameInterface,
    record: dict[str, Any],
    analyst: Analyst,
    judge: str,
    checks: bool = False,
    report: Callable[[float], None] = lambda _: None,
) -> AnalysedGame:
    """Judge every decision of a recorded game; `report` is called with the number of decisions just judged."""
    game = find_game(interface.game)
    described = DescribedGame(RecordFormat(game).begin(record))
    names, decisions = game.action_names(analyst.rules), []
    for judged in analyst.decisions(record):
        judged = analyst.checked(judged) if checks else judged
        position, document = described.game.position(), judged_document(judged, names)
        decisions.append(AnalysedDecision(described.apply(judged.action).words, judged, position, document))
        report(1)
    all_judged = [decision.judged for decision in decisions]
    conducts = tuple(conduct_of(seat, all_judged) for seat in range(analyst.rules.players))
    return AnalysedGame(interface, record, judge, analyst.weights, tuple(decisions), conducts)


def level_of(conduct: Conduct, levels: Levels) -> str:
    """Return the agent that gives away about as much in a decision that matters; empty if none is known."""
    return min(levels, key=lambda name: abs(levels[name] - conduct.lost_a_decision), default="")


def marked(judged: Iterable[Judged]) -> list[Judged]:
    """Return the marked ones of these decisions, the most costly first."""
    return sorted((decision for decision in judged if decision.mark), key=lambda decision: -decision.cost)


def choices_of(action_values: Floats, seat: int, spread: float, names: Sequence[str]) -> list[ChoiceDocument]:
    """Return the legal actions, best first; `action_values` [actions, seats] are their values."""
    best, choices = action_values[np.nanargmax(action_values[:, seat])], list[ChoiceDocument]()
    for action in np.flatnonzero(~np.isnan(action_values[:, seat])).tolist():
        value = float(action_values[action, seat])
        chance = float(chances(best, spread, seat, best[seat] - value)[seat])
        choices.append({"action": action, "name": names[action], "worth": value, "chance": chance})
    return sorted(choices, key=lambda choice: -choice["worth"])


def choices_at(game: TableGame[Any], analyst: Analyst) -> list[ChoiceDocument]:
    """Return the value of every choice of the seat to move, best first; TableError if the game is over."""
    if game.is_over:
        raise TableError("the game is over: there is no decision to judge")
    observation = game.observation()
    action_values, spread = analyst.action_values(observation, game.mask(), 0), analyst.spread_at(observation)
    return choices_of(action_values, game.seat, spread, game.card_game.action_names(game.rules))


def conduct_lines(name: str, conduct: Conduct, levels: Levels) -> list[str]:
    """Return the conduct of a seat in two sentences."""
    values = {
        "name": name,
        "round": conduct.lost / max(conduct.rounds, 1),
        "decision": conduct.lost_a_decision,
        "level": level_of(conduct, levels),
        "marks": marks_in_words(conduct.marks),
        "margin": conduct.margin,
        "has_luck": conduct.luck is not None,
        "luck": conduct.luck or 0.0,
        "rest": conduct.margin - (conduct.luck or 0.0),
    }
    return [filled(PHRASES[phrase], values) for phrase in ("gave away", "margin")]


def marks_in_words(marks: Sequence[int]) -> str:
    """Return the number of decisions with each mark in words, the worst first."""
    counted = zip(marks[::-1], MARK_NAMES[::-1], strict=True)
    words = [filled(PHRASES[name], {"count": count}) for count, name in counted if count]
    return ", ".join(words) or PHRASES["unmarked"]


def conduct_document(conduct: Conduct, levels: Levels) -> ConductDocument:
    """Return the conduct of a seat, as JSON."""
    inaccuracies, mistakes, blunders = conduct.marks
    return {
        "decisions": conduct.decisions,
        "unforced": conduct.unforced,
        "lost": conduct.lost,
        "lost_a_decision": conduct.lost_a_decision,
        "level": level_of(conduct, levels),
        "inaccuracies": inaccuracies,
        "mistakes": mistakes,
        "blunders": blunders,
        "rounds": conduct.rounds,
        "margin": conduct.margin,
        "luck": conduct.luck,
    }


def judged_document(judged: Judged, names: Sequence[str]) -> JudgedDocument:
    """Return a judged decision, as JSON; `names` are those of the actions."""
    check = judged.check
    return {
        "move": judged.number,
        "seat": judged.seat,
        "action": judged.action,
        "choices": choices_of(judged.action_values, judged.seat, judged.spread, names),
        "forced": judged.is_forced,
        "lost": judged.lost,
        "chance_lost": judged.chance_lost,
        "chances": judged.chances.tolist(),
        "mark": judged.mark,
        "check": None if check is None else {"lost": check.lost, "error": check.error, "guesses": check.guesses},
        "luck": None if judged.luck is None else judged.luck.tolist(),
        "expected": judged.action_values[judged.best].tolist(),
        "chosen": judged.action_values[judged.action].tolist(),
        "margins": None if judged.margins is None else judged.margins.tolist(),
    }


def rounded(document: Any) -> Any:
    """Return a document whose numbers have three decimals, as a server sends it."""
    if isinstance(document, Mapping):
        return {name: rounded(value) for name, value in document.items()}
    if isinstance(document, list):
        return [rounded(value) for value in document]
    return round(document, DIGITS) if isinstance(document, float) else document
