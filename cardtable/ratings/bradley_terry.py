"""Strengths of maximum likelihood: Bradley-Terry for pairs, Plackett-Luce for larger tables, on the Elo scale.

A ranking is a series of choices, and a player is chosen with a probability proportional to exp(strength). For tables of
two this is Bradley-Terry, a drawn game being half a win for each.

Intervals are bootstrapped over deals. Every deal gets a random weight (exponential, the Bayesian bootstrap) instead
of a random number of copies: no deal ever vanishes, so whatever can be rated stays so in every resample.
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from math import inf, log
from typing import Any

import numpy as np
from scipy import stats

from cardtable.checks import seed_number
from cardtable.ratings.choices import check_comparable, choices_of, meetings_of
from cardtable.ratings.results import Floats, Ints, RatingError, Results
from cardtable.statistics import TAIL, holm

ELO = 400 / log(10)  # rating points for a factor e in the odds
ANCHORED = 1000.0  # the anchor's rating
BLOCK = 16  # resamples whose counts are held at once
STEPS = 200
EXACT = 1e-9  # the wins that may be left unexplained, as a share of all
NOTHING = 1e-6  # errors below this come from computing
MOST_PAIRED = 150  # players whose pairs fit in memory for every resample

Report = Callable[[float], None]


@dataclass(frozen=True)
class Strengths:
    """Ratings with their intervals, all relative to the anchor, whose own interval is therefore empty."""

    players: tuple[str, ...]
    ratings: Floats  # [P]
    low: Floats  # [P]
    high: Floats  # [P]
    resampled: Floats  # [B, P] the ratings of every resample
    anchor: str


@dataclass(frozen=True)
class Intransitivity:
    """How often each player finished ahead of each other, against what the strengths predict; NaN if they never met.

    If strengths explained everything, one interval in twenty would exclude 0.
    """

    players: tuple[str, ...]
    observed: Floats  # [P, P] row ahead of column, ties by halves
    fitted: Floats  # [P, P]
    error: Floats  # [P, P] the standard error of excess
    low: Floats  # [P, P] the interval of excess
    high: Floats  # [P, P]
    games: Floats  # [P, P] that both played in

    @property
    def excess(self) -> Floats:
        """Observed minus fitted, [P, P]: above 0 where the row does better than predicted against the column."""
        return self.observed - self.fitted

    @property
    def p_values(self) -> Floats:
        """The p-value of every excess, [P, P], adjusted for multiple testing (Holm); NaN where there is no interval."""
        pairs = np.triu(np.isfinite(self.error), 1)
        ratio = np.abs(self.excess[pairs]) / np.maximum(self.error[pairs], NOTHING)
        found = np.full(self.games.shape, np.nan)
        found[pairs] = holm(2 * stats.norm.sf(ratio))
        both: Floats = np.fmax(found, found.T)
        return both


def fit(
    results: Results,
    anchor: str | None = None,
    prior: float = 0.0,
    resamples: int = 400,
    seed: int = 0,
    report: Report | None = None,
) -> Strengths:
    """The ratings of all players, the anchor's fixed at 1000; `report` is called with 1 after each resample.

    The default anchor is the player in the middle, or the better of two: somebody who hardly ever wins or loses has an
    uncertain rating, which would make all others uncertain.

    `prior` is a number of drawn games of every player against a fictive one, who is rated with the others and left out
    of the result. Without it, RatingError says which players cannot be compared, or have no finite rating because
    nobody else finished ahead of them.
    """
    named = None if anchor is None else results.index(anchor)
    model, counts = _model(results, prior)
    best = model.strengths(counts.sum(axis=0))
    draws = [model.strengths(sums, best) for sums in _resampled(counts, resamples, seed, report)]
    resampled = np.array(draws).reshape(resamples, len(best))
    players = len(results.players)
    fixed = int(np.argsort(-best[:players], kind="stable")[(players - 1) // 2]) if named is None else named

    def on_scale(strengths: Floats) -> Floats:
        return (ANCHORED + ELO * (strengths - strengths[..., fixed, None]))[..., :players]

    low, high = _interval(on_scale(resampled))
    return Strengths(results.players, on_scale(best), low, high, on_scale(resampled), results.players[fixed])


def intransitivity(
    results: Results,
    prior: float = 0.0,
    resamples: int = 400,
    seed: int = 0,
    report: Report | None = None,
) -> Intransitivity:
    """Win rates of all pairs of players against those of the fitted strengths; arguments and errors as for `fit`.

    A few deals that all went one way do so in every resample, which would look like certainty. So the spread of deals
    is taken about the prediction instead of the observation: excess² / deals is added to the variance.
    """
    players = len(results.players)
    if players > MOST_PAIRED:
        raise RatingError(f"{players} players make too many pairs to compare: at most {MOST_PAIRED} are allowed")
    model, counts = _model(results, prior)
    meetings = meetings_of(results)

    def compared(sums: Floats, ahead: Floats, start: Floats | None = None) -> tuple[Floats, Floats, Floats]:
        strengths = model.strengths(sums, start)
        wins = ahead.reshape(players, players)
        met = np.where(wins + wins.T > 0, wins + wins.T, np.nan)
        return wins / met, _ahead(strengths[:players, None] - strengths[:players]) + 0 * met, strengths

    observed, fitted, best = compared(counts.sum(axis=0), meetings.sum(axis=0))
    excess = np.empty((resamples, players, players))
    both = zip(_resampled(counts, resamples, seed, report), _resampled(meetings, resamples, seed), strict=True)
    for draw, (sums, ahead) in enumerate(both):  # the same seed: the same weights
        seen, said, _ = compared(sums, ahead, best)
        excess[draw] = seen - said
    turned = np.arange(players**2).reshape(players, players).T.ravel()
    either = meetings + meetings[:, turned]
    games, deals = (np.asarray(each.sum(axis=0)).reshape(players, players) for each in (either, either > 0))
    middle, spread = observed - fitted, excess.var(axis=0, ddof=1) if resamples > 1 else np.nan
    error = np.sqrt(spread + middle**2 / np.maximum(deals, 1))
    half = stats.norm.isf(TAIL) * error
    return Intransitivity(results.players, observed, fitted, error, middle - half, middle + half, games)


def _ahead(gap: Any) -> Any:
    return 1 / (1 + np.exp(-gap))


def _interval(resampled: Floats) -> tuple[Floats, Floats]:
    """The bounds below and above which another resample would lie with a probability of `TAIL` each.

    That is so for the quantiles of method "weibull". numpy's usual ones lie a little further inside.
    """
    if not len(resampled):
        nothing = np.full(resampled.shape[1:], np.nan)
        return nothing, nothing
    low, high = np.percentile(resampled, [100 * TAIL, 100 - 100 * TAIL], axis=0, method="weibull")
    return low, high


def _resampled(counts: Any, resamples: int, seed: int, report: Report | None = None) -> Iterator[Floats]:
    """Sums of the counts over deals that are weighted at random."""
    deals = counts.shape[0]
    if resamples < 0:
        raise RatingError(f"resamples={resamples} must be a number of resamples, or 0 for no intervals")
    if resamples and deals < 2:
        raise RatingError("one deal alone has no interval: give more deals, or resamples=0")
    rng = np.random.default_rng(seed_number("seed", seed))
    for start in range(0, resamples, BLOCK):
        weights = rng.standard_exponential((min(BLOCK, resamples - start), deals))
        for sums in weights / weights.mean(axis=1, keepdims=True) @ counts:
            yield sums
            if report is not None:
                report(1)


def _model(results: Results, prior: float) -> tuple["_Model", Any]:
    """The likelihood of these results, and the counts it takes, a row for every deal."""
    if not 0 <= prior < inf:
        raise RatingError(f"prior must be a number of games, not {prior}")
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
        raise RatingError("no maximum of the likelihood was found: give a prior")

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
