"""What a comparison found, as it goes to JSON and onto the page, and the intervals in it.

Two kinds of luck are kept apart. Intervals over deals say how much these same policies would vary on other deals.
Several training seeds give several policies, each measured on deals of its own; the interval over them says what
another run of the same training would give, and includes the luck of the deals.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from statistics import fmean
from typing import Literal, TypedDict

from cardtable.policies.policy_card import ShareDocument
from cardtable.statistics import Estimate, EstimateDocument, Moments, estimate, holm, p_value, t_test, wilson_of_share
from skyjo_training.measurements import over_seeds

CLEAR = 0.05  # of p-values


class Numbers(TypedDict):
    """Points a round ahead, and the shares of rounds and games that were won; no games if none were played."""

    margin: EstimateDocument
    rounds: ShareDocument
    games: ShareDocument | None


class PolicyNumbers(Numbers):
    """The numbers of one of the policies."""

    policy: str


class SeedNumbers(TypedDict):
    """The means of the policies' numbers, with intervals over their training seeds."""

    margin: EstimateDocument
    rounds: EstimateDocument
    games: EstimateDocument | None


class Measurement(TypedDict):
    """How the policies did against one opponent."""

    each: list[PolicyNumbers]
    together: Numbers
    over_seeds: SeedNumbers | None  # None for a single policy


class Met(Measurement):
    """An opponent, and how the policies did against it."""

    opponent: str
    deals: int  # for each policy, of rounds
    games: int  # the same, of games
    stopped: float  # the share of rounds that went on for too long
    stopped_games: float | None  # the same, of games


Verdict = TypedDict("Verdict", {"p_value": float, "is": Literal["ahead", "behind", "open"]})


class Against(Met):
    """The same, with a verdict on the margin."""

    verdict: Verdict


class Looked(Measurement):
    """How `look` did against the policies."""

    agents: list[str]  # against each policy
    deals: int


class Exploited(Measurement):
    """How the exploiters did against the policies."""

    decisions: int
    deals: int
    warm: bool


class PolicyName(TypedDict):
    """A policy's name in the comparison, and the agent that plays it."""

    name: str
    agent: str


class Comparison(TypedDict):
    """All that was found."""

    policies: list[PolicyName]
    game: str
    rules: str
    players: int
    deals: int
    games: int
    slow: int
    seed: int
    luck: bool
    against: list[Against]
    look: Looked | None
    exploiter: Exploited | None


class ComparisonDocument(Comparison):
    """The same, with the command that repeats it."""

    command: str


def most_taken(found: Comparison) -> str | None:
    """What won more from the policies: "look" or "exploiter"; None if there are not both, or neither won anything."""
    if found["look"] is None or found["exploiter"] is None:
        return None
    look, learned = (each["together"]["margin"]["mean"] for each in (found["look"], found["exploiter"]))
    if max(look, learned) <= 0:
        return None
    return "look" if look >= learned else "exploiter"


@dataclass(frozen=True)
class Sample:
    """What several policies did against one opponent, policy by policy: each has deals of its own."""

    margins: Sequence[Moments]
    rounds: Sequence[Moments]  # the shares that were won
    games: Sequence[Moments] | None


def measurement(policies: Sequence[str], sample: Sample) -> Measurement:
    """Each policy's numbers, those of all together, and over training seeds."""
    each: list[PolicyNumbers] = []
    for number, policy in enumerate(policies):
        games = None if sample.games is None else [sample.games[number]]
        alone = Sample([sample.margins[number]], [sample.rounds[number]], games)
        each.append({"policy": policy, **_numbers(alone)})
    return {"each": each, "together": _numbers(sample), "over_seeds": _seed_numbers(sample)}


def _numbers(sample: Sample) -> Numbers:
    return {
        "margin": together(sample.margins).to_document(),
        "rounds": share_together(sample.rounds),
        "games": None if sample.games is None else share_together(sample.games),
    }


def _seed_numbers(sample: Sample) -> SeedNumbers | None:
    margin, rounds = (over_seeds([part.mean for part in parts]) for parts in (sample.margins, sample.rounds))
    games = None if sample.games is None else over_seeds([part.mean for part in sample.games])
    if margin is None or rounds is None:
        return None
    return {
        "margin": margin.to_document(),
        "rounds": rounds.to_document(),
        "games": None if games is None else games.to_document(),
    }


def together(parts: Sequence[Moments]) -> Estimate:
    """The mean of the means of several policies, each on deals of its own, with an interval over deals."""
    each = [estimate(part) for part in parts]
    return Estimate(fmean(one.mean for one in each), math.hypot(*(one.half for one in each)) / len(each))


def share_together(parts: Sequence[Moments]) -> ShareDocument:
    """The mean share that several policies won, each on deals of its own, with Wilson's interval.

    It counts for as many games as would scatter, if they were independent, as much as the deals did; where the deals
    did not scatter, for the number of deals (Korn and Graubard 1998, Survey Methodology 24:193).
    """
    mean = fmean(part.mean for part in parts)
    error = sum(part.variance / (part.count - 1) for part in parts) / len(parts) ** 2  # squared
    games = mean * (1 - mean) / error if error > 0 else sum(part.count for part in parts)
    interval = wilson_of_share(mean, games)
    return {"value": mean, "low": interval.low, "high": interval.high}


def verdicts(found: Sequence[Met]) -> list[Verdict]:
    """Whether each margin is beyond chance, by Holm's standard for this many opponents.

    A single policy's margin is judged over deals, the mean margin of several over their training seeds.
    """
    values = [_p_value(row) for row in found]
    return [_verdict(row, float(adjusted)) for row, adjusted in zip(found, holm(values), strict=True)]


def _p_value(row: Met) -> float:
    if len(row["each"]) > 1:
        return t_test([one["margin"]["mean"] for one in row["each"]])
    return p_value(Estimate(**row["together"]["margin"]), row["deals"])


def _verdict(row: Met, adjusted: float) -> Verdict:
    if adjusted > CLEAR:
        return {"p_value": adjusted, "is": "open"}
    return {"p_value": adjusted, "is": "ahead" if row["together"]["margin"]["mean"] > 0 else "behind"}
