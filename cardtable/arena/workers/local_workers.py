"""Workers of this machine, which play the pieces of a plan: compiled agents in threads, all others in processes.

A process can be killed. Before every call of an agent it writes a note in shared memory, and the thread that gave it
the piece watches the note and the clock. An agent that never answers, or that crashes its process, can therefore be
named.
"""

import multiprocessing
import os
import signal
import threading
import time
from collections.abc import Generator, Iterable, Iterator
from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor, as_completed, wait
from contextlib import contextmanager, suppress
from dataclasses import replace
from multiprocessing.connection import Connection
from queue import SimpleQueue
from typing import Any, NamedTuple

import numpy as np

from cardtable.arena.play.pairing import Tally, paired
from cardtable.arena.play.plan import Piece, Plan
from cardtable.arena.play.rounds import NOBODY, PlayError, seating
from cardtable.table.compiling.compile_progress import LINE
from cardtable.table.errors import TableError
from cardtable.table.game.card_game import find_game

LOOK = 0.1  # seconds between two looks at the clock


class PlayedPiece(NamedTuple):
    """The result of a piece. Workers return it; the process that started them stores the games."""

    tally: Tally
    games: bytes | None  # as they are stored, if they are to be


Played = tuple[Piece, PlayedPiece | PlayError]


def play_piece(plan: Plan, piece: Piece, with_games: bool, note: Any = None) -> PlayedPiece:
    """Play a piece of a plan, here and now; PlayError for an agent that fails.

    If a note is given, it says when, in which seat and deal, and which agent is being waited for.
    """

    def watch(agent: int, seat: int, deal: int) -> None:
        note[:] = (0.0, 0, 0, 0) if agent == NOBODY else (time.monotonic(), agent, seat, deal)

    setup = replace(plan.setup, record_actions=with_games)
    played = plan.seated(piece.table).play(setup, seating(plan.players, piece.deals), None if note is None else watch)
    played = replace(played, luck=played.luck.astype(np.float32))  # as it is stored
    games = None
    if with_games:
        from cardtable.arena.stored.parquet import pack
        from cardtable.arena.stored.pieces import to_rows

        games = pack(to_rows(plan, piece, played))
    return PlayedPiece(Tally.of(paired(plan.setup, piece.deals, played)), games)


def play_pieces(
    plan: Plan, pieces: Iterable[Piece], with_games: bool, workers: int, limit: float
) -> Generator[Played, None, None]:
    """Play all pieces in any order; if an agent fails or takes more than `limit` seconds, the result is a PlayError."""
    workers_here, idle, running = list[Worker](), SimpleQueue[Worker](), set[Future[Played]]()

    def play(piece: Piece) -> Played:
        worker = idle.get()
        try:
            return piece, worker.play(piece)
        finally:
            idle.put(worker)

    pool = ThreadPoolExecutor(workers)
    try:
        for piece in pieces:
            if len(workers_here) < workers:
                workers_here.append(Worker(plan, with_games, limit))
                idle.put(workers_here[-1])
            running.add(pool.submit(play, piece))
            if len(running) > workers:
                done, running = wait(running, return_when=FIRST_COMPLETED)
                yield from (future.result() for future in done)
        yield from (future.result() for future in as_completed(running))
    finally:
        pool.shutdown(wait=False, cancel_futures=True)
        for worker in workers_here:
            worker.stop()
        pool.shutdown()


class WorkerLostError(TableError):
    """A process that plays games has ended, and no agent is to blame."""


class Worker:
    """Plays pieces, one at a time: of compiled agents here, others in a process, which is replaced if it has ended."""

    def __init__(self, plan: Plan, with_games: bool, limit: float) -> None:
        """Start the process at once."""
        self.plan, self.with_games, self.limit = plan, with_games, limit
        self.process: Any = None
        self._is_stopped = False
        if not plan.is_compiled:
            self._start()

    def _start(self) -> None:
        context = multiprocessing.get_context("spawn")
        self.connection, theirs = context.Pipe()
        self._note = context.RawArray("d", 4)  # see `play_piece`; zeros while no agent is being waited for
        arguments = self.plan.game.name, self.plan.to_dict(), self.with_games, theirs, self._note
        self.process = context.Process(target=_serve, args=arguments)
        with _undisturbed():
            self.process.start()
        theirs.close()

    def stop(self) -> None:
        """End it, whatever it does."""
        self._is_stopped = True
        if self.process is not None:
            self.process.kill()
            self.process.join()

    def play(self, piece: Piece) -> PlayedPiece | PlayError:
        """Return the result of a piece. Errors that are no agent's fault are raised."""
        if self.process is None:
            return play_piece(self.plan, piece, self.with_games)
        if not self.process.is_alive():
            self._start()
        with suppress(ConnectionError):  # it has just died, which is found out at once
            self.connection.send(piece)
        while not self._is_stopped:
            answer = self._received()
            if answer is not None:
                return answer
            if 0 < self._note[0] < time.monotonic() - self.limit:
                self.process.kill()
                self.process.join()
                return self._failure(piece, f"no answer in {self.limit:g} seconds")
            if not self.process.is_alive():
                return self._failure(piece, f"its process ended, with exit code {self.process.exitcode}")
        self.stop()
        raise WorkerLostError("a process that plays games was ended")

    def _received(self) -> PlayedPiece | PlayError | None:
        """Return the answer of the process after a short wait, or None; raise it if it is an error."""
        try:
            answer: Any = self.connection.recv() if self.connection.poll(LOOK) else None
        except (EOFError, ConnectionError):
            self.process.join(LOOK)
            return None
        if isinstance(answer, PlayedPiece | PlayError | None):
            return answer
        raise answer

    def _failure(self, piece: Piece, words: str) -> PlayError:
        since, *numbers = self._note
        if since == 0:
            raise WorkerLostError(f"a process that plays games: {words}")
        agent, seat, deal = map(int, numbers)
        return PlayError(seat, deal, self.plan.tables[piece.table][agent], words)


def _serve(game: str, written: dict[str, Any], with_games: bool, connection: Connection, note: Any) -> None:
    """Play the pieces that come over the connection until its other end is closed, in a separate process."""
    LINE.is_silent = True  # the parent has a bar
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # which on Windows is not inherited
    threading.Thread(target=_end_with_parent, daemon=True).start()
    os.dup2(2, 1)  # what agents print is not what the command prints
    plan, here = Plan.from_dict(find_game(game), written), os.getpid()
    try:
        while True:
            piece = connection.recv()
            try:
                answer: Any = play_piece(plan, piece, with_games, note)
            except Exception as error:
                answer = error
            if os.getpid() != here:  # an agent has forked: only one of the two may answer
                os._exit(0)
            connection.send(answer)
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
