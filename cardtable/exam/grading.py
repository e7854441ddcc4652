"""What an agent gives away in an examination."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from cardtable.agents import choose
from cardtable.card_game import find_game
from cardtable.errors import AgentError
from cardtable.exam.questions import HALVES, Exam, Questions
from cardtable.statistics import Estimate, estimate


class Answer(NamedTuple):
    """What an agent did at one question, and what it might have done."""

    players: int
    observation: NDArray[np.int16]
    mask: NDArray[np.int8]
    action: int
    best: int
    lost: float  # points, by all rollouts


@dataclass(frozen=True, eq=False)
class Grades:
    """How an agent did, by table size; sizes at which it cannot play are left out."""

    agent: str
    lost: dict[int, NDArray[np.float64]]  # points given away at every question
    phases: dict[int, NDArray[np.int8]]
    answers: list[Answer]  # the worst first
    refused: dict[int, str]  # why it cannot play at tables of other sizes

    def mean(self, players: int | None = None, phase: int | None = None) -> Estimate | None:
        """Points given away a decision, at tables of one size or all, in one phase or all; None without questions."""
        parts = [
            self.lost[size][(phase is None) | (self.phases[size] == phase)]
            for size in self.lost
            if players in (None, size)
        ]
        values = np.concatenate(parts) if parts else np.zeros(0)
        return estimate(values) if len(values) > 1 else None


def grade(name: str, exam: Exam) -> Grades:
    """Examine an agent; AgentError if it can play at no table of the examination, or must see hidden cards."""
    grades = Grades(name, {}, {}, [], {})
    for players, questions in exam.tables.items():
        game = find_game(exam.recipe["game"])
        try:
            agent: Any = game.make_agent(name, game.official.replace(players=players))
        except AgentError as error:
            grades.refused[players] = str(error)
            continue
        actions = choose(agent, name, questions.observations, questions.masks)
        legal = questions.masks[np.arange(len(actions)), actions] == 1
        if not legal.all():
            raise AgentError(f"agent {name} chose action {actions[~legal][0]}, which is not legal")
        grades.lost[players], grades.phases[players] = questions.given_away(actions), questions.phases
        grades.answers.extend(_answers(players, questions, actions))
    if not grades.lost:
        raise AgentError(next(iter(grades.refused.values())))
    grades.answers.sort(key=lambda answer: -answer.lost)
    return grades


def _answers(players: int, questions: Questions, actions: NDArray[np.int64]) -> Sequence[Answer]:
    worths = questions.worths.sum(axis=0) / HALVES
    best = np.nanargmax(worths, axis=1)
    rows = np.arange(len(actions))
    lost = worths[rows, best] - worths[rows, actions]
    parts = zip(questions.observations, questions.masks, actions.tolist(), best.tolist(), lost.tolist(), strict=True)
    return [Answer(players, *part) for part in parts]
