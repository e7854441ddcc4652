"""Browsers at tables: what they ask is done one request after the other, and agents decide while somebody watches."""

import asyncio
import time
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from math import ceil
from typing import Any, TypeVar

from cardtable.table.agents.agents import agents_of
from cardtable.table.errors import TableError
from skyjo.table.played_game import Choice
from skyjo.table.seating import stand_in
from skyjo.web import messages
from skyjo.web.answers import in_thread
from skyjo.web.messages import COVERED, inspected_by, view_for
from skyjo.web.requests import FASTEST, ActionRequest, AskRequest, RequestError, read_message
from skyjo.web.table_room import TableRoom
from skyjo.web.tables import USUAL, WebTable

MAX_WAITING = 64  # messages to a browser that does not read them
GRACE = 15  # seconds to come back in before an agent plays on: a page that reloads is away for a moment

TAKE = "take"  # the action, of any game, that shows its seat nothing new: a hint can look beyond it

Found = TypeVar("Found")

PACING: Mapping[str, Mapping[str, bool]] = {
    "pace": {},
    "pause": {"is_paused": True, "is_stepping": False},
    "resume": {"is_paused": False, "is_stepping": False},
    "step": {"is_paused": True, "is_stepping": True},
}  # what each request changes in `Pacing`


class Browser:
    """One connection of a browser to a table."""

    def __init__(self, owner: str) -> None:
        self.owner = owner
        self.waiting: asyncio.Queue[str | None] = asyncio.Queue(MAX_WAITING)  # messages; None closes the connection
        self.is_dropped = False
        self.reason = ""  # why it was sent away

    def send(self, message: str) -> None:
        """Queue a message; a browser that reads too slowly is disconnected, and gets the whole view when it returns."""
        if self.is_dropped:
            return
        if self.waiting.full():
            while not self.waiting.empty():
                self.waiting.get_nowait()
            self.is_dropped = True
        self.waiting.put_nowait(None if self.is_dropped else message)

    def dismiss(self, words: str) -> None:
        """Close the connection, and say why."""
        self.reason = words
        self.is_dropped = True
        if self.waiting.full():
            self.waiting.get_nowait()
        self.waiting.put_nowait(None)


