"""`kill -9` at random moments: the same command must reach the same result, and lose nothing that was confirmed."""

import json
import os
import random
import time
from collections.abc import Callable
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from campaign.batch import GAMES, Batch, Result
from campaign.children import ended, forked, kill, killed_until_done

KILLS = 8  # of a batch
AGENTS = {
    "skyjo": ["naive", "threshold", "tempo"],
    "skipbo": ["random", "greedy", "hpvp"],
    "skyjo_action": ["greedy", "planner", "random"],
}


def run(batch: Batch) -> Result:
    """In turn: a tournament, a training run, a store, and a server of tables."""
    kinds: tuple[Callable[[Batch, Path, Result], None], ...] = (tournament, store, web_table, training)
    kind, result = kinds[batch.number // len(GAMES) % len(kinds)], Result()
    with TemporaryDirectory() as folder, result.noting(lambda: {"kind": kind.__name__}):
        kind(batch, Path(folder), result)
    result.count(kind.__name__, result.done)
    return result


def timed(work: Callable[[], object], log: Path) -> float:
    """How long it takes without a kill."""
    begun = time.monotonic()
    killed_until_done(work, log, 0.0, 0, random.Random(0))
    return time.monotonic() - begun


def in_folder(folder: Path, work: Callable[[], object]) -> Callable[[], object]:
    """The same work, in a new working folder, so that relative paths in what it writes are the same everywhere."""
    folder.mkdir()

    def moved() -> object:
        os.chdir(folder)
        return work()

    return moved


def contents(folder: Path) -> dict[str, bytes]:
    """All files in a folder."""
    return {str(path.relative_to(folder)): path.read_bytes() for path in sorted(folder.rglob("*")) if path.is_file()}


def compare(result: Result, whole: dict[str, bytes], found: dict[str, bytes], what: str) -> None:
    """Note a failure that names the files that differ, if any do."""
    differing = sorted(name for name in whole.keys() | found.keys() if whole.get(name) != found.get(name))
    if differing:
        result.fail(f"{what}: after {result.done} kills other files than without: {', '.join(differing)}")


def tournament(batch: Batch, folder: Path, result: Result) -> None:
    """The command `tournament --store`, file for file."""
    from cardtable.card_game import Setup, find_game
    from cardtable.play import plan
    from cardtable.play.pairing import play_paired
    from skyjo import main

    chance, game = batch.chance, find_game(batch.game)
    plan.SMALLEST = 8  # deals of a piece: many small files
    agents = AGENTS[batch.game]
    play_paired(agents[:2], Setup(game.rules(), 1), range(2))  # loads what is compiled, before the fork
    words = ["tournament", *agents, "--deals", "200", "--workers", "1", "--seed", str(chance.randrange(10**6))]
    words += ["--store", "games", "--json"]
    usual = timed(in_folder(folder / "whole", lambda: main.main(words, batch.game)), folder / "log")
    work = in_folder(folder / "killed", lambda: main.main(words, batch.game))
    result.done = killed_until_done(work, folder / "log", usual, KILLS, chance)
    compare(result, games_in(folder / "whole/games"), games_in(folder / "killed/games"), "tournament")


def games_in(folder: Path) -> dict[str, bytes]:
    """All files of a store, without the time at which it was begun."""
    from cardtable.stored.store import MANIFEST

    found = contents(folder)
    manifest = json.loads(found[MANIFEST])
    return found | {MANIFEST: json.dumps({**manifest, "begun": "", "check": ""}).encode()}


def training(batch: Batch, folder: Path, result: Result) -> None:
    """A training run: the same weights in the policy and in all of the last checkpoint."""
    from safetensors.numpy import load

    from skyjo_training import training_run
    from skyjo_training.learned_game import learned_game

    chance = batch.chance
    small: dict[str, Any] = {
        "decisions": 768,
        "tables": 8,
        "n_steps": 16,
        "batch_size": 64,
        "deals": 2,
        "measurements": 4,
        "table": 8,
    }
    small |= {"seed": chance.randrange(1000), "baselines": ("random",), "opponents": ("random",), "pool": 0.25}
    config = learned_game(batch.game).config().with_changes(small)
    training_run.PATIENCE = 0.0  # a checkpoint after every rollout

    def train() -> None:
        if not Path("run").exists():
            training_run.begin(Path("run"), [config], "skyjo train")
        training_run.train(Path("run"))

    def learned(place: Path) -> dict[str, bytes]:
        last = sorted((place / "run/checkpoints").glob("checkpoint-*"))[-1]
        arrays = load(last.read_bytes())
        found = {name: array.tobytes() for name, array in arrays.items()}
        return found | {"policy": (place / "run/policy.safetensors").read_bytes()}

    usual = timed(in_folder(folder / "whole", train), folder / "log")
    work = in_folder(folder / "killed", train)
    result.done = killed_until_done(work, folder / "log", usual, KILLS, chance)
    compare(result, learned(folder / "whole"), learned(folder / "killed"), "training")
    if len(contents(folder / "killed/run")) < len(contents(folder / "whole/run")):
        result.fail("training: a file is missing after kills")


def store(batch: Batch, folder: Path, result: Result) -> None:
    """A store into which one process after another writes: what it has confirmed is there, and nothing half written."""
    import pyarrow as pa

    from cardtable.stored.parquet import pack
    from cardtable.stored.store import Store

    chance, place = batch.chance, folder / "games"
    Store.create(place, {"what": "numbers"})
    confirmed = folder / "confirmed"
    confirmed.touch()

    def rows(number: int) -> pa.Table:
        return pa.table({"n": list(range(number, number + 50))})

    def write() -> None:
        games = Store.open(place)
        games.forget_drafts()
        with confirmed.open("ab", buffering=0) as told:
            for number in range(len(games.files()), 10_000):
                games.keep(number, pack(rows(number)))
                told.write(b"x")

    for _ in range(3 * KILLS):
        child = forked(write, folder / "log")
        status = ended(child, 0.01 + chance.random() / 10)
        if status is not None:
            raise RuntimeError(f"it ended with {status}: {(folder / 'log').read_text()[-3000:]}")
        kill(child)
        result.done += 1

    def check() -> None:
        games = Store.open(place)
        games.forget_drafts()
        files = games.files()
        assert len(files) >= confirmed.stat().st_size, "a confirmed piece is lost"
        assert [*files] == [*range(len(files))], "a piece is missing in between"
        assert all(games.read(path).equals(rows(number)) for number, path in files.items())
        assert len(list(place.iterdir())) == len(files) + 1, "a draft is left"

    timed(check, folder / "log")


def web_table(batch: Batch, folder: Path, result: Result) -> None:
    """A server of tables: what it has confirmed to a browser still holds after it was killed and started again."""
    from skyjo.web import live_tables, requests, serving, table_room

    scratch = table_room.TableRoom(batch.game, folder / "scratch")
    table = scratch.open(requests.TableRequest(("you", "you"), "", "round"), "me")
    table.act(table.played.game.legal_actions()[0])  # loads what is compiled, before the fork
    chance, client = batch.chance, Client()
    setattr(live_tables.Browser, "is_too_quick", lambda _: False)  # noqa: B010 (mypy would not have it assigned)
    for _ in range(KILLS):
        sock = serving.bound(client.port)
        client.port = sock.getsockname()[1]

        def serve(sock: Any = sock) -> None:
            serving.serve(table_room.TableRoom(batch.game, folder / "tables"), sock, opens_browser=False)

        sock.listen(16)  # clients that connect before the server is ready wait
        child = forked(serve, folder / "log")
        sock.close()
        try:
            play_for(client, chance, 0.05 + chance.random() / 3)
        except Exception as error:
            log = (folder / "log").read_text(errors="replace")[-2000:]
            raise RuntimeError(f"after {result.done} kills: {error!r}: {log}") from error
        finally:
            kill(child)
        result.done += 1
    result.count("decisions confirmed by a server", client.decisions)


class Client:
    """What a browser knows: where the server is, its cookie, its table, and the last view that it received."""

    def __init__(self) -> None:
        self.port, self.decisions = 0, 0
        self.cookie, self.table = "", ""
        self.view: dict[str, Any] = {}

    def load(self, address: str, body: Any = None) -> Any:
        """An answer of the server."""
        import urllib.request

        host = f"http://127.0.0.1:{self.port}"
        data = None if body is None else json.dumps(body).encode()
        request = urllib.request.Request(host + address, data, {"cookie": self.cookie, "origin": host})
        with urllib.request.urlopen(request, timeout=60) as answer:
            self.cookie = self.cookie or (answer.headers["set-cookie"] or "").partition(";")[0]
            return json.load(answer)


def play_for(client: Client, chance: random.Random, seconds: float) -> None:
    """Play on at the table for a while, or at a new one if the game is over; what was confirmed must still hold."""
    from websockets.sync.client import connect

    if not client.cookie:
        client.load("/api/start")
    host = f"127.0.0.1:{client.port}"
    end = None
    while end is None or time.monotonic() < end:
        if not client.table:
            opened = client.load("/api/tables", {"seats": ["you", "you"], "episode": "round"})
            client.table, client.view = opened["id"], {}
        headers = {"cookie": client.cookie, "origin": f"http://{host}"}
        with connect(f"ws://{host}/api/tables/{client.table}/socket", additional_headers=headers) as socket:
            view = json.loads(socket.recv(timeout=60))
            check_confirmed(client, view)
            end = end or time.monotonic() + seconds
            while time.monotonic() < end and not view["over"]:
                view = answer_to(socket, view, chance)
                client.view = view
                client.decisions += 1
        if view["over"]:
            client.table = ""


def answer_to(socket: Any, view: dict[str, Any], chance: random.Random) -> dict[str, Any]:
    """Decide, uncovering the seat's own cards first where the game asks for it; the view that follows."""
    while True:
        if view["actions"]:
            socket.send(json.dumps({"seq": view["seq"], "action": chance.choice(view["actions"])}))
        else:
            socket.send(json.dumps({"seq": view["seq"], "ask": "uncover"}))
        answer: dict[str, Any] = json.loads(socket.recv(timeout=60))
        if answer["kind"] != "view":
            raise RuntimeError(f"the server answered {answer}")
        if answer["seq"] > view["seq"] or answer["over"]:
            return answer
        view = answer


def check_confirmed(client: Client, view: dict[str, Any]) -> None:
    """RuntimeError if a confirmed decision is gone, or is told in another way.

    How many of the last decisions a view tells depends on what else it shows, so they are compared by number.
    """
    before = client.view
    if not before:
        return
    if view["seq"] < before["seq"]:
        raise RuntimeError(f"decision {before['seq']} was confirmed, but after the kill there are {view['seq']}")
    confirmed = {decision["seq"]: decision for decision in before["told"]}
    for decision in view["told"]:
        if confirmed.get(decision["seq"], decision) != decision:
            raise RuntimeError(f"{confirmed[decision['seq']]} was confirmed, but after the kill it is {decision}")
