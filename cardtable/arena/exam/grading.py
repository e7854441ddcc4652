"""What an agent gives away in an examination."""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from cardtable.arena.exam.questions import HALVES, Exam, Questions
from cardtable.arena.statistics import Estimate, estimate
from cardtable.table.agents.agents import FAILURES, Agent, agents_of, choose, decides_alone, failure_words
from cardtable.table.errors import AgentError, TableError
from cardtable.table.game.card_game import CardGame, find_game
from cardtable.table.game.slices import SliceSpec


class Answer(NamedTuple):
    """What an agent did at one question, and what it might have done."""

    players: int
    observation: NDArray[np.int16]
    mask: NDArray[np.int8]
    action: int
    best: int
    lost: float  # points, by all rollouts
    error: float  # standard error


@dataclass(frozen=True, eq=False)
class Grades:
    """How an agent did, by table size; sizes at which it cannot play are left out."""

    agent: str
    lost: dict[int, NDArray[np.float64]]  # points given away at every question
    phases: dict[int, NDArray[np.int8]]
    answers: list[Answer]  # the worst first
    refused: dict[int, str]  # why it cannot play at tables of other sizes

    def mean(self, players: int | None = None, phase: int | None = None) -> Estimate | None:
        """Points given away per decision, at tables of one size or all, in one phase or all; None with fewer than two
        questions.
        """
        parts = [
            self.lost[size][(phase is None) | (self.phases[size] == phase)]
            for size in self.lost
            if players in (None, size)
        ]
        values = np.concatenate(parts) if parts else np.zeros(0)
        return estimate(values) if len(values) > 1 else None


def candidates(name: str, game: CardGame, sizes: Iterable[int]) -> tuple[dict[int, Agent], dict[int, str]]:
    """The agent for tables of each size, and why it cannot play at the others; AgentError if it can play at none, or
    does not decide by itself.
    """
    if not decides_alone(agents_of(game).factory(name)):
        raise AgentError(f"agent {name} cannot be examined: it sees hidden cards, or asks a person")
    agents, refused = {}, {}
    for players in sizes:
        try:
            agents[players] = agents_of(game).make(name, game.official.replace(players=players))
        except TableError as error:
            refused[players] = str(error)
    if not agents:
        raise AgentError(next(iter(refused.values())))
    return agents, refused


def grade(name: str, exam: Exam) -> Grades:
    """Examine an agent; AgentError as of `candidates`, or if it fails."""
    game = find_game(exam.recipe["game"])
    agents, refused = candidates(name, game, exam.tables)
    grades = Grades(name, {}, {}, [], refused)
    for players, agent in agents.items():
        questions = exam.tables[players]
        actions = _actions(name, agent, game.spec_of(game.official.replace(players=players)), questions)
        grades.lost[players], grades.phases[players] = questions.given_away(actions), questions.phases
        worths, rows = questions.worths.sum(axis=0) / HALVES, np.arange(len(actions))
        best = np.nanargmax(worths, axis=1)
        lost = worths[rows, best] - worths[rows, actions]
        found = actions.tolist(), best.tolist(), lost.tolist(), questions.errors.tolist()
        parts = zip(questions.observations, questions.masks, *found, strict=True)
        grades.answers.extend(Answer(players, *part) for part in parts)
    grades.answers.sort(key=lambda answer: -answer.lost)
    return grades


def _actions(name: str, agent: Agent, spec: SliceSpec[Any], questions: Questions) -> NDArray[np.int64]:
    """What the agent does; AgentError if it raises an error, or does what is not legal."""
    try:
        actions = choose(agent, name, spec, questions.observations, questions.masks)
    except FAILURES as error:
        raise AgentError(f"agent {name}: {failure_words(error)}") from error
    for action, mask in zip(actions.tolist(), questions.masks, strict=True):
        if not 0 <= action < len(mask) or not mask[action]:
            raise AgentError(f"agent {name} chose action {action}, which is not legal")
    return actions
