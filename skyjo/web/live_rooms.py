"""Rooms with browsers in them: their requests are done one after the other, and agents decide while somebody watches.

A room is in memory while a browser is connected to it. Every change is committed to the store before it is sent.
"""

import asyncio
import json
import sqlite3
import time
from collections.abc import Collection, Mapping
from contextlib import suppress
from itertools import islice
from math import ceil
from typing import Any

import numpy as np

from cardtable.table.errors import TableError
from skyjo.table.seating import PEOPLE
from skyjo.web.python_agents import PythonAgents
from skyjo.web.requests import (
    DECIMAL,
    MAX_TEXT,
    NUMBER,
    TEXT,
    FullError,
    MissingError,
    RequestError,
    in_thread,
    read_object,
)
from skyjo.web.room_store import RoomState, RoomStore
from skyjo.web.rooms import AGAIN, REMATCH, Room, free_seats, listed, new_number, opened, seats_of

MAX_BYTES = 4096  # of a message
MAX_WAITING = 64  # messages to a browser that does not read them
MAX_BROWSERS = 1000  # connected
MAX_LISTED = 50  # rooms
GRACE = 15  # seconds to come back in before an agent plays on: a page that reloads is away for a moment
SLOWEST, FASTEST = 0.1, 20.0  # decisions of agents a second; at the fastest pace they do not wait
ASKS = ("view", "substitute", REMATCH, AGAIN, "pace")
GONE, FULL = 4404, 4503  # close codes: there is no such room; there is no place now
OPTIONAL = {"action": NUMBER, "ask": TEXT, "pace": DECIMAL}  # fields of a message
LOST = "the room could not be written to disk; this is how it was before"


class Browser:
    """One connection of a browser to a room."""

    def __init__(self, owner: str) -> None:
        self.owner = owner
        self.seen = 0  # how many decisions it has been sent
        self.own: list[int] = []  # its seats when it was sent them
        self.waiting: asyncio.Queue[str | None] = asyncio.Queue()  # messages; None closes the connection
        self.closes_with: tuple[int, str] | None = None  # a code, and why, once it is sent away

    def send(self, message: Mapping[str, Any]) -> None:
        """Queue a message; a browser that reads too slowly is disconnected, and is sent all when it returns."""
        if self.waiting.qsize() >= MAX_WAITING:
            self.dismiss(FULL, "too many messages are waiting")
        if self.closes_with is None:
            self.waiting.put_nowait(json.dumps(message, separators=(",", ":"), ensure_ascii=False))

    def refuse(self, seq: int, words: str) -> None:
        """Say in one line that something was not done."""
        self.send({"kind": "refused", "seq": seq, "words": words[:MAX_TEXT]})

    def dismiss(self, code: int, reason: str) -> None:
        """Close the connection."""
        if self.closes_with is None:
            self.closes_with = code, reason
            self.waiting.put_nowait(None)


