"""The questions of an examination as numbers, in one file. Loading it runs no code."""

import io
import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from cardtable.table.agents.rollout_search import RolloutSearch
from cardtable.table.files import write_whole

HALVES = 2  # of the rollouts: what one half finds best, the other half values without having chosen it
Floats = NDArray[np.float64]


class Draw(NamedTuple):
    """How the questions at tables of one size are drawn."""

    questions: int
    rollouts: int  # of every action
    agents: tuple[str, ...]  # whose play the positions come from


@dataclass(frozen=True, kw_only=True)
class ExamKind:
    """What a game declares of its examination."""

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
    worths: NDArray[np.float32]  # [HALVES, N, A], points of the margin by either half; NaN for illegal actions
    errors: NDArray[np.float32]  # [N], standard errors of a difference from the first action, by all rollouts together
    phases: NDArray[np.int8]  # [N]

    @property
    def masks(self) -> NDArray[np.int8]:
        """The legal actions."""
        masks: NDArray[np.int8] = (~np.isnan(self.worths[0])).astype(np.int8)
        return masks

    def given_away(self, actions: NDArray[np.int64]) -> Floats:
        """How many points less these actions are worth than the best, [N].

        The best action by one half of the rollouts is valued by the other half, because the highest of several noisy
        estimates is biased upwards. So a single figure may be negative, and the mean does not overstate the loss.
        """
        rows, lost = np.arange(len(actions)), np.zeros(len(actions))
        for half in range(HALVES):
            best = np.nanargmax(self.worths[half], axis=1)
            other = self.worths[HALVES - 1 - half]
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
        """What `write` wrote."""
        with np.load(path, allow_pickle=False) as found:
            recipe = json.loads(str(found["recipe"]))
            names = Questions.__dataclass_fields__
            tables = {
                players: Questions(**{name: found[f"{name}_{players}"] for name in names})
                for players in recipe["players"]
            }
        return cls(recipe, tables)
