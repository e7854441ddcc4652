"""Edelkamp's Elo for games of chance, checked: its printed numbers, and whether ratings settle sooner without luck.

The paper leaves the second question open. It is answered in simulations, where the strengths are known. Every score is
strength + luck + noise, where the luck is seen and the noise is not. In each round of series all players sit down at
tables drawn at random. Each way of using the scores is given the K that suits it best for the number of series asked
about: otherwise the comparison would be one of Ks. Skyjo's luck is weighted; the weights are fitted here, too.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from scipy.stats import pearsonr, rankdata, sem

from cardtable.arena.play.luck import advantage
from cardtable.arena.play.rounds import play_rounds
from cardtable.arena.ratings.elo import rate
from cardtable.arena.ratings.results import Floats, Ints, Results
from cardtable.table.game.card_game import Setup
from papers.paper import Report
from skyjo_env import OFFICIAL, make_agent
from skyjo_env.kernel.chance import TERMS

DIVIDED = "luck divided out"
WEAKEST, STRONGEST = 0.5, 2.0  # the limits of a hand's strength over the mean strength
KS = (0.01, 0.02, 0.03, 0.04, 0.05, 0.06, 0.07, 0.08, 0.1, 0.12, 0.15, 0.18, 0.22, 0.27, 0.33, 0.4)
SERIES = (5, 10, 20, 40, 80)
SEED = 999  # of deals that nothing else uses: the shipped weights were fitted to them
PLAYERS = range(2, 9)
COLUMNS = "threshold:t=2,columns=true"
TABLES = (("tempo",), (COLUMNS,), ("tempo", COLUMNS), ("expected", "tempo", COLUMNS))

# Table II of the paper: three scores, three expected scores, three ratings; start value 800, K = 0.02.
TABLE_II = np.array(
    [
        [1387, 1018, 152, 852.33, 852.33, 852.33, 810.69, 803.31, 785.99],
        [501, 1359, 934, 943.78, 935.19, 915.03, 801.84, 811.79, 786.37],
        [637, 1284, 1125, 1017.67, 1030.30, 998.04, 794.22, 816.86, 788.91],
        [800, 812, 913, 835.59, 859.41, 830, 793.51, 815.92, 790.57],
        [1213, 1221, 965, 1123.81, 1155.54, 1119.65, 795.30, 817.22, 787.48],
        [1124, 1445, 994, 1180.68, 1213.24, 1169.08, 794.16, 821.86, 783.98],
        [1381, 1187, 938, 1160.14, 1200.60, 1145.26, 798.58, 821.59, 779.83],
        [693, 374, 1536, 866.13, 891.08, 845.79, 795.12, 811.25, 793.64],
        [460, 1167, 721, 777.89, 793.67, 776.44, 788.76, 818.71, 792.53],
        [871, 15, 1417, 756.88, 785.62, 760.50, 791.04, 803.30, 805.66],
    ]
)


@dataclass(frozen=True)
class World:
    """The simulated players and their scores of one series; spreads are standard deviations, in rating points."""

    players: int = 12
    table_size: int = 3
    level: float = 800.0  # the mean strength, from which all players start
    strengths: float = 18.0
    chance: float = 60.0  # luck and noise together
    seen: float = 0.4  # the share of chance's variance that is luck
    replicates: int = 3000


@dataclass(frozen=True)
class ConvergenceRow:
    """The distance of ratings from strengths after some series, for one way of using the scores, at its best K."""

    scores: str
    series: int  # that every player has played
    k: float
    rmse: float  # of the ratings about the strengths, both about their means
    rmse_error: float  # standard error over the replicates
    spearman: float
    spearman_error: float


@dataclass(frozen=True)
class WeightsRow:
    """The points of margin that a point of each luck term explains at tables of this many players."""

    players: int
    weights: list[float]  # of cards turned up, of draws, and of cards given to the next seat
    variance_left: float  # the share of the margins' variance that stays unexplained


@dataclass(frozen=True)
class EloResult:
    """All parts of the check."""

    printed: int | None  # values of Table II that come out again, of 60
    world: World
    convergence: list[ConvergenceRow] | None
    weights: list[WeightsRow] | None
    weights_deals: int
    shipped: list[float]  # the weights that --luck uses


# The printed numbers


def reproduced() -> int:
    """Return how many values of Table II come out as printed, with two decimals."""
    seats = np.tile(np.arange(3), (len(TABLE_II), 1))
    history = rate(Results.of("ABC", seats, TABLE_II[:, :3], lower_is_better=False), start=800, k=0.02)
    return int((np.hstack([history.expected, history.after]).round(2) == TABLE_II[:, 3:]).sum())


# Ratings without luck


def convergence(world: World, after: Sequence[int], seed: int, report: Report) -> list[ConvergenceRow]:
    """Rate raw scores, luck subtracted, and luck divided out, each after this many series of every player.

    `report` is called with the share of the work done since its last call.
    """
    truth, seated, ways = _simulated(world, max(after), np.random.default_rng(seed))
    rows = []
    for name, scores in ways.items():
        ratings = []  # [Ks][after, R, P]
        for k in KS:
            ratings.append(_ratings_after(world, seated, scores, name == DIVIDED, k, after))
            report(1 / (len(ways) * len(KS)))
        for number, many in enumerate(after):
            judged = [_judged(truth, values[number], name, many, k) for k, values in zip(KS, ratings, strict=True)]
            rows.append(min(judged, key=lambda row: row.rmse))
    return sorted(rows, key=lambda row: row.series)


def _simulated(world: World, rounds: int, rng: np.random.Generator) -> tuple[Floats, Ints, dict[str, Floats]]:
    """Return the strengths, [R, P], who sits at the tables of each round, [rounds, tables, n], and their scores there;
    player p of replicate r is number r · P + p.
    """
    truth = rng.normal(0, world.strengths, (world.replicates, world.players))
    numbers = np.broadcast_to(np.arange(truth.size).reshape(truth.shape), (rounds, *truth.shape))
    seated = rng.permuted(numbers, axis=2).reshape(rounds, -1, world.table_size)
    luck = rng.normal(0, world.chance * world.seen**0.5, seated.shape)
    noise = rng.normal(0, world.chance * (1 - world.seen) ** 0.5, seated.shape)
    raw = world.level + truth.ravel()[seated] + luck + noise
    hands = np.clip((world.level + luck) / world.level, WEAKEST, STRONGEST)
    return truth, seated, {"raw": raw, "luck subtracted": raw - luck, DIVIDED: raw / hands}


def _ratings_after(
    world: World, seated: Ints, scores: Floats, by_ratio: bool, k: float, after: Sequence[int]
) -> Floats:
    """Return all ratings after every number of series, [numbers, R, P], by the ratio form of Elo or by differences."""
    ratings, snapshots = np.full(world.replicates * world.players, world.level), []
    for number, (players, points) in enumerate(zip(seated, scores, strict=True), 1):
        held = ratings[players]
        mean, rating = points.mean(axis=1, keepdims=True), held.mean(axis=1, keepdims=True)
        expects = held * mean / rating if by_ratio else mean + held - rating
        ratings[players] = held + k * (points - expects)
        if number in after:
            snapshots.append(ratings.reshape(world.replicates, world.players).copy())
    return np.stack(snapshots)


def _judged(truth: Floats, ratings: Floats, name: str, series: int, k: float) -> ConvergenceRow:
    """Return how close these ratings, [R, P], are to the strengths, with errors over the replicates."""
    gaps = (ratings - ratings.mean(axis=1, keepdims=True)) - (truth - truth.mean(axis=1, keepdims=True))
    rmse = np.sqrt((gaps**2).mean(axis=1))
    spearman = pearsonr(rankdata(truth, axis=1), rankdata(ratings, axis=1), axis=1).statistic
    errors = float(sem(rmse)), float(sem(spearman))
    return ConvergenceRow(name, series, k, float(rmse.mean()), errors[0], float(spearman.mean()), errors[1])


# The weights of luck in Skyjo


def weights_row(players: int, deals: int, report: Report) -> WeightsRow:
    """Fit the weights of the luck terms at tables of this many scripted players, by least squares."""
    rules = OFFICIAL.replace(players=players)
    terms, margins = [], []
    for names in TABLES:
        agents = [make_agent(names[seat % len(names)], rules) for seat in range(players)]
        played = play_rounds(agents, Setup(rules, SEED, with_luck=True), range(deals))
        terms.append(advantage(played.luck).reshape(-1, TERMS))
        margins.append((played.margins - played.margins.mean(axis=0)).ravel())
        report(1 / len(TABLES) / len(PLAYERS))
    all_terms, all_margins = np.concatenate(terms), np.concatenate(margins)
    weights = np.linalg.lstsq(all_terms, all_margins, rcond=None)[0]
    unexplained = (all_margins - all_terms @ weights).var() / all_margins.var()
    return WeightsRow(players, weights.tolist(), float(unexplained))
