"""A separate process that plays pieces, and can be killed.

So an agent that never answers, or that crashes its process, can be named: before every call of an agent the process
writes a note in shared memory, and the process that started it watches the note and the clock.
"""

import multiprocessing
import os
import signal
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from multiprocessing.connection import Connection
from typing import Any

from cardtable.card_game import find_game
from cardtable.errors import TableError
from cardtable.matches.played_piece import PlayedPiece, failure, play_piece
from cardtable.play.decisions import PlayError
from cardtable.play.plan import Piece, Plan

LOOK = 0.1  # seconds between two looks at the clock


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
    def start(cls, plan: Plan, with_games: bool) -> "WorkerProcess":
        """Start one that is ready for the plan's pieces."""
        context = multiprocessing.get_context("spawn")
        ours, theirs = context.Pipe()
        note = context.RawArray("d", 4)
        arguments = plan.game.name, plan.to_dict(), plan.made_as, with_games, theirs, note
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
    game: str, written: dict[str, Any], made_as: dict[str, str], with_games: bool, connection: Connection, note: Any
) -> None:
    """Play what comes, in a process of its own, until nobody is there any more."""
    threading.Thread(target=_end_with_parent, daemon=True).start()
    os.dup2(2, 1)  # what agents print is not what the command prints
    plan, here = Plan.from_dict(find_game(game), written, made_as), os.getpid()
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
    except (EOFError, ConnectionError):  # whoever started it is gone, perhaps without having read the last answer
        os._exit(0)


def _end_with_parent() -> None:
    """End with the parent: an agent may keep this process busy forever, and nobody else would end it."""
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
