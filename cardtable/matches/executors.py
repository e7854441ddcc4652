"""Pieces of a plan played side by side: compiled agents in threads, all others in processes of their own.

A process can be killed. So an agent that never answers, or that takes its whole process down, is found out and named:
before every call of an agent its process notes whom it calls, and this one looks at the note and at the clock.
"""

import multiprocessing
import os
import signal
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
import pyarrow as pa

from cardtable.card_game import find_game
from cardtable.errors import TableError
from cardtable.play.decisions import NOBODY, PlayError, Watch
from cardtable.play.pairing import paired, play_rotation, seating
from cardtable.play.plan import Piece, Plan
from cardtable.play.tally import Tally
from cardtable.rounds import Rounds
from cardtable.stored.rows import to_rows

LOOK = 0.1  # seconds between two looks at the clock


class PlayedPiece(NamedTuple):
    """What came of a piece. Workers hand it over; whoever started them stores the rows."""

    tally: Tally
    rows: pa.Table | None  # the games, if they are to be stored


Played = tuple[Piece, PlayedPiece | PlayError]


def play_piece(plan: Plan, piece: Piece, with_rows: bool, note: Any = None) -> PlayedPiece:
    """Play a piece. A PlayError calls an agent that fails by its name in the plan."""
    rotations = [_rotation(plan, piece, rotation, note) for rotation in range(plan.players)]
    rows = to_rows(plan, piece, rotations) if with_rows else None
    return PlayedPiece(Tally.of(paired(plan.setup, rotations)), rows)


def _rotation(plan: Plan, piece: Piece, rotation: int, note: Any) -> Rounds:
    watch = None if note is None else _watch(note, rotation)
    agents, setup = plan.seated(piece.table), replace(plan.setup, keep=True)
    try:
        played = play_rotation(agents, rotation, setup, piece.deals, watch=watch)
    except PlayError as error:
        raise _named(plan, piece, rotation, error.seat, error.deal, error.words) from error
    return replace(played, luck=played.luck.astype(np.float32))  # as it is stored


def _named(plan: Plan, piece: Piece, rotation: int, seat: int, deal: int, words: str) -> PlayError:
    agent = seating(plan.players, np.array([deal]), rotation)[0, seat]
    return PlayError(seat, deal, plan.tables[piece.table][agent], words)


def _watch(note: Any, rotation: int) -> Watch:
    """Notes whom is being waited for, and since when."""

    def watch(seat: int, deal: int) -> None:
        note[:] = [0.0, 0.0, 0.0, 0.0] if seat == NOBODY else [time.monotonic(), seat, deal, rotation]

    return watch


def play_pieces(
    plan: Plan, pieces: Iterator[Piece], with_rows: bool, workers: int, limit: float
) -> Generator[Played, None, None]:
    """Play them all, in any order; an agent that fails, or takes more than `limit` seconds, comes as its PlayError."""
    first = next(pieces, None)
    if first is None:
        return
    pieces = chain([first], pieces)
    if plan.is_compiled:
        yield from _in_threads(plan, pieces, with_rows, workers)
    else:
        yield from _in_processes(plan, pieces, with_rows, workers, limit)


def _in_threads(plan: Plan, pieces: Iterator[Piece], with_rows: bool, workers: int) -> Iterator[Played]:
    pool = ThreadPoolExecutor(workers)
    waiting: list[tuple[Piece, Future[PlayedPiece]]] = []
    try:
        for piece in pieces:
            waiting.append((piece, pool.submit(play_piece, plan, piece, with_rows)))
            if len(waiting) > workers:
                first, future = waiting.pop(0)
                yield first, future.result()
        for piece, future in waiting:
            yield piece, future.result()
    finally:
        pool.shutdown(cancel_futures=True)


