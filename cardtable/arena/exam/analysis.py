"""The loss of every decision of a game, and the luck of its cards.

Luck is the value of a card minus the mean over all cards that might have come. Its mean is 0 for all players, however
wrong the values of tables are. A margin minus its luck is therefore the same margin in the long run, and a steadier
one.
"""

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, replace
from math import sqrt
from typing import Any, NamedTuple, Self

import numpy as np
from numpy.typing import NDArray

from cardtable.table.agents.agents import Agent
from cardtable.table.agents.rollout_search import RolloutSearch
from cardtable.table.errors import AgentError
from cardtable.table.game.records import RecordFormat
from cardtable.table.game.table_game import TableGame
from cardtable.table.kernel.futures import GAINED, SQUARES
from cardtable.table.kernel.scoring import margins_and_wins

Floats = NDArray[np.float64]

MARK_NAMES = ("inaccuracy", "mistake", "blunder")
EQUAL = 1e-6  # points


class Marks(NamedTuple):
    """Losses from which a decision is marked, in points or in chances of winning the round."""

    inaccuracy: float
    mistake: float
    blunder: float
    chance: float  # of winning, that weighs as much as the points of an inaccuracy


class Spread(NamedTuple):
    """Points by which margins may still move in a round, fitted to the winners of rounds between good players."""

    last: float  # with no cards left
    more: float  # times the root of the cards left


@dataclass(frozen=True)
class Check:
    """The loss of a decision, measured by playing out rounds from common guesses at the hidden cards."""

    lost: float
    error: float  # standard error
    guesses: int


@dataclass(frozen=True, eq=False)
class Judged:
    """A decision, the value of every action, and its result."""

    number: int  # of the decision, from 1
    round: int
    seat: int
    action: int
    observation: NDArray[np.int16]
    action_values: Floats  # [actions, players], points of the margin; NaN for illegal actions
    marks: Marks
    spread: float  # how far margins may still move, as `chances` needs it
    luck: Floats | None = None  # [players], points of the margin; None where it is not measured
    margins: Floats | None = None  # [players], if this decision ended the round and it was scored
    check: Check | None = None

    @property
    def best(self) -> int:
        """The action that is worth most to the seat, the first of several."""
        return int(np.nanargmax(self.action_values[:, self.seat]))

    @property
    def seems_lost(self) -> float:
        """Points given away as the judge sees it."""
        lost = float(self.action_values[self.best, self.seat] - self.action_values[self.action, self.seat])
        return lost if lost >= EQUAL else 0.0

    @property
    def lost(self) -> float:
        """Points given away, by the check if there was one."""
        return self.seems_lost if self.check is None else max(self.check.lost, 0.0)

    @property
    def chances(self) -> Floats:
        """Every seat's chance of winning the round after the best choice."""
        return chances(self.action_values[self.best], self.spread)

    @property
    def chance_lost(self) -> float:
        """The chance of winning the round that was given away."""
        return self._chance_lost(self.lost)

    def _chance_lost(self, lost: float) -> float:
        margins = self.action_values[self.best]
        before, after = (chances(margins, self.spread, self.seat, points) for points in (0.0, lost))
        return float(before[self.seat] - after[self.seat])

    @property
    def cost(self) -> float:
        """Loss in units of the least inaccuracy, in points or in chances, whichever is more."""
        return self._cost(self.lost)

    def _cost(self, lost: float) -> float:
        return max(lost / self.marks.inaccuracy, self._chance_lost(lost) / self.marks.chance)

    @property
    def least(self) -> float:
        """Points that would be an inaccuracy here: the fewer, the more they matter to who wins."""
        return self.seems_lost / self._cost(self.seems_lost) if self.seems_lost else self.marks.inaccuracy

    @property
    def sure(self) -> float:
        """The standard error, in points, that is always small enough for a mark."""
        return self.least / 3

    def settles(self, check: Check) -> bool:
        """Return whether a check is precise enough for a mark: the more was lost, the less precise it need be."""
        return check.error <= max(self.sure, check.lost / 5)

    @property
    def is_forced(self) -> bool:
        """True if all legal actions had the same value."""
        action_values = self.action_values[:, self.seat]
        return bool(np.nanmax(action_values) - np.nanmin(action_values) < EQUAL)

    @property
    def mark(self) -> str:
        """Name of the mark; empty for a good decision, or for one that the check leaves uncertain."""
        if self.check is not None and not self.settles(self.check):
            return ""
        points = self.cost * self.marks.inaccuracy
        return next((name for name in MARK_NAMES[::-1] if points >= getattr(self.marks, name)), "")


def chances(margins: Floats, spread: float, seat: int = 0, lost: float = 0.0) -> Floats:
    """Return every seat's chance of winning a round with these expected margins, after a seat has given away points to
    all others alike. At two seats this is the logistic function of the margin divided by the spread; at more, the same
    rule holds for every pair of seats.

    >>> chances(np.array([5.0, -5.0]), 5.0).round(3).tolist()
    [0.731, 0.269]
    """
    players = len(margins)
    reduced = margins + lost / (players - 1)
    reduced[seat] = margins[seat] - lost
    weights = np.exp((reduced - reduced.max()) * (players - 1) / (players * spread))
    shares: Floats = weights / weights.sum()
    return shares