class LiveTable:
    """The browsers at one table, and the agent that decides."""

    def __init__(self, room: TableRoom, table: WebTable, pace: float) -> None:
        self.table, self._room, self._pace = table, room, pace
        self.browsers: list[Browser] = []
        self._deciding: asyncio.Task[None] | None = None
        self._is_advising = False  # does an agent think for a person?
        self._hints: set[asyncio.Task[None]] = set()  # those on their way, which nobody else holds
        self._is_repaced = asyncio.Event()
        self._begun = time.monotonic()
        self._left: dict[str | None, float] = {}  # by browser that holds a seat, when it was last connected

    def enter(self, browser: Browser) -> None:
        """Let a browser in."""
        self.browsers.append(browser)
        self.table.browsers += 1
        try:
            self.send_views()
        except BaseException:
            self._forget(browser)
            raise
        self.let_agents_decide()

    def leave(self, browser: Browser) -> None:
        """Let a browser go."""
        if browser in self.browsers:  # it has not been sent away
            self._forget(browser)
            self.send_views()

    def _forget(self, browser: Browser) -> None:
        self.browsers.remove(browser)
        self.table.browsers -= 1
        if self.table.seats_of(browser.owner):
            self._left[browser.owner] = time.monotonic()

    def send_views(self) -> None:
        """Send everybody at the table their view."""
        self.table.substituted = {seat for seat in self.table.substituted if not self._is_here(seat)}
        for browser in self.browsers:
            self._send_view(browser)

    def _send_view(self, browser: Browser) -> None:
        browser.send(view_for(self.table, browser.owner, {other.owner for other in self.browsers}))

    def _is_here(self, seat: int) -> bool:
        """Is the browser that holds a seat connected?"""
        return any(browser.owner == self.table.owners[seat] for browser in self.browsers)

    def send_all(self, message: str) -> None:
        """Send everybody the same message."""
        for browser in self.browsers:
            browser.send(message)

    async def answer(self, browser: Browser, text: str | bytes | None) -> None:
        """Do what a browser asks, or refuse it in one line."""
        try:
            await self._carry_out(browser, read_message(text))
        except TableError as error:
            browser.send(messages.refused(self.table.seq, str(error)))
        except OSError:
            browser.send(messages.refused(self.table.seq, "the table cannot be written to disk; nothing has changed"))

    async def _carry_out(self, browser: Browser, request: ActionRequest | AskRequest) -> None:
        ask = request.ask if isinstance(request, AskRequest) else None
        if isinstance(request, AskRequest) and (ask in ("view", "inspect") or ask in PACING):
            self._answer_at_any_time(browser, request)
        elif request.seq != self.table.seq:
            browser.send(messages.refused(self.table.seq, "the table has moved on; here is how it stands now"))
            self._send_view(browser)
        elif isinstance(request, AskRequest) and ask == "hint":
            self._advise(browser, request.after)
        elif ask in ("again", "rematch"):
            self._play_again(browser, with_new_cards=ask == "rematch")
        else:
            await self._change(browser, request)
            self.send_views()
            self.let_agents_decide()

    def _answer_at_any_time(self, browser: Browser, request: AskRequest) -> None:
        """Answer a request that does not depend on `seq`."""
        if request.ask == "view":
            self._send_view(browser)
            self.let_agents_decide()  # after a move that could not be written
        elif request.ask == "inspect":
            browser.send(inspected_by(self.table, browser.owner))
        else:
            self._set_pace(browser, request)

    async def _change(self, browser: Browser, request: ActionRequest | AskRequest) -> None:
        """Carry out a request that changes the table."""
        if isinstance(request, ActionRequest):
            self._check_turn(browser)
            self.table.act(request.action)
        elif request.ask == "undo":
            self.table.undo(browser.owner)
        elif request.ask == "uncover":
            self.table.uncover(browser.owner)
        elif request.ask == "concede":
            self.table.concede(browser.owner)
        elif request.ask == "substitute":
            self._substitute(browser)
        else:
            await self._stand_in(browser, request.agent)

    def _check_turn(self, browser: Browser) -> None:
        if not self.table.may_decide(browser.owner):
            raise RequestError("it is not your turn")
        if self.table.is_covered(browser.owner):
            raise RequestError(COVERED)

    def _set_pace(self, browser: Browser, request: AskRequest) -> None:
        """Pace the agents, who may have decided since the browser asked."""
        if not self.table.may_pace(browser.owner):
            raise RequestError("only the person who opened this table can set its pace, and only if agents play there")
        if request.ask != "pace" and not self.table.is_watched:
            raise RequestError("only a table where agents play alone can be paused or stepped")
        pace = self.table.pacing.pace if request.pace is None else request.pace
        self.table.set_pace(replace(self.table.pacing, pace=pace, **PACING[request.ask]))
        self._is_repaced.set()
        self.send_views()
        self.let_agents_decide()

    def _substitute(self, browser: Browser) -> None:
        """Let an agent decide for the person to move, who is not here, until that person is back."""
        seat = self.table.decider
        if not self.table.seats_of(browser.owner):
            raise RequestError("only players at this table can let an agent play on")
        if seat is None or self.table.agent_decides or self._is_here(seat):
            raise RequestError("the player to move has not left")
        owner = self.table.owners[seat]
        seconds = GRACE - (time.monotonic() - self._left.get(owner, self._begun))
        if owner is not None and seconds > 0:
            raise RequestError(f"the player to move may be back in a moment; ask again in {ceil(seconds)} s")
        self.table.substituted.add(seat)

    def _play_again(self, browser: Browser, with_new_cards: bool) -> None:
        if not self.table.seats_of(browser.owner):
            raise RequestError("only players at this table can play again")
        opened = self._room.open_rematch if with_new_cards else self._room.open_again
        self.send_all(messages.moved(opened(self.table, browser.owner).number))

    def _advise(self, browser: Browser, after: int | None) -> None:
        """Send a hint to the browser to move, about the game as it stands now, or after it has taken the discard.

        The browser does not have to wait for it: it may move at once.
        Where people play against each other, nobody is helped; nor is anybody at today's deal while it counts.
        """
        self._check_turn(browser)
        self.table.check_alone(browser.owner, "hints are given")
        if self.table.setup.daily and not self.table.is_practice:
            raise RequestError("there are no hints at today's deal, so that its results can be compared")
        played, seq = self.table.played, self.table.seq
        names = played.card_game.action_names(played.rules)
        if after is not None and (after not in played.game.legal_actions() or names[after] != TAKE):
            raise RequestError("only taking the discard can be followed by a second hint")
        ask = played.question_to_adviser(played.adviser(), most=None, first=after)
        hint = asyncio.create_task(self._send_hint(browser, seq, after, ask))
        self._hints.add(hint)
        hint.add_done_callback(self._hints.discard)

    async def _send_hint(
        self, browser: Browser, seq: int, after: int | None, ask: Callable[[], Sequence[Choice]]
    ) -> None:
        """Send a hint, or why there is none, once an adviser has thought."""
        try:
            browser.send(messages.hint(seq, after, await self._advised(ask)))
        except TableError as error:
            browser.send(messages.refused(self.table.seq, str(error)))

    async def _stand_in(self, browser: Browser, text: str) -> None:
        """Let an agent act once in place of the person to move; it sees what the seat sees."""
        self._check_turn(browser)
        self.table.check_alone(browser.owner, "an agent can act for you")
        played, changes = self.table.played, self.table.changes
        action = await self._advised(played.question_to(stand_in(agents_of(played.card_game), played.rules, text)))
        if self.table.changes != changes:
            raise RequestError("the table has moved on while the agent was thinking")
        self.table.act_for(browser.owner, action)

    async def _advised(self, ask: Callable[[], Found]) -> Found:
        """The answer of an agent that thinks for a person; RequestError while another one does."""
        if self._is_advising:
            raise RequestError("an agent is already thinking about this table")
        self._is_advising = True
        try:
            return await _thinking(ask)
        finally:
            self._is_advising = False

    def let_agents_decide(self) -> None:
        """Let agents decide until it is a person's turn, or nobody is left at the table."""
        if self._deciding is None or self._deciding.done():
            self._deciding = asyncio.create_task(self._decide())

    async def _decide(self) -> None:
        try:
            while self.browsers and self._agent_decides and self.table.pacing.goes_on:
                if self.table.pacing.is_stepping or not await self._is_repaced_within(self._seconds):
                    await self._decide_once()
        except (TableError, OSError) as error:
            words = str(error) if isinstance(error, TableError) else "the table cannot be written to disk"
            self.send_all(messages.refused(self.table.seq, words))

    @property
    def _agent_decides(self) -> bool:
        """Is it the decision of an agent, perhaps one that plays on for somebody who has left?"""
        return self.table.agent_decides or self.table.decider in self.table.substituted

    @property
    def _seconds(self) -> float:
        """How long an agent waits before it decides; `pace` is what it waits at the usual pace.

        At the fastest pace people wait for nothing; agents alone would keep the server busy.
        """
        pace = self.table.pacing.pace
        return 0 if pace == FASTEST and not self.table.is_watched else self._pace * USUAL / pace

    async def _is_repaced_within(self, seconds: float) -> bool:
        """Wait; was the pace changed meanwhile?"""
        self._is_repaced.clear()
        with suppress(TimeoutError):
            return await asyncio.wait_for(self._is_repaced.wait(), seconds)
        return False

    async def _decide_once(self) -> None:
        """One decision of an agent, which thinks outside the event loop; discarded if the table has changed."""
        if not self._agent_decides:
            return
        played, changes = self.table.played, self.table.changes
        is_absent = not self.table.agent_decides
        action = await _thinking(self._question_for_absent() if is_absent else played.question_to_agent())
        if self.browsers and self.table.changes == changes and self.table.pacing.goes_on and self._agent_decides:
            self.table.pacing = replace(self.table.pacing, is_stepping=False)
            (self.table.act_for_absent if is_absent else self.table.act)(action)
            self.send_views()

    def _question_for_absent(self) -> Callable[[], int]:
        played = self.table.played
        return played.question_to(stand_in(agents_of(played.card_game), played.rules, played.interface.opponents[0]))


