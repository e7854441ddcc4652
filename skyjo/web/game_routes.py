"""Requests about recorded games: which there are, what was decided, and the table after every decision."""

import asyncio
from collections.abc import Sequence
from contextlib import suppress
from typing import TYPE_CHECKING, Any

from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import JSONResponse, PlainTextResponse, Response
from starlette.routing import BaseRoute, Route, WebSocketRoute
from starlette.websockets import WebSocket, WebSocketDisconnect

from cardtable.table.errors import TableError
from cardtable.table.game.records import is_address, shared_names, shared_text
from skyjo.web.analysing import Analyses, AnalysisSocket
from skyjo.web.answers import GONE, NOT_FOUND, body_of, owner_of, refusing
from skyjo.web.bounded_work import Worker
from skyjo.web.kept_games import GameText, KeptGame, KeptGames, Seated, named_seats
from skyjo.web.messages import VERSION, table_document
from skyjo.web.replaying import ReplayedGames
from skyjo.web.requests import (
    MAX_GAME_BYTES,
    MAX_SEQ,
    ContinueRequest,
    FinishedRequest,
    TextRequest,
    query_number,
    read_game_request,
)
from skyjo.web.table_room import LISTED, TableRoom
from skyjo.web.tables import WebTable

if TYPE_CHECKING:
    from skyjo.web.stored_games import StoredGames

MAX_VIEWS = 100  # in an answer
MAX_OF_ONE = 12  # requests of one browser that wait for the thread that reads games: it looks through them quickly


