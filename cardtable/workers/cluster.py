"""A Ray cluster, which plays the pieces of plans and maps functions over items.

Workers only play: they return their results, and this process alone stores them. So it does not matter how many nodes
there are, nor which of them come and go meanwhile: if a worker is lost, others play its pieces again. Memory does not
grow with the number of pieces: few are in flight, and none of them is far ahead of the oldest.
"""

import copy
import hashlib
import logging
import os
import re
import shutil
import socket
import time
from collections import Counter, deque
from collections.abc import Callable, Generator, Iterable, Iterator
from contextlib import contextmanager, redirect_stdout
from dataclasses import dataclass, field
from importlib.util import find_spec
from multiprocessing.connection import wait
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

os.environ.setdefault("RAY_USAGE_STATS_ENABLED", "0")  # send no usage reports to Ray's makers
os.environ.setdefault("RAY_ACCEL_ENV_VAR_OVERRIDE_ON_ZERO", "0")  # otherwise Ray warns that this will be the default

import ray  # before pyarrow: whoever lacks both is told of the extra that brings both
from ray.exceptions import RayError, RayTaskError

# isort: split
import pyarrow as pa

from cardtable.card_game import CardGame, distribution_of, find_game
from cardtable.checks import brief
from cardtable.errors import TableError
from cardtable.play.decisions import PlayError
from cardtable.play.plan import Piece, Plan
from cardtable.stored.plan_store import code_of
from cardtable.workers.local_workers import LOOK, Played, PlayedPiece, WorkerLostError, WorkerProcess, play_piece

LOCAL = "local"
STORE = 512 * 2**20  # bytes in which a local cluster keeps results until they are fetched
KNOCK = 10.0  # seconds in which a cluster must answer at all
TASKS = 2  # times as many as cores are handed out
FILES = "files"  # the folder with the copies of files
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


# The cluster, and what its nodes are given


@dataclass(frozen=True)
class Cluster:
    """A cluster that this process is connected to."""

    made_as: dict[str, str] = field(default_factory=dict)  # for agents that name files: the text with the nodes' copies

    @property
    def size(self) -> int:
        """How many cores there are now."""
        return cores_of_cluster()

    def map(self, function: Callable[[Any], Any], items: Iterable[Any]) -> Iterator[Any]:
        """The function's results for all items, in order; those that are lost with a node are computed again."""
        task = ray.remote(num_cpus=1, max_retries=-1)(_call)
        sent, waiting = ray.put(function), deque[Any]()
        for item in items:
            waiting.append(task.remote(sent, item))
            if len(waiting) >= TASKS * self.size:
                yield _fetched(waiting.popleft())
        while waiting:
            yield _fetched(waiting.popleft())

    def streams(
        self, function: Callable[[Any], Iterator[Any]], item: Callable[[int], Any], count: int
    ) -> Iterator[tuple[int, Any]]:
        """Run `count` generators at once; what they yield, each with its number. One that is lost with its node starts
        again, from what `item` gives then.
        """
        task: Any = ray.remote(num_cpus=1, max_retries=0, num_returns="streaming")(function)
        running: dict[Any, int] = {task.remote(item(number)): number for number in range(count)}
        while running:
            ready: list[Any] = ray.wait(list(running), timeout=1.0)[0]
            for stream in ready:
                number = running[stream]
                try:
                    yield number, ray.get(next(stream))
                except StopIteration:
                    del running[stream]
                except RayTaskError as error:
                    raise error.cause from None
                except RayError:
                    del running[stream]
                    running[task.remote(item(number))] = number

    def play_pieces(
        self, plan: Plan, pieces: Iterator[Piece], with_games: bool, limit: float
    ) -> Generator[Played, None, None]:
        """Play all pieces, in any order. If an agent fails, or takes more than `limit` seconds, the piece's result is a
        PlayError.
        """
        yield from ClusterPieces(plan, pieces, self.made_as, with_games, limit).run()


def _call(function: Callable[[Any], Any], item: Any) -> Any:
    """The body of every task of `Cluster.map`, which is sent once."""
    return function(item)


def _fetched(reference: Any) -> Any:
    """A result; what a task raised is raised here."""
    try:
        return ray.get(reference)
    except RayTaskError as error:
        raise error.cause from None
    except RayError as error:
        raise TableError(f"the cluster lost a task: {_first_line(error)}") from error


