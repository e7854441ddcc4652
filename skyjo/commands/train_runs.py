"""Carries out training runs: in this process, in processes of this machine, or on the nodes of a cluster."""

from __future__ import annotations

import warnings
from typing import TYPE_CHECKING

from skyjo.programs import called, program

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from cardtable.workers.cluster import Cluster
    from skyjo_training.measurements import Measured
    from skyjo_training.self_play import SelfPlay

RESUME = "each run keeps its last checkpoint, and train --resume continues"


def train_on_cluster(cluster: Cluster, folders: Sequence[Path]) -> None:
    """Carry out runs on the nodes of a cluster; every report from there updates their folders here."""
    from contextlib import ExitStack

    from skyjo.terminal.progress import progress
    from skyjo_training.distant_runs import News, packed, train_there, unpack
    from skyjo_training.training_run import alone, config_of

    done = dict.fromkeys(range(len(folders)), 0)
    with ExitStack() as held, progress("training", sum(config_of(each).decisions for each in folders)) as advance:
        for each in folders:
            held.enter_context(alone(each))
        news: News
        for number, news in cluster.streams(train_there, lambda number: packed(folders[number]), len(folders)):
            unpack(folders[number], news.written, news.removed)
            advance(news.decisions - done[number])
            done[number] = news.decisions
            if news.measured is not None:
                _say(f"{folders[number].name}: {_words(news.measured)}")


def train_in_processes(folders: Sequence[Path], workers: int) -> None:
    """Carry out runs in processes of this machine."""
    from concurrent.futures import ProcessPoolExecutor, as_completed
    from concurrent.futures.process import BrokenProcessPool
    from multiprocessing import active_children, get_context

    from cardtable.errors import TableError

    game = program().game
    pool = ProcessPoolExecutor(min(workers, len(folders)), get_context("spawn"), _ignore_interruptions)
    try:
        for run in as_completed([pool.submit(_train_one, game, folder) for folder in folders]):
            run.result()
    except BrokenProcessPool as error:  # a pool of multiprocessing would wait for it forever
        raise TableError(f"a training process has ended, perhaps for lack of memory; {RESUME}") from error
    finally:
        for process in active_children():
            process.terminate()
        pool.shutdown(cancel_futures=True)


def _ignore_interruptions() -> None:
    """Ignore Ctrl-C in a worker: the command itself ends its processes."""
    import signal

    signal.signal(signal.SIGINT, signal.SIG_IGN)


def _train_one(game: str, folder: Path) -> None:
    with called(game):
        train_here(folder)


def train_here(folder: Path) -> None:
    """Carry out a run in this process, with a progress bar and a line for every measurement."""
    from cardtable.errors import TableError
    from skyjo.terminal.progress import progress
    from skyjo_training.training_run import config_of, train

    config = config_of(folder)
    done = 0
    with progress(folder.name, config.decisions) as advance, warnings.catch_warnings():
        warnings.showwarning = lambda message, *_: _say(f"{program().game}: {message}")

        def tell(model: SelfPlay, measured: Measured | None) -> None:
            nonlocal done
            advance(model.num_timesteps - done)
            done = model.num_timesteps
            if measured is not None:
                _say(f"{folder.name}: {_words(measured)}" if folder.name.startswith("seed-") else _words(measured))

        try:
            train(folder, tell)
        except MemoryError:
            raise TableError(f"{folder}: there is not enough memory for tables × steps decisions at once") from None
        except KeyboardInterrupt:
            _say(f"\nThe last checkpoint is in {folder}; {program().game} train --resume continues from it")
            raise


def _words(measured: Measured) -> str:
    speed = f"{measured.decisions / max(measured.seconds, 1e-9) / 1000:.1f} k/s"
    margins = ", ".join(f"{name} {margin}" for name, margin in measured.margins.items())
    return f"{measured.decisions / 1e6:6.2f} M decisions  {speed}  {margins}"


def _say(words: str) -> None:
    import sys

    print(words, file=sys.stderr, flush=True)
