"""Puzzles: questions of the game's examination, and others like them, whose best answer is beyond doubt."""

from collections.abc import Iterator
from typing import Any

import numpy as np

from cardtable.arena.exam.questions import Exam, ExamKind, Questions
from cardtable.table.game.card_game import find_game
from skyjo.interfaces import GameInterface, loaded

MORE = "puzzles.npz"  # beside the examination, where there is one: more questions of a theme that is rare
SURE = 3  # standard errors by which the best answer must be better than every other
MIN_LEAD = 0.1  # points by which it must be better
LEVELS = (("easy", 0.45), ("medium", 0.8), ("hard", 1.0))  # by the share of puzzles that are at most so hard
DIGITS = 2


def puzzles_of(interface: GameInterface) -> list[dict[str, Any]]:
    """Return the puzzles of a game, the easiest first: those in which most is at stake. None without an examination."""
    if not interface.exam:
        return []
    kind: ExamKind = loaded(interface.exam)
    found = [
        puzzle
        for file in (kind.file, kind.file.with_name(MORE))
        if file.exists()
        for players, questions in Exam.read(file).tables.items()
        for puzzle in sure_ones(interface, players, questions)
    ]
    puzzles = [puzzle for _, puzzle in sorted(found, key=lambda each: -each[0])]
    for number, puzzle in enumerate(puzzles):
        puzzle["level"] = next(name for name, share in LEVELS if number < share * len(puzzles))
    return puzzles


def sure_ones(interface: GameInterface, players: int, questions: Questions) -> Iterator[tuple[float, dict[str, Any]]]:
    """Yield the questions whose best answer both halves of the rollouts agree on, by more than its error allows for.

    Each comes after its lead: by how many points the best answer is better than the next one that differs. Its values
    are points of the margin by action, with None for illegal ones.
    """
    official: Any = find_game(interface.game).official
    rules = official.replace(players=players)
    for number, mask in enumerate(questions.masks):
        halves, error = questions.action_values[:, number].astype(np.float64), float(questions.errors[number])
        values, observation = halves.mean(axis=0), questions.observations[number]
        *_, second, first = [-np.inf, *np.unique(values[~np.isnan(values)])]
        agree = all(values[np.nanargmax(half)] == first for half in halves)
        if agree and np.inf > first - second >= max(SURE * error, MIN_LEAD):
            yield (
                first - second,
                {
                    "players": players,
                    "observation": observation.tolist(),
                    "values": [None if np.isnan(value) else round(float(value), DIGITS) for value in values],
                    "error": round(error, DIGITS),
                    "theme": interface.learning.theme_of(rules, observation, mask),
                },
            )


def themes_of(interface: GameInterface, puzzles: list[dict[str, Any]]) -> dict[str, Any]:
    """Return how many puzzles there are, and their numbers by theme."""
    numbers = {name: [n for n, one in enumerate(puzzles) if one["theme"] == name] for name in interface.learning.THEMES}
    titles = interface.learning.THEMES
    themes = [{"name": name, "title": titles[name], "puzzles": numbers[name]} for name in titles if numbers[name]]
    return {"themes": themes, "count": len(puzzles)}