class GameRoutes:
    """The written games of one room of tables. Games are replayed in a thread, one after the other."""

    def __init__(self, room: TableRoom, stores: "Sequence[StoredGames]") -> None:
        """`stores` may hold games of others, too."""
        self._room, self._stores = room, [store for store in stores if store.game is room.game]
        self._kept = KeptGames(room.game.name, room.folder)
        self._replayed = ReplayedGames(room.game.name)
        self._reader = Worker("reader", "the game cannot be read", MAX_OF_ONE)
        self._analyses = Analyses(room.game.name)

    @property
    def routes(self) -> list[BaseRoute]:
        """The routes."""
        return [
            Route("/api/games", refusing(self.games)),
            Route("/api/games", refusing(self.keep), methods=["POST"]),
            Route("/api/games/stores/{store}", refusing(self.stored)),
            Route("/api/games/{number}", refusing(self.game)),
            Route("/api/games/{number}", refusing(self.forget), methods=["DELETE"]),
            Route("/api/games/{number}/views", refusing(self.views)),
            Route("/api/games/{number}/record", refusing(self.record)),
            Route("/api/games/{number}/shared", refusing(self.shared)),
            WebSocketRoute("/api/games/{number}/analysis", self.analysis),
        ]

    def has(self, number: str) -> bool:
        """Is a game of this number kept?"""
        return self._kept.has(number)

    async def games(self, request: Request) -> Response:
        """What this browser can look at: its finished tables, and other games that it has opened."""
        owner, game = owner_of(request), self._room.game.name
        finished = await self._finished_tables(owner)
        kept = self._kept.opened_by(owner)
        listed = await self._reader.done(owner, _numbers_of, finished) if kept else set()
        return JSONResponse(
            {
                "version": VERSION,
                "game": game,
                "title": self._room.game.title,
                "tables": [table_document(table, owner) for table in finished],
                "kept": [
                    {
                        "id": number,
                        "words": game.text.words,
                        "names": game.names(owner) if game.seated else [],
                        "when": game.written.isoformat(timespec="minutes"),
                    }
                    for number, game in kept.items()
                    if number not in listed
                ],
                "stores": [
                    {"store": number, "name": store.name, "games": store.games}
                    for number, store in enumerate(self._stores)
                ],
            }
        )

    async def _finished_tables(self, owner: str) -> list[WebTable]:
        """A browser's tables that are over, the newest first. Between two tables, other requests are answered."""
        finished: list[WebTable] = []
        for table in self._room.newest_tables_of(owner):
            if table.decider is None:
                finished.append(table)
            if len(finished) == LISTED:
                break
            await asyncio.sleep(0)
        return finished

    async def keep(self, request: Request) -> Response:
        """Keep a game that the browser has sent, or that is over, or that is stored."""
        asked, owner = read_game_request(await body_of(request, MAX_GAME_BYTES)), owner_of(request)
        if isinstance(asked, TextRequest):
            text, seated = asked.text, None
        elif isinstance(asked, FinishedRequest):
            text, seated = await self._finished(asked.table, owner)
        else:
            store = self._store(asked.store)
            text, agents = await self._reader.done(owner, store.written, asked.number)
            seated = Seated(agents, (None,) * len(agents))
        written: GameText = await self._reader.done(owner, self._replayed.read, text)
        if is_address(text):
            seated = named_seats(await self._reader.done(owner, shared_names, text), written.players)
        return JSONResponse({"id": self._kept.keep(written, owner, seated)})

    async def _finished(self, number: str, owner: str) -> tuple[str, Seated]:
        """The game of a table, which must be over: it holds the seed."""
        table = self._room.find(number)
        if table.decider is not None:
            raise TableError("the game is not over")
        return await self._reader.done(owner, table.played.written), Seated(
            tuple(table.setup.seats), tuple(table.owners), tuple(table.names)
        )

    async def stored(self, request: Request) -> Response:
        """Some games of a store."""
        number = query_number(request.path_params["store"], "store", MAX_SEQ)
        first = query_number(request.query_params.get("first"), "first", MAX_SEQ, 0)
        return JSONResponse({"games": await self._reader.done(owner_of(request), self._store(number).listed, first)})

    def _store(self, number: int) -> "StoredGames":
        if number >= len(self._stores):
            raise TableError("there is no such store")
        return self._stores[number]

    async def game(self, request: Request) -> Response:
        """Everything about a game except its cards."""
        kept, owner = self._open(request), owner_of(request)
        document = await self._reader.done(owner, self._document, kept.text, kept.names(owner), kept.seats(owner))
        return Response(document, media_type="application/json")

    async def forget(self, request: Request) -> Response:
        """Remove a game from a browser's list."""
        self._kept.forget(request.path_params["number"], owner_of(request))
        return JSONResponse({})

    def _document(self, text: GameText, names: Sequence[str], seats: Sequence[str]) -> str:
        return self._replayed.of(text).document(names, seats)

    async def views(self, request: Request) -> Response:
        """The table after some of the decisions, as one seat saw it or with all cards open."""
        kept, query, owner = self._open(request), request.query_params, owner_of(request)
        first = query_number(query.get("first"), "first", MAX_SEQ, 0)
        count = query_number(query.get("count"), "count", MAX_VIEWS, MAX_VIEWS)
        shows_all = query_number(query.get("open"), "open", 1, 0) == 1
        seat = query_number(query["seat"], "seat", kept.text.players - 1) if "seat" in query else None
        steps, names = range(first, first + count), kept.names(owner)
        views = await self._reader.done(owner, self._views, kept.text, steps, seat, names, shows_all)
        return Response(f'{{"views":[{",".join(views)}]}}', media_type="application/json")

    def _views(
        self, text: GameText, steps: range, seat: int | None, names: Sequence[str], shows_all: bool
    ) -> list[str]:
        replayed = self._replayed.of(text)
        there = range(steps.start, min(steps.stop, len(replayed.decisions) + 1))
        return [*replayed.views(there, seat, names, shows_all)] if there else []

    async def record(self, request: Request) -> Response:
        """The game as text."""
        return PlainTextResponse(self._open(request).text.text)

    async def shared(self, request: Request) -> Response:
        """The game as an address holds it."""
        kept = self._open(request)
        record = (await self._reader.done(owner_of(request), self._replayed.of, kept.text)).record
        return JSONResponse({"text": shared_text(record, kept.public_names)})

    async def analysis(self, socket: WebSocket) -> None:
        """Answer a browser that has a game analysed, until it goes."""
        await socket.accept()
        owner: str = socket.scope["owner"]
        try:
            kept = self._kept.find(socket.path_params["number"])
            if not self._room.interface.judges:
                raise TableError(f"games of {self._room.game.title} cannot be analysed")
            await self._listen(socket, AnalysisSocket(self._analyses, kept, owner, socket.send_text))
        except TableError as error:
            await socket.close(GONE, str(error))

    async def _listen(self, socket: WebSocket, answers: AnalysisSocket) -> None:
        try:
            with suppress(WebSocketDisconnect):  # while an answer was sent
                while (message := await socket.receive())["type"] != "websocket.disconnect":
                    await answers.answer(message.get("text"))
        finally:
            answers.leave()

    async def open_table(self, asked: ContinueRequest, owner: str) -> WebTable:
        """A table that continues a kept game."""
        kept = self._kept.find(asked.game)
        start = await self._reader.done(owner, self._game_after, kept.text, asked.after)
        return self._room.open_from(start, asked.seats, owner, kept.names_of(asked.seats, owner))

    def _game_after(self, text: GameText, decisions: int) -> Any:
        replayed = self._replayed.of(text)
        if decisions > len(replayed.decisions):
            raise TableError(f"the game has {len(replayed.decisions)} decisions, not {decisions}")
        return replayed.game_after(decisions)

    def _open(self, request: Request) -> KeptGame:
        try:
            return self._kept.open(request.path_params["number"], owner_of(request))
        except TableError as error:
            raise HTTPException(NOT_FOUND, str(error)) from None


def _numbers_of(tables: Sequence[WebTable]) -> set[str]:
    """The numbers under which the games of tables are kept, if somebody has looked at them."""
    return {GameText(table.played.written(), "", 0).number for table in tables}
