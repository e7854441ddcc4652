"""Workers on a Ray cluster, as many as it has cores: what each of them does, and how they get the pieces of a plan.

If a worker is lost, others play its pieces again. Memory does not grow with the number of pieces: few are in flight,
and none of them is far ahead of the oldest.
"""

import copy
import time
from collections import Counter, deque
from collections.abc import Iterator
from dataclasses import dataclass
from multiprocessing.connection import wait
from typing import Any

import pyarrow as pa
import ray
from ray.exceptions import RayError, RayTaskError

from cardtable.card_game import find_game
from cardtable.checks import brief
from cardtable.errors import TableError
from cardtable.play.decisions import PlayError
from cardtable.play.plan import Piece, Plan
from cardtable.stored.plan_store import code_of
from cardtable.workers.local_workers import LOOK, Played, PlayedPiece, WorkerLostError, WorkerProcess, play_piece

COUNT_CORES = 1.0  # seconds between two looks at how many cores there are
QUEUED = {True: 3, False: 1}  # by whether the agents are compiled: how many pieces a worker may have at once
AHEAD = 1000  # times the cores: how far a piece's number may be ahead of the oldest that is not done
MOST_LOSSES = 5  # of the same piece with its worker, or of workers in a row that failed to start
MOST_CRASHES = 3  # how often the process that plays a piece may die with no agent to blame


def cores_of_cluster() -> int:
    """How many cores the cluster has now."""
    ours: Any = ray
    return max(1, int(ours.cluster_resources().get("CPU", 1)))


class PieceWorker:
    """Plays the pieces of one plan: compiled agents here, all others in a process that can be killed."""

    def begin(
        self, game: str, written: dict[str, Any], made_as: dict[str, str], with_games: bool, limit: float
    ) -> dict[str, Any]:
        """Get ready; returns which code plays here."""
        self.plan, self.with_games, self.limit = Plan.from_dict(find_game(game), written, made_as), with_games, limit
        self.process: WorkerProcess | None = None
        return code_here(self.plan)

    def play(self, piece: Piece) -> PlayedPiece | Exception:
        """The result of a piece, or the error."""
        try:
            return play_piece(self.plan, piece, self.with_games) if self.plan.is_compiled else self._in_process(piece)
        except Exception as error:
            return error

    def _in_process(self, piece: Piece, crashes: int = 0) -> PlayedPiece | PlayError:
        if self.process is None or not self.process.is_alive:
            self.process = WorkerProcess.start(self.plan, self.with_games)
        self.process.give(piece)
        came = None
        while came is None:
            wait([self.process.connection], LOOK)
            try:
                came = self.process.result(self.plan, self.limit)
            except WorkerLostError:
                if crashes + 1 == MOST_CRASHES:
                    raise
                return self._in_process(piece, crashes + 1)
        return came


def code_here(plan: Plan) -> dict[str, Any]:
    """The versions of everything that the bytes of a stored piece depend on."""
    return {"pyarrow": pa.__version__, **code_of(plan)}


@dataclass(eq=False)
class _Worker:
    """A worker on some core of the cluster."""

    actor: Any
    given: int = 0  # pieces that it has not handed back yet


