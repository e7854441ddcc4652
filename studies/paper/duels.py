"""Threshold players against each other, every deal from both seats, and the paper's variants of the game (5.2, 7)."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from cardtable.agents import Agent
from cardtable.card_game import Setup
from cardtable.play.decisions import ThreadsOrPool, play_rounds
from cardtable.play.pairing import play_paired
from cardtable.statistics import estimate
from skyjo_agents.scripted import ThresholdAgent
from skyjo_env.kernel.state import CONFIRM
from skyjo_env.kernel.view import AT_PHASE
from skyjo_env.rules import OFFICIAL, REICHEL, Rules
from studies.paper.sampling_error import standard_error
from studies.paper.sweeps import Report

DUEL, REFUSAL, ALONE = 1.5, 40.0, 4.0  # roughly how long a deal takes, for the progress bar
BASE = 2  # the threshold that the others are measured against

LOW_DECK = {-2: 15, -1: 20, 0: 25, **dict.fromkeys(range(1, 7), 10), **dict.fromkeys(range(7, 13), 5)}
HIGH_DECK = {-2: 2, -1: 4, 0: 6, **dict.fromkeys(range(1, 7), 8), **dict.fromkeys(range(7, 13), 15)}

BOARDS = {
    "3 × 4": OFFICIAL,
    "3 × 5": OFFICIAL.replace(columns=5),
    "3 × 6": OFFICIAL.replace(columns=6),
    "4 × 4": OFFICIAL.replace(rows=4),
    "4 × 6": OFFICIAL.replace(rows=4, columns=6),
}
DECKS = {
    "more low cards": OFFICIAL.replace(deck=LOW_DECK),
    "more high cards": OFFICIAL.replace(deck=HIGH_DECK),
}
VARIED_THRESHOLDS = tuple(range(-1, 7))


@dataclass(frozen=True)
class DealSettings:
    """The deals behind every number here, how they are played, and what to call with the work done."""

    deals: int
    seed: int
    threads: ThreadsOrPool
    report: Report

    def margins(self, agents: Sequence[str | Agent], rules: Rules) -> NDArray[np.float64]:
        """The first agent's margin against the second on each deal, played from both seats."""
        return play_paired(agents, Setup(rules, self.seed), range(self.deals), self.threads).margins[:, 0]


@dataclass(frozen=True)
class Duel:
    """A player's margin in points a round against another, each deal played from both seats."""

    player: str
    against: str
    deals: int
    mean: float
    half: float
    differing: float  # share of the deals on which the two players did not score the same

    def is_won(self, bound: float) -> bool:
        """Does it win by more than this many standard errors?"""
        return self.mean > bound * standard_error(self.half)


def duel_of(player: str, against: str, margins: NDArray[np.float64]) -> Duel:
    """The duel that these margins, one for each deal, come to."""
    found = estimate(margins)
    return Duel(player, against, len(margins), found.mean, found.half, float((margins != 0).mean()))


def threshold_duels(rules: Rules, thresholds: Sequence[int], settings: DealSettings, *, columns: bool) -> list[Duel]:
    """Every threshold against the base."""
    ending = f",columns={str(columns).lower()}"
    found = []
    for t in thresholds:
        names = [f"threshold:t={each}{ending}" for each in (t, BASE)]
        margins = settings.margins(names, rules) if t != BASE else np.zeros(settings.deals)
        found.append(duel_of(names[0], names[1], margins))
        settings.report(DUEL * settings.deals)
    return found


class AlwaysClears:
    """The threshold player with columns, but it clears every complete column that it is asked about."""

    def __init__(self, rules: Rules, t: float) -> None:
        self.usual = ThresholdAgent(rules, t, columns=True)
        self.clear = int(rules.params["clear_lines"][0])

    def act(
        self, observations: NDArray[np.int16], masks: NDArray[np.int8], chances: NDArray[np.uint64]
    ) -> NDArray[np.int64]:
        """Play as usual, but always clear when asked."""
        actions = self.usual.act(observations, masks, chances)
        actions[observations[:, AT_PHASE] == CONFIRM] = self.clear
        return actions


@dataclass(frozen=True)
class Refusal:
    """The value of the right to keep a complete column (section 5.2)."""

    rules: str
    threshold: int
    duel: Duel


def refusals(settings: DealSettings) -> list[Refusal]:
    """A player that clears only what costs points, against one that always clears."""
    found = []
    for name, rules in (("the paper's rules", REICHEL), ("official rules", OFFICIAL)):
        confirmed = rules.replace(clear="confirm")
        for t in (0, 2):
            chooser, clearer = ThresholdAgent(confirmed, t, columns=True), AlwaysClears(confirmed, t)
            margins = settings.margins([chooser, clearer], confirmed)
            found.append(Refusal(name, t, duel_of("clears what costs points", "always clears", margins)))
            settings.report(REFUSAL * settings.deals)
    return found


@dataclass(frozen=True)
class Variant:
    """A board or deck: self-play of the described player with columns at each threshold, and duels against the base."""

    name: str
    changes: str
    deals: int
    thresholds: tuple[int, ...]
    means: tuple[float, ...]  # by threshold
    halves: tuple[float, ...]
    turns: tuple[float, ...]
    stopped: tuple[float, ...]
    duels: tuple[Duel, ...]

    def lowest(self, bound: float) -> list[int]:
        """The threshold with the lowest mean score in self-play, and all within this many standard errors of it."""
        least, half = min(zip(self.means, self.halves, strict=True))
        rows = zip(self.thresholds, self.means, self.halves, strict=True)
        return [t for t, mean, other in rows if mean - least <= bound * standard_error(half, other)]

    def winning(self, bound: float) -> list[int]:
        """The thresholds that win against the base by more than this many standard errors."""
        return [t for t, duel in zip(self.thresholds, self.duels, strict=True) if duel.is_won(bound)]


def variant(name: str, rules: Rules, settings: DealSettings) -> Variant:
    """One board or deck."""
    deals = range(settings.deals)
    means, halves, turns, stopped = [], [], [], []
    for t in VARIED_THRESHOLDS:
        players = [ThresholdAgent(rules, t, columns=True)] * 2
        rounds = play_rounds(players, Setup(rules, settings.seed), deals, settings.threads)
        found = estimate(rounds.scores.mean(axis=1))
        means.append(found.mean)
        halves.append(found.half)
        turns.append(float(rounds.turns.mean()))
        stopped.append(float(rounds.is_stopped.mean()))
        settings.report(ALONE * settings.deals)
    duels = threshold_duels(rules, VARIED_THRESHOLDS, settings, columns=True)
    return Variant(
        name,
        rules.to_text() or "none",
        settings.deals,
        VARIED_THRESHOLDS,
        tuple(means),
        tuple(halves),
        tuple(turns),
        tuple(stopped),
        tuple(duels),
    )
