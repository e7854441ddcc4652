"""Pieces of a plan played side by side on this machine: compiled agents in threads, all others in processes of their
own, which can be killed.
"""

from collections.abc import Generator, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from itertools import chain
from multiprocessing.connection import wait

from cardtable.matches.played_piece import Played, PlayedPiece, play_piece
from cardtable.matches.worker_process import LOOK, WorkerProcess
from cardtable.play.plan import Piece, Plan


def play_pieces(
    plan: Plan, pieces: Iterator[Piece], with_games: bool, workers: int, limit: float
) -> Generator[Played, None, None]:
    """Play them all, in any order; an agent that fails, or takes more than `limit` seconds, comes as its PlayError."""
    first = next(pieces, None)
    if first is None:
        return
    pieces = chain([first], pieces)
    if plan.is_compiled:
        yield from _in_threads(plan, pieces, with_games, workers)
    else:
        yield from _in_processes(plan, pieces, with_games, workers, limit)


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
    crew: list[WorkerProcess] = []
    try:
        crew += [WorkerProcess.start(plan, with_games) for _ in range(workers)]
        for worker in crew:
            worker.give(next(pieces, None))
        while any(worker.piece is not None for worker in crew):
            wait([worker.connection for worker in crew if worker.piece is not None], LOOK)
            for number, worker in enumerate(crew):
                piece, came = worker.piece, worker.result(plan, limit) if worker.piece is not None else None
                if piece is None or came is None:
                    continue
                if not worker.is_alive:
                    crew[number] = WorkerProcess.start(plan, with_games)
                yield piece, came
                crew[number].give(next(pieces, None))
    finally:
        for worker in crew:
            worker.stop()
