"""What is served: pages and their files, and what tables answer; and a page that waits until all is ready."""

import asyncio
import re
from collections.abc import Awaitable, Callable, Sequence
from contextlib import suppress
from os import PathLike, stat_result
from pathlib import Path
from typing import TYPE_CHECKING, Any

from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import FileResponse, HTMLResponse, Response
from starlette.routing import Mount, Route
from starlette.staticfiles import StaticFiles
from starlette.types import ASGIApp, Receive, Scope, Send

from skyjo.programs import Program
from skyjo.web.access import Guard, Reach
from skyjo.web.answers import BUSY, disk_trouble, http_error, trouble
from skyjo.web.game_routes import GameRoutes
from skyjo.web.ladder_routes import LadderRoutes
from skyjo.web.table_room import TableRoom
from skyjo.web.table_routes import TableRoutes

if TYPE_CHECKING:
    from skyjo.web.stored_games import StoredGames

PAGES = Path(__file__).parent / "pages"
PACE = 0.5  # seconds before an agent decides
COMMENTS = re.compile(r"^[ \t]*/\*(?:(?!\*/).)*\*/\n", re.MULTILINE | re.DOTALL)  # those with lines of their own
OK = 200
SOON = 0.3  # seconds that a page waits before it says that the table is starting
STARTING = """<!doctype html>
<html lang="en">
<head>
  <meta charset="utf-8">
  <meta http-equiv="refresh" content="1">
  <meta name="viewport" content="width=device-width, initial-scale=1">
  <meta name="color-scheme" content="light dark">
  <title>Starting</title>
  <link rel="icon" type="image/svg+xml" href="/pages/icon.svg">
  <link rel="stylesheet" href="/pages/app.css">
</head>
<body>
  <main>
    <h1>The table is starting</h1>
    <p>This page becomes the table as soon as the agents are ready. If nothing has been compiled yet, this takes about a
    minute.</p>
  </main>
</body>
</html>
"""


class Server:
    """What is served, from one room of tables and stores of games."""

    def __init__(self, room: TableRoom, pace: float = PACE, stores: "Sequence[StoredGames]" = ()) -> None:
        self.room, self._pace, self._stores = room, pace, stores

    def app(self, reach: Reach) -> ASGIApp:
        """The application, for a server that can be reached like this."""
        games = GameRoutes(self.room, self._stores)
        routes = [
            Route("/", _page("index")),
            Route("/t/{number}", _page("table")),  # which one, its script finds in the address
            Route("/games", _page("games")),
            Route("/g/{number}", _page("game")),
            Route("/ladder", _page("ladder")),
            *TableRoutes(self.room, games, reach, self._pace).routes,
            *games.routes,
            *LadderRoutes(self.room).routes,
            Mount("/pages", PageFiles(self.room.program)),
        ]
        errors: Any = {HTTPException: http_error, OSError: disk_trouble, Exception: trouble}
        app = Starlette(routes=routes, exception_handlers=errors)
        return Guard(app, reach, self.room.game.name)


def _page(name: str) -> Callable[[Request], Awaitable[Response]]:
    async def page(_: Request) -> Response:
        return FileResponse(PAGES / f"{name}.html")

    return page


def without_comments(module: str) -> str:
    """A module without its comments; those that share a line with code stay."""
    return COMMENTS.sub("", module)


class PageFiles(StaticFiles):
    """The files of the pages and the board of a game; modules without comments, a sixth that no browser needs."""

    def __init__(self, program: Program) -> None:
        super().__init__(directory=PAGES)
        self._boards = {f"boards/{program.game}.js": program.path / "board.js"}

    def lookup_path(self, path: str) -> tuple[str, stat_result | None]:
        """Where a file lies, and what the system knows of it."""
        board = self._boards.get(path)
        return super().lookup_path(path) if board is None else (str(board), board.stat())

    def file_response(
        self, full_path: str | PathLike[str], stat_result: stat_result, scope: Scope, status_code: int = OK
    ) -> Response:
        """The file, or the answer that the browser has it already."""
        found = super().file_response(full_path, stat_result, scope, status_code)
        if not isinstance(found, FileResponse) or Path(full_path).suffix != ".js":
            return found
        headers = {name: found.headers[name] for name in ("etag", "last-modified")}
        return Response(without_comments(Path(full_path).read_text("utf-8")), status_code, headers, "text/javascript")


class Starting:
    """Passes requests on once the server is ready.

    Until then requests to /api/ wait, files under /pages/ are sent, and instead of every other page there is one that
    says that the table is starting and reloads itself.
    """

    def __init__(self, app: ASGIApp) -> None:
        self._app, self.is_ready = app, asyncio.Event()

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer a request, or pass it on."""
        path = scope.get("path", "")
        if path.startswith("/api/"):
            await self.is_ready.wait()
        elif scope["type"] == "http" and not path.startswith("/pages/") and not await self._is_ready_soon():
            await HTMLResponse(STARTING, BUSY, {"cache-control": "no-store"})(scope, receive, send)
            return
        await self._app(scope, receive, send)

    async def _is_ready_soon(self) -> bool:
        with suppress(TimeoutError):
            await asyncio.wait_for(self.is_ready.wait(), SOON)
        return self.is_ready.is_set()
