"""Judges kept games while browsers watch: outside the event loop, in pieces, and remembered for the next request."""

import asyncio
import time
from collections import OrderedDict
from collections.abc import Awaitable, Callable, Coroutine
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from typing import Any, TypeVar

from starlette.websockets import WebSocketDisconnect

from cardtable.table.errors import TableError
from cardtable.table.game.card_game import find_game
from cardtable.table.game.records import RecordFormat
from skyjo.analysis.judge import Judge
from skyjo.interfaces import find_interface
from skyjo.web.answers import in_thread
from skyjo.web.bounded_work import Places
from skyjo.web.kept_games import GameText, KeptGame
from skyjo.web.messages import MAX_LETTERS, encoded
from skyjo.web.requests import RequestError, read_analysis_message

MAX_JUDGES = 8  # games whose judgements are remembered
MAX_ASKING, MAX_OF_ONE = 16, 2  # games that are worked on at once, and for one browser
FAILING = "the game cannot be judged"
MAX_MOVES, PIECE = 50, 0.1  # of a piece: decisions, and seconds in which they are judged

Done = TypeVar("Done")


class Analyses:
    """The judges of kept games. One thread judges and another checks, each a piece at a time for all who wait."""

    def __init__(self, game: str) -> None:
        self._game = game
        self._judges: OrderedDict[str, Judge] = OrderedDict()  # by game; the one that was used last at the end
        self._judging, self._checking = ThreadPoolExecutor(1, "judging"), ThreadPoolExecutor(1, "checking")
        self.places = Places(MAX_ASKING, MAX_OF_ONE, "too many games are being analysed; try again later")

    async def judge_of(self, text: GameText) -> Judge:
        """The judge of a game; TableError if nobody can judge it."""
        return await self.judge(self._judge_of, text)

    def _judge_of(self, text: GameText) -> Judge:
        number = text.number
        if number not in self._judges:
            record = RecordFormat(find_game(self._game)).read_game(text.text).record()
            self._judges[number] = Judge(find_interface(self._game), record)
        self._judges.move_to_end(number)
        if len(self._judges) > MAX_JUDGES:
            self._judges.popitem(last=False)
        return self._judges[number]

    async def judge(self, work: Callable[..., Done], *arguments: Any) -> Done:
        """Let the judging thread do something."""
        return await in_thread(work, *arguments, failing=FAILING, thread=self._judging)

    async def check(self, work: Callable[..., Done], *arguments: Any) -> Done:
        """Let the checking thread do something."""
        return await in_thread(work, *arguments, failing=FAILING, thread=self._checking)


class AnalysisSocket:
    """One browser's requests about one game, and the answers."""

    def __init__(self, analyses: Analyses, game: KeptGame, owner: str, send: Callable[[str], Awaitable[None]]) -> None:
        self._analyses, self._text, self._names = analyses, game.text, game.names(owner)
        self._owner, self._send_text = owner, send
        self._task: asyncio.Task[None] | None = None
        self._is_stopped = self._has_left = False

    async def answer(self, text: str | bytes | None) -> None:
        """Do what the browser asks, or refuse it in one line."""
        try:
            ask = read_analysis_message(text)
            is_busy = self._task is not None and not self._task.done()
            if ask == "stop" and is_busy:
                self._is_stopped = True
            elif ask == "stop":
                await self._send({"kind": "stopped"})
            elif is_busy:
                raise RequestError("this game is already being analysed; stop that first")
            else:
                self._is_stopped = False
                self._task = asyncio.create_task(self._work(self._analyse() if ask == "analyse" else self._check()))
        except TableError as error:
            await self._send({"kind": "refused", "words": str(error)[:MAX_LETTERS]})

    def leave(self) -> None:
        """The browser has gone: end the work as soon as the decision at hand is done."""
        self._is_stopped = self._has_left = True

    async def _work(self, work: Coroutine[Any, Any, bool]) -> None:
        """Do the work, and send how it ended."""
        with suppress(WebSocketDisconnect, RuntimeError):  # the browser is going
            try:
                with self._analyses.places.taken(self._owner):
                    is_done = await work
                if not is_done:
                    await self._send({"kind": "stopped"})
            except TableError as error:
                work.close()
                await self._send({"kind": "refused", "words": str(error)[:MAX_LETTERS]})

    async def _analyse(self) -> bool:
        """Judge all decisions; False if it was stopped."""
        judge = await self._analyses.judge_of(self._text)
        if judge.total == 0:
            await self._send({"kind": "ready", **await self._analyses.judge(judge.position)})
            return True
        done = 0
        while done < judge.total:
            moves = await self._analyses.judge(self._piece, judge, done)
            if self._is_stopped:
                return False
            done += len(moves)
            await self._send({"kind": "judged", "done": done, "of": judge.total, "moves": moves})
        await self._send_conduct(judge)
        return True

    def _piece(self, judge: Judge, done: int) -> list[Any]:
        """The next decisions, judged unless that is done."""
        moves: list[Any] = []
        until = min(done + MAX_MOVES, judge.total)
        end = time.monotonic() + PIECE
        while done + len(moves) < until and not self._is_stopped and time.monotonic() < end:
            if done + len(moves) == judge.judged:
                judge.judge()
            moves.append(judge.move(done + len(moves) + 1))
        return moves

    async def _check(self) -> bool:
        """Check all decisions that seem to give something away; False if it was stopped."""
        judge = await self._analyses.judge_of(self._text)
        if judge.judged < judge.total or judge.total == 0:
            raise RequestError("only a game whose decisions are all judged can be checked")
        doubtful = judge.doubtful
        for done, move in enumerate(doubtful, 1):
            if not await self._analyses.check(judge.check, move, lambda: self._is_stopped) or self._is_stopped:
                return False
            await self._send({"kind": "checked", "done": done, "of": len(doubtful), "move": judge.move(move)})
        await self._send_conduct(judge)
        return True

    async def _send_conduct(self, judge: Judge) -> None:
        await self._send({"kind": "ready", **await self._analyses.judge(judge.conduct, self._names)})

    async def _send(self, message: dict[str, Any]) -> None:
        if not self._has_left:
            await self._send_text(encoded(message))
