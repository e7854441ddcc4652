"""The web server: the site, agents in Python, written positions, stored games, and rooms.

Nothing here needs the kernels: games are loaded when they are first asked for.
"""

import json
import mimetypes
from collections.abc import Collection, Mapping, Sequence
from functools import cached_property, partial
from importlib import import_module
from importlib.metadata import entry_points
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING, Any

from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import JSONResponse, PlainTextResponse, RedirectResponse, Response
from starlette.routing import Mount, Route, WebSocketRoute
from starlette.staticfiles import StaticFiles
from starlette.types import ASGIApp
from starlette.websockets import WebSocket

from cardtable.table.errors import TableError
from skyjo.web.access import Guard, Reach, refusal
from skyjo.web.requests import Fields, MissingError, RequestError, in_thread, read_body, read_name
from skyjo.web.room_store import RoomStore

if TYPE_CHECKING:
    from skyjo.web.live_rooms import LiveRooms
    from skyjo.web.stored_games import StoredGames

MAX_LISTED = 50  # rooms
WORK: Mapping[str, Fields] = {  # what functions of `skyjo.web.positions` are sent, which needs the kernels
    "networks": {"rules": str, "agent": str},
    "rules": {"rules": str, "players": int},
    "positions": {"text": str},
    "seen": {"rules": str, "episode": str, "observation": list},
}

mimetypes.add_type("text/javascript", ".js")  # whatever this machine says: browsers run nothing else


