"""What is served of one game: its pages and their files, and what its tables answer."""

from collections.abc import Awaitable, Callable, Sequence
from typing import TYPE_CHECKING, Any

from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import HTMLResponse, Response
from starlette.routing import Mount, Route
from starlette.types import ASGIApp

from skyjo.interfaces import GameInterface
from skyjo.web.access import Guard, Reach
from skyjo.web.answers import NOT_FOUND, disk_trouble, http_error, trouble
from skyjo.web.daily_routes import DailyRoutes
from skyjo.web.game_routes import GameRoutes
from skyjo.web.ladder_routes import LadderRoutes
from skyjo.web.learn_routes import LearnRoutes
from skyjo.web.page_files import MENU, PageFiles, Pages
from skyjo.web.table_room import TableRoom
from skyjo.web.table_routes import TableRoutes

if TYPE_CHECKING:
    from skyjo.web.stored_games import StoredGames

PACE = 0.5  # seconds before an agent decides


class Server:
    """What is served, from one room of tables and stores of games."""

    def __init__(
        self,
        room: TableRoom,
        pace: float = PACE,
        stores: "Sequence[StoredGames]" = (),
        interfaces: Sequence[GameInterface] = (),
    ) -> None:
        """`interfaces` are those of all games of the site, if there are others."""
        self.room, self._pace, self._stores = room, pace, stores
        self._pages = Pages(room.interface, interfaces or [room.interface])

    def app(self, reach: Reach) -> ASGIApp:
        """The application, for a server that can be reached like this."""
        return Guard(self.unguarded(reach), reach)

    def unguarded(self, reach: Reach) -> ASGIApp:
        """The same for requests that have been let through already."""
        games, command = GameRoutes(self.room, self._stores), self.room.interface.command
        routes = [
            *(Route(f"/{command}{path}", self._page(page)) for _, page, path in MENU),
            *(Route(path or "/", self._page(page)) for _, page, path in MENU),
            Route("/t/{number}", self._page("table", self.room.has)),  # which one, its script finds in the address
            Route("/g/{number}", self._page("game", games.has)),
            *TableRoutes(self.room, games, reach, self._pace).routes,
            *games.routes,
            *LadderRoutes(self.room).routes,
            *LearnRoutes(self.room.interface).routes,
            *DailyRoutes(self.room).routes,
            Mount("/pages", PageFiles(*self._pages.interfaces)),
        ]
        errors: Any = {HTTPException: self._http_error, OSError: disk_trouble, Exception: trouble}
        return Starlette(routes=routes, exception_handlers=errors)

    def _page(
        self, name: str, is_there: Callable[[str], bool] = lambda _: True
    ) -> Callable[[Request], Awaitable[Response]]:
        async def page(request: Request) -> Response:
            if not is_there(request.path_params.get("number", "")):
                raise HTTPException(NOT_FOUND)
            return HTMLResponse(self._pages.page(name))

        return page

    async def _http_error(self, request: Request, error: HTTPException) -> Response:
        """What is not there, or not allowed: a page for people, JSON for programs."""
        if request.url.path.startswith(("/api/", "/pages/")) or error.status_code != NOT_FOUND:
            return await http_error(request, error)
        words = "Perhaps the address was cut off when it was copied, or what was here has been deleted."
        return HTMLResponse(self._pages.message("Nothing here", words), NOT_FOUND)
