"""Measures of skill against chance, as functions of margins. Nothing here knows the game; only this study uses them.

They describe a game as certain players play it: the same game shows more skill where these differ more.
"""

import math
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
from scipy import optimize, special, stats

from cardtable.checks import whole_number
from cardtable.errors import TableError
from cardtable.ratings.bradley_terry import ELO, fit
from cardtable.ratings.results import Floats, Results
from cardtable.statistics import Estimate
from studies.study_statistics import bootstrap

NEARLY_ALL = 1 - 1e-6  # a game that is decided by rank alone has no finite ratings
RESAMPLES = 400
LEAD = 0.75  # how often the better player leads after the number of rounds that is asked for
TAILS = (0.025, 0.975)
FEWEST, MOST, HALVINGS = 1e-3, 1e9, 60  # bounds of the search for the number of rounds needed


@dataclass(frozen=True)
class Measure:
    """A value with its 95 % interval over deals."""

    value: float
    low: float
    high: float


# Elo spread (Duersch, Lambrecht and Oechssler 2020)


@dataclass(frozen=True)
class Spread:
    """The players' ratings on the Elo scale, about their mean, and how far they spread: the standard deviation."""

    players: tuple[str, ...]
    ratings: tuple[Measure, ...]
    spread: Measure


def elo_spread(results: Results, resamples: int = RESAMPLES) -> Spread:
    """The Elo ratings that fit best (by likelihood) and their standard deviation over the players, who are taken as a
    sample of those who might play. Chance adds to the spread of every resample, so the interval lies too high for
    nearly equal players. RatingError if somebody never won or never lost.
    """
    strengths = fit(results, results.players[0], resamples=resamples)
    best, drawn = (each - each.mean(axis=-1, keepdims=True) for each in (strengths.ratings, strengths.resampled))
    low, high = np.quantile(drawn, TAILS, axis=0)
    spread = Measure(float(best.std(ddof=1)), *map(float, np.quantile(drawn.std(axis=1, ddof=1), TAILS)))
    rows = zip(best.tolist(), low.tolist(), high.tolist(), strict=True)
    return Spread(results.players, tuple(Measure(*row) for row in rows), spread)


def coin_ratings(share: float, players: int) -> Floats:
    """The Elo ratings, about 0, of ranked players in a game of which this share is won by the better player and the
    rest by a fair coin, if all meet equally often; the best player first.

    They are exact: at the maximum of the likelihood everybody's expected wins are those that the game gives.
    """
    if not 0 <= share <= NEARLY_ALL:
        raise TableError(f"share={share} must be a share from 0 to just below 1")
    middle = (players - 1) / 2
    wins = middle + share * (middle - np.arange(players))

    def missing(strengths: Floats) -> Any:
        gaps = strengths[:, None] - strengths
        return special.expit(gaps).sum(axis=1) - 0.5 - wins + strengths.sum()  # the sum is to be 0

    def slopes(strengths: Floats) -> Any:
        rates = special.expit(strengths[:, None] - strengths)
        curvature = rates * (1 - rates)
        return np.diag(curvature.sum(axis=1)) - curvature + 1

    start = np.arctanh(share) * (middle - np.arange(players))
    return np.asarray(ELO * optimize.root(missing, start, jac=slopes).x)


def coin_spread(share: float, players: int) -> float:
    """The standard deviation of `coin_ratings`."""
    return float(coin_ratings(share, players).std(ddof=1))


def coin_share(spread: float, players: int) -> float:
    """Which share of games must be decided by rank for the ratings of as many players to spread so far; at most
    0.999999. TableError if there are fewer than two players, or the spread is below 0.
    """
    players = whole_number("players", players, 2, 1000)
    if not spread >= 0:
        raise TableError(f"spread={spread} must be at least 0")
    if spread >= coin_spread(NEARLY_ALL, players):
        return NEARLY_ALL
    return float(optimize.brentq(lambda share: coin_spread(share, players) - spread, 0, NEARLY_ALL, xtol=1e-9))


# Relative skill (Borm and van der Genugten)


def relative_skill(player: Any, beginner: Any, fictive: Any) -> Estimate:
    """(player − beginner) / (fictive − beginner), from the gains of the three against the same opponent, one for each
    deal: 0 for the beginner, 1 for the fictive player, who knows every card.

    Player and beginner have played the same deals, the fictive player others. The interval is that of the delta
    method, at 95 %, with Welch's degrees of freedom. TableError if the fictive player gains no more than the beginner.
    """
    one, two, three = (np.asarray(gains, np.float64) for gains in (player, beginner, fictive))
    if one.shape != two.shape or min(len(two), len(three)) < 2:
        raise TableError("player and beginner must have played the same deals, and everybody at least 2")
    room = three.mean() - two.mean()
    if not room > 0:
        raise TableError(f"the fictive player gains {room:+.2f} on the beginner: there is nothing to measure skill by")
    skill = (one.mean() - two.mean()) / room
    errors = [
        pulls.var(ddof=1) / len(pulls)
        for pulls in ((one - (1 - skill) * two) / room, skill * three / room)  # the derivatives, for every deal
    ]
    error = sum(errors)
    if error == 0:
        return Estimate(float(skill), 0.0)
    freedom = error**2 / sum(e**2 / (len(gains) - 1) for e, gains in zip(errors, (two, three), strict=True))
    return Estimate(float(skill), float(stats.t.isf(0.025, freedom) * error**0.5))


# Reliability


