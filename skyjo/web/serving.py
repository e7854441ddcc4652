"""Runs the server: opens the port, prints the address, warms up, and stops on request."""

import asyncio
import errno
import sys
import webbrowser
from collections.abc import Sequence
from contextlib import suppress
from socket import AF_INET, SO_REUSEADDR, SOCK_STREAM, SOL_SOCKET, socket
from threading import Thread
from typing import TYPE_CHECKING

import uvicorn

from cardtable.checks import whole_number
from skyjo.programs import PROGRAMS, loaded
from skyjo.table.game_judge import Judge
from skyjo.table.game_terminal import terminal_of
from skyjo.table.played_game import PlayedGame
from skyjo.web.access import HERE, address_of, reach_of
from skyjo.web.connections import MOST, PromptConnection, allow_connections, say_in_a_line
from skyjo.web.finished_tables import finished_table
from skyjo.web.requests import MOST_BYTES
from skyjo.web.seating import seated_agents
from skyjo.web.server import Server
from skyjo.web.starting import Starting
from skyjo.web.table_room import TableRoom
from skyjo.web.tables import Opening

if TYPE_CHECKING:
    from skyjo.web.stored_games import StoredGames

LARGEST_PORT = 65535
WARM = 8  # decisions
PING = 20  # seconds


def bound(port: int, host: str = HERE) -> socket:
    """A socket at a port of this machine, which nobody else can reach unless another host is named; it does not listen
    yet.
    """
    address = address_of(host)
    sock = socket(AF_INET, SOCK_STREAM)
    try:
        if sys.platform != "win32":  # there it would let others take the port over
            sock.setsockopt(SOL_SOCKET, SO_REUSEADDR, 1)
        sock.bind((str(address), whole_number("port", port, 0, LARGEST_PORT)))
    except OSError as error:
        sock.close()
        advice = "--port 0 takes a free port" if error.errno == errno.EADDRINUSE else "--host names another address"
        raise OSError(error.errno, f"{error.strerror}; {advice}", f"{host}:{port}") from None
    return sock


def warm_up(room: TableRoom) -> None:
    """Load what tables, analyses and results need, or compile it, so that nobody waits for it later."""
    game = room.game
    rules, episode = game.rules(), game.episodes[0]
    seats = [PROGRAMS[game.name].opponents[0]] * rules.players
    played = PlayedGame(game.new_game(rules, 0, 0, episode), seated_agents(game.agents, rules, seats))
    for _ in range(WARM):
        played.decide()
        for seat in range(len(seats)):
            played.game.observation(seat)
    played.question_to_adviser(played.adviser(terminal_of(played.game).advisers))()
    played.written()
    if PROGRAMS[game.name].analysis:
        judge: Judge = loaded(PROGRAMS[game.name].analysis)(played.game.record())
        for _ in range(judge.total):
            judge.judge()
    while not played.game.is_over:
        played.decide()
    opening = Opening(game.name, rules.to_text(), 0, episode, seats, [None] * rules.players)
    finished_table([opening.line(), *({"action": action} for action in played.actions)])


def serve(room: TableRoom, sock: socket, opens_browser: bool, stores: "Sequence[StoredGames]" = ()) -> None:
    """Serve until the process is told to stop. Whatever warming up raises ends it, too."""
    host, port = sock.getsockname()
    reach = reach_of(address_of(host), port, room.folder)
    app = Starting(Server(room, stores=stores).app(reach))
    config = uvicorn.Config(
        app,
        log_level="critical",
        access_log=False,
        server_header=False,
        ws_max_size=16 * MOST_BYTES,  # longer than a message may be, so that a long one is answered
        ws_ping_interval=PING,
        timeout_graceful_shutdown=1,
        http=PromptConnection,
        limit_concurrency=MOST,
    )
    address = reach.link("/")
    server = _Announcing(config, address, opens_browser, app, room)
    with suppress(KeyboardInterrupt):  # which uvicorn raises again once it has stopped
        server.run(sockets=[sock])
    if server.trouble is not None:
        raise server.trouble
    print("Stopped; the tables are kept.")


class _Announcing(uvicorn.Server):
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
        say_in_a_line(loop)
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
