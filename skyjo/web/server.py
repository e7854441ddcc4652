"""The server of the tables: pages, requests and sockets."""

import asyncio
import re
from collections.abc import Awaitable, Callable, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any

from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import FileResponse, JSONResponse, PlainTextResponse, Response
from starlette.routing import Mount, Route, WebSocketRoute
from starlette.staticfiles import StaticFiles
from starlette.types import ASGIApp
from starlette.websockets import WebSocket, WebSocketDisconnect

from cardtable.errors import TableError
from skyjo.programs import PROGRAMS
from skyjo.web.browser import Browser
from skyjo.web.guard import Guard
from skyjo.web.live_tables import LiveTables
from skyjo.web.messages import VERSION
from skyjo.web.requests import MOST_BYTES, RequestError, read_table
from skyjo.web.seating import welcome_agents
from skyjo.web.table_room import TableRoom
from skyjo.web.tables import WebTable
from skyjo.web.viewing import table_words, view_for

PAGES = Path(__file__).parent / "pages"
MOST_WORDS = 92  # letters of a line on an agent
PACE = 0.5  # seconds before an agent decides
BAD_REQUEST, NOT_FOUND, TROUBLE = 400, 404, 500
GONE = 4404  # the close code of a socket whose table is not there or has no place
MOST_REASON = 120  # bytes that a socket can be closed with


class Server:
    """What is served, from one room of tables."""

    def __init__(self, room: TableRoom, pace: float = PACE) -> None:
        self.room, self.live = room, LiveTables(room, pace)

    def app(self, hosts: Sequence[str]) -> ASGIApp:
        """The application, for these names of the server, with the port."""
        routes = [
            Route("/", self.index),
            Route("/t/{number}", self.table_page),
            Route("/api/start", self.start),
            Route("/api/tables", refusing(self.open_table), methods=["POST"]),
            Route("/api/tables/{number}", refusing(self.view)),
            Route("/api/tables/{number}/join", refusing(self.join), methods=["POST"]),
            Route("/api/tables/{number}/record", refusing(self.record)),
            WebSocketRoute("/api/tables/{number}/socket", self.socket),
            Mount("/pages", StaticFiles(directory=PAGES)),
        ]
        errors: Any = {HTTPException: _http_error, OSError: _disk_trouble, Exception: _trouble}
        app = Starlette(routes=routes, exception_handlers=errors)
        return Guard(app, hosts, f"{self.room.game.name}_browser")

    async def index(self, _: Request) -> Response:
        """The page with which one begins."""
        return FileResponse(PAGES / "index.html")

    async def table_page(self, _: Request) -> Response:
        """The page of a table; which one, its script finds in the address."""
        return FileResponse(PAGES / "table.html")

    async def start(self, request: Request) -> Response:
        """All that the first page offers."""
        game, owner = self.room.game, _owner(request)
        program = PROGRAMS[game.name]
        agents = [{"name": name, "words": _sentence(game.agents.describe(name)[0])} for name in self._agents]
        tables = [
            {"id": table.number, "words": table_words(table, owner), "over": table.decider is None}
            for table in self.room.tables_of(owner)
        ]
        return JSONResponse(
            {
                "version": VERSION,
                "game": game.name,
                "title": game.title,
                "agents": agents,
                "opponents": [*program.opponents],
                "presets": [preset._asdict() for preset in program.presets],
                "players": [*self.room.players],
                "tables": tables,
            }
        )

    @property
    def _agents(self) -> tuple[str, ...]:
        return welcome_agents(self.room.game.agents)

    async def open_table(self, request: Request) -> Response:
        """Open a table."""
        table = self.room.open(read_table(await _body(request)), _owner(request))
        return JSONResponse({"id": table.number})

    async def view(self, request: Request) -> Response:
        """What the browser sees of a table."""
        table = self._find(request)
        return Response(view_for(table, _owner(request), self.live.here(table.number)), media_type="application/json")

    async def join(self, request: Request) -> Response:
        """Take a free seat."""
        table = self._find(request)
        seat = self.room.join(table, _owner(request))
        self.live.show(table.number)
        return JSONResponse({"seat": seat})

    async def record(self, request: Request) -> Response:
        """The written game, once it is over: it holds the seed."""
        table = self._find(request)
        if table.decider is not None:
            raise TableError("the game is not over")
        return PlainTextResponse(table.played.written())

    def _find(self, request: Request) -> WebTable:
        try:
            return self.room.find(request.path_params["number"])
        except TableError as error:
            raise HTTPException(NOT_FOUND, str(error)) from None

    async def socket(self, socket: WebSocket) -> None:
        """A browser at a table, until it goes."""
        browser = Browser(socket.scope["owner"])
        await socket.accept()
        try:
            live = self.live.enter(socket.path_params["number"], browser)
        except (TableError, OSError) as error:
            words = str(error) if isinstance(error, TableError) else "the table cannot be read"
            await socket.close(GONE, words.encode()[:MOST_REASON].decode(errors="ignore"))
            return
        telling = asyncio.create_task(_tell(socket, browser))
        try:
            while True:
                message = await socket.receive()
                if message["type"] == "websocket.disconnect":
                    break
                await live.answer(browser, message.get("text"))
        finally:
            self.live.leave(live, browser)
            telling.cancel()
            with suppress(asyncio.CancelledError):
                await telling


async def _tell(socket: WebSocket, browser: Browser) -> None:
    """Send what waits for a browser."""
    with suppress(WebSocketDisconnect, RuntimeError):  # it has gone
        while (message := await browser.waiting.get()) is not None:
            await socket.send_text(message)
        await socket.close()


Answer = Callable[[Request], Awaitable[Response]]


def refusing(answer: Answer) -> Answer:
    """What cannot be done is answered in one line."""

    async def answered(request: Request) -> Response:
        try:
            return await answer(request)
        except TableError as error:
            return _error(BAD_REQUEST, str(error))

    return answered


async def _body(request: Request) -> bytes:
    body = b""
    async for part in request.stream():
        body += part
        if len(body) > MOST_BYTES:
            raise RequestError(f"a message has at most {MOST_BYTES} bytes")
    return body


def _owner(request: Request) -> str:
    owner: str = request.scope["owner"]
    return owner


def _sentence(words: str) -> str:
    """The first sentence without what is in brackets; of a long one, the parts with which it begins."""
    sentence = re.sub(r" \([^)]*\)", "", words.partition(". ")[0].rstrip("."))
    end = len(sentence)
    while end > MOST_WORDS and (shorter := max(sentence.rfind(mark, 0, end) for mark in (", ", "; ", ": "))) > 0:
        end = shorter
    return sentence[:end]


def _error(status: int, words: str) -> Response:
    return JSONResponse({"error": " ".join(words.split())}, status)


async def _http_error(_: Request, error: HTTPException) -> Response:
    return _error(error.status_code, error.detail)


async def _disk_trouble(_: Request, _error_raised: Exception) -> Response:
    return _error(TROUBLE, "the tables cannot be read or written")


async def _trouble(_: Request, _error_raised: Exception) -> Response:
    return _error(TROUBLE, "something went wrong at the server")
