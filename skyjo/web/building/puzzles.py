"""Puzzles: questions of the game's examination, and others like them, whose best answer is beyond doubt."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

from cardtable.arena.exam.questions import Exam, ExamKind, Questions
from cardtable.table.game.card_game import find_game
from skyjo.interfaces import GameInterface, find_interface, loaded
from skyjo.web import messages
from skyjo.web.messages import SeatView, studied_state

MORE = "puzzles.npz"  # beside the examination, where there is one: more questions of a theme that is rare
SURE = 3  # standard errors by which the best answer must be better than every other
MIN_LEAD = 0.1  # points by which it must be better
LEVELS = (("easy", 0.45), ("medium", 0.8), ("hard", 1.0))  # by the share of puzzles that are at most so hard
DIGITS = 2
YOU = "you"


@dataclass(frozen=True, eq=False)
class Puzzle:
    """A decision from a real game, and what rollouts say that its actions are worth."""

    players: int
    observation: NDArray[np.int16]
    action_values: NDArray[np.float64]  # points of the margin; NaN for illegal actions
    error: float  # standard error of a difference between two of them
    theme: str

    @property
    def lead(self) -> float:
        """By how much the best answer is better than the next one that differs."""
        return _lead(self.action_values)

    @property
    def best(self) -> list[int]:
        """The best actions: those that come to the same are alike."""
        best: list[int] = np.flatnonzero(self.action_values == np.nanmax(self.action_values)).tolist()
        return best


@dataclass(frozen=True)
class Puzzles:
    """All puzzles of a game, the easiest first: those in which most is at stake."""

    interface: GameInterface
    all: tuple[Puzzle, ...]

    def listed(self) -> dict[str, Any]:
        """Which there are, by theme."""
        themes = [
            {"name": name, "title": title, "puzzles": [n for n, puzzle in enumerate(self.all) if puzzle.theme == name]}
            for name, title in self.interface.learning.THEMES.items()
        ]
        return {"themes": [theme for theme in themes if theme["puzzles"]], "count": len(self.all)}

    def view(self, number: int) -> str:
        """The table as its seat sees it."""
        puzzle = self.all[number]
        rules, observation = self._rules(puzzle), puzzle.observation
        view = find_game(self.interface.game).spec_of(rules).view(observation)
        seat, names = int(view.seat), find_game(self.interface.game).action_names(rules)
        legal = {action: names[action] for action in np.flatnonzero(~np.isnan(puzzle.action_values)).tolist()}
        seats = [(YOU if other == seat else f"seat {other + 1}", 0) for other in range(puzzle.players)]
        phase = self.interface.learning.phase_of(rules, observation)
        public = studied_state(self.interface.game, "round", (1, phase), seats, seat)
        seen = SeatView(seat, observation, legal, is_own=True, is_covered=False)
        return messages.view(self.interface.documents, rules, public, seen)

    def question(self, number: int) -> dict[str, Any]:
        """What is known before it is answered."""
        level = next(name for name, share in LEVELS if number < share * len(self.all))
        puzzle = self.all[number]
        return {"theme": puzzle.theme, "level": level, "players": puzzle.players}

    def answer(self, number: int) -> dict[str, Any]:
        """What every choice is worth, and why the best one is."""
        puzzle = self.all[number]
        rules = self._rules(puzzle)
        names = find_game(self.interface.game).action_names(rules)
        legal = np.flatnonzero(~np.isnan(puzzle.action_values)).tolist()
        choices = [
            {
                "action": action,
                "name": names[action],
                "worth": round(float(puzzle.action_values[action]), DIGITS),
                "chance": None,
            }
            for action in sorted(legal, key=lambda action: -puzzle.action_values[action])
        ]
        why = self.interface.terminal.reason(rules, puzzle.observation, puzzle.best[0])
        return {"best": puzzle.best, "choices": choices, "standard_error": round(puzzle.error, DIGITS), "why": why}

    def _rules(self, puzzle: Puzzle) -> Any:
        return find_game(self.interface.game).official.replace(players=puzzle.players)


@cache
def puzzles_of(game: str) -> Puzzles:
    """The puzzles of a game; none if it has no examination."""
    interface = find_interface(game)
    if not interface.exam:
        return Puzzles(interface, ())
    kind: ExamKind = loaded(interface.exam)
    files = [file for file in (kind.file, kind.file.with_name(MORE)) if file.exists()]
    found = [
        puzzle
        for file in files
        for players, questions in Exam.read(file).tables.items()
        for puzzle in _sure_ones(interface, players, questions)
    ]
    return Puzzles(interface, tuple(sorted(found, key=lambda puzzle: -puzzle.lead)))


def _sure_ones(interface: GameInterface, players: int, questions: Questions) -> Sequence[Puzzle]:
    """The questions whose best answer both halves of the rollouts agree on, by more than its error allows for."""
    rules: Any = find_game(interface.game).official
    rules, puzzles = rules.replace(players=players), []
    for number, mask in enumerate(questions.masks):
        halves, error = questions.action_values[:, number].astype(np.float64), float(questions.errors[number])
        observation = questions.observations[number]
        theme = interface.learning.theme_of(rules, observation, mask)
        puzzle = Puzzle(players, observation, halves.mean(axis=0), error, theme)
        if _agree(halves, puzzle.best) and puzzle.lead >= max(SURE * error, MIN_LEAD):
            puzzles.append(puzzle)
    return puzzles


def _agree(halves: NDArray[np.float64], best: Sequence[int]) -> bool:
    """Do all halves find the same actions best?"""
    return all(int(np.nanargmax(half)) in best for half in halves)


def _lead(action_values: NDArray[np.float64]) -> float:
    distinct = np.unique(action_values[~np.isnan(action_values)])
    return float(distinct[-1] - distinct[-2]) if len(distinct) > 1 else 0.0
