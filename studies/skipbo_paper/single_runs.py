"""What the statistics of the published programme are worth: runs without seeds or pairs, its interval, its test."""

from collections.abc import Callable

import numpy as np
from scipy import stats

from cardtable.statistics import TAIL, Interval
from studies.skipbo_paper.matchups import Floats, Matchup
from studies.skipbo_paper.skipbo_document import CoverageDocument, ErrorsDocument, RunsDocument
from studies.study_statistics import clopper_pearson, wilson

RUNS = 10_000  # resampled
RUN_GAMES = (100, 1000)
COVERED_GAMES = 100
COVERED_SHARES = (0.5, 0.8, 0.9, 0.95, 0.99)
LEVEL = 0.05


def runs(found: Matchup, games: int, seed: int) -> RunsDocument:
    """Runs of this many games drawn from what was played, each with its own cards: as nothing fixes a seed."""
    rng = np.random.default_rng(seed)
    single = _means(found.points[:, 0, 0], games, rng)
    paired = _means(found.shares, games // 2, rng)
    is_better = found.shares.mean() > 0.5
    ranges = [[float(end) for end in np.quantile(means, [TAIL, 1 - TAIL])] for means in (single, paired)]
    wrong = [float(np.mean(means < 0.5 if is_better else means > 0.5)) for means in (single, paired)]
    return {
        "players": list(found.players),
        "games": games,
        "single": ranges[0],
        "paired": ranges[1],
        "single_wrong": wrong[0],
        "paired_wrong": wrong[1],
    }


def _means(numbers: Floats, size: int, rng: np.random.Generator) -> Floats:
    drawn = (numbers[rng.integers(len(numbers), size=size)].mean() for _ in range(RUNS))
    return np.fromiter(drawn, np.float64, RUNS)


def wald(wins: int, games: int) -> Interval:
    """The interval of the normal approximation at the observed share, which the published programme shows."""
    share = wins / games
    half = float(stats.norm.isf(TAIL)) * (share * (1 - share) / games) ** 0.5
    return Interval(share - half, share + half)


def coverage(interval: Callable[[int, int], Interval], share: float, games: int) -> float:
    """How often the intervals cover this win rate: summed over all numbers of wins."""
    wins = range(games + 1)
    covering = [each for each in wins if (found := interval(each, games)).low <= share <= found.high]
    return float(stats.binom.pmf(covering, games, share).sum())


def coverages() -> list[CoverageDocument]:
    """For the three intervals at some win rates."""
    return [
        {
            "games": COVERED_GAMES,
            "share": share,
            "wald": coverage(wald, share, COVERED_GAMES),
            "wilson": coverage(wilson, share, COVERED_GAMES),
            "exact": coverage(clopper_pearson, share, COVERED_GAMES),
        }
        for share in COVERED_SHARES
    ]


def false_alarms(games: int, count: int) -> float:
    """How often equal players differ significantly by χ² if every game is counted this many times."""
    wins = np.arange(games + 1)
    chi_square = count * (wins - games / 2) ** 2 / (games / 4)
    return float(stats.binom.pmf(wins[chi_square > stats.chi2.isf(LEVEL, 1)], games, 0.5).sum())


def errors() -> list[ErrorsDocument]:
    """The test of the published programme, which enters a game as a win of one and as a loss of the other."""
    return [
        {"games": games, "single": false_alarms(games, 1), "doubled": false_alarms(games, 2)} for games in RUN_GAMES
    ]
