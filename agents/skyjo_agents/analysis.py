"""What every decision of a game gave away, and how lucky its cards were, judged by looking ahead.

Luck is what a card brought beyond the mean over all cards that might have come. Its mean is 0 whoever plays and however
wrong the network's values are, so a margin less its luck is the same margin in the long run, and a steadier one.
"""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from functools import cached_property
from math import inf, sqrt
from typing import Any

import numpy as np
from numpy.typing import NDArray

from cardtable.rollout_search import WHOLE_ROUND
from skyjo_agents.judging import try_with_policies
from skyjo_agents.policy import LookAgent, PolicyAgent
from skyjo_env.card_game import SKYJO
from skyjo_env.events import Event, RoundScored
from skyjo_env.game import Game
from skyjo_env.kernel.state import GAME_DTYPE

Floats = NDArray[np.float64]

MARKS = (0.5, 1.0, 2.0)  # points given away, from which on a decision is an inaccuracy, a mistake, a blunder
MARK_NAMES = ("inaccuracy", "mistake", "blunder")
SURE = MARKS[0] / 3  # the standard error that a checked decision must have to be marked
DOUBTFUL = MARKS[0] / 2  # what a decision must seem to give away to be checked
GUESSES, MOST_GUESSES = 500, 16_000  # of a check: at once, and in all
EQUAL = 1e-6  # points


@dataclass(frozen=True)
class Check:
    """What a decision gave away, measured by playing out rounds from common guesses at the hidden cards."""

    lost: float
    error: float  # standard error
    guesses: int


@dataclass(frozen=True, eq=False)
class Judged:
    """A decision, what every action was worth, and what came of it."""

    number: int  # of the decision, from 1
    round: int
    seat: int
    action: int
    observation: NDArray[np.int16]
    worths: Floats  # [actions, players], points of the margin; NaN for illegal actions
    luck: Floats  # [players], points of the margin
    margins: Floats | None = None  # [players], if this decision ended the round and it was scored
    check: Check | None = None

    @property
    def best(self) -> int:
        """The action that is worth most to the seat, the first of several."""
        return int(np.nanargmax(self.worths[:, self.seat]))

    @property
    def seems_lost(self) -> float:
        """Points given away as looking ahead sees it."""
        lost = float(self.worths[self.best, self.seat] - self.worths[self.action, self.seat])
        return lost if lost >= EQUAL else 0.0

    @property
    def lost(self) -> float:
        """Points given away, by the check if there was one."""
        return self.seems_lost if self.check is None else max(self.check.lost, 0.0)

    @property
    def is_forced(self) -> bool:
        """Were all legal actions worth the same?"""
        worths = self.worths[:, self.seat]
        return bool(np.nanmax(worths) - np.nanmin(worths) < EQUAL)

    @property
    def mark(self) -> str:
        """How bad it was; empty for a decision that was good, or that the check leaves uncertain."""
        if self.check is not None and self.check.error > SURE:
            return ""
        return next((name for least, name in zip(MARKS[::-1], MARK_NAMES[::-1], strict=True) if self.lost >= least), "")


class Analyst:
    """Judges decisions as `look` does, by the judge of its policy."""

    def __init__(self, look: LookAgent) -> None:
        self.look = look

    @cached_property
    def _player(self) -> PolicyAgent:
        """Who plays on in checks."""
        return PolicyAgent(self.look.rules, str(self.look.file))

    def decisions(self, record: dict[str, Any]) -> Iterator[Judged]:
        """Every decision of a written game, judged as `look` sees it."""
        table: Any = SKYJO.records.begin(record)
        for number, action in enumerate(record["actions"], 1):
            yield self._judged(table, number, action)

    def _judged(self, table: Game, number: int, action: int) -> Judged:
        """Judge a decision and carry it out."""
        observation, seat, round_number = table.observation().copy(), table.seat, table.round
        worths, brings_cards = self.look.worths(observation, number), bool(table.outcomes(action))
        events = table.play(action)
        margins, luck = margins_of(events), np.zeros(table.rules.players)
        if margins is not None:
            luck = margins - worths[action]
        elif brings_cards and not table.is_over and table.round == round_number:
            luck = self.look.worth(table.observation(), number) - worths[action]
        return Judged(number, round_number, seat, action, observation, worths, luck, margins)

    def checked(self, judged: Judged) -> Judged:
        """The same decision, checked if it seems to give something away."""
        if judged.seems_lost < DOUBTFUL:
            return judged
        return replace(judged, check=self.check(judged.observation, judged.best, judged.action, judged.number))

    def check(self, observation: NDArray[np.int16], best: int, action: int, key: int = 0) -> Check:
        """How many more points the best action brings than the other, in rounds that policies play out.

        It continues until that is known well enough to be marked, or is certainly too little for a mark.
        """
        sums, guesses, check = np.zeros(2), 0, Check(0.0, inf, 0)
        while check.error > SURE and guesses < MOST_GUESSES and check.lost + 2 * check.error >= MARKS[0]:
            sums += self._try(observation, best, action, range(guesses, guesses + GUESSES), key)
            guesses += GUESSES
            gained, squares = sums / guesses
            check = Check(-gained, sqrt((squares - gained * gained) / (guesses - 1)), guesses)
        return check

    def _try(self, observation: NDArray[np.int16], best: int, action: int, guesses: range, key: int) -> Floats:
        """Sums over guesses: of the points that the second action brought more than the first, and of their squares."""
        rules = self.look.rules
        actions, points, games = np.array([best, action]), np.zeros(2, np.int64), np.zeros(2, GAME_DTYPE)
        players, tried = np.repeat(self._player.player, rules.players), np.zeros((3, 2), np.int64)
        tries = actions, guesses.start, guesses.stop, np.uint64(key), WHOLE_ROUND
        room = games, np.empty_like(observation), points, tried[:2], tried[2]
        try_with_policies(observation, rules.params, players, *tries, *room)
        others = rules.players - 1
        sums: Floats = tried[1:, 1] / (others, others**2)
        return sums


@dataclass(frozen=True)
class Conduct:
    """How a seat played, over all its decisions."""

    decisions: int
    unforced: int  # decisions in which it made a difference what was chosen
    lost: float  # points given away
    marks: tuple[int, ...]  # how many of each
    rounds: int  # that were scored
    margin: float  # points, all rounds together
    luck: float  # of all seats, points it brought to this one

    @property
    def lost_a_decision(self) -> float:
        """Points given away in an unforced decision, on average."""
        return self.lost / max(self.unforced, 1)


def conduct_of(seat: int, decisions: Iterable[Judged]) -> Conduct:
    """How a seat played."""
    all_decisions = list(decisions)
    own = [judged for judged in all_decisions if judged.seat == seat]
    scored = [judged.margins[seat] for judged in all_decisions if judged.margins is not None]
    return Conduct(
        decisions=len(own),
        unforced=sum(not judged.is_forced for judged in own),
        lost=sum(judged.lost for judged in own),
        marks=tuple(sum(judged.mark == name for judged in own) for name in MARK_NAMES),
        rounds=len(scored),
        margin=float(sum(scored)),
        luck=float(sum(judged.luck[seat] for judged in all_decisions)),
    )


def margins_of(events: Iterable[Event]) -> Floats | None:
    """The seats' margins if the events scored a round."""
    for event in events:
        if isinstance(event, RoundScored):
            scores = np.array(event.scores, np.float64)
            margins: Floats = (scores.sum() - scores) / (len(scores) - 1) - scores
            return margins
    return None
