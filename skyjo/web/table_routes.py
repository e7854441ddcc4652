"""Requests about tables: what can be chosen, a new table, a view, a seat, the record, and the socket."""

import asyncio
import re
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import fields
from typing import Any

from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import JSONResponse, PlainTextResponse, Response
from starlette.routing import BaseRoute, Route, WebSocketRoute
from starlette.websockets import WebSocket, WebSocketDisconnect

from cardtable.table.agents.agents import agents_of
from cardtable.table.errors import TableError
from skyjo.interfaces import GameInterface, RuleWords
from skyjo.table.seating import allowed_agents, check_seats
from skyjo.web.access import Reach
from skyjo.web.answers import FULL, GONE, NOT_FOUND, body_of, owner_of, refusing
from skyjo.web.bounded_work import Worker
from skyjo.web.game_routes import GameRoutes
from skyjo.web.live_tables import Browser, LiveTables
from skyjo.web.messages import VERSION, table_document, view_for
from skyjo.web.requests import ContinueRequest, FullError, query_number, read_join, read_rules, read_table
from skyjo.web.rivals import UnableAgents, rival_documents
from skyjo.web.table_room import TableRoom
from skyjo.web.tables import WebTable

MAX_AGENT_WORDS = 92  # letters of a line on an agent
MAX_REASON = 120  # bytes that a socket can be closed with


class TableRoutes:
    """The tables of one room."""

    def __init__(self, room: TableRoom, games: GameRoutes, reach: Reach, pace: float) -> None:
        self.room, self._games, self._reach, self.live = room, games, reach, LiveTables(room, pace)
        self._rivals, self._unable = rival_documents(room.interface, agents_of(room.game)), UnableAgents(room.game)
        self._asking = Worker("asking agents", "the agents cannot be asked")

    @property
    def routes(self) -> list[BaseRoute]:
        """The routes."""
        return [
            Route("/api/start", self.start),
            Route("/api/tables", refusing(self.open_table), methods=["POST"]),
            Route("/api/tables/{number}", refusing(self.view)),
            Route("/api/tables/{number}", refusing(self.forget), methods=["DELETE"]),
            Route("/api/unable", refusing(self.unable)),
            Route("/api/tables/{number}/join", refusing(self.join), methods=["POST"]),
            Route("/api/tables/{number}/link", refusing(self.link)),
            Route("/api/tables/{number}/record", refusing(self.record)),
            WebSocketRoute("/api/tables/{number}/socket", self.socket),
        ]

    async def start(self, request: Request) -> Response:
        """All that the first page offers."""
        game, interface, owner = self.room.game, self.room.interface, owner_of(request)
        names = allowed_agents(agents_of(game))
        agents = [{"name": name, "words": _sentence(agents_of(game).describe(name)[0])} for name in names]
        tables = [table_document(table, owner) for table in self.room.tables_of(owner)]
        return JSONResponse(
            {
                "version": VERSION,
                "game": game.name,
                "title": game.title,
                "agents": agents,
                "opponents": [*interface.opponents],
                "rivals": self._rivals,
                "local": self._reach.token is None,
                "presets": [preset._asdict() for preset in interface.presets],
                "rules": [*rule_documents(interface, game.rules())],
                "players": [*self.room.players],
                "tables": tables,
            }
        )

    async def open_table(self, request: Request) -> Response:
        """Open a table."""
        asked, owner = read_table(await body_of(request)), owner_of(request)
        if isinstance(asked, ContinueRequest):
            table = await self._games.open_table(asked, owner)
        else:
            table = self.room.open(asked, owner)
        return JSONResponse({"id": table.number})

    async def view(self, request: Request) -> Response:
        """What the browser sees of a table."""
        table = self._find(request)
        view = view_for(table, owner_of(request), self.live.connected(table.number))
        return Response(view, media_type="application/json")

    async def join(self, request: Request) -> Response:
        """Take a free seat."""
        name = read_join(await body_of(request))
        table = self._find(request)  # after waiting: meanwhile somebody else may have sat down
        seat = self.room.join(table, owner_of(request), name)
        self.live.update(table.number)
        return JSONResponse({"seat": seat})

    async def link(self, request: Request) -> Response:
        """The address of the table, to invite somebody; for how many seats, and whether only on this machine."""
        table = self._find(request)
        free = 0 if table.decider is None else len(table.free_seats)
        link = self._reach.link(f"/t/{table.number}")
        return JSONResponse({"link": link, "free": free, "local": self._reach.token is None})

    async def forget(self, request: Request) -> Response:
        """Remove a table from a browser's list; one that is in no list any more is deleted."""
        table = self.room.forget(self._find(request).number, owner_of(request))
        if table is not None:
            self.live.dismiss(table.number)
        return JSONResponse({})

    async def unable(self, request: Request) -> Response:
        """Which agents cannot play at a table of so many by these rules, and why."""
        players = query_number(request.query_params.get("players"), "players", self.room.players[1])
        check_seats([""] * players, self.room.players)
        rules = read_rules(request.query_params.get("rules", ""))
        return JSONResponse({"unable": await self._asking.done(owner_of(request), self._unable.of, players, rules)})

    async def record(self, request: Request) -> Response:
        """The written game, once it is over: it holds the seed."""
        table = self._find(request)
        if table.decider is not None:
            raise TableError("the game is not over")
        return PlainTextResponse(table.played.written())

    def _find(self, request: Request) -> WebTable:
        try:
            return self.room.find(request.path_params["number"])
        except FullError:
            raise
        except TableError as error:
            raise HTTPException(NOT_FOUND, str(error)) from None

    async def socket(self, socket: WebSocket) -> None:
        """Answer a browser at a table, until it goes."""
        browser = Browser(socket.scope["owner"])
        await socket.accept()
        try:
            live = self.live.enter(socket.path_params["number"], browser)
        except (TableError, OSError) as error:
            words = str(error) if isinstance(error, TableError) else "the table cannot be read"
            await _close(socket, FULL if isinstance(error, FullError) else GONE, words)
            return
        sending = asyncio.create_task(_send_waiting(socket, browser))
        try:
            while True:
                message = await socket.receive()
                if message["type"] == "websocket.disconnect":
                    break
                await live.answer(browser, message.get("text"))
        finally:
            self.live.leave(live, browser)
            sending.cancel()
            with suppress(asyncio.CancelledError):
                await sending


