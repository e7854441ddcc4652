"""All rooms with browsers in them. What changes them is done in one thread, one thing after the other."""

import asyncio
import secrets
import sqlite3
from collections.abc import Collection, Mapping
from contextlib import suppress
from typing import Any

from starlette.websockets import WebSocket, WebSocketDisconnect

from cardtable.table.errors import TableError
from skyjo.table.seating import PEOPLE
from skyjo.web.python_agents import NO_POINTS, PythonAgents
from skyjo.web.requests import FullError, RequestError, in_thread
from skyjo.web.room_store import RoomState, RoomStore
from skyjo.web.rooms import FULL, GONE, Browser, Room, opened

MAX_BROWSERS = 1000  # connected
LOST = "the room could not be written to disk; nothing has changed"


class LiveRooms:
    """The rooms of a store: each is in memory while a browser is connected to it."""

    def __init__(self, store: RoomStore, given: Mapping[str, Collection[str]]) -> None:
        self._store, self.agents = store, PythonAgents(given)
        self._live: dict[str, Room] = {}
        self._lock = asyncio.Lock()  # while a room is read or begun: there must not be two of the same

    async def open(self, asked: Mapping[str, Any], owner: str) -> str:
        """Open a room, and return its number; TableError if it cannot be."""
        return await self._begin(await in_thread(opened, asked, owner))

    async def _begin(self, state: RoomState) -> str:
        """Store a new room under a number that cannot be guessed."""
        room = await in_thread(Room, f"room-{secrets.token_hex(8)}", state, self)
        for text in {*state.seats} - {*PEOPLE}:
            await self.agents.decide(room.game.rules, text, *NO_POINTS)
        self._store.create(room.number, state)
        return room.number

    async def find(self, number: str) -> Room:
        """Return a room, for use until something is waited for; MissingError if there is none."""
        async with self._lock:
            if number in self._live:
                return self._live[number]
            return await in_thread(Room, number, self._store.read(number), self)

    async def serve(self, socket: WebSocket) -> None:
        """Answer a browser in a room, until it goes."""
        browser = Browser(socket.scope["owner"])
        sending = asyncio.create_task(_send_waiting(socket, browser))
        room = None
        try:
            room = await self._enter(socket.path_params["number"], browser)
            while (message := await socket.receive())["type"] != "websocket.disconnect":
                await room.answer(browser, message.get("text") or "")
        except (TableError, sqlite3.Error) as error:
            browser.dismiss(FULL if isinstance(error, FullError) else GONE, str(error))
            await sending
        finally:
            sending.cancel()
            if room is not None:
                self._leave(room, browser)

    async def _enter(self, number: str, browser: Browser) -> Room:
        """Let a browser in; MissingError if there is no such room, FullError if there is no place."""
        room = await self.find(number)
        if sum(len(live.browsers) for live in self._live.values()) >= MAX_BROWSERS:
            raise FullError("too many browsers are connected; try again later")
        self._live[number] = room
        room.browsers.append(browser)
        room.update()
        return room

    def _leave(self, room: Room, browser: Browser) -> None:
        if browser in room.browsers:
            room.browsers.remove(browser)
            room.update()
            self._forget_empty(room)

    def _forget_empty(self, room: Room) -> None:
        if not room.browsers and self._live.get(room.number) is room:
            del self._live[room.number]

    def commit(self, room: Room) -> None:
        """Write a room. If that fails, all browsers are sent away, to come back to the room as it was."""
        try:
            self._store.write(room.number, room.state)
        except sqlite3.Error:
            self._dismiss_all(room, FULL, LOST)
            raise RequestError(LOST) from None

    def _dismiss_all(self, room: Room, code: int, reason: str) -> None:
        for browser in room.browsers:
            browser.dismiss(code, reason)
        room.browsers.clear()
        self._forget_empty(room)

    async def following(self, room: Room) -> str:
        """Return the room in which the players of one go on: the one begun before, or a new one."""
        async with self._lock:  # two players may ask at once
            state = room.state
            if not self._store.has(state.next_room):
                people = [*state.owners], [*state.names]
                fresh = RoomState(state.game, state.rules, secrets.randbits(64), state.episode, state.seats, *people)
                state.next_room = await self._begin(fresh)
                self.commit(room)
            return state.next_room

    async def join(self, number: str, owner: str, name: str) -> int:
        """Take a free seat; RequestError if there is none."""
        room = await self.find(number)
        if not room.state.free_seats:
            raise RequestError("no seat is free in this room")
        seat = room.state.free_seats[0]
        room.state.owners[seat], room.state.names[seat] = owner, name
        self.commit(room)
        room.update()
        return seat

    async def remove(self, number: str, owner: str) -> None:
        """Give the seats of a browser up; delete the room if no browser holds a seat any more."""
        room = await self.find(number)
        state = room.state
        if owner not in state.owners:
            raise RequestError("you have no seat in this room")
        for seat in state.seats_of(owner):
            state.owners[seat] = None
        self.commit(room)
        if any(state.owners):
            room.update()
        else:
            self._store.delete(number)
            self._dismiss_all(room, GONE, "this room has been deleted")


async def _send_waiting(socket: WebSocket, browser: Browser) -> None:
    """Send what waits for a browser, and close its connection once it is sent away."""
    with suppress(WebSocketDisconnect, RuntimeError):  # it has gone
        while isinstance(message := await browser.waiting.get(), str):
            await socket.send_text(message)
        await socket.close(*message)