class LiveRoom:
    """The browsers in one room, and the agent that decides."""

    def __init__(self, rooms: "LiveRooms", room: Room) -> None:
        self.room, self._rooms = room, rooms
        self.browsers: list[Browser] = []
        self._deciding: asyncio.Task[None] | None = None
        self._begun = time.monotonic()
        self._left: dict[str | None, float] = {}  # by browser that holds a seat, when it was last connected

    @property
    def here(self) -> set[str | None]:
        """The browsers that are connected."""
        return {browser.owner for browser in self.browsers}

    def enter(self, browser: Browser) -> None:
        """Let a browser in."""
        self.browsers.append(browser)
        self.update()

    def leave(self, browser: Browser) -> None:
        """Let a browser go."""
        self.browsers.remove(browser)
        self._left[browser.owner] = time.monotonic()
        self.update()

    def update(self) -> None:
        """Send everybody their view, and let agents decide."""
        here, owners = self.here, self.room.state.owners
        self.room.substituted = {seat for seat in self.room.substituted if owners[seat] not in here}
        for browser in self.browsers:
            self._send_view(browser)
        self._let_agents_decide()

    def _let_agents_decide(self) -> None:
        if self.room.agent is not None and (self._deciding is None or self._deciding.done()):
            self._deciding = asyncio.create_task(self._decide())

    def _send_view(self, browser: Browser) -> None:
        own = seats_of(self.room.state, browser.owner)
        if own != browser.own:  # it may see more of what has been decided
            browser.own, browser.seen = own, 0
        browser.send(self.room.view(browser.owner, self.here, browser.seen))
        browser.seen = self.room.seq

    def answer(self, browser: Browser, text: str | None) -> str | None:
        """Do what a browser asks, or refuse it in one line. Return how it goes on in another room, if it asks that."""
        try:
            return self._carry_out(browser, read_object(text or "", MAX_BYTES, {"seq": NUMBER}, OPTIONAL))
        except TableError as error:
            browser.refuse(self.room.seq, str(error))
        return None

    def _carry_out(self, browser: Browser, asked: Mapping[str, Any]) -> str | None:
        ask: str | None = asked.get("ask")
        if (ask is None) is ("action" not in asked) or ("pace" in asked) is not (ask == "pace"):
            raise RequestError('a message has "seq", and "action" or "ask"; with "pace" it has a "pace"')
        if ask is not None and ask not in ASKS:
            raise RequestError(f'"ask" is one of {", ".join(ASKS)}')
        if ask == "view":
            browser.seen = 0
            self._send_view(browser)
            self._let_agents_decide()  # perhaps once more, after one has failed
            return None
        if ask == "pace":
            self._set_pace(browser, asked["pace"])
        elif asked["seq"] != self.room.seq:
            browser.refuse(self.room.seq, "the game has moved on; here is how it stands now")
            self._send_view(browser)
            return None
        elif ask in (AGAIN, REMATCH):
            if not seats_of(self.room.state, browser.owner):
                raise RequestError("only players in this room can play again")
            return ask
        elif ask == "substitute":
            self._substitute(browser)
        else:
            if self.room.state.decider not in seats_of(self.room.state, browser.owner):
                raise RequestError("it is not your turn")
            self._act(asked["action"])
        self.update()
        return None

    def _act(self, action: int) -> None:
        """Apply a decision, and commit it."""
        self.room.act(action)
        self._rooms.commit(self, (self.room.seq - 1, action))

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

    def _substitute(self, browser: Browser) -> None:
        """Let an agent decide for the person to move, who is not here, until that person is back."""
        seat, state = self.room.state.decider, self.room.state
        if not seats_of(state, browser.owner):
            raise RequestError("only players in this room can let an agent play on")
        if seat is None or self.room.agent is not None or state.owners[seat] in self.here:
            raise RequestError("the player to move has not left")
        owner = state.owners[seat]
        seconds = GRACE - (time.monotonic() - self._left.get(owner, self._begun))
        if owner is not None and seconds > 0:
            raise RequestError(f"the player to move may be back in a moment; ask again in {ceil(seconds)} s")
        self.room.substituted.add(seat)

    async def _decide(self) -> None:
        """Let agents decide, outside the event loop, until it is a person's turn or no browser is left."""
        room = self.room
        try:
            while self.browsers and room.agent is not None:
                await asyncio.sleep(0 if room.state.pace == FASTEST else 1 / room.state.pace)
                text, seq, game = room.agent, room.seq, room.game
                if text is None:
                    continue
                points = game.observation()[None], game.mask()[None]
                (action,) = await self._rooms.agents.decide(room.state.game, game.rules, text, *points)
                if self.browsers and (room.agent, room.seq) == (text, seq):
                    self._act(action)
                    self.update()
        except TableError as error:
            for browser in self.browsers:
                browser.refuse(room.seq, str(error))


