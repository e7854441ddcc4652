"""What ratings come to, as plain data: for JSON, and for whoever prints or draws them."""

from collections.abc import Mapping
from dataclasses import asdict
from math import isfinite
from typing import Any

import numpy as np

from cardtable.ratings.bradley_terry import Intransitivity, Strengths
from cardtable.ratings.elo import History
from cardtable.ratings.results import Results, games_and_wins
from cardtable.ratings.scheme import KS, Scheme, mean_scores
from cardtable.ratings.sensitivity import spreads

Document = dict[str, Any]


def ranked(games: Results, told: Strengths) -> Document:
    """The players by rating, each with games and wins."""
    played, won = games_and_wins(games)
    standings = [
        {
            "player": told.players[each],
            "rating": float(told.ratings[each]),
            "low": _number(told.low[each]),
            "high": _number(told.high[each]),
            "games": int(played[each]),
            "won": float(won[each] / played[each]),
        }
        for each in np.argsort(-told.ratings, kind="stable").tolist()
    ]
    deals = len(np.unique(games.deals))
    return {"games": len(games.seated), "deals": deals, "anchor": told.anchor, "standings": standings}


def paired(told: Strengths, compared: Intransitivity) -> list[Document]:
    """All pairs that met, the player of the higher rating first."""
    order = np.argsort(-told.ratings, kind="stable").tolist()
    met = [
        (one, other) for place, one in enumerate(order) for other in order[place + 1 :] if compared.games[one, other]
    ]
    arrays = {name: getattr(compared, name) for name in ("observed", "fitted", "excess", "low", "high")}
    return [
        {"player": told.players[one], "against": told.players[other], "games": round(float(compared.games[one, other]))}
        | {name: _number(array[one, other]) for name, array in arrays.items()}
        | {"p_value": _number(compared.p_values[one, other])}
        for one, other in met
    ]


def rated(games: Results, scheme: Scheme, history: History) -> Document:
    """The players by Elo, each with what the rating is made from."""
    means = mean_scores(scheme.series_of(games))
    numbers = {player: number for number, player in enumerate(history.players)}
    standings = [
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


def spread(variants: Mapping[str, Results], scheme: Scheme) -> list[Document]:
    """The distribution table: every K with every way to take chance out."""
    series = {name: scheme.series_of(games) for name, games in variants.items()}
    rows = spreads(series, KS, scheme.starts(list(series.values())[-1]), scheme.form)
    return [asdict(row) for row in rows]


def _number(value: Any) -> float | None:
    """JSON has no NaN: what there is no number for is None."""
    return float(value) if isfinite(value) else None
