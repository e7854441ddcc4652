"""Self-play of two equal players by the threshold t: the paper's program, and its strategies as described."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from functools import partial

import numpy as np
from numpy.typing import NDArray

from cardtable.card_game import Setup
from cardtable.play.decisions import ThreadsOrPool, play_rounds, side_by_side
from cardtable.statistics import estimate
from skyjo_env import make_agent
from skyjo_env.rules import OFFICIAL, REICHEL, Rules
from studies.paper.printed import SAMPLES
from studies.paper.program import CRASHED, EVENTS, STOPPED, play_program

THRESHOLDS = tuple(range(-2, 13))
PIECE = 30_000  # games played in one call, a multiple of the paper's samples

Report = Callable[[float], None]  # called with the work done since the last call


@dataclass(frozen=True)
class Source:
    """Who plays by which rules."""

    name: str
    words: str
    rules: Rules | None = None  # None: the paper's program
    columns: bool = False

    def agent(self, threshold: float) -> str:
        """The agent's name."""
        return f"threshold:t={threshold},columns={str(self.columns).lower()}"


PROGRAM = Source("program", "the paper's program")
PROGRAM_COLUMNS = Source("program+columns", "the program, hidden cards that complete a column first", columns=True)
DESCRIBED = Source("described", "as described, the paper's rules", REICHEL)
DESCRIBED_COLUMNS = Source("described+columns", "as described, with columns, the paper's rules", REICHEL, columns=True)
OFFICIALLY = Source("official", "as described, official rules", OFFICIAL)
OFFICIAL_COLUMNS = Source("official+columns", "as described, with columns, official rules", OFFICIAL, columns=True)
SOURCES = (PROGRAM, PROGRAM_COLUMNS, DESCRIBED, DESCRIBED_COLUMNS, OFFICIALLY, OFFICIAL_COLUMNS)

Job = tuple[Source, int, range]  # who plays, at which threshold, these games


@dataclass(frozen=True)
class Spread:
    """How the means and standard deviations of samples of the paper's size vary."""

    samples: int
    mean: float
    mean_error: float
    deviation: float
    deviation_error: float


@dataclass(frozen=True)
class Point:
    """The scores of one source at one threshold."""

    source: str
    threshold: int
    games: int
    mean: float
    half: float  # of the 95 % interval; the two scores of a game count as one observation
    deviation: float  # of single scores
    turns: float
    stopped: float  # share of games that reach the limit of turns
    crashed: float  # share of games in which the program fails; they have no scores
    events: dict[str, float] = field(default_factory=dict)  # per game, of the program alone
    spreads: dict[str, Spread] = field(default_factory=dict)


@dataclass(frozen=True)
class Piece:
    """Some games in a row."""

    scores: NDArray[np.int16]  # [games, 2]
    has_scores: NDArray[np.bool_]  # [games]
    turns: int
    stopped: int
    events: NDArray[np.int64]  # [EVENTS]


def play_piece(source: Source, threshold: int, seed: int, games: range) -> Piece:
    """Play these games."""
    if source.rules is None:
        program = play_program(threshold, games, seed, targets=source.columns)
        events = program.counts.sum(axis=0, dtype=np.int64)
        stopped = int((program.outcomes == STOPPED).sum())
        return Piece(program.scores, program.outcomes != CRASHED, int(events[0]), stopped, events)
    agents = [make_agent(source.agent(threshold), source.rules)] * 2
    rounds = play_rounds(agents, Setup(source.rules, seed), games)
    scored = np.ones(len(games), np.bool_)
    nothing = np.zeros(len(EVENTS), np.int64)
    return Piece(rounds.scores.astype(np.int16), scored, int(rounds.turns.sum()), int(rounds.is_stopped.sum()), nothing)


def spread(scores: NDArray[np.int16], games: int) -> Spread | None:
    """Cut the games into samples of this many; None if that leaves fewer than ten."""
    samples = len(scores) // games
    if samples < 10:
        return None
    cut = scores[: samples * games].astype(np.float64).reshape(samples, games * 2)
    means, deviations = cut.mean(axis=1), cut.std(axis=1, ddof=1)
    return Spread(
        samples, float(means.mean()), float(means.std(ddof=1)), float(deviations.mean()), float(deviations.std(ddof=1))
    )


def summary(source: Source, threshold: int, pieces: Sequence[Piece]) -> Point:
    """Put the pieces together, in the order of their games."""
    scores = np.concatenate([piece.scores[piece.has_scores] for piece in pieces])
    games = sum(len(piece.scores) for piece in pieces)
    found = estimate(scores.mean(axis=1))
    events: NDArray[np.int64] = np.sum([piece.events for piece in pieces], axis=0)
    spreads = {name: spread(scores, size) for name, size in SAMPLES.items()}
    return Point(
        source=source.name,
        threshold=threshold,
        games=games,
        mean=found.mean,
        half=found.half,
        deviation=float(scores.std(ddof=1)),
        turns=sum(piece.turns for piece in pieces) / games,
        stopped=sum(piece.stopped for piece in pieces) / games,
        crashed=1 - len(scores) / games,
        events=dict(zip(EVENTS, (events / games).tolist(), strict=True)) if source.rules is None else {},
        spreads={name: each for name, each in spreads.items() if each is not None},
    )


def games_for(source: Source, threshold: int, games: int) -> int:
    """How many games to play: many for table 1, fewer elsewhere, fewest where games seldom end."""
    is_printed = source.rules != OFFICIAL and threshold in (0, 1, 2)
    part = 1 if is_printed else 5 if threshold <= 4 else 50
    return max(200, games // part)


def jobs_of(sources: Sequence[Source], thresholds: Sequence[int], games: int) -> list[Job]:
    """All pieces to play."""
    return [
        (source, threshold, range(first, min(first + PIECE, total)))
        for source in sources
        for threshold in thresholds
        for total in (games_for(source, threshold, games),)
        for first in range(0, total, PIECE)
    ]


def cost(source: Source, threshold: int) -> float:
    """Roughly how long a game takes, for the progress bar."""
    return 1.0 if threshold <= 4 else 8.0 if source.rules == OFFICIAL else 4.0


def _play_job(seed: int, job: Job) -> Piece:
    source, threshold, games = job
    return play_piece(source, threshold, seed, games)


def sweep(jobs: Sequence[Job], seed: int, threads: ThreadsOrPool, report: Report) -> list[Point]:
    """Play these pieces and sum them up by source and threshold; the result does not depend on who plays."""
    played = []
    for job, piece in zip(jobs, side_by_side(partial(_play_job, seed), jobs, threads), strict=True):
        report(len(job[2]) * cost(job[0], job[1]))
        played.append((job, piece))
    places = dict.fromkeys(job[:2] for job in jobs)
    return [summary(*place, [piece for job, piece in played if job[:2] == place]) for place in places]
