"""Workers of this machine, which play the pieces of a plan: threads for compiled agents, processes for all others.

A process can be killed. So an agent that never answers, or that crashes its process, can be named: before every call of
an agent the process writes a note in shared memory, and the process that started it watches the note and the clock.
"""

import multiprocessing
import os
import signal
import sys
import threading
import time
from collections.abc import Generator, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import contextmanager, suppress
from dataclasses import dataclass, replace
from itertools import chain
from multiprocessing.connection import Connection, wait
from typing import Any, NamedTuple

import numpy as np

from cardtable.arena.play.decisions import NOBODY, PlayError
from cardtable.arena.play.pairing import Tally, paired, play_rotation, seating
from cardtable.arena.play.plan import Piece, Plan
from cardtable.table.compiling.compile_progress import LINE
from cardtable.table.errors import TableError
from cardtable.table.game.card_game import find_game

LOOK = 0.1  # seconds between two looks at the clock


class PlayedPiece(NamedTuple):
    """The result of a piece. Workers return it; the process that started them stores the games."""

    tally: Tally
    games: bytes | None  # as they are stored, if they are to be


Played = tuple[Piece, PlayedPiece | PlayError]


def play_pieces(
    plan: Plan, pieces: Iterator[Piece], with_games: bool, workers: int, limit: float
) -> Generator[Played, None, None]:
    """Play all pieces in any order; if an agent fails or takes more than `limit` seconds, the result is a PlayError."""
    first = next(pieces, None)
    if first is not None:
        rest = chain([first], pieces)
        if plan.is_compiled:
            yield from _in_threads(plan, rest, with_games, workers)
        else:
            yield from _in_processes(plan, rest, with_games, workers, limit)


def _in_threads(plan: Plan, pieces: Iterator[Piece], with_games: bool, workers: int) -> Iterator[Played]:
    pool = ThreadPoolExecutor(workers)
    waiting: list[tuple[Piece, Future[PlayedPiece]]] = []
    try:
        for piece in pieces:
            waiting.append((piece, pool.submit(play_piece, plan, piece, with_games)))
            if len(waiting) > workers:
                first, future = waiting.pop(0)
                yield first, future.result()
        for piece, future in waiting:
            yield piece, future.result()
    finally:
        pool.shutdown(cancel_futures=True)


def _in_processes(
    plan: Plan, pieces: Iterator[Piece], with_games: bool, workers: int, limit: float
) -> Iterator[Played]:
    processes: list[WorkerProcess] = []
    try:
        processes += [WorkerProcess.start(plan, with_games, tells=number == 0) for number in range(workers)]
        for worker in processes:
            worker.give(next(pieces, None))
        while any(worker.piece is not None for worker in processes):
            wait([worker.connection for worker in processes if worker.piece is not None], LOOK)
            for number, worker in enumerate(processes):
                piece, came = worker.piece, worker.result(plan, limit) if worker.piece is not None else None
                if piece is None or came is None:
                    continue
                if not worker.is_alive:
                    processes[number] = WorkerProcess.start(plan, with_games)
                yield piece, came
                processes[number].give(next(pieces, None))
    finally:
        for worker in processes:
            worker.stop()


def play_piece(plan: Plan, piece: Piece, with_games: bool, note: Any = None) -> PlayedPiece:
    """Play a piece from every seat. If an agent fails, the PlayError has its name in the plan.

    Before each call of an agent, time, seat, deal and rotation are written into the note, and zeros after it.
    """
    rotations, setup = [], replace(plan.setup, keep=True)
    for rotation in range(plan.players):

        def watch(seat: int, deal: int, rotation: int = rotation) -> None:
            note[:] = [0.0, 0.0, 0.0, 0.0] if seat == NOBODY else [time.monotonic(), seat, deal, rotation]

        try:
            agents = plan.seated(piece.table)
            played = play_rotation(agents, rotation, setup, piece.deals, watch=None if note is None else watch)
        except PlayError as error:
            raise failure(plan, piece, rotation, error.seat, error.deal, error.words) from error
        rotations.append(replace(played, luck=played.luck.astype(np.float32)))  # as it is stored
    games = None
    if with_games:
        from cardtable.arena.stored.parquet import pack
        from cardtable.arena.stored.pieces import to_rows

        games = pack(to_rows(plan, piece, rotations))
    return PlayedPiece(Tally.of(paired(plan.setup, rotations)), games)