@contextmanager
def connected(address: str, workers: int, game: CardGame, agents: Iterable[str] = ()) -> Iterator[Cluster]:
    """The cluster at an address, or a new one with this many workers on this machine if the address is "local".

    The packages and files of these agents are uploaded to its nodes: Ray makes the folder with their copies the working
    folder of every worker, which Python searches first. Within this context nothing appears on standard
    output. TableError if no cluster answers.
    """
    if ray.is_initialized():
        raise TableError("this process is already connected to a Ray cluster")
    with TemporaryDirectory(prefix="cluster-") as folder:
        names = list(dict.fromkeys(agents))
        pack_packages(Path(folder), game, names)
        made_as = {name: text for name in names if (text := pack_files(Path(folder), name)) != name}
        runtime_env = {"working_dir": folder} if any(Path(folder).iterdir()) else {}
        # Ray prints messages of its daemons, such as that a worker has died, and has no option to switch that off.
        with Path(os.devnull).open("w", encoding="utf-8") as nowhere, redirect_stdout(nowhere):
            try:
                _connect(address, workers, runtime_env)
                yield Cluster(made_as)
            finally:
                ray.shutdown()


def _connect(address: str, workers: int, runtime_env: dict[str, Any]) -> None:
    alone: dict[str, Any] = {"num_cpus": workers, "include_dashboard": False, "object_store_memory": STORE}
    where: dict[str, Any] = {"address": LOCAL, **alone} if address == LOCAL else {"address": address}
    if "://" in address:
        raise TableError(f"--cluster {address}: run the command on a node of the cluster, with its address HOST:PORT")
    host, _, port = address.rpartition(":")
    try:
        if host and port.isdecimal():  # knock first: Ray would try for minutes, and write lines of its own meanwhile
            socket.create_connection((host.strip("[]"), int(port)), KNOCK).close()
        ray.init(**where, runtime_env=runtime_env, log_to_driver=False, logging_level=logging.CRITICAL)
    except (RayError, ConnectionError, RuntimeError, ValueError, OSError, OverflowError) as error:
        raise TableError(f"no Ray cluster can be used at {address}: {_first_line(error)}") from error


def _first_line(error: BaseException) -> str:
    return next(iter(str(error).strip().splitlines()), type(error).__name__)


def pack_packages(folder: Path, game: CardGame, agents: Iterable[str]) -> None:
    """Copy the packages, or modules, of those agents that do not come with the game, with the metadata that declares
    the agents, so that the nodes find them by name, too.
    """
    own = distribution_of(game)
    words = {word for agent in agents for word in re.findall(r"[\w.-]+", agent)}
    for name, point in game.agents.points.items():
        top, about = point.module.partition(".")[0], point.dist
        spec = find_spec(top) if name in words and about is not None and about.name != own else None
        if spec is None or about is None or (declared := folder / f"{about.name}.dist-info").exists():
            continue
        if spec.submodule_search_locations:
            without = shutil.ignore_patterns("__pycache__", ".*")
            source = next(iter(spec.submodule_search_locations))
            shutil.copytree(source, folder / top, ignore=without, dirs_exist_ok=True)
        elif spec.origin is not None:
            shutil.copy(spec.origin, folder)
        declared.mkdir()
        for file in ("METADATA", "entry_points.txt"):
            (declared / file).write_text(about.read_text(file) or "", "utf-8")


def pack_files(folder: Path, agent: str) -> str:
    """Copy the files that an agent's text names, and return the text with the paths of the copies in the folder."""
    return re.sub(r"[^,()]+", lambda found: _moved(folder, found[0]), agent)


def _moved(folder: Path, parameter: str) -> str:
    """The parameter `key=value`, with the path of a copy if the value is a file; values may hold parameters again."""
    key, equals, value = parameter.partition("=")
    if not equals:
        return parameter
    path = Path(value).expanduser()
    if not re.search("[a-z]", path.suffix) or not path.is_file():  # a number is not a file, even if one has that name
        return f"{key}={_moved(folder, value)}"
    place = Path(FILES, hashlib.blake2b(path.read_bytes(), digest_size=8).hexdigest())
    (folder / place).mkdir(parents=True, exist_ok=True)
    for each in {path, path.with_suffix(".json")}:  # with the card beside it
        if each.is_file():
            shutil.copy(each, folder / place)
    return f"{key}={place / path.name}"
