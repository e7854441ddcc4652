"""The questions of an examination as numbers, in one file, and an agent's losses there. Loading runs no code."""

import io
import json
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from cardtable.arena.statistics import Estimate, estimate
from cardtable.table.agents.agents import FAILURES, Agent, agents_of, choose, decides_alone, failure_words
from cardtable.table.agents.rollout_search import RolloutSearch
from cardtable.table.errors import AgentError, TableError
from cardtable.table.files import write_whole
from cardtable.table.game.card_game import CardGame, find_game
from cardtable.table.game.slices import SliceSpec

HALVES = 2  # of the rollouts: what one half finds best, the other half values without having chosen it
Floats = NDArray[np.float64]


class Draw(NamedTuple):
    """Number of questions at tables of one size, and the agents and rollouts that they are drawn with."""

    questions: int
    rollouts: int  # of every action
    agents: tuple[str, ...]  # whose play the positions come from


@dataclass(frozen=True, kw_only=True)
class ExamKind:
    """A game's declaration of its examination."""

    game: str
    file: Path  # with the questions that come with the package
    draws: Mapping[int, Draw]  # by the number of players
    phases: tuple[str, ...]
    phase_of: Callable[[Any, NDArray[np.int16]], int]  # (rules, observation) -> the number of its phase
    base: str  # the agent that plays on in the rollouts
    search: Callable[[Any, str], RolloutSearch]  # (rules, base) -> the search whose rollouts value the actions


@dataclass(frozen=True, eq=False)
class Questions:
    """The questions at tables of one size: N positions, with A actions."""

    observations: NDArray[np.int16]  # [N, D]
    action_values: NDArray[np.float32]  # [HALVES, N, A], points of the margin by either half; NaN for illegal actions
    errors: NDArray[np.float32]  # [N], standard errors of a difference from the first action, by all rollouts together
    phases: NDArray[np.int8]  # [N]

    @property
    def masks(self) -> NDArray[np.int8]:
        """The legal actions."""
        masks: NDArray[np.int8] = (~np.isnan(self.action_values[0])).astype(np.int8)
        return masks

    def given_away(self, actions: NDArray[np.int64]) -> Floats:
        """Return the points that these actions give away against the best, [N].

        The best action by one half of the rollouts is valued by the other half, because the highest of several noisy
        estimates is biased upwards. A single figure may be negative, and the mean does not overstate the loss.
        """
        rows, lost = np.arange(len(actions)), np.zeros(len(actions))
        for half in range(HALVES):
            best = np.nanargmax(self.action_values[half], axis=1)
            other = self.action_values[HALVES - 1 - half]
            lost += (other[rows, best] - other[rows, actions]) / HALVES
        return lost


@dataclass(frozen=True, eq=False)
class Exam:
    """All questions, and how they were made."""

    recipe: dict[str, Any]
    tables: dict[int, Questions]  # by the number of players

    def write(self, path: Path) -> None:
        """Write it whole, or not at all."""
        arrays: dict[str, Any] = {"recipe": np.array(json.dumps(self.recipe))}
        for players, questions in self.tables.items():
            arrays |= {f"{name}_{players}": array for name, array in vars(questions).items()}
        data = io.BytesIO()
        np.savez_compressed(data, **arrays)
        write_whole(path, data.getvalue())

    @classmethod
    def read(cls, path: Path) -> "Exam":
        """Read an exam that `write` wrote."""
        with np.load(path, allow_pickle=False) as arrays:
            recipe = json.loads(str(arrays["recipe"]))
            names = Questions.__dataclass_fields__
            tables = {
                players: Questions(**{name: arrays[f"{name}_{players}"] for name in names})
                for players in recipe["players"]
            }
        return cls(recipe, tables)


# Agents at the questions


class Answer(NamedTuple):
    """An agent's action at one question, the best action, and the loss."""

    players: int
    observation: NDArray[np.int16]
    mask: NDArray[np.int8]
    action: int
    best: int
    lost: float  # points, by all rollouts
    error: float  # standard error


@dataclass(frozen=True, eq=False)
class Grades:
    """Results of an agent by table size, without sizes at which it cannot play."""

    agent: str
    lost: dict[int, NDArray[np.float64]]  # points given away at every question
    phases: dict[int, NDArray[np.int8]]
    answers: list[Answer]  # the worst first
    refused: dict[int, str]  # why it cannot play at tables of other sizes

    def mean(self, players: int | None = None, phase: int | None = None) -> Estimate | None:
        """Return the points given away per decision, at tables of one size or all, in one phase or all; None with fewer
        than two questions.
        """
        parts = [
            self.lost[size][(phase is None) | (self.phases[size] == phase)]
            for size in self.lost
            if players in (None, size)
        ]
        values = np.concatenate(parts) if parts else np.zeros(0)
        return estimate(values) if len(values) > 1 else None


def candidates(name: str, game: CardGame, sizes: Iterable[int]) -> tuple[dict[int, Agent], dict[int, str]]:
    """Return the agent for tables of each size, and the reasons why it cannot play at the others. AgentError if it can
    play at none, or does not decide by itself.
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
        action_values, rows = questions.action_values.sum(axis=0) / HALVES, np.arange(len(actions))
        best = np.nanargmax(action_values, axis=1)
        lost = action_values[rows, best] - action_values[rows, actions]
        details = actions.tolist(), best.tolist(), lost.tolist(), questions.errors.tolist()
        parts = zip(questions.observations, questions.masks, *details, strict=True)
        grades.answers.extend(Answer(players, *part) for part in parts)
    grades.answers.sort(key=lambda answer: -answer.lost)
    return grades


def _actions(name: str, agent: Agent, spec: SliceSpec[Any], questions: Questions) -> NDArray[np.int64]:
    """Return the agent's actions; AgentError if it raises an error or chooses an illegal action."""
    try:
        actions = choose(agent, name, spec, questions.observations, questions.masks)
    except FAILURES as error:
        raise AgentError(f"agent {name}: {failure_words(error, type(agent).__module__)}") from error
    for action, mask in zip(actions.tolist(), questions.masks, strict=True):
        if not 0 <= action < len(mask) or not mask[action]:
            raise AgentError(f"agent {name} chose action {action}, which is not legal")
    return actions
