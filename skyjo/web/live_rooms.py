"""Rooms with browsers in them: their requests are done one after the other, and agents decide while somebody watches.

A room is in memory while a browser is connected to it. Every change is committed to the store before it is sent.
"""

import asyncio
import json
import sqlite3
import time
from collections.abc import Collection, Mapping
from math import ceil
from typing import Any

import numpy as np

from cardtable.table.errors import TableError
from skyjo.table.seating import PEOPLE
from skyjo.web.python_agents import PythonAgents
from skyjo.web.requests import (
    DECIMAL,
    FULL,
    GONE,
    MAX_TEXT,
    NUMBER,
    TEXT,
    FullError,
    RequestError,
    check_fields,
    in_thread,
    read_object,
)
from skyjo.web.room_store import RoomState, RoomStore
from skyjo.web.rooms import AGAIN, REMATCH, Room, new_number, opened

MAX_BYTES = 4096  # of a message
MAX_WAITING = 64  # messages to a browser that does not read them
MAX_BROWSERS = 1000  # connected
GRACE = 15  # seconds to come back in before an agent plays on: a page that reloads is away for a moment
SLOWEST, FASTEST = 0.1, 20.0  # decisions of agents a second; at the fastest pace they do not wait
ASKS = ("view", "substitute", REMATCH, AGAIN, "pace")
LOST = "the room could not be written to disk; nothing has changed"
NO_POINTS = np.zeros((0, 0), np.int16), np.zeros((0, 0), np.int8)


class Browser:
    """One connection of a browser to a room."""

    def __init__(self, owner: str) -> None:
        self.owner = owner
        self.live: LiveRoom | None = None  # where it is
        self.seen = 0  # how many decisions it has been sent
        self.own: list[int] = []  # its seats when it was sent them
        self.waiting: asyncio.Queue[str | None] = asyncio.Queue()  # messages; None closes the connection
        self.closes_with = (0, "")  # a code, and why, once it is sent away

    def send(self, message: Mapping[str, Any]) -> None:
        """Queue a message; a browser that reads too slowly is sent away, and is sent all when it returns."""
        if self.waiting.qsize() >= MAX_WAITING:
            self.dismiss(FULL, "too many messages are waiting")
        if not self.closes_with[0]:
            self.waiting.put_nowait(json.dumps(message, separators=(",", ":"), ensure_ascii=False))

    def dismiss(self, code: int, reason: str) -> None:
        """Close the connection."""
        if not self.closes_with[0]:
            self.closes_with = code, reason
            self.waiting.put_nowait(None)


class LiveRoom:
    """The browsers in one room, and the agent that decides."""

    def __init__(self, rooms: "LiveRooms", room: Room) -> None:
        self.room, self._rooms = room, rooms
        self.browsers: list[Browser] = []
        self._deciding: asyncio.Task[None] | None = None
        self._begun = time.monotonic()
        self.left: dict[str | None, float] = {}  # by browser, when it was last connected

    @property
    def here(self) -> set[str | None]:
        """The browsers that are connected."""
        return {browser.owner for browser in self.browsers}

    def update(self) -> None:
        """Send everybody their view, and let agents decide."""
        here, room = self.here, self.room
        room.substituted = {seat for seat in room.substituted if room.state.owners[seat] not in here}
        for browser in self.browsers:
            self._send_view(browser)
        self._let_agents_decide()

    def _send_view(self, browser: Browser) -> None:
        own = self.room.state.seats_of(browser.owner)
        if own != browser.own:  # it may see more of what has been decided
            browser.own, browser.seen = own, 0
        browser.send(self.room.view(browser.owner, self.here, browser.seen))
        browser.seen = self.room.seq

    def _refuse(self, browser: Browser, words: str) -> None:
        """Say in one line that something was not done."""
        browser.send({"kind": "refused", "seq": self.room.seq, "words": words[:MAX_TEXT]})

    async def answer(self, browser: Browser, text: str) -> None:
        """Do what a browser asks, or refuse it in one line."""
        try:
            if len(text.encode(errors="replace")) > MAX_BYTES:
                raise RequestError(f"a message has at most {MAX_BYTES:,} bytes")
            asked = read_object(text)
            if "action" in asked:
                check_fields(asked, {"seq": NUMBER, "action": NUMBER})
            else:
                check_fields(asked, {"seq": NUMBER, "ask": TEXT}, {"action": NUMBER, "pace": DECIMAL})
            await self._carry_out(browser, asked)
        except TableError as error:
            self._refuse(browser, str(error))

    async def _carry_out(self, browser: Browser, asked: Mapping[str, Any]) -> None:
        state, ask, own = self.room.state, asked.get("ask"), self.room.state.seats_of(browser.owner)
        if ask == "view":
            browser.seen = 0
            self._send_view(browser)
            self._let_agents_decide()  # perhaps once more, after one has failed
        elif ask == "pace":
            self._set_pace(browser, asked.get("pace", 0))
        elif asked["seq"] != self.room.seq:
            self._refuse(browser, "the game has moved on; here is how it stands now")
            self._send_view(browser)
        elif ask is not None and ask not in ASKS:
            raise RequestError(f'"ask" is one of {", ".join(ASKS)}')
        elif ask and not own:
            raise RequestError("only players in this room can ask that")
        elif ask == "substitute":
            self._substitute()
        elif ask:
            number = await self._rooms.following(self, ask, browser.owner)
            for each in self.browsers:
                each.send({"kind": "moved", "id": number})
        elif state.decider not in own:
            raise RequestError("it is not your turn")
        else:
            self._act(asked["action"])

    def _act(self, action: int) -> None:
        """Apply a decision, and commit it before anybody is told."""
        self.room.act(action)
        self._rooms.commit(self, (self.room.seq - 1, action))
        self.update()

    def _set_pace(self, browser: Browser, pace: float) -> None:
        if browser.owner != self.room.state.opener:
            raise RequestError("only the person who opened this room can set its pace")
        if not SLOWEST <= pace <= FASTEST:
            raise RequestError(f'"pace" must be a number from {SLOWEST} to {FASTEST:g}: decisions a second')
        self.room.state.pace = float(pace)
        self._rooms.commit(self)
        if self._deciding is not None:
            self._deciding.cancel()
            self._deciding = None
        self.update()

    def _substitute(self) -> None:
        """Let an agent decide for the person to move, who is not here, until that person is back."""
        seat, owners = self.room.state.decider, self.room.state.owners
        if seat is None or self.room.agent is not None or owners[seat] in self.here:
            raise RequestError("the player to move has not left")
        seconds = GRACE - (time.monotonic() - self.left.get(owners[seat], self._begun))
        if owners[seat] is not None and seconds > 0:
            raise RequestError(f"the player to move may be back in a moment; ask again in {ceil(seconds)} s")
        self.room.substituted.add(seat)
        self.update()

    def _let_agents_decide(self) -> None:
        if self.room.agent is not None and (self._deciding is None or self._deciding.done()):
            self._deciding = asyncio.create_task(self._decide())

    async def _decide(self) -> None:
        """Let agents decide, outside the event loop, until it is a person's turn or no browser is left."""
        room = self.room
        try:
            while self.browsers and room.agent is not None:
                await asyncio.sleep(0 if room.state.pace == FASTEST else 1 / room.state.pace)
                asked, game = (room.agent, room.seq), room.game
                if asked[0] is not None:
                    points = game.observation()[None], game.mask()[None]
                    (action,) = await self._rooms.agents.decide(room.card_game, game.rules, asked[0], *points)
                    if self.browsers and (room.agent, room.seq) == asked:
                        self._act(action)
        except TableError as error:
            for browser in self.browsers:
                self._refuse(browser, str(error))


