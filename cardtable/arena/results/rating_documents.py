"""Ratings as documents, for the terminal, JSON and pages."""

import numpy as np

from cardtable.arena.ratings.bradley_terry import Strengths
from cardtable.arena.ratings.elo import History, Scheme
from cardtable.arena.ratings.results import Results, games_and_wins
from cardtable.arena.results.result_document import Column, Document, Plot, Section, Series, Table
from cardtable.arena.statistics import Range

SHOWN = 8  # players whose ratings over time are drawn


def ranked(games: Results, strengths: Strengths) -> Document:
    """Return the players by Bradley-Terry or Plackett-Luce."""
    played, won = games_and_wins(games)
    rows = [
        {
            "player": strengths.players[place],
            "rating": Range(float(strengths.ratings[place]), float(strengths.low[place]), float(strengths.high[place])),
            "games": int(played[place]),
            "won": float(won[place] / played[place]),
        }
        for place in np.argsort(-strengths.ratings, kind="stable").tolist()
    ]
    columns = [
        Column("player", "player", "name"),
        Column("rating", "rating", "range", 1),
        Column("games", "games", "count"),
        Column("won", "won", "percent", 1),
    ]
    deals = len(np.unique(games.deals))
    count = f"{len(games.seated):,} games of {deals:,} deals"
    findings = [f"{count}; {strengths.anchor} is rated 1000, and brackets are 95 % intervals of the difference from it"]
    ratings = Series.of("rating", [row["rating"] for row in rows])
    plot = Plot("intervals", [ratings], "rating", names=[str(row["player"]) for row in rows])
    facts = {"games": len(games.seated), "deals": deals, "anchor": strengths.anchor}
    sections = [Section("Ratings", [Table(columns, rows, "standings"), plot])]
    return Document("Ratings", "", findings, sections, facts)


def rated(games: Results, scheme: Scheme, history: History) -> Document:
    """Return the players by Elo, each with the parts of the rating, and the ratings over time."""
    order = [place for place in np.argsort(-history.ratings, kind="stable").tolist() if history.played[place]]
    rows = [
        {
            "player": history.players[place],
            "rating": float(history.ratings[place]),
            "start": float(history.start[place]),
            "series": int(history.played[place]),
            "score": float(history.scores[place]),
        }
        for place in order
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
        "scores_raised": history.raised,
    }
    findings = [f"{facts['games']:,} games, {facts['series_rated']:,} series"]
    if facts["games_left"]:
        findings.append(f"games that do not fill a series and are not rated: {facts['games_left']:,}")
    if facts["scores_raised"]:
        raised = f"scores raised to 1: {facts['scores_raised']:,}"
        findings.append(f"{raised} (give a higher --ceiling, or --form difference)")
    caption = f"The best {SHOWN}." if len(order) > SHOWN else ""
    lines = [_line(history, place) for place in order[:SHOWN]]
    plot = Plot("lines", lines, "series", caption, y_label="rating")
    sections = [Section("Ratings", [Table(columns, rows, "standings"), plot])]
    return Document("Ratings over time", "", findings, sections, facts)


def _line(history: History, player: int) -> Series:
    """Return a player's ratings, from the start value on, over all series."""
    series, seats = np.nonzero(history.seated == player)
    ratings = [float(history.start[player]), *history.after[series, seats].tolist()]
    return Series(history.players[player], ratings, [int(series[0]), *(series + 1).tolist()])
