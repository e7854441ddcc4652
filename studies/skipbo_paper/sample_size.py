"""How many games tell two win rates apart: equation (1) of the paper, what it prints for it, and what a match needs."""

import math
from collections.abc import Callable
from dataclasses import dataclass

from scipy import optimize, stats

from studies.study_statistics import games_per_arm

PRINTED = 6_500  # games, section 5.4
BETTER, EQUAL = 0.55, 0.5  # its example
ALPHA, POWER = 0.05, 0.8


def quantiles() -> tuple[float, float]:
    """z_{α/2} and z_β."""
    return float(stats.norm.isf(ALPHA / 2)), float(stats.norm.ppf(POWER))


def variance(share: float) -> float:
    """Of a game that is won with this probability."""
    return share * (1 - share)


def power_of_arms(games: float, one: float = BETTER, other: float = EQUAL) -> float:
    """The power of this many games an arm, by the same normal approximation as equation (1)."""
    error = math.sqrt((variance(one) + variance(other)) / games)
    return float(stats.norm.sf(quantiles()[0] - abs(one - other) / error))


def power_of_match(games: float, share: float = BETTER) -> float:
    """The power of this many games against each other, of which the better player wins this share."""
    margin = abs(share - EQUAL) * math.sqrt(games) - quantiles()[0] * math.sqrt(variance(EQUAL))
    return float(stats.norm.cdf(margin / math.sqrt(variance(share))))


def games_of_match(share: float = BETTER) -> int:
    """The games against each other that a share of ½ is tested with: one sample, not two."""
    alpha, beta = quantiles()
    error = alpha * math.sqrt(variance(EQUAL)) + beta * math.sqrt(variance(share))
    return math.ceil((error / (share - EQUAL)) ** 2)


def pooled_games(one: float = BETTER, other: float = EQUAL) -> float:
    """Games an arm for the test that pools the two arms' variance (Fleiss 1981)."""
    alpha, beta = quantiles()
    error = alpha * math.sqrt(2 * variance((one + other) / 2)) + beta * math.sqrt(variance(one) + variance(other))
    return (error / (one - other)) ** 2


def continuity_games(one: float = BETTER, other: float = EQUAL) -> float:
    """The same with a correction for continuity."""
    games = pooled_games(one, other)
    return games / 4 * (1 + math.sqrt(1 + 4 / (games * abs(one - other)))) ** 2


def least_difference(power: Callable[[float], float]) -> float:
    """How far above ½ a share must be to be found with the usual power; `power` is a function of the share."""
    return float(optimize.brentq(lambda share: power(share) - POWER, EQUAL + 1e-6, 0.99)) - EQUAL


@dataclass(frozen=True)
class SampleSize:
    """Equation (1) and its surroundings, for the example of the paper."""

    printed: int
    per_arm: int
    power_printed: float  # if the printed number is that of an arm
    power_halved: float  # if it is that of both arms together
    power_match: float  # if it is that of a match between the two
    match: int
    pooled: int
    continuity: int
    smaller: int  # an arm, for half the difference
    least_arms: float  # the difference that the printed number an arm finds
    least_halves: float  # and as both arms together


def sample_size() -> SampleSize:
    """All of it computed."""
    return SampleSize(
        printed=PRINTED,
        per_arm=games_per_arm(BETTER, EQUAL, ALPHA, POWER),
        power_printed=power_of_arms(PRINTED),
        power_halved=power_of_arms(PRINTED / 2),
        power_match=power_of_match(PRINTED),
        match=games_of_match(),
        pooled=math.ceil(pooled_games()),
        continuity=math.ceil(continuity_games()),
        smaller=games_per_arm((BETTER + EQUAL) / 2, EQUAL, ALPHA, POWER),
        least_arms=least_difference(lambda share: power_of_arms(PRINTED, share)),
        least_halves=least_difference(lambda share: power_of_arms(PRINTED / 2, share)),
    )
