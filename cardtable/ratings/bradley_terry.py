"""Strengths of maximum likelihood: Bradley-Terry for pairs, Plackett-Luce for larger tables, on the Elo scale.

A ranking is a series of choices: the first place is chosen among all players of a table, the second among the others,
and so on, each with a probability proportional to exp(strength). What matters is how often every set of players was
chosen from, and how often every player was chosen. Tied players count as all orders among them in equal shares. For
tables of two this is Bradley-Terry, a drawn game being half a win for each.

Intervals are bootstrapped over deals. Every deal gets a random weight (exponential, the Bayesian bootstrap) instead
of a random number of copies: no deal ever vanishes, so whatever can be rated stays so in every resample.
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from itertools import combinations, pairwise
from math import comb, inf, log
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy import sparse, stats
from scipy.sparse import csgraph

from cardtable.checks import seed_number
from cardtable.ratings.results import Floats, Ints, RatingError, Results
from cardtable.statistics import TAIL, holm

ELO = 400 / log(10)  # rating points for a factor e in the odds
ANCHORED = 1000.0  # the anchor's rating
BLOCK = 16  # resamples whose counts are held at once
STEPS = 200
EXACT = 1e-9  # the wins that may be left unexplained, as a share of all
NOTHING = 1e-6  # errors below this come from computing
MOST_PAIRED = 150  # players whose pairs fit in memory for every resample
MOST_TIED = 12  # every subset of them is a choice
LARGEST = 2**27  # numbers that fit in memory: for every set of players the pairs in it

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
    return Intransitivity(observed, fitted, error, middle - half, middle + half, games)


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


# Rankings as choices


@dataclass(frozen=True)
class Choices:
    """The sets that were chosen from, and how often, with a row for every deal."""

    members: Ints  # [U, n] the players of every set; the number of players fills the row
    counts: Any  # sparse [deals, U + P]: how often every set was chosen from, then every player chosen


def choices_of(results: Results) -> Choices:
    """All choices that the rankings consist of, counted for every deal.

    RatingError for tables, or ties, that are too large to be counted in this way.
    """
    players, seats = len(results.players), results.seated.shape[1]
    deal = _deal_numbers(results)
    sets, held, won = [], [], []
    for games, ranked, leaders, behind, weight in _stages(results):
        members = np.full((len(games), seats), players)
        members[:, : len(leaders) + len(behind)] = np.sort(ranked[:, leaders + behind], axis=1)
        sets.append(members)
        held.append((deal[games], np.full(len(games), weight)))
        won += [(deal[games], ranked[:, place], np.full(len(games), weight / len(leaders))) for place in leaders]
    distinct, which = _distinct(np.concatenate(sets), players)
    if distinct.size * seats > LARGEST:
        raise RatingError(f"tables of {seats} are too large for these ratings: split them, or use Elo")
    deals, weights = (np.concatenate(each) for each in zip(*held, strict=True))
    win_deals, winners, shares = (np.concatenate(each) for each in zip(*won, strict=True))
    places = np.concatenate([deals, win_deals]), np.concatenate([which, len(distinct) + winners])
    return Choices(
        distinct, _counted(np.concatenate([weights, shares]), *places, (deal.max() + 1, len(distinct) + players))
    )


def _counted(values: NDArray[np.float64], rows: Ints, columns: Ints, shape: tuple[int, int]) -> Any:
    return sparse.coo_array((values, (rows, columns)), shape=shape).tocsr()


def _deal_numbers(results: Results) -> Ints:
    return np.unique(results.deals, return_inverse=True)[1].reshape(-1)


def _distinct(sets: Ints, players: int) -> tuple[Ints, Ints]:
    """The different rows, and which of them every row is; by one number for a row where 64 bits hold it."""
    if (players + 1) ** sets.shape[1] >= 2**63:
        distinct, which = np.unique(sets, axis=0, return_inverse=True)
        return distinct, which.reshape(-1)
    powers = (players + 1) ** np.arange(sets.shape[1])
    keys, which = np.unique(sets @ powers, return_inverse=True)
    return keys[:, None] // powers % (players + 1), which.reshape(-1)


def _stages(results: Results) -> Iterator[tuple[Ints, Ints, list[int], list[int], float]]:
    """For games of one size and pattern of ties: their rows, the players by rank, and the choices.

    A choice is given by the places of those tied in front, who are equally likely to be chosen, by the places behind
    them, and by its weight: of several tied players, every subset may be what is left of them.
    """
    better = np.where(results.is_taken, results.better, -np.inf)
    order = np.argsort(-better, axis=1, kind="stable")
    ranked, better = (np.take_along_axis(each, order, axis=1) for each in (results.seated, better))
    sizes, differs = results.is_taken.sum(axis=1), better[:, 1:] != better[:, :-1]
    patterns, which = np.unique(np.column_stack([sizes, differs]), axis=0, return_inverse=True)
    for number, (size, *begins) in enumerate(patterns.tolist()):
        games = np.flatnonzero(which.reshape(-1) == number)
        bounds = [0, *(place for place in range(1, size) if begins[place - 1]), size]
        for begin, end in pairwise(bounds):
            tied, behind = range(begin, end), list(range(end, size))
            if len(tied) > MOST_TIED:
                raise RatingError(f"{len(tied)} players tie in one game: these ratings allow at most {MOST_TIED}")
            for many in range(1 if behind else 2, len(tied) + 1):
                for leaders in combinations(tied, many):
                    yield games, ranked[games], list(leaders), behind, 1 / comb(len(tied), many)


def meetings_of(results: Results) -> Any:
    """How often each player finished ahead of each other, ties by halves, sparse [deals, P·P]."""
    players, seats, deal = len(results.players), results.seated.shape[1], _deal_numbers(results)
    rows, columns, values = [], [], []
    for seat, other in ((seat, other) for seat in range(seats) for other in range(seats) if seat != other):
        both = results.is_taken[:, seat] & results.is_taken[:, other]
        rows.append(deal[both])
        columns.append(results.seated[both, seat] * players + results.seated[both, other])
        values.append(0.5 + 0.5 * np.sign(results.better[both, seat] - results.better[both, other]))
    shape = (deal.max() + 1, players**2)
    return _counted(np.concatenate(values), np.concatenate(rows), np.concatenate(columns), shape)


def check_comparable(results: Results) -> None:
    """Raise RatingError unless everybody finished ahead of everybody else, at least by way of others."""
    players = len(results.players)
    ahead = sparse.coo_array(meetings_of(results).sum(axis=0).reshape(players, players))
    hint = "; let them play more, leave them out, or give a prior"
    parts, part = csgraph.connected_components(ahead, connection="weak")
    if parts > 1:
        raise RatingError(f"no games connect {_names(results, part == part[0])} with the others{hint}")
    groups, group = csgraph.connected_components(ahead, connection="strong")
    if groups > 1:
        beaten = {int(to) for of, to in zip(group[ahead.row], group[ahead.col], strict=True) if of != to}
        unbeaten = min(set(range(groups)) - beaten)
        who = _names(results, group == unbeaten)
        raise RatingError(f"nobody else ever finished ahead of {who}, so no finite rating fits{hint}")


def _names(results: Results, chosen: NDArray[np.bool_]) -> str:
    names = [results.players[each] for each in np.flatnonzero(chosen)]
    return ", ".join(names[:5]) + (f" and {len(names) - 5} more" if len(names) > 5 else "")