class ClusterPieces:
    """One run over the pieces of a plan; arguments as for `Cluster.play_pieces`."""

    def __init__(
        self, plan: Plan, pieces: Iterator[Piece], made_as: dict[str, str], with_games: bool, limit: float
    ) -> None:
        self.pieces = pieces
        self.actor: Any = ray.remote(num_cpus=1, max_restarts=0, max_task_retries=0)(PieceWorker)
        self.orders = plan.game.name, plan.to_dict(), made_as, with_games, limit
        self.room, self.code = QUEUED[plan.is_compiled], code_here(plan)
        self.due: deque[Piece] = deque()  # to be handed out next
        self.workers: list[_Worker] = []
        self.free: deque[_Worker] = deque()  # workers that are ready and have room
        self.in_play: dict[Any, tuple[_Worker, Piece]] = {}  # by Ray's reference to the result
        self.starting: dict[Any, _Worker] = {}  # by Ray's reference to what `begin` returns
        self.losses: Counter[int] = Counter()  # by piece
        self.failed_starts = 0
        self.cores, self.looked, self.newest = 1, -COUNT_CORES, 0

    def run(self) -> Iterator[Played]:
        """Play all pieces; the results, in the order in which they arrive."""
        try:
            while self._hand_out():
                waiting = [*self.in_play, *self.starting]
                ready, _ = ray.wait(waiting, num_returns=min(len(waiting), 1 + self.cores // 16), timeout=COUNT_CORES)
                for reference in ready:
                    if reference in self.starting:
                        self._welcome(reference)
                    elif reference in self.in_play:
                        yield from self._collect(reference)
        finally:
            for worker in self.workers:
                ray.kill(worker.actor)

    def _hand_out(self) -> bool:
        """Give the workers what they have room for; False if nothing is left to play."""
        if time.monotonic() - self.looked >= COUNT_CORES:
            self.looked, self.cores = time.monotonic(), cores_of_cluster()
        self._fill()
        while self.free and self.due:
            worker, piece = self.free.popleft(), self.due.popleft()
            self.in_play[worker.actor.play.remote(piece)] = worker, piece
            worker.given += 1
            if worker.given < self.room:
                self.free.append(worker)
            self._fill()
        while len(self.workers) < min(self.cores, len(self.due) + len(self.in_play)):
            worker = _Worker(self.actor.remote())
            self.workers.append(worker)
            self.starting[worker.actor.begin.remote(*self.orders)] = worker
        return len(self.due) + len(self.in_play) > 0

    def _fill(self) -> None:
        """Have as many pieces due as there are cores, unless they are too far ahead of the oldest."""
        while len(self.due) < self.cores and self.newest - self._oldest() < AHEAD * self.cores:
            piece = next(self.pieces, None)
            if piece is None:
                return
            self.due.append(piece)
            self.newest = piece.number

    def _oldest(self) -> int:
        """The number of the first piece that is not done: results come nearly in order, so it is soon found."""
        first = next(iter(self.in_play.values()), None)
        numbers = [] if first is None else [first[1].number]
        return min([*numbers, *(piece.number for piece in self.due)], default=self.newest)

    def _welcome(self, reference: Any) -> None:
        """Take in a worker that is ready; TableError if it cannot play this plan, or too many fail to start."""
        worker = self.starting.pop(reference)
        try:
            code = ray.get(reference)
        except RayTaskError as error:
            raise TableError(f"a node of the cluster cannot play this: {brief(str(error.cause))}") from error
        except RayError as error:
            self._lose(worker)
            self.failed_starts += 1
            if self.failed_starts > MOST_LOSSES:
                raise TableError(f"the cluster cannot start a worker: {brief(str(error))}") from error
            return
        for name, here in self.code.items():
            if code[name] != here:
                found = f"{name} is {brief(code[name])} there, {brief(here)} here"
                raise TableError(f"a node of the cluster has another version of the code: {found}")
        self.failed_starts = 0
        self.free.append(worker)

    def _collect(self, reference: Any) -> Iterator[Played]:
        """The result of a piece; none if its worker was lost."""
        worker, piece = self.in_play.pop(reference)
        try:
            came = ray.get(reference)
        except RayTaskError as error:
            raise error.cause from None
        except RayError as error:
            self._lose(worker)
            self.losses[piece.number] += 1
            if self.losses[piece.number] > MOST_LOSSES:
                times = f"{self.losses[piece.number]} times with the worker that played it"
                raise TableError(f"piece {piece.number} was lost {times}: {brief(str(error))}") from error
            self.due.appendleft(piece)  # for another worker
            return
        self.losses.pop(piece.number, None)
        if worker.given == self.room and worker in self.workers:  # else it was lost after this piece
            self.free.append(worker)
        worker.given -= 1
        if not isinstance(came, PlayedPiece | PlayError):
            raise came
        # A copy, because an array in Ray's memory would keep the games alive that arrived with it.
        yield piece, came._replace(tally=copy.deepcopy(came.tally)) if isinstance(came, PlayedPiece) else came

    def _lose(self, worker: _Worker) -> None:
        """Forget a worker that is gone; others take its place if there are cores for them."""
        if worker in self.workers:
            self.workers.remove(worker)
            ray.kill(worker.actor)
        if worker in self.free:
            self.free.remove(worker)