class LiveRooms:
    """All rooms."""

    def __init__(self, store: RoomStore, given: Mapping[str, Collection[str]]) -> None:
        self._store, self.agents = store, PythonAgents(given)
        self._live: dict[str, LiveRoom] = {}
        self._lock = asyncio.Lock()  # while a room is read: there must not be two of the same

    async def open(self, asked: Mapping[str, Any], owner: str) -> str:
        """Open a room, and return its number; TableError if it cannot be."""
        return await self._begin(await in_thread(opened, asked, owner))

    async def _begin(self, state: RoomState) -> str:
        room = await in_thread(Room, new_number(), state)
        for text in {*state.seats} - {*PEOPLE}:
            await self.agents.decide(room.card_game, room.game.rules, text, *NO_POINTS)
        self._store.create(room.number, state)
        return room.number

    async def find(self, number: str) -> LiveRoom:
        """Return a room, for use until something is waited for; MissingError if there is none."""
        async with self._lock:
            live = self._live.get(number)
            return live or LiveRoom(self, await in_thread(Room, number, *self._store.read(number)))

    async def enter(self, number: str, browser: Browser) -> LiveRoom:
        """Let a browser in; MissingError if there is no such room, FullError if there is no place."""
        live = await self.find(number)
        if sum(len(each.browsers) for each in self._live.values()) >= MAX_BROWSERS:
            raise FullError("too many browsers are connected; try again later")
        self._live[number] = browser.live = live
        live.browsers.append(browser)
        live.update()
        return live

    def leave(self, browser: Browser) -> None:
        """Let a browser go, if it is anywhere."""
        live = browser.live
        if live is not None and browser in live.browsers:
            live.browsers.remove(browser)
            live.left[browser.owner] = time.monotonic()
            live.update()
            self._forget_empty(live)

    def _forget_empty(self, live: LiveRoom) -> None:
        if not live.browsers and self._live.get(live.room.number) is live:
            del self._live[live.room.number]

    def commit(self, live: LiveRoom, decision: tuple[int, int] | None = None) -> None:
        """Write what has changed. If that fails, everybody is sent away, to come back to the room as it was."""
        try:
            self._store.write(live.room.number, live.room.state, decision)
        except sqlite3.Error:
            self._dismiss(live, FULL, LOST)
            raise RequestError(LOST) from None

    def _dismiss(self, live: LiveRoom, code: int, reason: str) -> None:
        for browser in live.browsers:
            browser.dismiss(code, reason)
        live.browsers.clear()
        self._forget_empty(live)

    async def following(self, live: LiveRoom, how: str, owner: str) -> str:
        """Return the room in which the players of one go on: the one begun before, or a new one."""
        state = live.room.state
        async with self._lock:  # two players may ask at once
            number = state.next_rooms.get(how, "")
            if not self._store.has(number):
                number = state.next_rooms[how] = await self._begin(live.room.following(how, owner))
                self.commit(live)
            return number

    async def join(self, number: str, owner: str, name: str) -> int:
        """Take a free seat; RequestError if there is none."""
        live = await self.find(number)
        state = live.room.state
        if not state.free_seats:
            raise RequestError("no seat is free in this room")
        seat = state.free_seats[0]
        state.owners[seat], state.names[seat] = owner, name
        state.forgotten = [other for other in state.forgotten if other != owner]
        self.commit(live)
        live.update()
        return seat

    async def remove(self, number: str, owner: str) -> None:
        """Remove a room from a browser's list; one that is in no list any more is deleted."""
        live = await self.find(number)
        if owner not in live.room.state.browsers:
            raise RequestError("this room is not in your list")
        live.room.state.forgotten.append(owner)
        self.commit(live)
        if not live.room.state.browsers:
            self._store.delete(number)
            self._dismiss(live, GONE, "this room has been deleted")
