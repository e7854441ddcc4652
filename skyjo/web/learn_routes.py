"""Requests of those who learn a game: lessons, puzzles, and the rules clause by clause."""

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import TypeVar

from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import BaseRoute, Route

from skyjo.programs import Program
from skyjo.web.answers import NOT_FOUND, body_of, in_thread, refusing
from skyjo.web.lessons import PlayedLesson
from skyjo.web.messages import VERSION, encoded
from skyjo.web.puzzles import puzzles_of
from skyjo.web.requests import MOST_SEQ, FullError, query_number, read_answer, read_decisions
from skyjo.web.rules_page import rules_document

MOST_WAITING = 16  # requests for the thread that plays lessons

Found = TypeVar("Found")


class LearnRoutes:
    """How one game is taught."""

    def __init__(self, program: Program) -> None:
        self._program, self._waiting = program, 0
        self._thread = ThreadPoolExecutor(1, "teacher")

    @property
    def routes(self) -> list[BaseRoute]:
        """The routes."""
        return [
            Route("/api/learn", refusing(self.learn)),
            Route("/api/learn/lessons/{number}", refusing(self.lesson), methods=["POST"]),
            Route("/api/learn/puzzles/{number}", refusing(self.puzzle)),
            Route("/api/learn/puzzles/{number}", refusing(self.answer), methods=["POST"]),
            Route("/api/rules", refusing(self.rules)),
        ]

    async def learn(self, request: Request) -> Response:
        """Which lessons and puzzles there are."""
        del request
        program = self._program
        lessons = [
            {"title": one.title, "words": one.words, "task": one.task, "done": one.done, "clause": one.clause}
            for one in program.learning.LESSONS
        ]
        puzzles = await self._done(lambda: puzzles_of(program.game).listed())
        names = {"version": VERSION, "game": program.game, "title": program.title}
        return JSONResponse({**names, "lessons": lessons, "puzzles": puzzles})

    async def lesson(self, request: Request) -> Response:
        """A lesson after what the learner has decided."""
        lessons = self._program.learning.LESSONS
        lesson = lessons[_number(request, len(lessons))]
        actions = read_decisions(await body_of(request))
        played = await self._done(lambda: PlayedLesson(self._program, lesson, actions))
        views = ",".join(played.views)
        return Response(f'{{"views":[{views}],"state":{encoded(played.document())}}}', media_type="application/json")

    async def puzzle(self, request: Request) -> Response:
        """A puzzle."""
        puzzles = await self._done(lambda: puzzles_of(self._program.game))
        number = _number(request, len(puzzles.all))
        text = f'{{"view":{puzzles.view(number)},"question":{encoded(puzzles.question(number))}}}'
        return Response(text, media_type="application/json")

    async def answer(self, request: Request) -> Response:
        """What the choices of a puzzle are worth, for somebody who has chosen."""
        puzzles = await self._done(lambda: puzzles_of(self._program.game))
        number = _number(request, len(puzzles.all))
        read_answer(await body_of(request))
        return JSONResponse(puzzles.answer(number))

    async def rules(self, request: Request) -> Response:
        """The rules clause by clause."""
        del request
        return JSONResponse(rules_document(self._program.rules_text))

    async def _done(self, work: Callable[[], Found]) -> Found:
        """Work done by the thread that teaches; FullError if too much waits for it."""
        if self._waiting >= MOST_WAITING:
            raise FullError("too many people are learning; try again in a moment")
        self._waiting += 1
        try:
            return await in_thread(work, failing="this cannot be played", thread=self._thread)
        finally:
            self._waiting -= 1


def _number(request: Request, count: int) -> int:
    """The number of a lesson or puzzle in the address."""
    number = query_number(request.path_params["number"], "number", MOST_SEQ)
    if number >= count:
        raise HTTPException(NOT_FOUND, f"there are {count}, counted from 0")
    return number
