"""Ratings as documents, for the terminal, JSON and pages."""

from collections.abc import Sequence
from typing import Any

import numpy as np

from cardtable.arena.ratings.bradley_terry import PairResult, Strengths
from cardtable.arena.ratings.elo import History, Scheme
from cardtable.arena.ratings.results import Results, games_and_wins
from cardtable.arena.results.result_document import Column, Document, Plot, Section, Series, Table

CHANCE = 0.05  # p-values up to this one are beyond it
SHOWN = 8  # players whose ratings over time are drawn


def ranked(games: Results, strengths: Strengths, pairs: Sequence[PairResult] = ()) -> Document:
    """Return the players by Bradley-Terry or Plackett-Luce, and their pairs if they were compared."""
    played, won = games_and_wins(games)
    rows = [
        {
            "player": strengths.players[each],
            "rating": float(strengths.ratings[each]),
            "low": float(strengths.low[each]),
            "high": float(strengths.high[each]),
            "games": int(played[each]),
            "won": float(won[each] / played[each]),
        }
        for each in np.argsort(-strengths.ratings, kind="stable").tolist()
    ]
    shown = [row | {"rated": {"value": row["rating"], "low": row["low"], "high": row["high"]}} for row in rows]
    columns = [
        Column("player", "player", "name"),
        Column("rated", "rating", "range", 1),
        Column("games", "games", "count"),
        Column("won", "won", "percent", 1),
    ]
    deals = len(np.unique(games.deals))
    count = f"{len(games.seated):,} games of {deals:,} deals"
    findings = [f"{count}; {strengths.anchor} is rated 1000, and brackets are 95 % intervals of the difference from it"]
    series = Series.of("rating", [row["rated"] for row in shown])
    plot = Plot("intervals", [series], "rating", names=[str(row["player"]) for row in rows])
    sections = [Section("Ratings", [Table(columns, shown), plot])]
    facts: dict[str, Any] = {"games": len(games.seated), "deals": deals, "anchor": strengths.anchor, "standings": rows}
    if pairs:
        beyond = sum(pair.p_value <= CHANCE for pair in pairs)
        chance = "by more than chance (p at most 0.05, by Holm)"
        findings.append(f"{beyond} of {len(pairs)} pairs differ from their ratings {chance}")
        sections.append(Section("Pairs", [Table(PAIR_COLUMNS, pairs, key="pairs")]))
    return Document("Ratings", "", findings, sections, facts)


PAIR_COLUMNS = [
    Column("player", "player", "name"),
    Column("against", "against", "name"),
    Column("games", "games", "count"),
    Column("observed", "ahead", "percent", 1),
    Column("fitted", "expected", "percent", 1),
    Column("excess", "excess", "percent", 1),
    Column("p_value", "p", "number", 3),
]


def rated(games: Results, scheme: Scheme, history: History) -> Document:
    """Return the players by Elo, each with what the rating is made from, and the ratings over time."""
    numbers = {player: number for number, player in enumerate(history.players)}
    rows = [
        {
            "player": player,
            "rating": rating,
            "start": float(history.start[numbers[player]]),
            "series": int(history.played[numbers[player]]),
            "score": float(history.scores[numbers[player]]),
        }
        for player, rating in history.ladder()
    ]
    columns = [
        Column("player", "player", "name"),
        Column("rating", "rating", "number"),
        Column("start", "start", "number"),
        Column("series", "series", "count"),
        Column("score", "mean score", "number"),
    ]
    facts = {
        "games": len(games.seated),
        "series_rated": len(history.seated),
        "games_left": len(games.seated) - scheme.length * len(history.seated),
        "scores_raised": scheme.raised(games),
    }
    findings = [f"{facts['games']:,} games, {facts['series_rated']:,} series"]
    if facts["games_left"]:
        findings.append(f"games that do not fill a series and are not rated: {facts['games_left']:,}")
    if facts["scores_raised"]:
        raised = f"scores raised to 1: {facts['scores_raised']:,}"
        findings.append(f"{raised} (give a higher --ceiling, or --form difference)")
    best = [player for player, _ in history.ladder()[:SHOWN]]
    caption = f"The best {SHOWN}." if len(best) < len(history.players) else ""
    plot = Plot("lines", [_line(history, player) for player in best], "series", caption, y_label="rating")
    return Document(
        "Ratings over time", "", findings, [Section("Ratings", [Table(columns, rows, "standings"), plot])], facts
    )


def _line(history: History, player: str) -> Series:
    """Return a player's ratings, from the start value on, over all series."""
    series, ratings = history.path(player)
    start = float(history.start[history.players.index(player)])
    return Series(player, [start, *ratings.tolist()], [int(series[0]), *(series + 1).tolist()])