async def _send_waiting(socket: WebSocket, browser: Browser) -> None:
    """Send what waits for a browser."""
    with suppress(WebSocketDisconnect, RuntimeError):  # it has gone
        while (message := await browser.waiting.get()) is not None:
            await socket.send_text(message)
        await (_close(socket, GONE, browser.reason) if browser.reason else socket.close())


async def _close(socket: WebSocket, code: int, words: str) -> None:
    """Close a socket, and say why."""
    await socket.close(code, words.encode()[:MAX_REASON].decode(errors="ignore"))


def _sentence(words: str) -> str:
    """The first sentence without brackets and marks of code, cut at a comma or the like where it is long."""
    sentence = re.sub(r" \([^)]*\)|`", "", words.partition(". ")[0].rstrip("."))
    sentence = re.sub(r"(\w+):(\w+)=true", r"\1 with \2", sentence)  # an agent's text
    end = len(sentence)
    while end > MAX_AGENT_WORDS and (shorter := max(sentence.rfind(mark, 0, end) for mark in (", ", "; ", ": "))) > 0:
        end = shorter
    return sentence[:end]


def rule_documents(interface: GameInterface, rules: Any) -> Iterator[dict[str, Any]]:
    """All rules except the number of players, as a form needs them; `usual` is the official value."""
    for field in fields(rules):
        if field.name == "players":
            continue
        usual = getattr(rules, field.name)
        words = interface.rule_words.get(field.name) or RuleWords("", field.name.replace("_", " "))
        document = {"name": field.name, "usual": usual, **words._asdict()}
        if field.name in rules.options:
            document["choices"] = rules.options[field.name]
        elif isinstance(field.default, bool):
            document["choices"] = ["true", "false"]
            document["usual"] = str(usual).lower()
        elif field.name in rules.ranges:
            document["range"] = rules.ranges[field.name]
        else:  # a text of its own, such as a deck
            document["usual"] = ""
        yield document
