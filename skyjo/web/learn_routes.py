"""Requests of those who learn a game: lessons, puzzles, and the rules clause by clause."""

import re
from typing import Any

from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import BaseRoute, Route

from skyjo.interfaces import GameInterface
from skyjo.web.answers import NOT_FOUND, body_of, owner_of, refusing
from skyjo.web.bounded_work import Worker
from skyjo.web.lessons import PlayedLesson
from skyjo.web.messages import VERSION, encoded
from skyjo.web.puzzles import puzzles_of
from skyjo.web.requests import MAX_SEQ, query_number, read_answer, read_decisions

HEADING = re.compile(r"^## (?:\d+\. )?(.+)$")
CLAUSE = re.compile(r"^(\d+\.\d+) (.+)", re.DOTALL)


class LearnRoutes:
    """How one game is taught."""

    def __init__(self, interface: GameInterface) -> None:
        self._interface, self._teacher = interface, Worker("teacher", "this cannot be played")

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
        interface = self._interface
        lessons = [
            {"title": one.title, "words": one.words, "task": one.task, "done": one.done, "clause": one.clause}
            for one in interface.learning.LESSONS
        ]
        puzzles = await self._teacher.done(owner_of(request), lambda: puzzles_of(interface.game).listed())
        names = {"version": VERSION, "game": interface.game, "title": interface.title}
        return JSONResponse({**names, "lessons": lessons, "puzzles": puzzles})

    async def lesson(self, request: Request) -> Response:
        """A lesson after what the learner has decided."""
        lessons = self._interface.learning.LESSONS
        lesson = lessons[_number(request, len(lessons))]
        actions = read_decisions(await body_of(request))
        played = await self._teacher.done(owner_of(request), PlayedLesson, self._interface, lesson, actions)
        views = ",".join(played.views)
        return Response(f'{{"views":[{views}],"state":{encoded(played.document())}}}', media_type="application/json")

    async def puzzle(self, request: Request) -> Response:
        """A puzzle."""
        puzzles = await self._teacher.done(owner_of(request), puzzles_of, self._interface.game)
        number = _number(request, len(puzzles.all))
        text = f'{{"view":{puzzles.view(number)},"question":{encoded(puzzles.question(number))}}}'
        return Response(text, media_type="application/json")

    async def answer(self, request: Request) -> Response:
        """What the choices of a puzzle are worth, for somebody who has chosen."""
        puzzles = await self._teacher.done(owner_of(request), puzzles_of, self._interface.game)
        number = _number(request, len(puzzles.all))
        read_answer(await body_of(request))
        return JSONResponse(puzzles.answer(number))

    async def rules(self, request: Request) -> Response:
        """The rules clause by clause."""
        del request
        return JSONResponse(rules_document(self._interface.rules_text))


def _number(request: Request, count: int) -> int:
    """The number of a lesson or puzzle in the address."""
    number = query_number(request.path_params["number"], "number", MAX_SEQ)
    if number >= count:
        raise HTTPException(NOT_FOUND, f"there are {count}, counted from 0")
    return number


def rules_document(text: str) -> dict[str, Any]:
    """Return the rules clause by clause, from their Markdown: the introduction, and sections with clauses that have
    a number and a text with marks for code and emphasis.
    """
    title, *parts = re.split(r"\n\s*\n", text.strip())
    intro: list[str] = []
    sections: list[dict[str, Any]] = []
    for part in parts:
        heading, clause = HEADING.match(part), CLAUSE.match(part)
        if heading:
            sections.append({"title": heading[1], "clauses": []})
        elif clause and sections:
            sections[-1]["clauses"].append({"number": clause[1], "text": _joined(clause[2])})
        elif not sections:
            intro.append(_joined(part))
        elif not part.startswith("|"):
            sections[-1]["clauses"].append({"number": "", "text": _joined(part)})
    return {"title": title.lstrip("# "), "intro": intro, "sections": [one for one in sections if one["clauses"]]}


def _joined(text: str) -> str:
    """The lines of a paragraph as one."""
    return " ".join(line.strip() for line in text.splitlines())
