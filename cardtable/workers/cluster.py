"""A Ray cluster, which plays the pieces of plans and maps functions over items.

Workers only play: they return their results, and this process alone stores them. So it does not matter how many nodes
there are, nor which of them come and go meanwhile.
"""

import hashlib
import logging
import os
import re
import shutil
import socket
from collections import deque
from collections.abc import Callable, Generator, Iterable, Iterator
from contextlib import contextmanager, redirect_stdout
from dataclasses import dataclass, field
from importlib.util import find_spec
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

os.environ.setdefault("RAY_USAGE_STATS_ENABLED", "0")  # send no usage reports to Ray's makers
os.environ.setdefault("RAY_ACCEL_ENV_VAR_OVERRIDE_ON_ZERO", "0")  # otherwise Ray warns that this will be the default

import ray
from ray.exceptions import RayError, RayTaskError

from cardtable.card_game import CardGame, distribution_of
from cardtable.errors import TableError
from cardtable.play.plan import Piece, Plan
from cardtable.workers.cluster_workers import ClusterPieces, cores_of_cluster
from cardtable.workers.local_workers import Played

LOCAL = "local"
STORE = 512 * 2**20  # bytes in which a local cluster keeps results until they are fetched
KNOCK = 10.0  # seconds in which a cluster must answer at all
AHEAD = 2  # times as many tasks as cores are handed out
FILES = "files"  # the folder with the copies of files


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
            if len(waiting) >= AHEAD * self.size:
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
        with Path(os.devnull).open("w") as nowhere, redirect_stdout(nowhere):
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
            (declared / file).write_text(about.read_text(file) or "")


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
