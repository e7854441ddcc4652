"""Self-play of two equal players at every threshold t, and what of Reichel (2026) it decides: table 1 and two claims.

The players are the paper's program, also with a rule that it lacks, and the strategy of the text, also with the rule
for columns. They play by the paper's rules and by the official ones.
"""

import math
from collections.abc import Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from functools import partial
from itertools import pairwise
from typing import Any

import numpy as np
from numpy.typing import NDArray

from cardtable.arena.play.rounds import play_rounds
from cardtable.arena.statistics import Estimate, estimate
from cardtable.table.game.card_game import Setup
from papers.paper import THREADS, Report
from papers.paper_statistics import bound_of, standard_error
from papers.reichel_claims import Claim, Group, Trial, grouped, judged
from papers.reichel_program import EVENTS, play_program
from skyjo_env.rules import OFFICIAL, REICHEL, Rules

THRESHOLDS = tuple(range(-2, 13))
PRINTED = {0: (3.08, 8.88), 1: (4.37, 8.52), 2: (7.02, 7.68)}  # table 1: threshold, mean and standard deviation
SAMPLES = {"3000 scores": 1500, "3000 games": 3000}  # "3000 games, counting both players", read in two ways: games
CERTAIN = 3.0  # standard errors from which a difference counts

SOURCES: dict[str, tuple[Rules | None, bool]] = {
    "program": (None, False),
    "program, columns": (None, True),
    "described": (REICHEL, False),
    "described, columns": (REICHEL, True),
    "official": (OFFICIAL, False),
    "official, columns": (OFFICIAL, True),
}  # the rules, None for the paper's program, and whether with columns
BY_THE_PAPER = tuple(name for name, (rules, _) in SOURCES.items() if rules != OFFICIAL)

Job = tuple[str, int, int]  # a source, a threshold, how many games


@dataclass(frozen=True)
class Point:
    """The scores of one source at one threshold."""

    threshold: int
    games: int
    mean: Estimate  # the two scores of a game count as one observation
    deviation: Estimate  # of single scores
    turns: float
    stopped: float  # share of games that reach the limit of turns
    failed: float  # share of games in which the program fails; they have no scores
    events: Mapping[str, float]  # per game, of the program alone


