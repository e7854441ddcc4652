"""Browsers for tests: clients of the server's application, each with a cookie of its own."""

import json
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import Any

import pytest
from starlette.testclient import TestClient, WebSocketTestSession

from skyjo.web.access import Reach
from skyjo.web.room_store import RoomStore
from skyjo.web.server import Server

PORT = 8765
HOST = f"127.0.0.1:{PORT}"
ORIGIN = {"origin": f"http://{HOST}"}
GAMES = ("skyjo", "skipbo", "skyjo_action")


class Seat:
    """A browser's connection to a room."""

    def __init__(self, socket: WebSocketTestSession) -> None:
        self.socket = socket
        self.texts: list[str] = []  # all that was received
        self.view: Any = None  # the last one

    def receive(self) -> Any:
        """Return the next message."""
        self.texts.append(self.socket.receive_text())
        message = json.loads(self.texts[-1])
        if message["kind"] == "room":
            self.view = message
        return message

    def until(self, is_it: Callable[[Any], Any]) -> Any:
        """Return the next view of which this is true."""
        while True:
            message = self.receive()
            assert message["kind"] == "room", message
            if is_it(message):
                return message

    def ask(self, **message: Any) -> Any:
        """Send a message, and return what answers it."""
        self.socket.send_text(json.dumps({"seq": self.view["seq"], **message}))
        return self.receive()


class Browser:
    """A browser."""

    def __init__(self, client: TestClient) -> None:
        self.client = client
        client.cookies.clear()
        found = client.get("/data/server.json").cookies
        client.cookies.clear()  # every browser sends its own
        self.headers = {"cookie": "; ".join(f"{name}={value}" for name, value in found.items())}

    def another(self) -> "Browser":
        """Return another browser at the same server."""
        return Browser(self.client)

    def get(self, address: str) -> Any:
        """Return the answer to a request."""
        return self.client.get(address, headers=self.headers)

    def post(self, address: str, **options: Any) -> Any:
        """Ask for a change, as a page of the server does."""
        return self.client.post(address, headers=self.headers | ORIGIN, **options)

    def delete(self, address: str) -> Any:
        """Ask for something to be deleted, likewise."""
        return self.client.delete(address, headers=self.headers | ORIGIN)

    def open(self, *seats: str, game: str = "skyjo", **options: Any) -> str:
        """Open a room, and return its number."""
        answer = self.post("/api/rooms", json={"game": game, "seats": seats, "episode": "round", **options})
        assert answer.status_code == 200, answer.text
        number: str = answer.json()["id"]
        return number

    def join(self, number: str, **options: Any) -> Any:
        """Take a free seat."""
        return self.post(f"/api/rooms/{number}/join", json=options).json()

    def rooms(self, game: str = "skyjo") -> Any:
        """Return the list of this browser."""
        return self.get(f"/api/rooms?game={game}").json()["rooms"]

    @contextmanager
    def at(self, number: str) -> Iterator[Seat]:
        """Connect to a room."""
        address = f"ws://{HOST}/api/rooms/{number}/socket"
        with self.client.websocket_connect(address, headers=self.headers | ORIGIN) as socket:
            seat = Seat(socket)
            seat.receive()
            yield seat


Servers = Callable[..., TestClient]


@pytest.fixture
def servers(tmp_path: Path) -> Iterator[Servers]:
    """Opens servers one after the other on the same folder, with a small site."""
    site = tmp_path / "site"
    (site / "skyjo").mkdir(parents=True)
    (site / "skyjo" / "index.html").write_text("the first page")
    with ExitStack() as stack:

        def make(reach: Reach | None = None, **options: Any) -> TestClient:
            stack.close()
            store = RoomStore(tmp_path / "rooms")
            stack.callback(store.close)
            server = Server(site, GAMES, store, reach or Reach(PORT), **options)
            client = TestClient(server.app, base_url=f"http://{HOST}", raise_server_exceptions=False)
            return stack.enter_context(client)

        yield make


@pytest.fixture
def browser(servers: Servers) -> Browser:
    """A browser at a server."""
    return Browser(servers())
