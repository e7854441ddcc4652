"""Requests of the ladder page: how strong agents are, and how the visitor has played."""

from functools import cached_property
from typing import Any

from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route

from cardtable.table.agents.agents import agents_of
from skyjo.table.seating import may_sit_down
from skyjo.web.answers import owner_of, refusing
from skyjo.web.bounded_work import Worker
from skyjo.web.own_results import MAX_LOOKED_AT, OwnResults
from skyjo.web.rivals import ladder_of
from skyjo.web.table_room import TableRoom


class LadderRoutes:
    """The ladder of a game, and the results of browsers at the tables of a room."""

    def __init__(self, room: TableRoom) -> None:
        self.room, self._results = room, OwnResults()
        self._worker = Worker("results", "your results cannot be computed")

    @property
    def routes(self) -> list[Route]:
        """The addresses."""
        return [Route("/api/ladder", refusing(self.ladder)), Route("/api/own", refusing(self.own))]

    async def ladder(self, _: Request) -> Response:
        """How strong the agents are, and which of them can sit down at a table; no tables if nobody has rated them."""
        return JSONResponse(self._ladder or {"tables": []})

    @cached_property
    def _ladder(self) -> Any:
        ladder = ladder_of(self.room.interface)
        for row in (row for table in ladder["tables"] for row in table["rows"]) if ladder else ():
            row["playable"] = may_sit_down(agents_of(self.room.game), row["agent"])
        return ladder

    async def own(self, request: Request) -> Response:
        """How this browser has played, computed outside the event loop."""
        owner = owner_of(request)
        files = self.room.files_of(owner, MAX_LOOKED_AT)
        return JSONResponse(await self._worker.done(owner, self._results.document, owner, files))
