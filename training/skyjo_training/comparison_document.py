"""The numbers of a comparison, and the intervals in them.

Two kinds of luck are kept apart. Intervals over deals say how much these same policies would vary on other deals.
Several training seeds give several policies, each measured on deals of its own; the interval over them says what
another run of the same training would give, and includes the luck of the deals.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from statistics import fmean
from typing import Literal

from cardtable.arena.statistics import Estimate, Moments, Range, estimate, holm, p_value, t_test, wilson_of_share
from skyjo_training.measurements import over_seeds

CLEAR = 0.05  # of p-values


@dataclass(frozen=True)
class Numbers:
    """Points a round ahead, and the shares of rounds and games that were won; no games if none were played."""

    policy: str  # or all
    margin: Estimate
    rounds: Range
    games: Range | None


@dataclass(frozen=True, kw_only=True)
class Measurement:
    """The results of the policies against one opponent, or those of `lookahead` or exploiters against the policies."""

    opponent: str
    deals: int  # for each policy, of rounds
    by_policy: list[Numbers]
    together: Numbers
    over_seeds: dict[str, Estimate | None] | None  # of margin, rounds and games; None for a single policy


@dataclass(frozen=True)
class Verdict:
    """Whether the margin is beyond chance."""

    p_value: float
    side: Literal["ahead", "behind", "open"]


@dataclass(frozen=True, kw_only=True)
class Met(Measurement):
    """An opponent, and the results against it."""

    games: int  # deals of games for each policy
    stopped: float  # the share of rounds that went on for too long
    stopped_games: float | None
    verdict: Verdict | None = None


@dataclass(frozen=True, kw_only=True)
class Looked(Measurement):
    """The results of `lookahead` against the policies."""

    agents: list[str]  # against each policy


@dataclass(frozen=True, kw_only=True)
class Exploited(Measurement):
    """The results of the exploiters against the policies."""

    decisions: int
    warm: bool


@dataclass(frozen=True)
class Comparison:
    """Everything that a comparison has found."""

    policies: list[dict[str, str]]  # name, and the agent that plays it
    game: str
    rules: str
    players: int
    deals: int
    games: int
    slow: int
    seed: int
    luck: bool
    against: list[Met]
    look: Looked | None
    exploiter: Exploited | None


@dataclass(frozen=True)
class Sample:
    """The results of several policies against one opponent, policy by policy: each has deals of its own."""

    policies: Sequence[str]
    margins: Sequence[Moments]
    rounds: Sequence[Moments]  # the shares that were won
    games: Sequence[Moments] | None = None

    @property
    def by_policy(self) -> list[Numbers]:
        """The numbers of every policy."""
        games = [None] * len(self.policies) if self.games is None else [share_together([part]) for part in self.games]
        parts = zip(self.policies, self.margins, self.rounds, games, strict=True)
        return [Numbers(name, estimate(margin), share_together([won]), game) for name, margin, won, game in parts]

    @property
    def together(self) -> Numbers:
        """The numbers of all policies."""
        games = None if self.games is None else share_together(self.games)
        return Numbers("all", together(self.margins), share_together(self.rounds), games)

    @property
    def over_seeds(self) -> dict[str, Estimate | None] | None:
        """The means of the policies' numbers, with intervals over training seeds; None for a single policy."""
        parts = {"margin": self.margins, "rounds": self.rounds, "games": self.games}
        estimates = {name: over_seeds([part.mean for part in sums]) for name, sums in parts.items() if sums is not None}
        return None if estimates["margin"] is None else {"games": None, **estimates}


def together(parts: Sequence[Moments]) -> Estimate:
    """Return the mean of the means of several policies, each on deals of its own, with an interval over deals."""
    estimates = [estimate(part) for part in parts]
    return Estimate(fmean(one.mean for one in estimates), math.hypot(*(one.half for one in estimates)) / len(estimates))


def share_together(parts: Sequence[Moments]) -> Range:
    """Return the mean share that several policies won, each on deals of its own, with Wilson's interval.

    It counts for as many games as would scatter, if they were independent, as much as the deals did; where the deals
    did not scatter, for the number of deals (Korn and Graubard 1998, Survey Methodology 24:193).
    """
    mean = fmean(part.mean for part in parts)
    error = sum(part.variance / (part.count - 1) for part in parts) / len(parts) ** 2  # squared
    games = mean * (1 - mean) / error if error > 0 else sum(part.count for part in parts)
    return wilson_of_share(mean, games)


def verdicts(rows: Sequence[Met]) -> list[Verdict]:
    """Return whether each margin is beyond chance, by Holm's standard for this many opponents.

    A single policy's margin is judged over deals, the mean margin of several over their training seeds.
    """
    values = [
        p_value(row.together.margin, row.deals)
        if row.over_seeds is None
        else t_test([one.margin.mean for one in row.by_policy])
        for row in rows
    ]
    sides: list[Literal["ahead", "behind"]] = ["ahead" if row.together.margin.mean > 0 else "behind" for row in rows]
    adjusted = holm(values).tolist()
    return [Verdict(p, side if p <= CLEAR else "open") for p, side in zip(adjusted, sides, strict=True)]
