"""A Ray cluster that plays the pieces of plans and trains seeds, a task for each.

Ray decides where a task runs, and runs it again elsewhere if its node is lost. Tasks only return their results, which
are the same on any node; this process stores them.
"""

import copy
import logging
import os
import socket
import sys
from collections.abc import Callable, Generator, Iterable, Iterator
from contextlib import contextmanager, redirect_stdout, suppress
from dataclasses import dataclass, field, replace
from functools import lru_cache, partial
from itertools import islice
from pathlib import Path
from typing import Any, TypeVar

os.environ.setdefault("RAY_USAGE_STATS_ENABLED", "0")  # send no usage reports to Ray's makers

import ray
from ray.exceptions import RayError, RayTaskError

from cardtable.arena.play.plan import Piece, Plan
from cardtable.arena.play.rounds import PlayError
from cardtable.arena.stored.plan_store import code_of
from cardtable.arena.workers.local_workers import Played, PlayedPiece, Worker
from cardtable.table.checks import brief
from cardtable.table.errors import TableError

LOCAL = "local"
KNOCK = 10.0  # seconds in which a cluster must answer at all
RETRIES = 5  # of a task that is lost with its node
QUEUED = 3  # times as many tasks as cores are handed out

T = TypeVar("T")
R = TypeVar("R")


@contextmanager
def connected(address: str, workers: int) -> Iterator[None]:
    """Use the cluster at an address, or a new one with this many workers on this machine if the address is "local".

    What Ray prints meanwhile goes to standard error. TableError if no cluster answers.
    """
    where: dict[str, Any] = {"num_cpus": workers, "include_dashboard": False} if address == LOCAL else {}
    host, _, port = address.rpartition(":")
    with redirect_stdout(sys.stderr):
        try:
            if host and port.isdecimal():  # knock first: Ray would try for minutes
                socket.create_connection((host.strip("[]"), int(port)), KNOCK).close()
            ray.init(address, log_to_driver=False, logging_level=logging.CRITICAL, **where)
        except (RayError, ConnectionError, RuntimeError, ValueError, OSError, OverflowError) as error:
            raise TableError(f"no Ray cluster can be used at {address}: {brief(str(error))}") from error
        try:
            yield
        finally:
            ray.shutdown()


def results(function: Callable[[T], R], items: Iterable[T]) -> Iterator[tuple[T, R]]:
    """Call a function on the cluster for every item; yield item and result in the order in which they arrive."""
    ours: Any = ray
    task: Any = ray.remote(max_retries=RETRIES)(_call)
    sent, rest, running = ray.put(function), iter(items), dict[Any, T]()
    while True:
        cores = max(1, int(ours.cluster_resources().get("CPU", 1)))  # nodes may come and go
        for item in islice(rest, max(0, QUEUED * cores - len(running))):
            running[task.remote(sent, item)] = item
        if not running:
            return
        for reference in ray.wait(list(running), timeout=1.0)[0]:
            try:
                yield running.pop(reference), ray.get(reference)
            except RayTaskError as error:
                raise error.cause from None
            except RayError as error:
                raise TableError(f"the cluster lost a task {1 + RETRIES} times: {brief(str(error))}") from error


def _call(function: Callable[[T], R], item: T) -> R:
    """Return the function's result: the body of every task."""
    return function(item)


# The pieces of plans


@dataclass(frozen=True)
class _Order:
    """A plan, and how its pieces are to be played on a node."""

    plan: Plan
    with_games: bool
    limit: float  # seconds for an answer
    folder: Path  # where the command runs: agents may name files there
    code: dict[str, Any] = field(compare=False)  # which code plays here


@lru_cache(maxsize=1)  # a process of Ray carries out many tasks
def _worker(order: _Order) -> Worker:
    """Return what plays the pieces of an order in this process; TableError if it would play with other code."""
    with suppress(OSError):
        os.chdir(order.folder)
    there = code_of(order.plan)
    for name, here in order.code.items():
        if there[name] != here:
            versions = f"{name} is {brief(there[name])} there, {brief(here)} here"
            raise TableError(f"a node of the cluster has another version of the code: {versions}")
    return Worker(order.plan, order.with_games, order.limit)


def _play(order: _Order, piece: Piece) -> PlayedPiece | PlayError:
    return _worker(order).play(piece)


def play_pieces(plan: Plan, pieces: Iterator[Piece], with_games: bool, limit: float) -> Generator[Played, None, None]:
    """Play all pieces in any order; if an agent fails or takes more than `limit` seconds, the result is a PlayError."""
    order = _Order(replace(plan), with_games, limit, Path.cwd(), code_of(plan))  # a copy without agents
    for piece, result in results(partial(_play, order), pieces):
        # A copy, because an array in Ray's memory would keep the games alive that arrived with it.
        yield piece, result._replace(tally=copy.deepcopy(result.tally)) if isinstance(result, PlayedPiece) else result
