"""The pictures of skill against chance, as SVG: ratings and the game of coins, reliability, relative skill."""

from collections.abc import Mapping
from typing import Any, Literal

import matplotlib as mpl
import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from cardtable.pages.svg import STYLE
from studies.skill.skill_document import PopulationDocument, SkillDocument
from studies.skill.skill_measures import coin_spread

WIDTH = 5.4  # inches: small enough to be read on a telephone
COLOURS = ("#1b6ca8", "#c06c2b")  # of the populations, or of rounds and games
DASHES = {"round": "solid", "game": "dashed"}
MARKERS = {"round": "o", "game": "s"}
GREY = "#4a545e"


def draw_figures(document: SkillDocument) -> dict[str, Figure]:
    """All pictures of the page."""
    with mpl.rc_context(STYLE):
        return {
            "ratings": ratings(document),
            "coin": coin(document),
            "lead": lead(document),
            "reliability": reliability(document),
            "relative": relative(document),
        }


def ratings(document: SkillDocument) -> Figure:
    """How strong everybody is on the Elo scale, the best on top."""
    figure, axes = _drawn(3.6)
    for number, (episode, found) in enumerate(document["episodes"].items()):
        rows = _first(found["populations"])["ratings"]
        places = np.array(_places(document)) + (0.12, -0.12)[number]
        values = [row["value"] for row in rows]
        errors = [[row["value"] - row["low"] for row in rows], [row["high"] - row["value"] for row in rows]]
        marker: Any = {
            "fmt": MARKERS[episode],
            "color": COLOURS[number],
            "markersize": 5,
            "capsize": 2,
            "linewidth": 1.2,
        }
        axes.errorbar(values, places, xerr=errors, label=f"from {episode}s", **marker)
    _name_players(axes, document)
    axes.set_xlabel("Elo, about the mean of all")
    return _explained(figure)


def coin(document: SkillDocument) -> Figure:
    """The spread of ratings in games of rank and coin, and which of them spreads ratings as far as the game played."""
    figure, axes = _drawn(3.6)
    sizes = {len(each["ratings"]) for found in document["episodes"].values() for each in found["populations"].values()}
    shares = 1 - np.geomspace(1, 0.005, 60)
    for players in sorted(sizes):
        axes.plot(100 * shares, [coin_spread(share, players) for share in shares], color="#9aa4ad", linewidth=1.2)
    highest = 0.0
    for episode, found in document["episodes"].items():
        for number, (name, each) in enumerate(found["populations"].items()):
            share, spread = 100 * each["coin_share"]["value"], each["spread"]["value"]
            highest = max(highest, spread)
            axes.plot([0, share, share], [spread, spread, 0], color=COLOURS[number], linestyle=":", linewidth=1)
            axes.plot(share, spread, MARKERS[episode], color=COLOURS[number], label=f"{name}, {episode}s")
    axes.set(xlim=(0, 100), ylim=(0, 1.15 * highest))
    axes.set_xlabel("share of games that the better player is sure to win, %\n(the rest are tossed with a coin)")
    axes.set_ylabel("spread of Elo ratings")
    return _explained(figure)


def lead(document: SkillDocument) -> Figure:
    """How likely the better of two leads after this many rounds or games: computed as lines, counted as dots."""
    figure, axes = _over_rounds(document, "lead")
    axes.axhline(75, color=GREY, linewidth=1, linestyle=":")
    axes.annotate("75 %", (1, 75), xytext=(3, 3), textcoords="offset points", color=GREY, fontsize=9)
    axes.set_ylabel("the better one leads, %")
    axes.set_ylim(50, 101)
    return _explained(figure)


def reliability(document: SkillDocument) -> Figure:
    """How much of the differences after this many rounds or games is skill."""
    figure, axes = _over_rounds(document, "reliability")
    axes.axhline(50, color=GREY, linewidth=1, linestyle=":")
    axes.annotate("as much skill as chance", (100, 50), (0, 3), textcoords="offset points", ha="right", fontsize=9)
    axes.set_ylabel("skill's share of the differences, %")
    axes.set_ylim(0, 102)
    return _explained(figure)


def relative(document: SkillDocument) -> Figure:
    """Everybody between the beginner and the player that knows every card."""
    figure, axes = _drawn(3.8)
    for number, (episode, found) in enumerate(document["episodes"].items()):
        rows = found["relative"]["players"]
        places = np.array(_places(document)) + (0.19, -0.19)[number]
        skills, errors = ([100 * row["skill"][part] for row in rows] for part in ("mean", "half"))
        axes.barh(
            places, skills, 0.36, xerr=errors, color=COLOURS[number], label=f"{episode}s", error_kw={"capsize": 2}
        )
    _name_players(axes, document)
    axes.axvline(100, color=GREY, linewidth=1.5)
    axes.annotate("knows every card", (100, -0.6), (-4, 0), textcoords="offset points", ha="right", fontsize=9)
    axes.axvline(0, color=GREY, linewidth=1)
    axes.set_xlabel("relative skill, %")
    return _explained(figure)


def _drawn(height: float) -> tuple[Figure, Axes]:
    """An empty picture."""
    figure = Figure(figsize=(WIDTH, height), layout="constrained")
    return figure, figure.subplots()


def _explained(figure: Figure) -> Figure:
    """Add a legend below the picture."""
    figure.legend(loc="outside lower center", ncols=2, frameon=False, fontsize=8.5)
    return figure


def _first(populations: Mapping[str, PopulationDocument]) -> PopulationDocument:
    """The largest population."""
    return next(iter(populations.values()))


def _places(document: SkillDocument) -> list[int]:
    """Everybody's place from the bottom, by the ratings from rounds."""
    values = [row["value"] for row in _first(document["episodes"]["round"]["populations"])["ratings"]]
    return [sorted(values).index(value) for value in values]


def _name_players(axes: Axes, document: SkillDocument) -> None:
    names = [row["player"] for row in _first(document["episodes"]["round"]["populations"])["ratings"]]
    axes.set_yticks(_places(document), [name.replace(",", ",\n") for name in names])
    axes.grid(visible=False, axis="y")


def _over_rounds(document: SkillDocument, line: Literal["lead", "reliability"]) -> tuple[Figure, Axes]:
    """Shares over the number of rounds or games, a line for each population; dots where leads were counted."""
    figure, axes = _drawn(3.9)
    for episode, found in document["episodes"].items():
        for number, (name, each) in enumerate(found["populations"].items()):
            rows, colour = each["after"], COLOURS[number]
            shares = [100 * row[line] for row in rows]
            label = f"{name}, {episode}s"
            axes.plot([row["rounds"] for row in rows], shares, linestyle=DASHES[episode], label=label, color=colour)
            counted = rows if line == "lead" else ()
            seen = [(row["rounds"], 100 * row["observed"]) for row in counted if row["observed"] is not None]
            axes.plot(
                [k for k, _ in seen], [share for _, share in seen], MARKERS[episode], color=colour, markersize=3.5
            )
    ticks = [1, 2, 5, 10, 20, 50, 100]
    axes.set_xscale("log")
    axes.set_xticks(ticks, [str(tick) for tick in ticks])
    axes.set_xticks([], minor=True)
    axes.set_xlabel("rounds, or games, played")
    return figure, axes
