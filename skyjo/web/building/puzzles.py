"""Puzzles: questions of the game's examination, and others like them, whose best answer is beyond doubt."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from cardtable.arena.exam.questions import Exam, ExamKind, Questions
from cardtable.table.game.card_game import find_game
from skyjo.interfaces import GameInterface, loaded

MORE = "puzzles.npz"  # beside the examination, where there is one: more questions of a theme that is rare
SURE = 3  # standard errors by which the best answer must be better than every other
MIN_LEAD = 0.1  # points by which it must be better
LEVELS = (("easy", 0.45), ("medium", 0.8), ("hard", 1.0))  # by the share of puzzles that are at most so hard
DIGITS = 2


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

    def documents(self) -> list[dict[str, Any]]:
        """Return the puzzles as the page's worker takes them: what the seat sees, and what its actions are worth."""
        return [
            {
                "players": puzzle.players,
                "observation": puzzle.observation.tolist(),
                "values": [None if np.isnan(value) else round(float(value), DIGITS) for value in puzzle.action_values],
                "error": round(puzzle.error, DIGITS),
                "theme": puzzle.theme,
                "level": next(name for name, share in LEVELS if number < share * len(self.all)),
            }
            for number, puzzle in enumerate(self.all)
        ]


def puzzles_of(interface: GameInterface) -> Puzzles:
    """Return the puzzles of a game; none if it has no examination."""
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