def failure(plan: Plan, piece: Piece, rotation: int, seat: int, deal: int, words: str) -> PlayError:
    """The failure of the agent in a seat, by its name in the plan."""
    agent = seating(plan.players, np.array([deal]), rotation)[0, seat]
    return PlayError(seat, deal, plan.tables[piece.table][agent], words)


class WorkerLostError(TableError):
    """A process that plays games has ended, and no agent is to blame."""


@dataclass
class WorkerProcess:
    """A process that plays pieces, one at a time."""

    process: Any
    connection: Connection
    note: Any  # when, seat, deal and rotation of the agent that is being waited for; zeros if none is
    piece: Piece | None = None

    @classmethod
    def start(cls, plan: Plan, with_games: bool, tells: bool = False) -> "WorkerProcess":
        """Start one that is ready for the plan's pieces; it may be the one that tells what is compiled."""
        context = multiprocessing.get_context("spawn")
        ours, theirs = context.Pipe()
        note = context.RawArray("d", 4)
        arguments = plan.game.name, plan.to_dict(), with_games, tells, theirs, note
        process = context.Process(target=_serve, args=arguments)
        with _undisturbed():
            process.start()
        theirs.close()
        return cls(process, ours, note)

    @property
    def is_alive(self) -> bool:
        """Whether it can be given another piece."""
        return bool(self.process.is_alive())

    def stop(self) -> None:
        """End it, whatever it does."""
        self.process.kill()
        self.process.join()
        self.connection.close()

    def give(self, piece: Piece | None) -> None:
        """Let it play this piece, if it is one."""
        self.piece = piece
        if piece is not None:
            with suppress(ConnectionError):  # it has just died, which `result` will find out
                self.connection.send(piece)

    def play(self, plan: Plan, piece: Piece, limit: float) -> PlayedPiece | PlayError:
        """Play a piece, and wait for its result."""
        self.give(piece)
        while (came := self.result(plan, limit)) is None:
            wait([self.connection], LOOK)
        return came

    def result(self, plan: Plan, limit: float) -> PlayedPiece | PlayError | None:
        """The result of its piece, if there is one. Errors that are no agent's fault are raised."""
        with suppress(EOFError, ConnectionError):
            if self.connection.poll():
                came: PlayedPiece | Exception = self.connection.recv()
                if isinstance(came, PlayedPiece | PlayError):
                    return came
                raise came
        since = self.note[0]
        if since and time.monotonic() - since > limit:
            self.stop()
            return self._failure(plan, f"no answer in {limit:g} seconds")
        if self.is_alive:
            return None
        return self._failure(plan, f"its process ended, with exit code {self.process.exitcode}")

    def _failure(self, plan: Plan, words: str) -> PlayError:
        since, seat, deal, rotation = self.note
        if self.piece is None or since == 0:
            raise WorkerLostError(f"a process that plays games: {words}")
        return failure(plan, self.piece, int(rotation), int(seat), int(deal), words)


def _serve(
    game: str, written: dict[str, Any], with_games: bool, tells: bool, connection: Connection, note: Any
) -> None:
    """Play the pieces that come over the connection until its other end is closed, in a process of its own."""
    LINE.is_silent = not tells or sys.stderr is None or sys.stderr.isatty()  # on a terminal the parent has a bar
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # which on Windows is not inherited
    threading.Thread(target=_end_with_parent, daemon=True).start()
    os.dup2(2, 1)  # what agents print is not what the command prints
    plan, here = Plan.from_dict(find_game(game), written), os.getpid()
    try:
        while True:
            piece = connection.recv()
            try:
                came: Any = play_piece(plan, piece, with_games, note)
            except Exception as error:
                came = error
            if os.getpid() != here:  # an agent has forked: only one of the two may answer
                os._exit(0)
            connection.send(came)
    except (EOFError, ConnectionError):  # the parent is gone, perhaps without having read the last answer
        os._exit(0)


def _end_with_parent() -> None:
    """End with the parent: an agent may keep this process busy forever."""
    parent = multiprocessing.parent_process()
    if parent is not None:
        parent.join()
        os._exit(1)


@contextmanager
def _undisturbed() -> Iterator[None]:
    """Processes that are started meanwhile ignore the user's interruptions: their parent ends them."""
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    before = signal.signal(signal.SIGINT, signal.SIG_IGN)
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, before)
