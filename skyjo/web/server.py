"""The server: pages and their files, and what tables answer."""

from collections.abc import Awaitable, Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import FileResponse, Response
from starlette.routing import Mount, Route
from starlette.types import ASGIApp

from skyjo.web.access import Reach
from skyjo.web.game_routes import GameRoutes
from skyjo.web.guard import Guard
from skyjo.web.http_answers import disk_trouble, http_error, trouble
from skyjo.web.ladder_routes import LadderRoutes
from skyjo.web.page_files import PageFiles
from skyjo.web.table_room import TableRoom
from skyjo.web.table_routes import TableRoutes

if TYPE_CHECKING:
    from skyjo.web.stored_games import StoredGames

PAGES = Path(__file__).parent / "pages"
PACE = 0.5  # seconds before an agent decides


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
            Mount("/pages", PageFiles(directory=PAGES)),
        ]
        errors: Any = {HTTPException: http_error, OSError: disk_trouble, Exception: trouble}
        app = Starlette(routes=routes, exception_handlers=errors)
        return Guard(app, reach, self.room.game.name)


def _page(name: str) -> Callable[[Request], Awaitable[Response]]:
    async def page(_: Request) -> Response:
        return FileResponse(PAGES / f"{name}.html")

    return page
