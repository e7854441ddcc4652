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
from functools import partial
from itertools import combinations, pairwise
from math import comb, inf, log
from typing import Any

import numpy as np
from scipy import optimize, sparse
from scipy.sparse.csgraph import connected_components

from cardtable.arena.ratings.results import Floats, Ints, RatingError, Results
from cardtable.arena.statistics import TAIL
from cardtable.table.checks import seed_number

ELO = 400 / log(10)  # rating points for a factor e in the odds
ANCHORED = 1000.0  # the anchor's rating
BLOCK = 16  # resamples whose counts are held at once
STEPS = 2000
EXACT, ENOUGH = 1e-9, 1e-6  # the wins to leave unexplained, as a share of all: what is tried, and the most
MAX_TIED = 12  # every subset of them is a choice

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


def fit(
    results: Results,
    anchor: str | None = None,
    prior: float = 0.0,
    resamples: int = 400,
    seed: int = 0,
    report: Report | None = None,
) -> Strengths:
    """Return the ratings of all players, the anchor's fixed at 1000; `report` is called with 1 after each resample.

    The default anchor is the player in the middle, or the better of two: a player who hardly ever wins or loses has an
    uncertain rating, which would make all others uncertain.

    `prior` is a number of drawn games of every player against a fictive one, who is rated with the others and left out
    of the result. Without it, RatingError if players cannot be compared, or have no finite rating because no other
    player finished ahead of them.
    """
    if anchor is not None and anchor not in results.players:
        raise RatingError(f"unknown player {anchor!r}; the players are {', '.join(results.players)}")
    model, players = _model(results, prior), len(results.players)
    best = model.strengths(model.counts.sum(axis=0))
    draws = [model.strengths(sums, best) for sums in _resampled(model.counts, resamples, seed, report)]
    resampled = np.array(draws).reshape(resamples, len(best))[:, :players]
    best = best[:players]
    middle = int(np.argsort(-best, kind="stable")[(players - 1) // 2])
    fixed = middle if anchor is None else results.players.index(anchor)
    ratings, others = (ANCHORED + ELO * (values - values[..., fixed, None]) for values in (best, resampled))
    if resamples:
        low, high = np.percentile(others, [100 * TAIL, 100 - 100 * TAIL], axis=0, method="weibull")
    else:
        low = high = np.full(players, np.nan)
    return Strengths(results.players, ratings, low, high, others, results.players[fixed])


def _resampled(counts: Any, resamples: int, seed: int, report: Report | None = None) -> Iterator[Floats]:
    """Yield sums of the counts over deals that are weighted at random."""
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


# The likelihood


@dataclass(frozen=True)
class _Model:
    """The sets of players that were chosen from, and how often: how likely any strengths are follows from these."""

    members: Ints  # [U, n] the players of every set; `players` fills the row
    players: int  # with the fictive one, who is the last, if there is a prior
    counts: Any  # sparse [deals, U + P]: how often every set was chosen from, then every player chosen
    prior: Floats  # [U + P] what the drawn games against the fictive player add to the sums of the counts

    def strengths(self, sums: Floats, start: Floats | None = None) -> Floats:
        """Return the strengths of maximum likelihood, of mean 0."""
        held, chosen = np.split(sums + self.prior, [len(self.members)])
        begin = np.zeros(self.players) if start is None else start
        options = {"gtol": EXACT * chosen.sum(), "ftol": 0, "maxiter": STEPS}
        likelihood = partial(self._value_and_slope, held=held, chosen=chosen)
        optimum = optimize.minimize(likelihood, begin, jac=True, method="L-BFGS-B", options=options)
        if np.abs(optimum.jac).max() > ENOUGH * chosen.sum():
            raise RatingError("no maximum of the likelihood was found: give a prior")
        return np.asarray(optimum.x - optimum.x.mean())

    def _value_and_slope(self, strengths: Floats, held: Floats, chosen: Floats) -> tuple[float, Floats]:
        """Return the log-likelihood with the sign turned, and its slope."""
        top = strengths.max()
        weights = np.append(np.exp(strengths - top), 0.0)[self.members]
        sums = weights.sum(axis=1)
        due = np.bincount(self.members.ravel(), ((held / sums)[:, None] * weights).ravel(), self.players + 1)
        return float(held @ (np.log(sums) + top) - chosen @ strengths), due[: self.players] - chosen


def _model(results: Results, prior: float) -> _Model:
    if not 0 <= prior < inf:
        raise RatingError(f"prior must be a number of games, not {prior}")
    if not len(results.seated):
        raise RatingError("there are no games to rate")
    if not prior:
        _check_comparable(results)
    members, held, chosen = _choices(results)
    players = len(results.players)
    if not prior:
        return _Model(members, players, sparse.hstack([held, chosen]).tocsr(), np.zeros(len(members) + players))
    drawn = np.full((players, members.shape[1]), players + 1)
    drawn[:, 0], drawn[:, 1] = np.arange(players), players
    members = np.where(members == players, players + 1, members)
    deals, sets = held.shape
    counts = sparse.hstack([held, sparse.csr_array((deals, players)), chosen, sparse.csr_array((deals, 1))]).tocsr()
    wins = np.append(np.full(players, prior / 2), players * prior / 2)
    added = np.concatenate([np.zeros(sets), np.full(players, prior), wins])
    return _Model(np.concatenate([members, drawn]), players + 1, counts, added)


# Rankings as choices


def _choices(results: Results) -> tuple[Ints, Any, Any]:
    """Return the sets that were chosen from, [U, n], how often each was, and each player, sparse by deal.

    RatingError for ties that are too large to be counted in this way.
    """
    players, seats = len(results.players), results.seated.shape[1]
    deal = np.unique(results.deals, return_inverse=True)[1].reshape(-1)
    sets, held, won = [], [], []
    for games, ranked, leaders, behind, weight in _stages(results):
        members = np.full((len(games), seats), players)
        members[:, : len(leaders) + len(behind)] = np.sort(ranked[:, leaders + behind], axis=1)
        sets.append(members)
        held.append((deal[games], np.full(len(games), weight)))
        won += [(deal[games], ranked[:, place], np.full(len(games), weight / len(leaders))) for place in leaders]
    members, which = np.unique(np.concatenate(sets), axis=0, return_inverse=True)
    deals, weights = map(np.concatenate, zip(*held, strict=True))
    win_deals, winners, shares = map(np.concatenate, zip(*won, strict=True))
    count = deal.max() + 1
    chosen_from = _counted(weights, deals, which.reshape(-1), (count, len(members)))
    return members, chosen_from, _counted(shares, win_deals, winners, (count, players))


def _counted(values: Floats, rows: Ints, columns: Ints, shape: tuple[int, int]) -> Any:
    return sparse.coo_array((values, (rows, columns)), shape=shape).tocsr()


def _stages(results: Results) -> Iterator[tuple[Ints, Ints, list[int], list[int], float]]:
    """Yield, for games of one size and pattern of ties: their rows, the players by rank, and the choices.

    A choice is given by the places of those tied in front, who are equally likely to be chosen, by the places behind
    them, and by its weight. Of several tied players, every subset may be left.
    """
    better = np.where(results.is_taken, results.better, -np.inf)
    order = np.argsort(-better, axis=1, kind="stable")
    ranked, better = (np.take_along_axis(values, order, axis=1) for values in (results.seated, better))
    sizes, differs = results.is_taken.sum(axis=1), better[:, 1:] != better[:, :-1]
    patterns, which = np.unique(np.column_stack([sizes, differs]), axis=0, return_inverse=True)
    for number, (size, *begins) in enumerate(patterns.tolist()):
        games = np.flatnonzero(which.reshape(-1) == number)
        bounds = [0, *(place for place in range(1, size) if begins[place - 1]), size]
        for begin, end in pairwise(bounds):
            tied, behind = range(begin, end), list(range(end, size))
            if len(tied) > MAX_TIED:
                raise RatingError(f"{len(tied)} players tie in one game: these ratings allow at most {MAX_TIED}")
            for many in range(1 if behind else 2, len(tied) + 1):
                for leaders in combinations(tied, many):
                    yield games, ranked[games], list(leaders), behind, 1 / comb(len(tied), many)


def _check_comparable(results: Results) -> None:
    """Raise RatingError unless each player finished ahead of each other, at least by way of others."""
    players, seats = len(results.players), results.seated.shape[1]
    ahead: list[tuple[Ints, Ints]] = []
    for seat, other in ((seat, other) for seat in range(seats) for other in range(seats) if seat != other):
        both = results.is_taken[:, seat] & results.is_taken[:, other]
        both &= results.better[:, seat] >= results.better[:, other]
        ahead.append((results.seated[both, seat], results.seated[both, other]))
    rows, columns = map(np.concatenate, zip(*ahead, strict=True))
    links = _counted(np.ones(len(rows)), rows, columns, (players, players))
    groups, group = connected_components(links, connection="strong")
    if groups > 1:
        smallest = np.argmin(np.bincount(group))
        names = ", ".join(results.players[player] for player in np.flatnonzero(group == smallest)[:5])
        unlike = f"{names} and the others never met, or one side always finished ahead"
        raise RatingError(f"no finite ratings fit: {unlike}; let them play more, leave them out, or give a prior")
