"""Playing a plan: piece after piece, stored if wanted, until everything is played or enough is known."""

import math
from collections.abc import Callable, Iterator, Mapping
from contextlib import closing
from dataclasses import dataclass, field
from pathlib import Path

from cardtable.arena.play.decisions import MOST_THREADS, PlayError, check_agents
from cardtable.arena.play.pairing import MARGIN, SCORE, WINS, WITHOUT_LUCK, Tally, paired
from cardtable.arena.play.plan import Piece, Plan
from cardtable.arena.statistics import Estimate, Moments, estimate
from cardtable.arena.stored.store import Store, StoreError
from cardtable.arena.workers.local_workers import PlayedPiece, play_pieces
from cardtable.table.checks import whole_number
from cardtable.table.errors import TableError

LIMIT = 300.0  # seconds that an agent may take for one answer, if nothing else is said


@dataclass(frozen=True)
class Standing:
    """The result of an agent at a table."""

    agent: str
    margin: Estimate
    without_luck: Estimate  # the same less what luck explains of it, if the match is with luck
    score: Estimate
    wins: Estimate  # the share of rounds or games won


@dataclass
class PlanProgress:
    """The part of a plan that has been played. Only the first pieces of the plan, without a gap, count."""

    plan: Plan
    played: int = 0  # deals, those included that do not count yet because earlier ones are missing
    pieces: int = 0  # that count
    tallies: dict[int, Tally] = field(default_factory=dict)  # by table
    failures: dict[str, PlayError] = field(default_factory=dict)  # by agent; its tables are not played any further

    @property
    def deals(self) -> int:
        """The number of deals that count, at all tables."""
        return sum(tally.deals for tally in self.tallies.values())

    def add(self, piece: Piece, tally: Tally) -> None:
        """Count the piece that follows."""
        before = self.tallies.get(piece.table)
        self.tallies[piece.table] = tally if before is None else before.joined(tally)
        self.pieces = piece.number + 1

    def is_dropped(self, table: int) -> bool:
        """Whether somebody at this table has failed."""
        return any(agent in self.failures for agent in self.plan.tables[table])

    @property
    def explained(self) -> float:
        """The share of the margins' variance that luck explains; below 0 where it does harm."""
        raw, left = (
            sum(tally.squares[what].sum() for tally in self.tallies.values()) for what in (MARGIN, WITHOUT_LUCK)
        )
        return 1 - float(left / raw) if raw > 0 else 0.0

    def standings(self, table: int = 0) -> list[Standing]:
        """Every agent's means with their intervals over deals."""
        tally, whats = self.tallies[table], (MARGIN, WITHOUT_LUCK, SCORE, WINS)
        return [
            Standing(agent, *(estimate(tally.moments(what, number)) for what in whats))
            for number, agent in enumerate(self.plan.tables[table])
        ]


def check(plan: Plan, workers: int, limit: float) -> None:
    """TableError for what cannot be played like this."""
    for table in range(len(plan.tables)):
        check_agents(plan.seated(table), plan.setup)
    whole_number("workers", workers, 1, MOST_THREADS)
    if not 0 < limit < math.inf:
        raise TableError(f"timeout={limit} must be a number of seconds above 0")


def play(
    plan: Plan,
    store: Store | None = None,
    *,
    workers: int = 2,
    limit: float = LIMIT,
    go_on: bool = False,
    is_enough: Callable[[Moments], bool] | None = None,
    report: Callable[[PlanProgress], None] = lambda _: None,
    on_cluster: bool = False,
) -> PlanProgress:
    """Play what is not in the store yet, and return the result of all of it; it is the same with any number of workers
    here, or on the Ray cluster that this process is connected to.

    `is_enough` is asked after every piece, about the first agent's margins at the first table. An agent that fails (it
    raises an error, gives no legal action, or no answer within `limit` seconds) is noted and ends the play; with
    `go_on` only its tables end. Whatever was stored stays stored, and the same call continues from there.
    """
    check(plan, workers, limit)
    finished = None if store is None else store.manifest["finished"]
    failed = {} if finished is None else finished["failed"]
    failures = {agent: PlayError(seat, deal, agent, words) for agent, (seat, deal, words) in failed.items()}
    counter = _Counter(PlanProgress(plan, failures=failures), store, go_on, is_enough, report)
    progress = counter.progress
    counter.count()
    if not counter.is_over:
        pieces, with_games = counter.missing(), store is not None
        if on_cluster:
            from cardtable.arena.workers import cluster

            coming = cluster.play_pieces(plan, pieces, with_games, limit)
        else:
            coming = play_pieces(plan, pieces, with_games, workers, limit)
        with closing(coming) as played:
            for piece, came in played:
                counter.take(piece, came)
                if counter.is_over:
                    break
    if store is not None and (go_on or not progress.failures):
        store.finish(
            progress.pieces,
            {error.agent: (error.seat, error.deal, error.words) for error in progress.failures.values()},
        )
    return progress


