"""All games on one site. A request goes to the game that it is about, which is loaded when it is first asked for."""

import asyncio
import json
import re
import sys
import time
from collections.abc import Callable, Mapping
from contextlib import suppress
from pathlib import Path
from threading import Thread

from starlette.datastructures import QueryParams
from starlette.responses import HTMLResponse, JSONResponse
from starlette.types import ASGIApp, Receive, Scope, Send

from skyjo.interfaces import find_interface
from skyjo.web.access import refusal
from skyjo.web.answers import BUSY, TROUBLE
from skyjo.web.page_files import HEAD

SOON = 0.3  # seconds that a page waits before it says that the game is starting
PATIENCE = 2  # seconds that a request to /api/ waits, unless it is for the game at home
NUMBERED = re.compile(r"/(?:api/)?(t|tables|g|games)/([a-z0-9]+)(?:/.*)?")  # an address of a table, or a written game
SUFFIXES = {"t": ".table", "tables": ".table", "g": ".game", "games": ".game"}
STARTING = f"""<!doctype html>
<html lang="en">
<head>
  {HEAD}
  <meta http-equiv="refresh" content="1">
  <title>Starting</title>
</head>
<body>
  <main class="message">
    <h1>{{title}} is starting</h1>
    <p>This page becomes the table as soon as the agents are ready. Anything that has not been compiled yet is compiled
    first, which can take minutes. It has been starting for {{seconds}} s.</p>
  </main>
</body>
</html>
"""

Loads = Callable[[str], ASGIApp]


class Starting:
    """Passes requests on once a game is ready.

    Until then requests to /api/ wait, and are refused after a moment unless the game is the one at home. Files under
    /pages/ are sent, and every other page is replaced by one that says that the game is starting and reloads itself.
    """

    def __init__(self, app: ASGIApp, title: str, is_home: bool = True) -> None:
        """`app` may be changed until all is ready; `title` is that of the game."""
        self.app, self.is_ready = app, asyncio.Event()
        self._title, self._is_home, self._begun = title, is_home, time.monotonic()

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer a request, or pass it on."""
        path, is_http = scope.get("path", ""), scope["type"] == "http"
        if path.startswith("/api/"):
            if not await self._is_ready_within(PATIENCE if is_http and not self._is_home else None):
                words = f"{self._title} is still starting; try again in a moment"
                await JSONResponse({"error": words}, BUSY, {"retry-after": str(PATIENCE)})(scope, receive, send)
                return
        elif is_http and not path.startswith("/pages/") and not await self._is_ready_within(SOON):
            page = STARTING.format(title=self._title, seconds=round(time.monotonic() - self._begun))
            await HTMLResponse(page, BUSY, {"cache-control": "no-store"})(scope, receive, send)
            return
        await self.app(scope, receive, send)

    async def _is_ready_within(self, seconds: float | None) -> bool:
        with suppress(TimeoutError):
            await asyncio.wait_for(self.is_ready.wait(), seconds)
        return self.is_ready.is_set()


class Site:
    """Several games at one address, one of which is at home there: requests that name no game are for that one."""

    def __init__(self, home: str, started: Starting, folders: Mapping[str, Path], load: Loads) -> None:
        """`folders` holds the tables of every game; `load` makes the application of a game, in a thread."""
        self._home, self._folders, self._load = home, folders, load
        self._games = {home: started}
        self._commands = {find_interface(game).command: game for game in folders}

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass a request on to the game that it is about."""
        await self._started(self._game_of(scope))(scope, receive, send)

    def _game_of(self, scope: Scope) -> str:
        """The game that the address names: in its query, by its first word, or by the number of a table or game."""
        path = scope.get("path", "")
        asked = QueryParams(scope.get("query_string", b"")).get("game", "")
        if asked in self._folders:
            return asked
        named = self._commands.get(path.strip("/").partition("/")[0])
        numbered = NUMBERED.fullmatch(path)
        if named is None and numbered:
            named = self._game_in(f"{numbered[2]}{SUFFIXES[numbered[1]]}")
        return named or self._home

    def _game_in(self, name: str) -> str | None:
        """The game that a file of this name in one of the folders is of, if there is such a file."""
        for folder in dict.fromkeys(self._folders.values()):
            with suppress(OSError, ValueError, KeyError, TypeError):
                with (folder / name).open("rb") as stream:
                    game = json.loads(stream.readline())["game"]
                return game if game in self._folders else None
        return None

    def _started(self, game: str) -> Starting:
        """A game, which may still have to be loaded; that begins now if nobody has asked for it before."""
        if game not in self._games:
            self._games[game] = Starting(self._games[self._home].app, find_interface(game).title, is_home=False)
            loop = asyncio.get_running_loop()
            Thread(target=self._load_one, args=(game, loop), name=f"loading {game}", daemon=True).start()
        return self._games[game]

    def _load_one(self, game: str, loop: asyncio.AbstractEventLoop) -> None:
        """Load a game. What keeps it from being played is said on the server alone; the next request tries again."""
        app = None
        try:
            app = self._load(game)
        except Exception as error:
            print(f"{game} cannot be loaded: {type(error).__name__}: {error}", file=sys.stderr, flush=True)
        with suppress(RuntimeError):  # the server has stopped
            loop.call_soon_threadsafe(self._finish, game, app)

    def _finish(self, game: str, app: ASGIApp | None) -> None:
        """Let the requests for a game go on that has been loaded, or that cannot be."""
        starting = self._games[game] if app else self._games.pop(game)
        starting.app = app or _unable(find_interface(game).title)
        starting.is_ready.set()


def _unable(title: str) -> ASGIApp:
    """What answers instead of a game that cannot be loaded."""

    async def app(scope: Scope, receive: Receive, send: Send) -> None:
        words = f"{title} cannot be played now; the server's own messages say why"
        await refusal(scope, words, TROUBLE)(scope, receive, send)

    return app