def jobs_of(games: int, *, only_printed: bool) -> list[Job]:
    """Return what to play: these games for table 1, fewer where games seldom end, and by the slow program."""

    def part(source: str, t: int) -> int:
        usual = 1 if source in BY_THE_PAPER and t in PRINTED else 5 if t <= 4 else 50
        return usual * (25 if SOURCES[source][0] is None else 1)

    sources, thresholds = (BY_THE_PAPER, PRINTED) if only_printed else (SOURCES, THRESHOLDS)
    return [(source, t, max(50, games // part(source, t))) for source in sources for t in thresholds]


def play_point(seed: int, job: Job) -> Point:
    """Play these games and sum them up."""
    name, threshold, games = job
    rules, columns = SOURCES[name]
    if rules is None:
        results, counts = play_program(threshold, games, seed, columns)
        scores, events = np.array(results), {event: counts[event] / games for event in EVENTS}
        shares = events["turns"], counts["stopped"] / games, counts["failed"] / games
    else:
        agents = [f"threshold:t={threshold},columns={str(columns).lower()}"] * 2
        rounds = play_rounds(agents, Setup(rules, seed), range(games))
        scores, events = rounds.scores, {}
        shares = float(rounds.turns.mean()), float(rounds.is_stopped.mean()), 0.0
    return Point(threshold, games, estimate(scores.mean(axis=1)), deviation_of(scores), *shares, events)


def deviation_of(scores: NDArray[Any]) -> Estimate:
    """Return the standard deviation of single scores, its interval by the delta method over games."""
    variance = estimate(((scores - scores.mean()) ** 2).mean(axis=1))
    deviation = math.sqrt(variance.mean)
    return Estimate(deviation, variance.half / (2 * deviation))


def sweep(jobs: Sequence[Job], seed: int, report: Report) -> dict[str, list[Point]]:
    """Play the jobs side by side, and return the points of every source."""
    points: dict[str, list[Point]] = {source: [] for source, _, _ in jobs}
    with ThreadPoolExecutor(THREADS) as pool:
        for job, point in zip(jobs, pool.map(partial(play_point, seed), jobs), strict=True):
            points[job[0]].append(point)
            report(1 / len(jobs))
    return points


@dataclass(frozen=True)
class Comparison:
    """One printed value against one source, for one reading of the paper's sample size."""

    source: str
    threshold: int
    value: str  # "mean" or "standard deviation"
    reading: str
    printed: float
    measured: float
    errors: float  # how many standard errors, of such a sample and of ours, the printed value lies above ours
    verdict: str


@dataclass(frozen=True)
class Table1:
    """Table 1 compared with every source by the paper's rules."""

    bound: float  # standard errors within which all values together stay by chance
    comparisons: Sequence[Comparison]
    fitting: Mapping[str, Sequence[str]]  # by reading: the sources that fit all printed values


def compare(points: Mapping[str, Sequence[Point]]) -> Table1:
    """Compare every printed value with every source by the paper's rules."""
    bound = bound_of(2 * len(PRINTED))
    comparisons = []
    for source in BY_THE_PAPER:
        for point in (point for point in points[source] if point.threshold in PRINTED):
            mean, deviation = PRINTED[point.threshold]
            values = ("mean", mean, point.mean), ("standard deviation", deviation, point.deviation)
            for (value, printed, measured), (reading, games) in ((v, s) for s in SAMPLES.items() for v in values):
                ours = standard_error(measured.half)
                theirs = ours * math.sqrt(point.games * (1 - point.failed) / games)
                errors = (printed - measured.mean) / math.hypot(ours, theirs)
                verdict = "fits" if abs(errors) <= bound else "too low" if errors < 0 else "too high"
                place = source, point.threshold, value, reading
                comparisons.append(Comparison(*place, printed, measured.mean, errors, verdict))
    off = {(row.reading, row.source) for row in comparisons if row.verdict != "fits"}
    fitting = {reading: [source for source in BY_THE_PAPER if (reading, source) not in off] for reading in SAMPLES}
    return Table1(bound, comparisons, fitting)


def errors_between(first: Point, second: Point) -> float:
    """Return by how many standard errors the second mean is above the first."""
    return (second.mean.mean - first.mean.mean) / standard_error(first.mean.half, second.mean.half)


def rising(points: Mapping[str, Sequence[Point]]) -> Iterator[Trial]:
    """Check whether the mean score falls at any step of the threshold by one."""
    for source in points:
        for first, second in pairwise(points[source]):
            least, greatest = (-2, 0) if first.threshold < 0 else (0, 2) if first.threshold < 2 else (2, 12)
            example = " and ".join(f"t = {point.threshold}: {point.mean.mean:.2f}" for point in (first, second))
            yield f"{source}, t from {least} to {greatest}", errors_between(first, second) > -CERTAIN, example


def alike(points: Mapping[str, Sequence[Point]]) -> Iterator[Trial]:
    """Check whether the program scores what the described player does, at every threshold."""
    for ours, theirs in zip(points["program"], points["described"], strict=True):
        example = f"t = {ours.threshold}: program {ours.mean.mean:.2f}, described {theirs.mean.mean:.2f}"
        yield "the described player's mean score", abs(errors_between(ours, theirs)) < CERTAIN, example


def departures(program: Sequence[Point]) -> Iterator[Group]:
    """Count how often the program's choices, and the ends of its games, are not those of the text."""
    usual = next(point for point in program if point.threshold == 2)
    longest = next((point for point in program if point.stopped > 0.01), usual)
    emptiest = max(program, key=lambda point: point.failed)
    events = usual.events
    for point, condition, cases, exceptions in (
        (usual, "section 8: choices by the mean of all unseen cards", events["by_the_mean"], events["by_the_pile"]),
        (usual, "section 14: columns completed where the card in hand can", events["could"], events["missed"]),
        (longest, "section 2.4: games that end when a player has no hidden card", 1.0, longest.stopped),
        (emptiest, "games in which the discards refill an empty draw pile", 1.0, emptiest.failed),
    ):
        example = f"{exceptions:.2g} a game" if exceptions > 0 else ""
        counted = round(cases * point.games), round(exceptions * point.games)
        yield Group(f"{condition}, t = {point.threshold}", *counted, example)


def played_claims(points: Mapping[str, Sequence[Point]]) -> dict[str, Claim]:
    """Judge the claims that need games: on rising scores, and on the program as an implementation of the model."""
    groups = [*grouped(alike(points)), *departures(points["program"])]
    return {"Proposition 11": judged(grouped(rising(points))), "Proposition 12": judged(groups, is_whole=True)}
