"""Today's deal: a round against the strongest rival with cards that are the same for everybody on that day.

What the cards are follows from the day, so that servers need not talk to each other. Nothing that a browser is sent
before the round is over tells more than the day.
"""

from datetime import UTC, datetime
from functools import lru_cache
from typing import Any

from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route

from cardtable.table.agents.agents import agents_of
from cardtable.table.game.card_game import find_game
from cardtable.table.game.table_game import TableGame
from skyjo.table.played_game import PlayedGame
from skyjo.table.seating import seated_agents
from skyjo.web.answers import body_of, owner_of, refusing
from skyjo.web.bounded_work import Worker
from skyjo.web.messages import VERSION
from skyjo.web.own_results import DIGITS, FinishedTable, finished_table
from skyjo.web.requests import read_join
from skyjo.web.table_room import TableRoom
from skyjo.web.tables import TableSetup, WebTable

YOUR_SEAT = 0


class DailyRoutes:
    """Today's deal of one game."""

    def __init__(self, room: TableRoom) -> None:
        self._room, self._worker = room, Worker("today's deal", "the result cannot be computed")

    @property
    def routes(self) -> list[Route]:
        """The addresses."""
        return [
            Route("/api/daily", refusing(self.today)),
            Route("/api/daily", refusing(self.open), methods=["POST"]),
        ]

    async def today(self, request: Request) -> Response:
        """How a browser has done today."""
        day = today()  # once, since another one may begin at any moment
        table = self._room.daily_of(day, owner_of(request))
        is_over = table is not None and table.decider is None
        document = {
            "version": VERSION,
            "day": day,
            "rival": self._room.interface.rivals[-1].name,
            "table": table.number if table else None,
            "over": is_over,
            "result": None,
        }
        if table is not None and is_over and not table.is_practice and table.conceded is None:
            document["result"] = await self._worker.done(owner_of(request), _result, table)
        return JSONResponse(document)

    async def open(self, request: Request) -> Response:
        """Open the table of today, or find it again."""
        name = read_join(await body_of(request))
        return JSONResponse({"id": self._room.open_daily(today(), owner_of(request), name).number})


def today() -> str:
    """The day, which begins everywhere at the same time."""
    return datetime.now(UTC).date().isoformat()


def _result(table: WebTable) -> dict[str, Any] | None:
    """By how much a person was ahead in a round, how much of that was luck, and the same of the rival in that seat."""
    played = _finished(table.setup, table.played.actions)
    if played is None:
        return None
    rival = _rival_result(table.setup.game, table.setup.rules, table.setup.seed, table.setup.seats[-1])
    return {**_figures(played), "rival": rival}


@lru_cache(maxsize=32)
def _rival_result(game: str, rules: str, seed: int, agent: str) -> dict[str, Any] | None:
    """How the rival does in both seats; None if it does not finish the round."""
    setup = TableSetup(game, rules, seed, "round", [agent, agent], [None, None])
    dealt: TableGame[Any] = setup.dealt()
    played = PlayedGame(dealt, seated_agents(agents_of(find_game(game)), dealt.rules, setup.seats))
    while not played.game.is_over:
        played.decide()
    finished = _finished(setup, played.actions)
    return None if finished is None else _figures(finished)


def _finished(setup: TableSetup, actions: Any) -> FinishedTable | None:
    return finished_table([setup.line(), *({"action": int(action)} for action in actions)])


def _figures(table: FinishedTable) -> dict[str, float]:
    return {
        "margin": round(float(table.margins[:, YOUR_SEAT].sum()), DIGITS),
        "luck": round(float(table.luck[:, YOUR_SEAT].sum()), DIGITS),
    }
