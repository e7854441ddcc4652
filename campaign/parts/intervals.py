"""Simulated samples whose true value is known: how often each interval covers it, and how often each test errs.

A batch only counts; `campaign.intervals` says which totals contradict a claim.
"""

from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy import stats

from campaign.batch import Batch, Result
from campaign.intervals import WILSON_GAMES, WILSON_RATES
from cardtable.ratings.bradley_terry import ELO, fit
from cardtable.ratings.results import Results
from cardtable.statistics import (
    Hypotheses,
    Interval,
    estimate,
    holm,
    is_narrow,
    mean_of_parts,
    p_value,
    sprt_margins,
    t_test,
)
from studies.study_statistics import bootstrap, clopper_pearson, deals_needed, games_per_arm, mann_whitney, wilson

Rng = np.random.Generator
Outcomes = Iterator[tuple[str, bool]]  # what was tried, and whether it happened
TRIALS = 150  # of the quick ones in a batch
LEVEL = 0.05


def run(batch: Batch) -> Result:
    """Some samples of every kind."""
    rng, result = np.random.default_rng(batch.chance.randrange(2**64)), Result()
    for kind, trials in KINDS:
        for _ in range(trials):
            for name, happened in kind(rng):
                result.count(f"{name} trials")
                result.count(f"{name} hits", int(happened))
                result.done += 1
    return result


def covers(interval: Interval, truth: float) -> bool:
    """Whether the interval holds the truth."""
    return interval.low <= truth <= interval.high


def t_intervals(rng: Rng) -> Outcomes:
    """Of normal deals."""
    for deals in (2, 10, 200):
        found = estimate(rng.normal(3, 20, deals))
        yield f"t interval of {deals} deals", abs(found.mean - 3) <= found.half
    sample = rng.normal(0, 20, 15)
    yield "t test without a difference", t_test(sample) <= LEVEL
    sample = rng.normal(0, 20, 9)
    yield "p-value of an estimate without a difference", p_value(estimate(sample), 9) <= LEVEL


def means_of_parts(rng: Rng) -> Outcomes:
    """Of two tables, over the same deals and over deals of their own."""
    luck = rng.normal(0, 10, 20)
    same = [(np.arange(20), luck + rng.normal(side, 5, 20)) for side in (-1, 1)]
    apart = [(np.arange(20), rng.normal(0, 10, 20)), (np.arange(20, 50), rng.normal(0, 10, 30))]
    for name, parts in (("that share deals", same), ("with deals of their own", apart)):
        found = mean_of_parts(parts)
        yield f"mean of parts {name}", abs(found.mean) <= found.half


def bootstraps(rng: Rng) -> Outcomes:
    """Of one game a deal, and of two games that share their luck."""

    def mean(means: NDArray[np.float64]) -> NDArray[np.float64]:
        return np.asarray(means.mean(axis=-1))

    seed = int(rng.integers(2**32))
    yield "bootstrap of deals", covers(bootstrap(rng.normal(0, 20, 100), mean, 400, seed), 0)
    games = rng.normal(0, 2, (100, 1)) + rng.normal(0, 1, (100, 2))
    yield "bootstrap of deals of two games", covers(bootstrap(games, mean, 400, seed), 0)


def win_rates(rng: Rng) -> Outcomes:
    """Of 40 games at rates from 0.05 to 0.95."""
    rate = float(rng.choice(WILSON_RATES))
    wins = int(rng.binomial(WILSON_GAMES, rate))
    yield "Wilson", covers(wilson(wins, WILSON_GAMES), rate)
    yield "Clopper-Pearson", covers(clopper_pearson(wins, WILSON_GAMES), rate)


def ranks(rng: Rng) -> Outcomes:
    """Of two samples that are alike."""
    found = mann_whitney(rng.normal(0, 1, 60), rng.normal(0, 1, 80))
    yield "Mann-Whitney without a difference", found.p_value <= LEVEL
    yield "interval of Mann-Whitney's effect", covers(found.interval, 0.5)


def several(rng: Rng) -> Outcomes:
    """Five comparisons with the same agent, two of them with a difference."""
    z = np.sqrt(0.5) * (rng.normal(size=5) + rng.normal()) + np.array([0, 0, 0, 3, 4])
    adjusted = holm(2 * stats.norm.sf(abs(z)))
    yield "Holm rejects a true hypothesis", bool((adjusted[:3] <= LEVEL).any())


def powers(rng: Rng) -> Outcomes:
    """Of the numbers of games that are said to be needed."""
    games = games_per_arm(0.55, 0.5)
    one, other = (rng.binomial(games, rate) / games for rate in (0.55, 0.5))
    error = np.sqrt((one * (1 - one) + other * (1 - other)) / games)
    yield "power of games_per_arm", bool(abs(one - other) / error > stats.norm.isf(LEVEL / 2))
    yield "power of deals_needed", t_test(rng.normal(4, 12, deals_needed(4, 12))) <= LEVEL


def decides(draw: Callable[[int], NDArray[Any]]) -> str:
    """The hypothesis that a sequential test finds, asked after every 10 deals."""
    seen = draw(10)
    while (verdict := sprt_margins(seen, Hypotheses(0, 1))).decision is None:
        seen = np.concatenate([seen, draw(10)])
    return verdict.decision


def sequential(rng: Rng) -> Outcomes:
    """Of margins in halves of points, as two games have."""
    for mean, name in ((0, "finds H1 under H0"), (1, "finds H0 under H1")):

        def margins(deals: int, mean: float = mean) -> NDArray[Any]:
            return np.round(2 * rng.normal(mean, 5, deals)) / 2

        yield f"sequential test {name}", decides(margins) == name[6:8]


def near_twins(rng: Rng) -> Outcomes:
    """Only one deal in twenty differs, but by much."""
    found = decides(lambda deals: (rng.random(deals) < 0.05) * rng.normal(0, 10, deals))
    yield "sequential test of near twins finds H1 under H0", found == "H1"


def stopped_at_a_width(rng: Rng) -> Outcomes:
    """Deals until the interval is narrow enough."""
    deals = rng.normal(0, 5, 400)
    end = next(end for end in range(2, 400) if is_narrow(deals[:end], 1.6))
    found = estimate(deals[:end])
    yield "interval when play stops at a width", abs(found.mean) <= found.half


def rating(rng: Rng) -> Outcomes:
    """Of three players, 80 games of two at random."""
    strengths = np.array([0.0, 0.4, -0.3])
    seated = np.array([rng.permutation(3)[:2] for _ in range(80)])
    first_wins = rng.random(80) < 1 / (1 + np.exp(strengths[seated[:, 1]] - strengths[seated[:, 0]]))
    scores = np.stack([~first_wins, first_wins], axis=1).astype(float)
    found = fit(Results.of("abc", seated, scores), "a", resamples=120, seed=int(rng.integers(2**32)))
    truth = 1000 + ELO * strengths[1]
    yield "interval of a rating", bool(found.low[1] <= truth <= found.high[1])


KINDS: tuple[tuple[Callable[[Rng], Outcomes], int], ...] = (
    *((kind, TRIALS) for kind in (t_intervals, means_of_parts, bootstraps, win_rates, ranks, several, powers)),
    (sequential, 20),
    (near_twins, 2),
    (stopped_at_a_width, 10),
    (rating, 4),
)