async def _thinking(ask: Callable[[], Found]) -> Found:
    """The answer of an agent, which thinks outside the event loop."""
    return await in_thread(ask, failing="the agent cannot decide")


class LiveTables:
    """All tables with browsers at them."""

    def __init__(self, room: TableRoom, pace: float) -> None:
        self.room, self._pace = room, pace
        self._live: dict[str, LiveTable] = {}

    def enter(self, number: str, browser: Browser) -> LiveTable:
        """Let a browser in at a table; TableError if there is none."""
        live = self._live.get(number) or LiveTable(self.room, self.room.find(number), self._pace)
        live.enter(browser)
        self._live[number] = live
        return live

    def leave(self, live: LiveTable, browser: Browser) -> None:
        """Let a browser go."""
        live.leave(browser)
        if not live.browsers and self._live.get(live.table.number) is live:  # not left by somebody sent away
            del self._live[live.table.number]

    def dismiss(self, number: str) -> None:
        """Send everybody away from a table that is deleted."""
        live = self._live.pop(number, None)
        if live is None:
            return
        for browser in [*live.browsers]:
            live.leave(browser)
            browser.dismiss("this table has been deleted")

    def connected(self, number: str) -> set[str]:
        """The browsers that are connected to a table."""
        live: Any = self._live.get(number)
        return set() if live is None else {browser.owner for browser in live.browsers}

    def update(self, number: str) -> None:
        """Send everybody at a table the view, after something that happened outside the sockets."""
        live = self._live.get(number)
        if live is not None:
            live.send_views()
            live.let_agents_decide()
