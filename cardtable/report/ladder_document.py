"""The ladders of stores as JSON, in numbers that people read: what the table in the browser shows."""

from collections.abc import Sequence
from typing import TypedDict

from cardtable.card_game import distribution_of
from cardtable.report.games_summary import Summary
from cardtable.report.ladder import LadderRow

VERSION = 1
DIGITS = 3


class LadderRowDocument(TypedDict):
    """One agent's place; the intervals are of 95 %."""

    agent: str
    rating: float
    low: float
    high: float
    points: float  # by which it is ahead of the mean of the others
    error: float  # half the interval of the points
    without_luck: float  # points, less what luck explains if that was noted
    score: float
    won: float  # the share of rounds, or of games
    rounds: int  # or games


class LadderTableDocument(TypedDict):
    """The ladder of one store, the best first."""

    players: int
    episode: str
    command: str
    rows: list[LadderRowDocument]


class MadeDocument(TypedDict):
    """When the games were played, and by what."""

    begun: str  # the day
    version: str  # of the package
    anchor: str  # who is rated 1000


class LadderDocument(TypedDict):
    """The ladders of some stores of one game."""

    version: int
    game: str
    title: str
    made: MadeDocument
    tables: list[LadderTableDocument]


def ladder_document(summaries: Sequence[Summary]) -> LadderDocument:
    """The ladders of these stores, which are of one game and rated from the same anchor."""
    first = summaries[0]
    game, manifest = first.plan.game, first.manifest
    return {
        "version": VERSION,
        "game": game.name,
        "title": game.title,
        "made": {
            "begun": manifest["begun"].partition("T")[0],
            "version": manifest["versions"][distribution_of(game)],
            "anchor": first.ladder.anchor,
        },
        "tables": [
            {
                "players": each.plan.players,
                "episode": each.plan.setup.episode,
                "command": each.manifest["command"],
                "rows": [_row(rung) for rung in each.ladder.rungs],
            }
            for each in summaries
        ],
    }


def _row(rung: LadderRow) -> LadderRowDocument:
    return {
        "agent": rung.agent,
        "rating": round(rung.rating, DIGITS),
        "low": round(rung.low, DIGITS),
        "high": round(rung.high, DIGITS),
        "points": round(rung.margin.mean, DIGITS),
        "error": round(rung.margin.half, DIGITS),
        "without_luck": round(rung.without_luck.mean, DIGITS),
        "score": round(rung.score.mean, DIGITS),
        "won": round(rung.wins.mean, DIGITS),
        "rounds": rung.games,
    }
