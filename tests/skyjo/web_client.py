"""Browsers for tests: clients of the application, each with a cookie of its own."""

import json
import random
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import Any

import pytest
from skyjo.web.server import Server
from skyjo.web.table_room import TableRoom
from skyjo.web.tables import WebTable
from starlette.testclient import TestClient, WebSocketTestSession

from skyjo.web.access import Reach
from skyjo.web.stored_games import StoredGames

PORT = 8765
HOST = f"127.0.0.1:{PORT}"
ORIGIN = {"origin": f"http://{HOST}"}


def full(*_: Any) -> None:
    """What writes to a disk without room."""
    raise OSError("the disk is full")


@contextmanager
def files_up_to(size: int) -> Iterator[None]:
    """No file can be written beyond so many bytes."""
    resource = pytest.importorskip("resource")
    usual = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (size, usual[1]))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, usual)


class Seat:
    """A browser's connection to a table."""

    def __init__(self, socket: WebSocketTestSession) -> None:
        self.socket = socket
        self.texts: list[str] = []  # all that was received

    def receive(self) -> Any:
        self.texts.append(self.socket.receive_text())
        return json.loads(self.texts[-1])

    def send(self, **message: Any) -> None:
        self.socket.send_text(json.dumps(message))

    def ask(self, **message: Any) -> Any:
        """Send a message, and what answers it."""
        self.send(**message)
        return self.receive()

    def until_asked(self) -> Any:
        """The next view in which this browser decides, or is asked to uncover its cards, or the game is over."""
        while True:
            view = self.receive()
            assert view["kind"] == "view", view
            if view["actions"] or view["over"] or (view["covered"] and view["seat"] == view["decider"]):
                return view


class Visitor:
    """A browser."""

    def __init__(self, client: TestClient) -> None:
        self.client = client
        client.cookies.clear()
        found = client.get("/api/start").cookies
        client.cookies.clear()  # every browser sends its own
        self.headers = {"cookie": "; ".join(f"{name}={value}" for name, value in found.items())}

    def get(self, address: str) -> Any:
        return self.client.get(address, headers=self.headers)

    def post(self, address: str, **options: Any) -> Any:
        """Ask for a change, as a page of the server does."""
        return self.client.post(address, headers=self.headers | ORIGIN, **options)

    def delete(self, address: str) -> Any:
        """Ask for something to be deleted, likewise."""
        return self.client.delete(address, headers=self.headers | ORIGIN)

    def open(self, *seats: str, rules: str = "", episode: str = "round") -> str:
        answer = self.post("/api/tables", json={"seats": seats, "rules": rules, "episode": episode})
        assert answer.status_code == 200, answer.text
        number: str = answer.json()["id"]
        return number

    def join(self, number: str) -> Any:
        """Take a free seat."""
        return self.post(f"/api/tables/{number}/join").json()

    def view(self, number: str) -> Any:
        """What is seen of a table, without a socket."""
        return self.get(f"/api/tables/{number}").json()

    @contextmanager
    def at(self, number: str) -> Iterator[Seat]:
        """A connection to a table."""
        with self.client.websocket_connect(
            f"ws://{HOST}/api/tables/{number}/socket", headers=self.headers | ORIGIN
        ) as socket:
            yield Seat(socket)


class House:
    """A server with a folder of its own; its agents do not wait."""

    def __init__(self, client: TestClient, room: TableRoom) -> None:
        self.client, self.room = client, room

    def visitor(self) -> Visitor:
        return Visitor(self.client)

    @staticmethod
    def play_out(table: WebTable, decisions: int = 10_000) -> None:
        """Decide by chance for whoever is to move, so many times or until the table is over."""
        while table.decider is not None and decisions:
            table.act(random.Random(table.seq).choice(table.played.game.legal_actions()))
            decisions -= 1


Houses = Callable[..., House]  # houses("skipbo")


@pytest.fixture
def houses(tmp_path: Path) -> Iterator[Houses]:
    """Opens servers on the same folder; the second of a game finds the tables of the first."""
    with ExitStack() as stack:

        def make(game: str = "skyjo", stores: Sequence[StoredGames] = ()) -> House:
            room = TableRoom(game, tmp_path)
            client = TestClient(Server(room, 0, stores).app(Reach(PORT)), base_url=f"http://{HOST}")
            return House(stack.enter_context(client), room)

        yield make
