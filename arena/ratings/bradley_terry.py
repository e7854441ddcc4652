"""Strengths of maximum likelihood: Bradley-Terry for pairs, Plackett-Luce for larger tables, on the Elo scale.

A ranking is a series of choices, and a player is chosen with a probability proportional to exp(strength). For tables of
two this is Bradley-Terry, a drawn game being half a win for each.

Intervals are bootstrapped over deals. Every deal gets a random weight (exponential, the Bayesian bootstrap) instead
of a random number of copies: no deal ever vanishes, so whatever can be rated stays so in every resample.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from math import log
from typing import Any

import numpy as np

from arena.ratings.choices import check_comparable, choices_of, meetings_of
from arena.ratings.results import Floats, Ints, RatingError, Results

ELO = 400 / log(10)  # rating points for a factor e in the odds
BLOCK = 16  # resamples whose counts are held at once
STEPS = 200
EXACT = 1e-9  # the wins that may be left unexplained, as a share of all


@dataclass(frozen=True)
class Strengths:
    """Ratings with their intervals, all relative to the anchor, whose own interval is therefore empty."""

    players: tuple[str, ...]
    ratings: Floats  # [P]
    low: Floats  # [P]
    high: Floats  # [P]
    resampled: Floats  # [B, P] the ratings of every resample
    anchor: str

    def expected(self, player: str, other: str) -> float:
        """How often one player finishes ahead of another."""
        gap = self.ratings[self.players.index(player)] - self.ratings[self.players.index(other)]
        return float(_ahead(gap / ELO))


@dataclass(frozen=True)
class Intransitivity:
    """How often each player finished ahead of each other, against what the strengths say; NaN where they never met.

    If strengths said all, one interval in twenty would leave out 0, at 95 %.
    """

    players: tuple[str, ...]
    observed: Floats  # [P, P] row ahead of column, ties by halves
    fitted: Floats  # [P, P]
    low: Floats  # [P, P] the interval of excess
    high: Floats  # [P, P]

    @property
    def excess(self) -> Floats:
        """Observed minus fitted, [P, P]: above 0 where the row does better against the column than strengths say."""
        return self.observed - self.fitted


def fit(
    results: Results,
    anchor: str,
    at: float = 1000.0,
    prior: float = 0.0,
    resamples: int = 400,
    confidence: float = 0.95,
    seed: int = 0,
) -> Strengths:
    """The ratings of all players, with the anchor's fixed at a value.

    `prior` is a number of drawn games of every player against a fictive one, who is rated with the others and left out
    of the result. Without it, RatingError says which players cannot be compared, or have no finite rating because
    nobody else finished ahead of them.
    """
    fixed = results.index(anchor)
    model, counts = _model(results, prior)
    best = model.strengths(counts.sum(axis=0))
    draws = [model.strengths(sums, best) for sums in _resampled(counts, resamples, seed)]
    resampled = np.array(draws).reshape(resamples, len(best))

    def on_scale(strengths: Floats) -> Floats:
        return (at + ELO * (strengths - strengths[..., fixed, None]))[..., : len(results.players)]

    low, high = _interval(on_scale(resampled), confidence)
    return Strengths(results.players, on_scale(best), low, high, on_scale(resampled), anchor)


def intransitivity(
    results: Results, prior: float = 0.0, resamples: int = 400, confidence: float = 0.95, seed: int = 0
) -> Intransitivity:
    """Win rates of all pairs of players against those of the fitted strengths; arguments and errors as for `fit`."""
    model, counts = _model(results, prior)
    players, meetings = len(results.players), meetings_of(results)

    def compared(sums: Floats, ahead: Floats, start: Floats | None = None) -> tuple[Floats, Floats, Floats]:
        strengths = model.strengths(sums, start)
        wins = ahead.reshape(players, players)
        met = np.where(wins + wins.T > 0, wins + wins.T, np.nan)
        return wins / met, _ahead(strengths[:players, None] - strengths[:players]) + 0 * met, strengths

    observed, fitted, best = compared(counts.sum(axis=0), meetings.sum(axis=0))
    excess = np.empty((resamples, players, players))
    both = zip(_resampled(counts, resamples, seed), _resampled(meetings, resamples, seed), strict=True)
    for draw, (sums, ahead) in enumerate(both):  # the same seed: the same weights
        seen, said, _ = compared(sums, ahead, best)
        excess[draw] = seen - said
    return Intransitivity(results.players, observed, fitted, *_interval(excess, confidence))


def _ahead(gap: Any) -> Any:
    return 1 / (1 + np.exp(-gap))


def _interval(resampled: Floats, confidence: float) -> tuple[Floats, Floats]:
    if not len(resampled):
        nothing = np.full(resampled.shape[1:], np.nan)
        return nothing, nothing
    tail = 50 * (1 - confidence)
    low, high = np.percentile(resampled, [tail, 100 - tail], axis=0)
    return low, high


def _resampled(counts: Any, resamples: int, seed: int) -> Iterator[Floats]:
    """Sums of the counts over deals that are weighted at random."""
    deals = counts.shape[0]
    if resamples and deals < 2:
        raise RatingError("one deal alone has no interval: give more deals, or resamples=0")
    rng = np.random.default_rng(seed)
    for start in range(0, resamples, BLOCK):
        weights = rng.standard_exponential((min(BLOCK, resamples - start), deals))
        yield from weights / weights.mean(axis=1, keepdims=True) @ counts


def _model(results: Results, prior: float) -> tuple["_Model", Any]:
    """The likelihood of these results, and the counts it takes, a row for every deal."""
    if prior < 0:
        raise RatingError(f"a prior is a number of games, not {prior}")
    if not len(results.seated):
        raise RatingError("there are no games to rate")
    if not prior:
        check_comparable(results)
    choices, players = choices_of(results), len(results.players)
    if not prior:
        return _Model(choices.members, players, 0.0), choices.counts
    drawn = np.full((players, choices.members.shape[1]), players + 1)
    drawn[:, 0], drawn[:, 1] = np.arange(players), players
    filled = np.where(choices.members == players, players + 1, choices.members)
    return _Model(np.concatenate([filled, drawn]), players + 1, prior), choices.counts


@dataclass(frozen=True)
class _Model:
    """The sets that were chosen from: what the likelihood is made of besides the counts."""

    members: Ints  # [U, n] the players of every set; `players` fills the row
    players: int  # with the fictive one, who is the last, if there is a prior
    prior: float

    def counts(self, sums: Floats) -> tuple[Floats, Floats]:
        """How often every set was chosen from and every player chosen, the prior's drawn games included."""
        if not self.prior:
            return sums[: len(self.members)], sums[len(self.members) :]
        real = self.players - 1
        sets, chosen = sums[: len(sums) - real], sums[len(sums) - real :] + self.prior / 2
        return np.append(sets, np.full(real, self.prior)), np.append(chosen, real * self.prior / 2)

    def strengths(self, sums: Floats, start: Floats | None = None) -> Floats:
        """The strengths of maximum likelihood, of mean 0, by Newton's method; a step that overshoots is halved."""
        held, chosen = self.counts(sums)
        now = np.zeros(self.players) if start is None else start
        value, shares = self.likelihood(now, held, chosen)
        for _ in range(STEPS):
            missing, curvature = self.slopes(shares, held, chosen)
            if np.abs(missing).max() <= EXACT * chosen.sum():
                return np.asarray(now - now.mean())
            step = np.append(np.linalg.solve(curvature[:-1, :-1], missing[:-1]), 0.0)
            while True:
                after, after_shares = self.likelihood(now + step, held, chosen)
                if after >= value - EXACT * abs(value) or np.abs(step).max() < EXACT:
                    break
                step /= 2
            now, value, shares = now + step, after, after_shares
        raise RatingError("the likelihood has no maximum that can be found: give a prior")

    def likelihood(self, strengths: Floats, held: Floats, chosen: Floats) -> tuple[float, Floats]:
        """The log-likelihood, and everybody's probability to be chosen from every set, [U, n]."""
        weights = np.append(np.exp(strengths - strengths.max()), 0.0)[self.members]
        sums = weights.sum(axis=1)
        value = chosen @ (strengths - strengths.max()) - held @ np.log(sums)
        return float(value), weights / sums[:, None]

    def slopes(self, shares: Floats, held: Floats, chosen: Floats) -> tuple[Floats, Floats]:
        """The likelihood's gradient, [P], and its curvature with the sign turned, [P, P]."""
        size = self.players + 1
        due = held[:, None] * shares
        expected = _sums(self.members.ravel(), due.ravel(), size)
        pairs = (self.members[:, :, None] * size + self.members[:, None, :]).ravel()
        products = _sums(pairs, (due[:, :, None] * shares[:, None, :]).ravel(), size * size)
        curvature = np.diag(expected) - products.reshape(size, size)
        return chosen - expected[:-1], curvature[:-1, :-1]


def _sums(places: Ints, values: Floats, size: int) -> Floats:
    """The values summed by their place."""
    return np.asarray(np.bincount(places, values, size), np.float64)
