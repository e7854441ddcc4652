"""Ratings as plain data: what the command `ratings` prints with --json, and what the terminal and the pages show."""

from collections.abc import Mapping, Sequence
from math import isfinite
from typing import Any, NotRequired, TypedDict

import numpy as np

from cardtable.ratings.bradley_terry import Intransitivity, Strengths
from cardtable.ratings.elo import Form, History, Scheme, mean_scores, rate
from cardtable.ratings.results import Floats, Results, games_and_wins

KS = (0.01, 0.02, 0.04, 0.08)  # of the table of spreads
SHARES = (10, 25, 75, 90)  # percent of the players rated above a value


class RankedRow(TypedDict):
    """A player by Bradley-Terry or Plackett-Luce; without resamples there is no interval."""

    player: str
    rating: float
    low: float | None
    high: float | None
    games: int
    won: float  # share of the games


class PairRow(TypedDict):
    """Two players that met: how often the first finished ahead, and what their ratings predict."""

    player: str
    against: str
    games: int
    observed: float
    fitted: float
    excess: float
    low: float | None
    high: float | None
    p_value: float | None


class RankedDocument(TypedDict):
    """Ratings by rank."""

    games: int
    deals: int
    anchor: str
    standings: Sequence[RankedRow]
    pairs: NotRequired[Sequence[PairRow]]


class EloRow(TypedDict):
    """A player by Elo for games of chance."""

    player: str
    rating: float
    start: float
    series: int
    score: float


class SpreadRow(TypedDict):
    """How widely the final ratings spread."""

    scores: str  # how they were corrected
    k: float
    greatest: float
    mean: float
    least: float
    above: Sequence[float]  # the rating that a share of the players exceeds, for each of SHARES


class EloDocument(TypedDict):
    """Ratings by Elo."""

    games: int
    series_rated: int
    games_left: int  # that fill no series
    scores_raised: int
    standings: Sequence[EloRow]
    spreads: NotRequired[Sequence[SpreadRow]]
    written: NotRequired[Sequence[str]]  # files with charts


def ranked(games: Results, strengths: Strengths) -> RankedDocument:
    """The players by rating, each with games and wins."""
    played, won = games_and_wins(games)
    standings: list[RankedRow] = [
        {
            "player": strengths.players[each],
            "rating": float(strengths.ratings[each]),
            "low": _number(strengths.low[each]),
            "high": _number(strengths.high[each]),
            "games": int(played[each]),
            "won": float(won[each] / played[each]),
        }
        for each in np.argsort(-strengths.ratings, kind="stable").tolist()
    ]
    deals = len(np.unique(games.deals))
    return {"games": len(games.seated), "deals": deals, "anchor": strengths.anchor, "standings": standings}


def pair_rows(strengths: Strengths, compared: Intransitivity) -> list[PairRow]:
    """All pairs that met, the player of the higher rating first."""
    order = np.argsort(-strengths.ratings, kind="stable").tolist()
    p_values, excess = compared.p_values, compared.excess
    return [
        {
            "player": strengths.players[one],
            "against": strengths.players[other],
            "games": round(float(compared.games[one, other])),
            "observed": float(compared.observed[one, other]),
            "fitted": float(compared.fitted[one, other]),
            "excess": float(excess[one, other]),
            "low": _number(compared.low[one, other]),
            "high": _number(compared.high[one, other]),
            "p_value": _number(p_values[one, other]),
        }
        for place, one in enumerate(order)
        for other in order[place + 1 :]
        if compared.games[one, other]
    ]


def rated(games: Results, scheme: Scheme, history: History) -> EloDocument:
    """The players by Elo, each with what the rating is made from."""
    means = mean_scores(scheme.series_of(games))
    numbers = {player: number for number, player in enumerate(history.players)}
    standings: list[EloRow] = [
        {
            "player": player,
            "rating": rating,
            "start": float(history.start[numbers[player]]),
            "series": int(history.played[numbers[player]]),
            "score": float(means[numbers[player]]),
        }
        for player, rating in history.ladder()
    ]
    return {
        "games": len(games.seated),
        "series_rated": len(history.seated),
        "games_left": len(games.seated) - scheme.length * len(history.seated),
        "scores_raised": scheme.raised(games),
        "standings": standings,
    }


def spreads(variants: Mapping[str, Results], start: float | Floats, form: Form = "ratio") -> list[SpreadRow]:
    """How widely the final ratings of those who played spread, for all variants of the series and every K (the paper's
    table).
    """
    rows: list[SpreadRow] = []
    for name, series in variants.items():
        for k in KS:
            history = rate(series, start, k, form)
            ratings = history.ratings[history.played > 0]
            greatest, mean, least = (float(each) for each in (ratings.max(), ratings.mean(), ratings.min()))
            above = tuple(np.percentile(ratings, [100 - share for share in SHARES]).tolist())
            rows.append({"scores": name, "k": k, "greatest": greatest, "mean": mean, "least": least, "above": above})
    return rows


def _number(value: Any) -> float | None:
    """JSON has no NaN, so a missing number is None."""
    return float(value) if isfinite(value) else None
