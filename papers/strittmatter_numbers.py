"""The numbers of the Skip-Bo paper that need no games: sample sizes, states, the errors of intervals and tests."""

import math
from dataclasses import dataclass

import numpy as np
from scipy import stats

from cardtable.arena.statistics import Floats
from papers.paper_statistics import games_per_arm
from skipbo_env.kernel import COPIES, RANKS, WILDS

BETTER, EQUAL = 0.55, 0.5  # the paper's example
ALPHA, POWER = 0.05, 0.8
Z_ALPHA, Z_POWER = float(stats.norm.isf(ALPHA / 2)), float(stats.norm.ppf(POWER))
PRINTED_GAMES = 6_500  # section 5.4

PRINTED_GROUPS = (30, 30, 5, 5, 4, 4, 84)  # of the multinomial in section 2.4

COVERED_GAMES, COVERED_RATES = 100, (0.5, 0.8, 0.9, 0.95, 0.99)
ALARMED_GAMES = 1000


@dataclass(frozen=True)
class SampleSize:
    """Equation (1) and its surroundings, for the example of the paper."""

    printed: int
    per_arm: int  # by equation (1)
    smaller: int  # an arm, for half the difference
    match: int  # of a match between the two players
    power_printed: float  # if the printed number is that of an arm
    power_halved: float  # if it is that of both arms together


@dataclass(frozen=True)
class Coverage:
    """The probability that a 95 % interval covers this win rate."""

    rate: float
    normal: float
    wilson: float
    exact: float  # Clopper and Pearson


@dataclass(frozen=True)
class Numbers:
    """All numbers that need no games."""

    sample_size: SampleSize
    states: tuple[float, float]  # decimal logarithms: the paper's multinomial, and the orders of the deck
    coverage: tuple[Coverage, ...]
    false_alarms: tuple[float, float]  # of a χ² test of equal players at 5 %, if a game counts once, or twice


def numbers() -> Numbers:
    """Compute all of them."""
    alarms = false_alarms(ALARMED_GAMES, 1), false_alarms(ALARMED_GAMES, 2)
    return Numbers(sample_size(), states(), coverage(COVERED_GAMES, COVERED_RATES), alarms)


def sample_size() -> SampleSize:
    """Return what the paper prints, and what it takes."""
    return SampleSize(
        printed=PRINTED_GAMES,
        per_arm=games_per_arm(BETTER, EQUAL, ALPHA, POWER),
        smaller=games_per_arm((BETTER + EQUAL) / 2, EQUAL, ALPHA, POWER),
        match=games_of_match(BETTER),
        power_printed=power_of_arms(PRINTED_GAMES, BETTER - EQUAL),
        power_halved=power_of_arms(PRINTED_GAMES / 2, BETTER - EQUAL),
    )


def variance(rate: float) -> float:
    """Return the variance of a game that is won with this probability."""
    return rate * (1 - rate)


def power_of_arms(games: float, difference: float) -> float:
    """Return the power of this many games an arm, by the same normal approximation as equation (1)."""
    error = math.sqrt((variance(EQUAL + difference) + variance(EQUAL)) / games)
    return float(stats.norm.sf(Z_ALPHA - difference / error))


def games_of_match(rate: float) -> int:
    """Return the games of two players against each other that tell this rate from ½: one sample, not two."""
    spread = Z_ALPHA * math.sqrt(variance(EQUAL)) + Z_POWER * math.sqrt(variance(rate))
    return math.ceil((spread / (rate - EQUAL)) ** 2)


def states() -> tuple[float, float]:
    """Return the decimal logarithms of the paper's number of states, and of a bound that holds.

    Every order of the deck, with cards of a rank alike, is a state, since all piles are ordered (section 2.3).
    """
    deals = multinomial((COPIES,) * RANKS + (WILDS,))
    return math.log10(multinomial(PRINTED_GROUPS)), math.log10(deals)


def multinomial(groups: tuple[int, ...]) -> int:
    """Return the ways to distribute distinct cards over groups of these sizes."""
    return math.factorial(sum(groups)) // math.prod(math.factorial(size) for size in groups)


def coverage(games: int, rates: tuple[float, ...]) -> tuple[Coverage, ...]:
    """Return how often three intervals cover these win rates."""
    ends = [intervals(games, method) for method in ("normal", "wilson", "exact")]
    return tuple(Coverage(rate, *(covered(rate, games, *bounds) for bounds in ends)) for rate in rates)


def covered(rate: float, games: int, low: Floats, high: Floats) -> float:
    """Return how often intervals cover this win rate, summed over all numbers of wins."""
    wins = np.flatnonzero((low <= rate) & (rate <= high))
    return float(stats.binom.pmf(wins, games, rate).sum())


def intervals(games: int, method: str) -> Floats:
    """Return the 95 % intervals for all numbers of wins, [ends, wins]; the published program shows the normal ones."""
    if method == "normal":
        share = np.arange(games + 1) / games
        half = Z_ALPHA * np.sqrt(share * (1 - share) / games)
        return np.stack([share - half, share + half])
    return np.array([stats.binomtest(wins, games).proportion_ci(0.95, method) for wins in range(games + 1)]).T


def false_alarms(games: int, count: int) -> float:
    """Return how often equal players differ significantly by χ² if every game is counted this many times."""
    wins = np.arange(games + 1)
    chi_square = count * (wins - games / 2) ** 2 / (games / 4)
    return float(stats.binom.pmf(wins[chi_square > stats.chi2.isf(ALPHA, 1)], games, 0.5).sum())
