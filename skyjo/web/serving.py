"""Runs the server: opens the port, prints the address, warms up, closes silent connections, and stops on request."""

import asyncio
import errno
import sys
import webbrowser
from collections.abc import Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from socket import AF_INET, SO_REUSEADDR, SOCK_STREAM, SOL_SOCKET, socket
from threading import Thread
from typing import TYPE_CHECKING, Any

import uvicorn
from starlette.types import ASGIApp
from uvicorn.protocols.http.h11_impl import H11Protocol

from cardtable.table.agents.agents import agents_of
from cardtable.table.checks import check_int
from cardtable.table.game.table_game import game_class
from skyjo.analysis.judge import Judge
from skyjo.interfaces import find_interface
from skyjo.table.played_game import PlayedGame
from skyjo.table.seating import seated_agents
from skyjo.web.access import HERE, Guard, address_of, reach_of
from skyjo.web.own_results import finished_table
from skyjo.web.requests import MAX_BYTES
from skyjo.web.server import Server
from skyjo.web.site import Site, Starting
from skyjo.web.table_room import TableRoom
from skyjo.web.tables import TableSetup

if TYPE_CHECKING:
    from skyjo.web.stored_games import StoredGames

MAX_PORT = 65535
WARM = 8  # decisions
PING = 20  # seconds
MAX_CONNECTIONS = 1000  # connections and requests at once; more are told to come back later
PATIENCE = 10  # seconds until a connection must have asked for something


def bound(port: int, host: str = HERE) -> socket:
    """A socket bound to a port, not yet listening. Only this machine can reach it unless another host is named."""
    address = address_of(host)
    sock = socket(AF_INET, SOCK_STREAM)
    try:
        if sys.platform != "win32":  # there it would let others take the port over
            sock.setsockopt(SOL_SOCKET, SO_REUSEADDR, 1)
        sock.bind((str(address), check_int("port", port, 0, MAX_PORT)))
    except OSError as error:
        sock.close()
        advice = "--port 0 takes a free port" if error.errno == errno.EADDRINUSE else "--host names another address"
        raise OSError(error.errno, f"{error.strerror}; {advice}", f"{host}:{port}") from None
    return sock


def warm_up(room: TableRoom) -> None:
    """Load what tables, analyses and results need, or compile it, so that nobody waits for it later."""
    game, interface = room.game, room.interface
    rules, episode = game.rules(), game.episodes[0]
    seats = [interface.opponents[0]] * rules.players
    played = PlayedGame(game_class(game)(rules, 0, 0, episode), seated_agents(agents_of(game), rules, seats))
    for _ in range(WARM):
        played.decide()
        for seat in range(len(seats)):
            interface.documents.seen_position(rules, played.game.observation(seat), episode, True)
    played.question_to_adviser(played.adviser())()
    played.written()
    if interface.judges:
        judge = Judge(interface, played.game.record())
        for _ in range(judge.total):
            judge.judge()
    while not played.game.is_over:
        played.decide()
    setup = TableSetup(game.name, rules.to_text(), 0, episode, seats, [None] * rules.players)
    finished_table([setup.line(), *({"action": action} for action in played.actions)])


def serve(
    room: TableRoom,
    sock: socket,
    opens_browser: bool,
    stores: "Sequence[StoredGames]" = (),
    others: Mapping[str, Path] | None = None,
) -> None:
    """Serve a game, and others whose tables are kept in these folders, until the process is told to stop.

    Whatever warming up the first game raises ends it, too; another game is loaded when somebody asks for it.
    """
    host, port = sock.getsockname()
    reach = reach_of(address_of(host), port, room.folder)
    folders = {room.game.name: room.folder, **(others or {})}
    interfaces = [room.interface, *map(find_interface, sorted(others or {}))]  # the first is at home

    def load(game: str) -> ASGIApp:
        other = TableRoom(game, folders[game])
        warm_up(other)
        return Server(other, stores=stores, interfaces=interfaces).unguarded(reach)

    app = Starting(Server(room, stores=stores, interfaces=interfaces).unguarded(reach), room.game.title)
    config = uvicorn.Config(
        Guard(Site(room.game.name, app, folders, load), reach),
        log_level="critical",
        access_log=False,
        server_header=False,
        ws_max_size=16 * MAX_BYTES,  # longer than a message may be, so that a long one is answered
        ws_ping_interval=PING,
        timeout_graceful_shutdown=1,
        http=PromptConnection,
        limit_concurrency=MAX_CONNECTIONS,
    )
    address = reach.link("/")
    server = _TableServer(config, address, opens_browser, app, room)
    with suppress(KeyboardInterrupt):  # which uvicorn raises again once it has stopped
        server.run(sockets=[sock])
    if server.trouble is not None:
        raise server.trouble
    print("Stopped; the tables are kept.")


class _TableServer(uvicorn.Server):
    """Says where the page is as soon as it can be loaded, and warms up meanwhile."""

    def __init__(
        self, config: uvicorn.Config, address: str, opens_browser: bool, app: Starting, room: TableRoom
    ) -> None:
        super().__init__(config)
        self._address, self._opens_browser, self._app, self._room = address, opens_browser, app, room
        self.trouble: Exception | None = None

    async def startup(self, sockets: list[socket] | None = None) -> None:
        """Begin to listen, then say so."""
        loop = asyncio.get_running_loop()
        allow_connections()
        report_in_one_line(loop, self._room.game.name)
        await super().startup(sockets)
        print(f"The table is at {self._address}  (Ctrl-C stops it)", flush=True)
        Thread(target=self._get_ready, args=(loop,), name="warming up", daemon=True).start()  # Ctrl-C does not wait
        if self._opens_browser:
            webbrowser.open(self._address)

    def _get_ready(self, loop: asyncio.AbstractEventLoop) -> None:
        try:
            warm_up(self._room)
        except Exception as error:
            self.trouble, self.should_exit = error, True
            return
        with suppress(RuntimeError):  # the server has stopped
            loop.call_soon_threadsafe(self._app.is_ready.set)


class PromptConnection(H11Protocol):
    """A connection that is closed if it has asked for nothing after a while."""

    def connection_made(self, transport: Any) -> None:
        """Begin to wait."""
        super().connection_made(transport)
        self.loop.call_later(PATIENCE, self._lose_patience)

    def _lose_patience(self) -> None:
        is_ours = self.transport.get_protocol() is self  # and no table's socket by now
        if is_ours and self.cycle is None and not self.transport.is_closing():
            self.transport.close()


def allow_connections() -> None:
    """Raise the system's limit of open files as far as this process may: each connection is one."""
    if sys.platform == "win32":
        return
    import resource

    _, most = resource.getrlimit(resource.RLIMIT_NOFILE)
    wanted = 4 * MAX_CONNECTIONS if most == resource.RLIM_INFINITY else min(4 * MAX_CONNECTIONS, most)
    if resource.getrlimit(resource.RLIMIT_NOFILE)[0] < wanted:
        resource.setrlimit(resource.RLIMIT_NOFILE, (wanted, most))


def report_in_one_line(loop: asyncio.AbstractEventLoop, game: str) -> None:
    """Report what the system refuses, such as another connection, once and in one line; `game` begins it."""
    reported: set[str] = set()

    def report(loop: asyncio.AbstractEventLoop, context: dict[str, Any]) -> None:
        error = context.get("exception")
        if not isinstance(error, OSError):
            loop.default_exception_handler(context)
        elif str(error) not in reported:
            reported.add(str(error))
            print(f"{game}: {context['message']}: {error.strerror}", file=sys.stderr)

    loop.set_exception_handler(report)
