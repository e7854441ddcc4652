"""Measures of skill against chance, as functions of margins. Nothing here knows the game.

They describe a game as certain players play it: the same game shows more skill where the players differ more.
"""

import math
from itertools import combinations
from typing import Any

import numpy as np
from scipy import optimize, special, stats

from cardtable.arena.ratings.bradley_terry import ELO, fit
from cardtable.arena.ratings.results import Floats, Results
from cardtable.arena.statistics import Estimate, Range
from cardtable.table.errors import TableError

NEARLY_ALL = 1 - 1e-6  # a game that rank alone decides has no finite ratings
RESAMPLES = 400
LEAD = 0.75  # how often the better player leads after the number of rounds that is asked for
TAILS = (0.025, 0.975)
MIN_ROUNDS, MAX_ROUNDS, HALVINGS = 1e-3, 1e9, 60  # the bounds of the search for the number of rounds needed


# Elo spread (Duersch, Lambrecht and Oechssler 2020)


def elo_spread(margins: Floats, players: tuple[str, ...], resamples: int = RESAMPLES) -> tuple[list[Range], Range]:
    """Return the Elo ratings of maximum likelihood, about their mean, and their standard deviation over the players.

    Chance adds to the spread of every resample, so the interval lies too high for nearly equal players. Raise
    RatingError if a player never won or never lost.
    """
    deals, seatings, pairs = margins.shape
    seated = np.broadcast_to(list(combinations(range(len(players)), 2)), (deals, seatings, pairs, 2)).reshape(-1, 2)
    scores = np.stack([margins, np.zeros_like(margins)], axis=-1).reshape(-1, 2)
    numbers = np.repeat(np.arange(deals), seatings * pairs)
    results = Results.of(players, seated, scores, numbers, lower_is_better=False)
    strengths = fit(results, players[0], resamples=resamples)
    best, drawn = (values - values.mean(axis=-1, keepdims=True) for values in (strengths.ratings, strengths.resampled))
    spread = Range(float(best.std(ddof=1)), *map(float, np.quantile(drawn.std(axis=1, ddof=1), TAILS)))
    rows = zip(best.tolist(), *np.quantile(drawn, TAILS, axis=0).tolist(), strict=True)
    return [Range(*row) for row in rows], spread


def coin_spread(share: float, players: int) -> float:
    """Return the standard deviation of Elo ratings in a game that a fair coin decides except for this share.

    The better player wins this share of the games for sure, and all players meet equally often. The ratings are exact:
    at the maximum of the likelihood, the expected wins of each player are those that the game gives.
    """
    middle = (players - 1) / 2
    wins = middle + share * (middle - np.arange(players))

    def missing(strengths: Floats) -> Any:
        gaps = strengths[:, None] - strengths
        return special.expit(gaps).sum(axis=1) - 0.5 - wins + strengths.sum()  # the sum is to be 0

    start = np.arctanh(share) * (middle - np.arange(players))
    return float(ELO * optimize.root(missing, start, tol=1e-12).x.std(ddof=1))


def coin_share(spread: float, players: int) -> float:
    """Return the share of sure wins with which the ratings of as many players spread so far; at most 0.999999."""
    if spread >= coin_spread(NEARLY_ALL, players):
        return NEARLY_ALL
    return float(optimize.brentq(lambda share: coin_spread(share, players) - spread, 0, NEARLY_ALL, xtol=1e-9))


# Relative skill (Borm and van der Genugten)


def relative_skill(player: Floats, beginner: Floats, fictive: Floats) -> Estimate:
    """Return (player − beginner) / (fictive − beginner), from the gains of the three against the same opponent.

    The gains are one for each deal. Player and beginner have played the same deals, the fictive player others. The
    interval is that of the delta method, at 95 %, with Welch's degrees of freedom. Raise TableError if the fictive
    player gains no more than the beginner.
    """
    room = fictive.mean() - beginner.mean()
    if not room > 0:
        raise TableError(f"the fictive player gains {room:+.2f} on the beginner: there is nothing to measure skill by")
    skill = (player.mean() - beginner.mean()) / room
    pulls = (player - (1 - skill) * beginner) / room, skill * fictive / room  # the derivatives, for every deal
    errors = [float(pull.var(ddof=1)) / len(pull) for pull in pulls]
    if sum(errors) == 0:
        return Estimate(float(skill), 0.0)
    freedom = sum(errors) ** 2 / sum(e**2 / (len(pull) - 1) for e, pull in zip(errors, pulls, strict=True))
    return Estimate(float(skill), float(stats.t.isf(0.025, freedom) * math.sqrt(sum(errors))))


