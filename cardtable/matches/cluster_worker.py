"""The worker on a node of a cluster: plays pieces, one at a time on one core. Nothing here imports Ray."""

from collections.abc import Callable
from multiprocessing.connection import wait
from typing import Any

import pyarrow as pa

from cardtable.card_game import find_game
from cardtable.matches.played_piece import PlayedPiece, play_piece
from cardtable.matches.worker_process import LOOK, WorkerLostError, WorkerProcess
from cardtable.play.decisions import PlayError
from cardtable.play.plan import Piece, Plan
from cardtable.stored.plan_store import code_of

MOST_LOSSES = 3  # how often the process that plays a piece may die with no agent to blame


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
            return play_piece(self.plan, piece, self.with_games) if self.plan.is_compiled else self._apart(piece)
        except Exception as error:
            return error

    def _apart(self, piece: Piece) -> PlayedPiece | PlayError:
        for _ in range(MOST_LOSSES - 1):
            try:
                return self._in_process(piece)
            except WorkerLostError:
                continue
        return self._in_process(piece)

    def _in_process(self, piece: Piece) -> PlayedPiece | PlayError:
        if self.process is None or not self.process.is_alive:
            self.process = WorkerProcess.start(self.plan, self.with_games)
        self.process.give(piece)
        came = None
        while came is None:
            wait([self.process.connection], LOOK)
            came = self.process.result(self.plan, self.limit)
        return came


def code_here(plan: Plan) -> dict[str, Any]:
    """The versions of everything that the bytes of a stored piece depend on."""
    return {"pyarrow": pa.__version__, **code_of(plan)}


def call(function: Callable[[Any], Any], item: Any) -> Any:
    """The body of every task of `Cluster.map`."""
    return function(item)