@dataclass(frozen=True)
class Variances:
    """The parts of a population's margins: in a round of i against j, the margin is sᵢ − sⱼ plus chance.

    The rounds are unpaired, as people play them: each with its own cards. Paired deals are a tool of measurement that
    no table has, and would make the same game look like more skill.
    """

    skill: float  # σ_s², the variance of the sᵢ over players
    chance: float  # σ_e², half the variance of a round's margin for a given pair: each player's part of it

    def reliability(self, rounds: float) -> float:
        """ρ_k = σ_s² / (σ_s² + σ_e² / k): how much of the variance of margins over k rounds is skill."""
        return self.skill / (self.skill + self.chance / rounds) if self.skill > 0 else 0.0

    def lead(self, rounds: float) -> float:
        """The chance that, of two players drawn at random, the better one has fewer points after this many rounds.

        For normal strengths and sums, ½ + arcsin(√ρ_k) / π: the chance that two numbers of correlation √ρ_k have the
        same sign. It is 75 % where ρ_k = ½.
        """
        return 0.5 + math.asin(self.reliability(rounds) ** 0.5) / math.pi

    def rounds_to_lead(self) -> float:
        """How many rounds it takes for `lead` to reach LEAD; below 1 if one round is more than enough."""
        needed = math.sin(math.pi * (LEAD - 0.5)) ** 2
        return math.inf if self.skill == 0 else self.chance / self.skill * needed / (1 - needed)


def variances(margins: Any) -> Variances:
    """From the margins of all pairs, [deals, seatings, pairs] in the order of `combinations`, of players who all met on
    the same deals. The sᵢ are mean margins against everybody; what chance adds to their variance is left in, a share
    1/(deals · players) of the variance of a margin.
    """
    skill, chance = _parts(_moments(margins).mean(axis=0))
    return Variances(float(skill), float(chance))


def rounds_to_lead(margins: Any, resamples: int = RESAMPLES) -> Measure:
    """`Variances.rounds_to_lead`, with an interval that is bootstrapped over deals."""
    factor = Variances(1.0, 1.0).rounds_to_lead()

    def needed(means: Floats) -> Floats:
        skill, chance = _parts(means)
        with np.errstate(divide="ignore"):  # without any skill no number of rounds is enough
            return np.asarray(factor * chance / skill)

    return _measured(margins, needed, resamples)


def lead_among(margins: Any, rounds: float) -> float:
    """As `Variances.lead`, but for these same players: the chance that the better one of a pair leads, over all pairs.

    Sums of margins are assumed to be normal, strengths are not: each pair keeps its own difference.
    """
    return float(_leads(_signals(_moments(margins).mean(axis=0)), np.log(rounds)))


def rounds_among(margins: Any, resamples: int = RESAMPLES) -> Measure:
    """How many rounds it takes for `lead_among` to reach LEAD, with an interval bootstrapped over deals.

    With few deals, differences between nearly equal players are overestimated, so the number is too low.
    """

    def needed(means: Floats) -> Floats:
        signals = _signals(means)
        low, high = (np.full(means.shape[:-1], np.log(end)) for end in (FEWEST, MOST))
        for _ in range(HALVINGS):
            middle = (low + high) / 2
            is_short = _leads(signals, middle) < LEAD
            low, high = np.where(is_short, middle, low), np.where(is_short, high, middle)
        return np.asarray(np.exp(high))

    return _measured(margins, needed, resamples)


def _measured(margins: Any, needed: Callable[[Floats], Floats], resamples: int) -> Measure:
    """The value of a function of the moments, with its interval."""
    moments = _moments(margins)
    found = bootstrap(moments, needed, resamples)
    return Measure(float(needed(moments.mean(axis=0))), found.low, found.high)


def _moments(margins: Any) -> Floats:
    """The means over seatings of the margins and of their squares, [deals, 2 · pairs]."""
    each = np.asarray(margins, np.float64)
    return np.concatenate([each.mean(axis=1), (each**2).mean(axis=1)], axis=1)


def _signals(means: Floats) -> Floats:
    """The lead of the better player of each pair, in standard deviations of a round, [..., pairs]."""
    pairs = means.shape[-1] // 2
    margins, squares = means[..., :pairs], means[..., pairs:]
    return np.asarray(np.abs(margins) / np.sqrt(squares - margins**2))


def _leads(signals: Floats, log_rounds: Any) -> Floats:
    """How often the better player leads, averaged over pairs, [...]."""
    errors = signals * np.exp(np.asarray(log_rounds) / 2)[..., None]
    return np.asarray(special.ndtr(errors).mean(axis=-1))


def _parts(means: Floats) -> tuple[Floats, Floats]:
    """σ_s² and σ_e² from the means of `_moments`, [..., 2 · pairs]."""
    pairs = means.shape[-1] // 2
    players = round((1 + math.sqrt(1 + 8 * pairs)) / 2)
    margins, squares = means[..., :pairs], means[..., pairs:]
    one, other = np.triu_indices(players, 1)
    table = np.zeros((*means.shape[:-1], players, players))
    table[..., one, other], table[..., other, one] = margins, -margins
    skill = table.mean(axis=-1).var(axis=-1, ddof=1)
    return skill, (squares - margins**2).mean(axis=-1) / 2


def observed_lead(margins: Any, rounds: int) -> float:
    """How often the better player of a pair led after this many rounds as played, over all pairs.

    Deals are taken in their order, the seats changing from one to the next; the better player is the one with the
    better mean margin over all deals, and equal points count half.
    """
    each = np.asarray(margins, np.float64)  # [deals, seatings, pairs]
    deals = len(each) // whole_number("rounds", rounds, 1, len(each)) * rounds
    even = (np.arange(deals) % 2 == 0)[:, None]
    streams = np.stack([np.where(even, each[:deals, k], each[:deals, 1 - k]) for k in (0, 1)])
    sums = streams.reshape(2, -1, rounds, each.shape[2]).sum(axis=2)
    ahead = np.sign(sums) * np.sign(each.mean(axis=(0, 1)))
    return float(0.5 + ahead.mean() / 2)