class LiveRooms:
    """All rooms."""

    def __init__(self, store: RoomStore, given: Mapping[str, Collection[str]]) -> None:
        self._store, self.agents = store, PythonAgents(given)
        self._live: dict[str, LiveRoom] = {}
        self._loading = asyncio.Lock()

    async def open(self, request: dict[str, Any], owner: str) -> str:
        """Open a room, and return its number; TableError if it cannot be."""
        return await self._begin(await in_thread(opened, request, owner))

    async def _begin(self, state: RoomState) -> str:
        room = await in_thread(Room, new_number(), state)
        nothing = np.zeros((0, 0), np.int16), np.zeros((0, 0), np.int8)
        for text in {*state.seats} - {*PEOPLE}:
            await self.agents.decide(state.game, room.game.rules, text, *nothing)
        self._store.create(room.number, state)
        return room.number

    def listed(self, game: str, owner: str) -> list[dict[str, Any]]:
        """Return a browser's rooms, the last changed first."""
        return [listed(*row, owner) for row in islice(self._store.listed(game, owner), MAX_LISTED)]

    async def _find(self, number: str) -> LiveRoom:
        """Return a room, which stays in memory only if a browser enters before anything else happens."""
        async with self._loading:  # one after the other: there must not be two of the same room
            if number not in self._live:
                return LiveRoom(self, await in_thread(Room, number, *self._store.read(number)))
            return self._live[number]

    async def enter(self, number: str, browser: Browser) -> LiveRoom:
        """Let a browser in; MissingError if there is no such room, FullError if there is no place."""
        if sum(len(live.browsers) for live in self._live.values()) >= MAX_BROWSERS:
            raise FullError("too many browsers are connected; try again later")
        live = self._live[number] = await self._find(number)
        live.enter(browser)
        return live

    def leave(self, live: LiveRoom, browser: Browser) -> None:
        """Let a browser go."""
        if browser in live.browsers:
            live.leave(browser)
            self._forget_empty(live)

    def _forget_empty(self, live: LiveRoom) -> None:
        if not live.browsers and self._live.get(live.room.number) is live:
            del self._live[live.room.number]

    def commit(self, live: LiveRoom, decision: tuple[int, int] | None = None) -> None:
        """Write what has changed. If that fails, everybody is sent away, to come back to how the room was before."""
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

    async def answer(self, live: LiveRoom, browser: Browser, text: str | None) -> None:
        """Do what a browser in a room asks."""
        how = live.answer(browser, text)
        if how is None:
            return
        try:
            number = await self._following(live, how, browser.owner)
            for each in live.browsers:
                each.send({"kind": "moved", "id": number})
        except TableError as error:
            browser.refuse(live.room.seq, str(error))

    async def _following(self, live: LiveRoom, how: str, owner: str) -> str:
        """Return the room in which the players of one go on: the one begun before, or a new one."""
        state = live.room.state
        async with self._loading:  # two players may ask at once
            if how in state.next_rooms:
                with suppress(MissingError):
                    self._store.read(state.next_rooms[how])
                    return state.next_rooms[how]
            state.next_rooms[how] = await self._begin(live.room.following(how, owner))
            self.commit(live)
            return state.next_rooms[how]

    async def join(self, number: str, owner: str, name: str) -> int:
        """Take a free seat; RequestError if there is none."""
        live = await self._find(number)
        free, state = free_seats(live.room.state), live.room.state
        if not free:
            raise RequestError("no seat is free in this room")
        state.owners[free[0]], state.names[free[0]] = owner, name
        state.forgotten = [other for other in state.forgotten if other != owner]
        self.commit(live)
        live.update()
        return free[0]

    async def remove(self, number: str, owner: str) -> None:
        """Remove a room from a browser's list; one that is in no list any more is deleted."""
        live = await self._find(number)
        if owner not in live.room.state.browsers:
            raise RequestError("this room is not in your list")
        live.room.state.forgotten.append(owner)
        self.commit(live)
        if not live.room.state.browsers:
            self._store.delete(number)
            self._dismiss(live, GONE, "this room has been deleted")

    async def free_seats(self, number: str) -> int:
        """Return how many seats are free."""
        return len(free_seats((await self._find(number)).room.state))

    async def record(self, number: str) -> str:
        """Return the game as text, once it is over: it holds the seed."""
        return (await self._find(number)).room.record()