class Analyst(ABC):
    """Judges decisions, and checks those that seem to give something away by letting the base of a search play on."""

    marks: Marks
    spread: Spread
    left: str  # the slice of observations that counts the cards between every seat and the end of the round
    guesses, max_guesses = 500, 16_000  # of a check: at once, and in all
    measures_luck = False
    weights = ""  # digest of the network that judges, if one does

    def __init__(self, search: RolloutSearch) -> None:
        self.search, self.rules, self.card_game = search, search.rules, search.card_game

    def spread_at(self, observation: NDArray[np.int16]) -> float:
        """Return the points by which margins may still move after this decision, for `chances`."""
        left = getattr(self.card_game.spec_of(self.rules).view(observation), self.left)
        return self.spread.last + self.spread.more * sqrt(left.mean())

    @abstractmethod
    def action_values(self, observation: NDArray[np.int16], mask: NDArray[np.int8], key: int) -> Floats:
        """Return the value of every action to every seat, [actions, players], in points of margin; NaN if illegal."""

    def seat_values(self, observation: NDArray[np.int16], key: int) -> Floats:
        """Return the value of the table to every seat; needed to measure luck."""
        raise NotImplementedError

    def decisions(self, record: dict[str, Any], of: Callable[[int, int], bool] = lambda *_: True) -> Iterator[Judged]:
        """Yield the decisions of a written game, all or those of some rounds and seats."""
        table = RecordFormat(self.card_game).begin(record)
        for number, action in enumerate(record["actions"], 1):
            if of(table.round, table.seat):
                yield self._judged(table, number, action)
            else:
                table.apply(action)

    def _judged(self, table: TableGame[Any], number: int, action: int) -> Judged:
        """Judge a decision and carry it out."""
        observation, seat, round_number = table.observation().copy(), table.seat, table.round
        action_values = self.action_values(observation, table.mask(), number)
        brings_cards = self.measures_luck and bool(table.outcomes(action))
        table.apply(action)
        margins, luck = None, None
        if table.has_scored:
            margins = margins_and_wins(np.array([table.round_scores]), self.card_game.lower_is_better)[0][0]
        if self.measures_luck:
            luck = np.zeros(self.rules.players)
            if margins is not None:
                luck = margins - action_values[action]
            elif brings_cards and not table.is_over and table.round == round_number:
                luck = self.seat_values(table.observation(), number) - action_values[action]
        spread = self.spread_at(observation)
        return Judged(number, round_number, seat, action, observation, action_values, self.marks, spread, luck, margins)

    def is_doubtful(self, judged: Judged) -> bool:
        """Return whether a decision that was not checked seems to give away half an inaccuracy or more."""
        return judged.check is None and judged.seems_lost >= judged.least / 2

    def checked(self, judged: Judged) -> Judged:
        """Return the same decision, checked if it is doubtful."""
        return replace(judged, check=self.check(judged)) if self.is_doubtful(judged) else judged

    def check(self, judged: Judged) -> Check:
        """Return the points that the best action gains over the chosen one, in rounds that are played on.

        The check stops once the loss is precise enough for a mark, or certainly too small for one.
        """
        actions, others = np.array([judged.best, judged.action]), self.rules.players - 1
        sums = np.zeros(2)  # of points brought more than by the best, and squares
        for first in range(0, self.max_guesses, self.guesses):
            guesses = first + self.guesses
            tried = self.search.try_actions(
                judged.observation, actions, range(first, guesses), np.uint64(judged.number)
            )
            sums += tried[[GAINED, SQUARES], 1] / (others, others**2)
            gained, squares = sums / guesses
            check = Check(-gained, sqrt(max(0.0, squares - gained * gained) / (guesses - 1)), guesses)
            if judged.settles(check) or check.lost + 2 * check.error < judged.least:
                break
        return check


class RolloutAnalyst(Analyst):
    """Judges decisions by rollouts. Their apparent loss is then checked at once, with other guesses, because the best
    of many uncertain values is overrated.
    """

    @classmethod
    def of(cls, agent: Agent) -> Self:
        """Return the analyst that judges as this agent does; AgentError if it cannot judge."""
        if isinstance(agent, RolloutSearch):
            return cls(agent)
        raise AgentError("it cannot judge; rollout can")

    def action_values(self, observation: NDArray[np.int16], mask: NDArray[np.int8], key: int) -> Floats:
        """Return the value of every action to every seat, by rollouts."""
        return self.search.action_values(observation, mask, key)

    def _judged(self, table: TableGame[Any], number: int, action: int) -> Judged:
        return self.checked(super()._judged(table, number, action))


@dataclass(frozen=True)
class Conduct:
    """Decisions, losses, marks, margin and luck of a seat, over all its decisions."""

    decisions: int
    unforced: int  # decisions in which it made a difference what was chosen
    lost: float  # points given away
    marks: tuple[int, ...]  # how many of each
    rounds: int  # that were scored
    margin: float  # points, all rounds together
    luck: float | None  # of all seats, points it brought to this one; None where it is not measured

    @property
    def lost_a_decision(self) -> float:
        """Points given away in an unforced decision, on average."""
        return self.lost / max(self.unforced, 1)


def conduct_of(seat: int, decisions: Iterable[Judged]) -> Conduct:
    """Return the conduct of a seat in these decisions."""
    all_decisions = list(decisions)
    own = [judged for judged in all_decisions if judged.seat == seat]
    scored = [judged.margins[seat] for judged in all_decisions if judged.margins is not None]
    luck = [judged.luck[seat] for judged in all_decisions if judged.luck is not None]
    return Conduct(
        decisions=len(own),
        unforced=sum(not judged.is_forced for judged in own),
        lost=sum(judged.lost for judged in own),
        marks=tuple(sum(judged.mark == name for judged in own) for name in MARK_NAMES),
        rounds=len(scored),
        margin=float(sum(scored)),
        luck=float(sum(luck)) if luck else None,
    )