class Server:
    """The application, from a folder with the site."""

    def __init__(
        self,
        site: Path,
        games: Sequence[str],
        store: RoomStore,
        reach: Reach,
        agents: Mapping[str, Collection[str]] | None = None,
        stores: "Sequence[StoredGames]" = (),
    ) -> None:
        """Serve these games, the first of them at home, with further `agents` by game."""
        self._site, self._games, self._store, self._reach, self._stores = site, games, store, reach, stores
        self._given = agents or {}
        self._rooms: LiveRooms | None = None

    @cached_property
    def app(self) -> ASGIApp:
        """The application that answers requests."""
        room = "/api/rooms/{number}"
        routes = [
            Route("/", self._home),
            Route("/data/server.json", self._offer),
            Route("/api/agents/{game}", self._decide, methods=["POST"]),
            *(Route(f"/api/{work}/{{game}}", partial(self._work_out, work), methods=["POST"]) for work in WORK),
            Route("/api/stores/{store:int}", self._list_games),
            Route("/api/stores/{store:int}/{number:int}", self._stored_game),
            Route("/api/rooms", self._list_rooms),
            Route("/api/rooms", self._open_room, methods=["POST"]),
            Route(room, self._remove_room, methods=["DELETE"]),
            Route(f"{room}/join", self._join, methods=["POST"]),
            Route(f"{room}/link", self._link),
            Route(f"{room}/record", self._record),
            WebSocketRoute(f"{room}/socket", self._socket),
            Mount("/", StaticFiles(directory=self._site, html=True)),
        ]
        handlers: Any = {TableError: _refused, HTTPException: _http_error, Exception: _trouble}
        return Guard(Starlette(routes=routes, exception_handlers=handlers), self._reach)

    async def _live(self) -> "LiveRooms":
        """Return the rooms, which need the kernels."""
        if self._rooms is None:
            module: Any = await in_thread(import_module, "skyjo.web.live_rooms")
            self._rooms = self._rooms or module.LiveRooms(self._store, self._given)
        return self._rooms

    def _game(self, name: Any) -> str:
        if name not in self._games:
            raise MissingError("there is no such game here")
        return str(name)

    # The site, and what the server adds to it

    async def _home(self, _request: Request) -> Response:
        return RedirectResponse(f"/{self._games[0]}/index.html")

    async def _offer(self, _request: Request) -> Response:
        stores = [
            {"number": number, "game": store.game.name, "name": store.name, "games": store.games}
            for number, store in enumerate(self._stores)
        ]
        agents = {game: self._agents(game) for game in self._games}
        return JSONResponse({"rooms": True, "local": self._reach.token is None, "agents": agents, "stores": stores})

    def _agents(self, game: str) -> list[str]:
        """Return the agents that can sit down: those that the site lists, and those of other packages."""
        start, names = self._site / "data" / game / "start.json", list[str]()
        if start.is_file():
            names = [agent["name"] for agent in json.loads(start.read_text("utf-8"))["agents"]]
        others = sorted(point.name for point in entry_points(group=f"{game}_env.agents"))
        return [*dict.fromkeys([*names, *others, *self._given.get(game, ())])]

    async def _decide(self, request: Request) -> Response:
        asked = await read_body(request, {"rules": str, "agent": str, "observations": list, "masks": list})
        game, live = self._game(request.path_params["game"]), await self._live()
        return JSONResponse({"actions": await live.agents.answer(game, asked)})

    async def _work_out(self, work: str, request: Request) -> Response:
        game, asked = self._game(request.path_params["game"]), await read_body(request, WORK[work])
        if "agent" in asked and asked["agent"] not in self._given.get(game, ()):
            raise RequestError("only policies that this server offers can be loaded")
        module = await in_thread(import_module, "skyjo.web.positions")
        return JSONResponse(await in_thread(getattr(module, work), game, asked))

    # Stored games

    def _store_of(self, request: Request) -> "StoredGames":
        number: int = request.path_params["store"]
        if number >= len(self._stores):
            raise MissingError("there is no such store")
        return self._stores[number]

    async def _list_games(self, request: Request) -> Response:
        store, first = self._store_of(request), request.query_params.get("first", "0")
        if not (first.isascii() and first.isdecimal()):
            raise RequestError('"first" must be a whole number from 0')
        return JSONResponse({"games": await in_thread(store.listed, int(first)), "count": store.games})

    async def _stored_game(self, request: Request) -> Response:
        text, seats = await in_thread(self._store_of(request).written, request.path_params["number"])
        return JSONResponse({"text": text, "seats": seats})

    # Rooms

    async def _list_rooms(self, request: Request) -> Response:
        game, owner = self._game(request.query_params.get("game")), request.scope["owner"]
        rows = [*islice(self._store.listed(game, owner), MAX_LISTED)]
        if not rows:
            return JSONResponse({"rooms": []})  # nothing has to be loaded for that
        rooms: Any = await in_thread(import_module, "skyjo.web.rooms")
        return JSONResponse({"rooms": [rooms.listed(*row, owner) for row in rows]})

    async def _open_room(self, request: Request) -> Response:
        fields = {"game": str, "seats": list}, {"names": list, "rules": str, "episode": str}
        asked = await read_body(request, *fields)
        self._game(asked["game"])
        return JSONResponse({"id": await (await self._live()).open(asked, request.scope["owner"])})

    async def _remove_room(self, request: Request) -> Response:
        await (await self._live()).remove(request.path_params["number"], request.scope["owner"])
        return JSONResponse({})

    async def _join(self, request: Request) -> Response:
        name = read_name((await read_body(request, {}, {"name": str})).get("name", ""))
        seat = await (await self._live()).join(request.path_params["number"], request.scope["owner"], name)
        return JSONResponse({"seat": seat})

    async def _link(self, request: Request) -> Response:
        """Return the address of a room, to invite somebody; for how many seats, and whether only on this machine."""
        number: str = request.path_params["number"]
        state = self._store.read(number)
        link = self._reach.link(f"/{state.game}/table.html?{number}")
        return JSONResponse({"link": link, "free": len(state.free_seats), "local": self._reach.token is None})

    async def _record(self, request: Request) -> Response:
        room = await (await self._live()).find(request.path_params["number"])
        return PlainTextResponse(room.record())

    async def _socket(self, socket: WebSocket) -> None:
        await socket.accept()
        await (await self._live()).serve(socket)


# Refusals, in one line


async def _refused(request: Request, error: Any) -> Response:
    return refusal(request.scope, str(error), getattr(error, "status", 400))


async def _http_error(request: Request, error: Any) -> Response:
    return refusal(request.scope, error.detail, error.status_code)


async def _trouble(request: Request, _error: Exception) -> Response:
    return refusal(request.scope, "something went wrong on the server", 500)
