"""The pictures of the report: who beats whom, turns, starters, readings, power, and the faults of the programme."""

from collections.abc import Sequence
from itertools import product

import matplotlib as mpl
import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from cardtable.pages.svg import STYLE, WIDTH
from studies.skipbo_paper.claim import Results
from studies.skipbo_paper.matchups import Floats
from studies.skipbo_paper.players import FOUR_PILES, GREEDY, READINGS
from studies.skipbo_paper.sample_size import BETTER, EQUAL, power_of_arms, power_of_match
from studies.skipbo_paper.skipbo_document import SkipboPaperDocument

BLUE, ORANGE, GREEN, GREY = "#1b6ca8", "#c06c2b", "#2a9d8f", "#4a545e"
MOST_GAMES = 7000


def draw_figures(document: SkipboPaperDocument) -> dict[str, Figure]:
    """All pictures of the page."""
    results = Results(document)
    with mpl.rc_context(STYLE):
        return {
            "matrix": matrix(results),
            "turns": turns(results),
            "starters": starters(results),
            "readings": readings(results),
            "power": power(results),
            "faults": faults(results),
        }


def matrix(results: Results) -> Figure:
    """Who takes how much from whom."""
    players = list(results.document["players"])
    shares = [[results.share(one, two)["mean"] if one != two else np.nan for two in players] for one in players]
    figure, axes = _drawn(4.6, WIDTH + 1.4)
    axes.grid(visible=False)
    axes.imshow(100 * np.array(shares), cmap="RdBu", vmin=0, vmax=100, aspect="auto")
    for row, column in product(range(len(players)), repeat=2):
        if row != column:
            share = 100 * shares[row][column]
            colour = "white" if abs(share - 50) > 33 else "black"
            axes.text(column, row, f"{share:.0f}", ha="center", va="center", fontsize=8.5, color=colour)
    axes.set_xticks(range(len(players)), [str(k) for k in range(1, len(players) + 1)])
    axes.set_yticks(range(len(players)), [f"{player}  {k}" for k, player in enumerate(players, 1)], fontsize=8.5)
    axes.tick_params(length=0, top=True, labeltop=True, bottom=False, labelbottom=False)
    axes.spines[:].set_visible(False)
    return figure


def turns(results: Results) -> Figure:
    """Median and quartiles of the winner's turns."""
    rows = [each for each in results.alone if each["winners_turns"] is not None]
    found = np.array([each["winners_turns"] for each in rows])
    figure, axes = _rows([each["player"] for each in rows])
    places = np.arange(len(rows))
    axes.hlines(places, found[:, 0], found[:, 2], color=BLUE, linewidth=6, alpha=0.35)
    axes.plot(found[:, 1], places, "o", color=BLUE, markersize=6)
    axes.set_xlim(left=0)
    axes.set_xlabel("turns of the winner: median, and half of the games")
    return figure


def starters(results: Results) -> Figure:
    """What the starter takes."""
    figure, axes = _rows([each["player"] for each in results.alone])
    means, halves = (np.array([100 * each["starter"][part] for each in results.alone]) for part in ("mean", "half"))
    _dots(axes, means, halves, range(len(means)), BLUE)
    axes.axvline(50, color=GREY, linewidth=1)
    axes.set_xlabel("starter takes, %")
    return figure


def readings(results: Results) -> Figure:
    """The readings against one pile and against four."""
    figure, axes = _rows(READINGS)
    for other, shift, colour in ((GREEDY, -0.13, BLUE), (FOUR_PILES, 0.13, ORANGE)):
        shares = [results.share(reading, other) for reading in READINGS]
        means, halves = (np.array([100 * share[part] for share in shares]) for part in ("mean", "half"))
        _dots(axes, means, halves, [row + shift for row in range(len(READINGS))], colour, f"from {other}")
    axes.axvline(50, color=GREY, linewidth=1)
    axes.set_xlabel("takes, %")
    return _explained(figure)


def power(results: Results) -> Figure:
    """Power over the number of games."""
    size = results.document["sample_size"]
    figure, axes = _drawn(3.4, WIDTH + 0.8)
    games = range(50, MOST_GAMES, 25)
    lines = (
        (power_of_match, "a match between the two", ORANGE, (size["match"],)),
        (power_of_arms, "games an arm, equation (1)", BLUE, (size["per_arm"], size["printed"] // 2, size["printed"])),
    )
    for line, label, colour, marked in lines:
        axes.plot(games, [100 * line(each) for each in games], color=colour, label=label)
        for count in marked:
            axes.plot(count, 100 * line(count), "o", color=colour)
            axes.annotate(f"{count:,}", (count, 100 * line(count)), (5, -13), textcoords="offset points", fontsize=9)
    axes.axhline(80, color=GREY, linewidth=1, linestyle=":")
    axes.set_xlabel("games")
    axes.set_ylabel(f"power, %, for {BETTER} against {EQUAL}")
    axes.set_ylim(0, 104)
    return _explained(figure)


def faults(results: Results) -> Figure:
    """What the faults change."""
    found = results.changes(faults=True)
    pairs = list(dict.fromkeys(tuple(each["players"]) for each in found))
    words = list(dict.fromkeys(each["words"] for each in found))
    figure, axes = _rows([" –\n".join(pair) for pair in pairs], 0.62)
    for number, (word, colour) in enumerate(zip(words, (BLUE, ORANGE, GREEN), strict=True)):
        changes = [each["difference"] for each in found if each["words"] == word]
        means, halves = (np.array([100 * change[part] for change in changes]) for part in ("mean", "half"))
        _dots(axes, means, halves, [row + 0.2 * (number - 1) for row in range(len(pairs))], colour, word)
    axes.axvline(0, color=GREY, linewidth=1)
    axes.set_xlabel("change of the first player's share, percentage points")
    return _explained(figure)


def _drawn(height: float, width: float = WIDTH) -> tuple[Figure, Axes]:
    """An empty picture."""
    figure = Figure(figsize=(width, height), layout="constrained")
    return figure, figure.subplots()


def _rows(labels: Sequence[str], height: float = 0.34) -> tuple[Figure, Axes]:
    """A picture with a row for each of these, the first one on top."""
    figure, axes = _drawn(1.0 + height * len(labels), WIDTH + 1.4)
    axes.set_yticks(range(len(labels)), labels, fontsize=8.5)
    axes.set_ylim(len(labels) - 0.5, -0.5)
    axes.grid(visible=False, axis="y")
    return figure, axes


def _dots(
    axes: Axes, means: Floats, halves: Floats, places: Sequence[float], colour: str, label: str | None = None
) -> None:
    """Dots with their intervals."""
    axes.errorbar(
        means, places, xerr=halves, fmt="o", color=colour, markersize=4.5, capsize=2, linewidth=1.2, label=label
    )


def _explained(figure: Figure) -> Figure:
    """Add a legend below the picture."""
    figure.legend(loc="outside lower center", ncols=2, frameon=False, fontsize=9)
    return figure
