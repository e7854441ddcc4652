"""Do ratings find the true strengths sooner when luck is taken out of the scores? Known strengths, simulated scores.

Every score is strength + luck + noise, where the luck is seen and the noise is not. In each round of series all players
sit down at tables drawn at random. Each way to use the scores is given the K that suits it best for the number of
series asked about: otherwise the comparison would be one of Ks. The best K has the least root-mean-square error (RMSE).
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np
from scipy.stats import rankdata

from cardtable.checks import seed_number
from cardtable.ratings.elo import Form, divide_by_hands, rate, subtract_luck
from cardtable.ratings.results import Floats, RatingError, Results

KS = (0.01, 0.02, 0.03, 0.04, 0.05, 0.06, 0.07, 0.08, 0.1, 0.12, 0.15, 0.18, 0.22, 0.27, 0.33, 0.4)


@dataclass(frozen=True)
class World:
    """The simulated players and their scores of one series; spreads are standard deviations, in rating points."""

    players: int = 12
    table_size: int = 3
    level: float = 800.0  # the mean strength, from which everybody starts
    strengths: float = 18.0
    chance: float = 60.0  # luck and noise together
    seen: float = 0.4  # the share of chance's variance that is luck
    replicates: int = 400


@dataclass(frozen=True)
class ConvergenceRow:
    """How close the ratings come after some series, for one way to use the scores at the K that suits it best."""

    scores: str
    series: int  # that every player has played
    k: float
    rmse: float  # of the ratings about the strengths, both about their means
    rmse_error: float  # standard error over the replicates
    spearman: float
    spearman_error: float


def convergence(
    world: World | None = None,
    after: Sequence[int] = (5, 10, 20, 40, 80),
    seed: int = 0,
    report: Callable[[float], None] | None = None,
) -> list[ConvergenceRow]:
    """Raw scores, luck subtracted, and luck divided out, each after this many series of every player.

    `report` is called with the share of the work done since its last call.
    """
    world = world or World()
    if world.players % world.table_size:
        raise RatingError(f"{world.players} players cannot sit at tables of {world.table_size}")
    truth, ways = _simulated(world, max(after), np.random.default_rng(seed_number("seed", seed)))
    rows = []
    for name, (series, form) in ways.items():
        ratings = {}
        for k in KS:
            ratings[k] = _ratings_after(world, series, form, k, after)
            if report is not None:
                report(1 / (len(ways) * len(KS)))
        for number, many in enumerate(after):
            judged = [_judged(truth, ratings[k][number], name, many, k) for k in KS]
            rows.append(min(judged, key=lambda each: each.rmse))
    return sorted(rows, key=lambda row: row.series)


def _simulated(world: World, rounds: int, rng: np.random.Generator) -> tuple[Floats, dict[str, tuple[Results, Form]]]:
    """The strengths, [R, P], and the series of all replicates; player p of replicate r is number r · players + p."""
    truth = rng.normal(0, world.strengths, (world.replicates, world.players))
    numbers = np.broadcast_to(np.arange(truth.size).reshape(truth.shape), (rounds, *truth.shape))
    seated = rng.permuted(numbers, axis=2).reshape(-1, world.table_size)
    luck = rng.normal(0, world.chance * world.seen**0.5, seated.shape)
    noise = rng.normal(0, world.chance * (1 - world.seen) ** 0.5, seated.shape)
    scores = world.level + truth.ravel()[seated] + luck + noise
    raw = Results.of([str(each) for each in range(truth.size)], seated, scores, lower_is_better=False)
    return truth, {
        "raw": (raw, "difference"),
        "luck subtracted": (subtract_luck(raw, luck, mean=0.0), "difference"),
        "luck divided out": (divide_by_hands(raw, world.level + luck, mean=world.level), "ratio"),
    }


def _ratings_after(world: World, series: Results, form: Form, k: float, after: Sequence[int]) -> Floats:
    """All ratings after every number of series, [numbers, R, P]."""
    history = rate(series, world.level, k, form)
    everybody = world.replicates * world.players
    ratings = np.empty((len(after), everybody))
    by_round = history.seated.reshape(-1, everybody), history.after.reshape(-1, everybody)
    for number, many in enumerate(after):
        ratings[number, by_round[0][many - 1]] = by_round[1][many - 1]
    return ratings.reshape(len(after), world.replicates, world.players)


def _judged(truth: Floats, ratings: Floats, name: str, series: int, k: float) -> ConvergenceRow:
    gaps = (ratings - ratings.mean(axis=1, keepdims=True)) - (truth - truth.mean(axis=1, keepdims=True))
    rmse = np.sqrt((gaps**2).mean(axis=1))
    orders = [rankdata(each, axis=1) - (truth.shape[1] + 1) / 2 for each in (truth, ratings)]
    spearman = (orders[0] * orders[1]).sum(axis=1) / np.sqrt(
        (orders[0] ** 2).sum(axis=1) * (orders[1] ** 2).sum(axis=1)
    )
    root = len(truth) ** 0.5
    return ConvergenceRow(
        name,
        series,
        k,
        float(rmse.mean()),
        float(rmse.std(ddof=1) / root),
        float(spearman.mean()),
        float(spearman.std(ddof=1) / root),
    )


def as_text(rows: Sequence[ConvergenceRow]) -> str:
    """The table as lines of text."""
    lines = [f"{'series':>6}  {'scores':18}{'K':>5}{'RMSE':>16}{'Spearman':>18}"]
    for row in rows:
        rmse, spearman = f"{row.rmse:.2f} ± {row.rmse_error:.2f}", f"{row.spearman:.3f} ± {row.spearman_error:.3f}"
        lines.append(f"{row.series:6d}  {row.scores:18}{row.k:5.2f}{rmse:>16}{spearman:>18}")
    return "\n".join(lines)
