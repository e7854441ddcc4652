"""The results of deals: scores, lengths, and what else a game records about its rounds."""

from collections.abc import Sequence
from dataclasses import dataclass, fields
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from cardtable.table.kernel.scoring import margins_and_wins


@dataclass(frozen=True)
class DealResults:
    """The results of each deal: of its first round, or of the game that it begins."""

    lower_is_better: bool
    scores: NDArray[np.int64]  # [deals, players], of the round, or totals
    rounds: NDArray[np.int64]  # [deals], played
    turns: NDArray[np.int64]  # [deals], of all rounds
    is_stopped: NDArray[np.bool_]  # [deals], for having taken too long
    facts: NDArray[np.int64]  # [deals, players, facts], what the rounds left behind, as the game names it
    luck: NDArray[np.float64]  # [deals, players, terms], as the game names them; no terms if they are not noted
    decisions: NDArray[np.int64]  # [deals]
    actions: NDArray[Any]  # of one deal after the other, [decisions of all deals], or nothing if they are not kept
    round_scores: NDArray[np.int16]  # of one round after the other, [rounds of all deals, players], or nothing
    seated: NDArray[np.int64]  # [deals, players], the number of the agent in every seat

    @property
    def margins(self) -> NDArray[np.float64]:
        """How much better the seat's score is than the mean of the others', [deals, players]."""
        return self._margins_and_wins[0]

    @property
    def wins(self) -> NDArray[np.float64]:
        """1 for the best score, shared among equals, [deals, players]; nobody wins what was stopped."""
        return np.where(self.is_stopped[:, None], 0.0, self._margins_and_wins[1])

    @cached_property
    def _margins_and_wins(self) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
        return margins_and_wins(self.scores, self.lower_is_better)


ARRAYS = tuple(field.name for field in fields(DealResults) if field.name != "lower_is_better")


def joined(parts: Sequence[DealResults]) -> DealResults:
    """Several pieces as one."""
    if len(parts) == 1:
        return parts[0]
    arrays = (np.concatenate([getattr(part, name) for part in parts]) for name in ARRAYS)
    return DealResults(parts[0].lower_is_better, *arrays)


def taken(played: DealResults, order: NDArray[np.int64]) -> DealResults:
    """These deals, in this order."""
    by_deal = {name: getattr(played, name) for name in ARRAYS}
    ragged = {name: by_deal.pop(name) for name in ("actions", "round_scores")}
    parts = {name: numbers[order] for name, numbers in by_deal.items()}
    for name, lengths in (("actions", played.decisions), ("round_scores", played.rounds)):
        starts, ends = (np.cumsum(each) - each for each in (lengths, lengths[order]))
        places = np.repeat(starts[order] - ends, lengths[order]) + np.arange(lengths[order].sum())
        parts[name] = ragged[name][places] if len(ragged[name]) > 0 else ragged[name]
    return DealResults(played.lower_is_better, **parts)