@dataclass
class _Worker:
    """A process that plays pieces, one at a time."""

    process: Any
    connection: Connection
    note: Any  # when, seat, deal and rotation of the agent that is being waited for; zeros if none is
    piece: Piece | None = None

    @classmethod
    def start(cls, plan: Plan, with_rows: bool) -> "_Worker":
        context = multiprocessing.get_context("spawn")
        ours, theirs = context.Pipe()
        note = context.RawArray("d", 4)
        process = context.Process(target=_serve, args=(plan.game.name, plan.to_dict(), with_rows, theirs, note))
        with _undisturbed():
            process.start()
        theirs.close()
        return cls(process, ours, note)

    def stop(self) -> None:
        self.process.kill()
        self.process.join()
        self.connection.close()

    def result(self, plan: Plan, limit: float) -> PlayedPiece | PlayError | None:
        """What came of its piece, if anything did. Errors that are nobody's fault are raised."""
        with suppress(EOFError, ConnectionResetError):
            if self.connection.poll():
                came: PlayedPiece | Exception = self.connection.recv()
                if isinstance(came, PlayedPiece | PlayError):
                    return came
                raise came
        since = self.note[0]
        if since and time.monotonic() - since > limit:
            self.stop()
            return self._failure(plan, f"no answer in {limit:g} seconds")
        if self.process.is_alive():
            return None
        return self._failure(plan, f"its process ended, with exit code {self.process.exitcode}")

    def _failure(self, plan: Plan, words: str) -> PlayError:
        since, seat, deal, rotation = self.note
        if self.piece is None or since == 0:
            raise TableError(f"a process that plays games: {words}")
        return _named(plan, self.piece, int(rotation), int(seat), int(deal), words)


def _serve(game: str, written: dict[str, Any], with_rows: bool, connection: Connection, note: Any) -> None:
    """Play what comes, in a process of its own, until nobody is there any more."""
    threading.Thread(target=_end_with_parent, daemon=True).start()
    os.dup2(2, 1)  # what agents print is not what the command prints
    plan, here = Plan.from_dict(find_game(game), written), os.getpid()
    try:
        while True:
            piece = connection.recv()
            try:
                came: Any = play_piece(plan, piece, with_rows, note)
            except Exception as error:
                came = error
            if os.getpid() != here:  # an agent has forked: only one of the two may answer
                os._exit(0)
            connection.send(came)
    except (EOFError, BrokenPipeError):
        os._exit(0)


def _end_with_parent() -> None:
    """An agent may keep this process busy for ever, and nobody would be left to end it."""
    parent = multiprocessing.parent_process()
    if parent is not None:
        parent.join()
        os._exit(1)


@contextmanager
def _undisturbed() -> Iterator[None]:
    """Processes that are started meanwhile do not hear the user's interruptions; whoever starts them ends them."""
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    before = signal.signal(signal.SIGINT, signal.SIG_IGN)
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, before)


def _in_processes(plan: Plan, pieces: Iterator[Piece], with_rows: bool, workers: int, limit: float) -> Iterator[Played]:
    crew: list[_Worker] = []
    try:
        crew += [_Worker.start(plan, with_rows) for _ in range(workers)]
        for worker in crew:
            _give(worker, pieces)
        while any(worker.piece is not None for worker in crew):
            wait([worker.connection for worker in crew if worker.piece is not None], LOOK)
            for number, worker in enumerate(crew):
                piece, came = worker.piece, worker.result(plan, limit) if worker.piece is not None else None
                if piece is None or came is None:
                    continue
                if not worker.process.is_alive():
                    crew[number] = _Worker.start(plan, with_rows)
                yield piece, came
                _give(crew[number], pieces)
    finally:
        for worker in crew:
            worker.stop()


def _give(worker: _Worker, pieces: Iterator[Piece]) -> None:
    """Let it play the next piece, if there is one."""
    worker.piece = next(pieces, None)
    if worker.piece is not None:
        with suppress(BrokenPipeError):  # it has just died, which `result` will find out
            worker.connection.send(worker.piece)
