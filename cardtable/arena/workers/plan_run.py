"""Playing a plan: piece after piece, stored if wanted, until everything is played or enough is known."""

import math
from collections.abc import Callable, Iterator, Mapping
from contextlib import closing
from dataclasses import dataclass, field
from pathlib import Path

from cardtable.arena.play.pairing import MARGIN, SCORE, WINS, WITHOUT_LUCK, Standing, Tally, paired
from cardtable.arena.play.plan import Piece, Plan
from cardtable.arena.play.rounds import MAX_THREADS, PlayError, check_agents
from cardtable.arena.statistics import Moments, estimate
from cardtable.arena.stored.store import Store, StoreError
from cardtable.arena.workers.local_workers import Played, play_pieces
from cardtable.table.checks import check_int
from cardtable.table.errors import TableError

LIMIT = 300.0  # seconds that an agent may take for one answer, if nothing else is said


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
        """Return whether an agent at this table has failed."""
        return any(agent in self.failures for agent in self.plan.tables[table])

    @property
    def explained(self) -> float:
        """The share of the margins' variance that luck explains; below 0 where it does harm."""
        raw, unexplained = (
            sum(tally.squares[what].sum() for tally in self.tallies.values()) for what in (MARGIN, WITHOUT_LUCK)
        )
        return 1 - float(unexplained / raw) if raw > 0 else 0.0

    def standings(self, table: int = 0) -> list[Standing]:
        """Return every agent's means with their intervals over deals."""
        tally, whats = self.tallies[table], (MARGIN, WITHOUT_LUCK, SCORE, WINS)
        return [
            Standing(agent, *(estimate(tally.moments(what, number)) for what in whats))
            for number, agent in enumerate(self.plan.tables[table])
        ]


def check(plan: Plan, workers: int, limit: float) -> None:
    """Raise TableError if these options cannot be played."""
    for table in range(len(plan.tables)):
        check_agents(plan.seated(table).agents, plan.setup)
    check_int("workers", workers, 1, MAX_THREADS)
    if not 0 < limit < math.inf:
        raise TableError(f"timeout={limit} must be a number of seconds above 0")


def play(
    plan: Plan,
    store: Store | None = None,
    *,
    workers: int = 2,
    limit: float = LIMIT,
    continue_on_error: bool = False,
    is_enough: Callable[[Moments], bool] | None = None,
    report: Callable[[PlanProgress], None] = lambda _: None,
    on_cluster: bool = False,
) -> PlanProgress:
    """Play the pieces that the store does not have, and return the result of all pieces. It is the same with any number
    of workers here, or on the Ray cluster that this process is connected to.

    `is_enough` is asked after every piece, about the first agent's margins at the first table. An agent fails if it
    raises an error, gives an illegal action, or gives no answer within `limit` seconds. The failure is recorded and
    ends the play; with `continue_on_error` only its tables end. Stored pieces stay stored, and the same call continues
    from there.
    """
    check(plan, workers, limit)
    finished = None if store is None else store.manifest["finished"]
    failed = {} if finished is None else finished["failed"]
    failures = {agent: PlayError(seat, deal, agent, words) for agent, (seat, deal, words) in failed.items()}
    run = _Run(PlanProgress(plan, failures=failures), store, continue_on_error, report)
    if on_cluster:
        from cardtable.arena.workers import cluster

        coming = cluster.play_pieces(plan, run.missing(), store is not None, limit)
    else:
        coming = play_pieces(plan, run.missing(), store is not None, workers, limit)
    with closing(coming) as played:
        run.count(played, is_enough)
    progress = run.progress
    if store is not None and (continue_on_error or not progress.failures):
        ended = {error.agent: (error.seat, error.deal, error.words) for error in progress.failures.values()}
        store.finish(progress.pieces, ended)
    return progress


class _Run:
    """Counts pieces in the plan's order, in whatever order they come."""

    def __init__(
        self,
        progress: PlanProgress,
        store: Store | None,
        continue_on_error: bool,
        report: Callable[[PlanProgress], None],
    ) -> None:
        self.progress, self.store, self.continue_on_error, self.report = progress, store, continue_on_error, report
        self.stored: Mapping[int, Path] = {} if store is None else store.files()
        self.results: dict[int, Tally | PlayError] = {}  # pieces that do not count yet
        self.dropped_before = frozenset(progress.failures)

    def missing(self) -> Iterator[Piece]:
        """Yield the pieces that have to be played; which they are may change as time goes by."""
        for piece in self.progress.plan.pieces():
            if not self.continue_on_error and any(isinstance(result, PlayError) for result in self.results.values()):
                return  # what comes after a failure does not count
            if piece.number not in self.stored and not self.progress.is_dropped(piece.table):
                yield piece

    def count(self, played: Iterator[Played], is_enough: Callable[[Moments], bool] | None) -> None:
        """Count piece after piece, until all have been counted, enough is known, or an agent has failed."""
        progress = self.progress
        for piece in progress.plan.pieces():
            if progress.failures and not self.continue_on_error:
                return
            if not progress.is_dropped(piece.table):
                result = self._result(piece, played)
                if isinstance(result, Tally):
                    progress.add(piece, result)
                    if is_enough is not None and is_enough(progress.tallies[0].moments(WITHOUT_LUCK, 0)):
                        return
                    continue
                progress.failures.setdefault(result.agent, result)
                if not self.continue_on_error:
                    return
            self._drop(piece)

    def _result(self, piece: Piece, played: Iterator[Played]) -> Tally | PlayError:
        """Return the result of a piece, which is stored, or is waited for."""
        if piece.number in self.stored:
            return self._read(piece)
        while piece.number not in self.results:
            other, result = next(played)
            if isinstance(result, PlayError):
                self.results[other.number] = result
            elif not self.progress.is_dropped(other.table):
                if self.store is not None and result.games is not None:
                    self.store.keep(other.number, result.games)
                self.results[other.number] = result.tally
                self._report(other)
        return self.results.pop(piece.number)

    def _drop(self, piece: Piece) -> None:
        """Pass over a piece of a table where an agent has failed; one worker would not have played it."""
        is_stored = isinstance(self.results.pop(piece.number, None), Tally) or piece.number in self.stored
        is_new = self.dropped_before.isdisjoint(self.progress.plan.tables[piece.table])
        if self.store is not None and is_stored and is_new:
            self.store.remove(piece.number)
        self.progress.pieces = piece.number + 1

    def _report(self, piece: Piece) -> None:
        self.progress.played += len(piece.deals)
        self.report(self.progress)

    def _read(self, piece: Piece) -> Tally:
        from cardtable.arena.stored.pieces import read_piece

        assert self.store is not None
        plan, file = self.progress.plan, self.stored[piece.number]
        stored = read_piece(self.store, plan, piece.number, file)
        if stored.piece != piece:
            raise StoreError(f"{file}: piece {piece.number} does not hold the games in its plan")
        self._report(piece)
        return Tally.of(paired(plan.setup, piece.deals, stored.results))