# Reliability: in a round of i against j, the margin is sᵢ − sⱼ plus chance. The rounds are unpaired, as people play
# them: each with its own cards. Paired deals are a tool of measurement that no table has.


def variances(margins: Floats) -> tuple[float, float]:
    """Return σ_s², the variance of the sᵢ over players, and σ_e², half the variance of a round's margin for a pair.

    The margins are those of all pairs, [deals, seatings, pairs] in the order of `combinations`, of players who all met
    on the same deals. The sᵢ are mean margins against all players.
    """
    means, squares = np.split(_moments(margins).mean(axis=0), 2)
    players = round((1 + math.sqrt(1 + 8 * len(means))) / 2)
    one, other = np.triu_indices(players, 1)
    table = np.zeros((players, players))
    table[one, other], table[other, one] = means, -means
    return float(table.mean(axis=1).var(ddof=1)), float((squares - means**2).mean() / 2)


def lead_among(margins: Floats, rounds: float) -> float:
    """Return the chance that the better one of a pair of these players leads after this many rounds, over all pairs.

    Sums of margins are assumed to be normal, strengths are not: each pair keeps its own difference.
    """
    return float(_leads(_signals(_moments(margins).mean(axis=0)), np.log(rounds)))


def rounds_among(margins: Floats, resamples: int = RESAMPLES) -> Range:
    """Return how many rounds it takes for `lead_among` to reach 75 %.

    With few deals, differences between nearly equal players are overestimated, so the number is too low. The interval
    is that of the Bayesian bootstrap over deals.
    """

    def needed(means: Floats) -> Floats:
        signals = _signals(means)
        low, high = (np.full(means.shape[:-1], np.log(end)) for end in (MIN_ROUNDS, MAX_ROUNDS))
        for _ in range(HALVINGS):
            middle = (low + high) / 2
            is_short = _leads(signals, middle) < LEAD
            low, high = np.where(is_short, middle, low), np.where(is_short, high, middle)
        return np.asarray(np.exp(high))

    moments = _moments(margins)
    weights = np.random.default_rng(0).dirichlet(np.ones(len(moments)), resamples)
    low, high = np.quantile(needed(weights @ moments), TAILS)
    return Range(float(needed(moments.mean(axis=0))), float(low), float(high))


def observed_lead(margins: Floats, rounds: int) -> float:
    """Return how often the better player of a pair led after this many rounds as played, over all pairs.

    Deals are taken in their order, the seats changing from one to the next. The better player is the one with the
    better mean margin over all deals, and equal points count half.
    """
    deals = len(margins) // rounds * rounds
    even = (np.arange(deals) % 2 == 0)[:, None]
    streams = np.stack([np.where(even, margins[:deals, k], margins[:deals, 1 - k]) for k in (0, 1)])
    sums = streams.reshape(2, -1, rounds, margins.shape[2]).sum(axis=2)
    ahead = np.sign(sums) * np.sign(margins.mean(axis=(0, 1)))
    return float(0.5 + ahead.mean() / 2)


def _moments(margins: Floats) -> Floats:
    """Return the means over seatings of the margins and of their squares, [deals, 2 · pairs]."""
    return np.concatenate([margins.mean(axis=1), (margins**2).mean(axis=1)], axis=1)


def _signals(means: Floats) -> Floats:
    """Return the lead of the better player of each pair, in standard deviations of a round, [..., pairs]."""
    margins, squares = np.split(means, 2, axis=-1)
    return np.asarray(np.abs(margins) / np.sqrt(squares - margins**2))


def _leads(signals: Floats, log_rounds: Any) -> Floats:
    """Return how often the better player leads, averaged over pairs, [...]."""
    errors = signals * np.exp(np.asarray(log_rounds) / 2)[..., None]
    return np.asarray(special.ndtr(errors).mean(axis=-1))