@dataclass
class _Counter:
    """Counts pieces in the plan's order, in whatever order they come."""

    progress: PlanProgress
    store: Store | None
    go_on: bool
    is_enough: Callable[[Moments], bool] | None
    report: Callable[[PlanProgress], None]

    def __post_init__(self) -> None:
        # What is missing is played again.
        self.stored: Mapping[int, Path] = {} if self.store is None else self.store.files()
        self.came: dict[int, Tally | PlayError] = {}
        self.dropped_before = frozenset(self.progress.failures)
        self.due = self.progress.plan.pieces()
        self.next = next(self.due, None)
        self.has_enough = False

    @property
    def is_over(self) -> bool:
        """Whether nothing is left to play."""
        has_failed = len(self.progress.failures) > 0 and not self.go_on
        return self.has_enough or self.next is None or has_failed

    def missing(self) -> Iterator[Piece]:
        """The pieces that have to be played; which they are may change as time goes by."""
        for piece in self.progress.plan.pieces():
            if piece.number in self.stored or piece.number < self.progress.pieces:
                continue
            if not self.go_on and any(isinstance(each, PlayError) for each in self.came.values()):
                return  # what comes after a failure does not count
            if not self.progress.is_dropped(piece.table):
                yield piece

    def take(self, piece: Piece, came: PlayedPiece | PlayError) -> None:
        """A piece has been played and is stored, or somebody has failed in it."""
        if piece.number < self.progress.pieces:
            return  # somebody at its table has failed meanwhile
        if isinstance(came, PlayError):
            self.came[piece.number] = came
        else:
            if self.store is not None and came.games is not None:
                self.store.keep(piece.number, came.games)
            self.came[piece.number] = came.tally
            self._report(piece)
        self.count()

    def count(self) -> None:
        """Count what follows without a gap."""
        while self.next is not None and not self.is_over:
            piece = self.next
            came = self.came.pop(piece.number, None)
            if self.progress.is_dropped(piece.table):
                # If it was played after somebody at its table had failed, remove it: one worker would not play it.
                is_stored = isinstance(came, Tally) or piece.number in self.stored
                is_new = self.dropped_before.isdisjoint(self.progress.plan.tables[piece.table])
                if self.store is not None and is_stored and is_new:
                    self.store.remove(piece.number)
                self.progress.pieces = piece.number + 1
            elif isinstance(came, PlayError):
                self.progress.failures.setdefault(came.agent, came)
                continue
            elif came is not None or piece.number in self.stored:
                self.progress.add(piece, self._read(piece) if came is None else came)
                if self.is_enough is not None:
                    self.has_enough = self.is_enough(self.progress.tallies[0].moments(WITHOUT_LUCK, 0))
            else:
                return
            self.next = next(self.due, None)

    def _report(self, piece: Piece) -> None:
        self.progress.played += len(piece.deals)
        self.report(self.progress)

    def _read(self, piece: Piece) -> Tally:
        from cardtable.arena.stored.pieces import read_counted

        assert self.store is not None
        plan, file = self.progress.plan, self.stored[piece.number]
        found = read_counted(self.store, plan, piece.number, file)
        if found.piece != piece:
            raise StoreError(f"{file}: piece {piece.number} does not hold the games in its plan")
        self._report(piece)
        return Tally.of(paired(plan.setup, found.rotations))
