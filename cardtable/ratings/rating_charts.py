"""Ratings over time, drawn as SVG: over each player's own series, or over all series that were played."""

from typing import Any, Literal

import matplotlib as mpl
import numpy as np
from markupsafe import Markup
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.ticker import MaxNLocator

from cardtable.pages.page import render
from cardtable.pages.svg import STYLE, as_svg, shortened
from cardtable.ratings.elo import History

LONGEST = 28  # letters of a name

COLOURS = ("#1b6ca8", "#c06c2b", "#2a9d8f", "#b03a48", "#8e6bbf", "#6b6b6b", "#a3893c", "#d77fa1")
DASHES = ("solid", "dashed", "dotted", "dashdot")  # when the colours are used up
DOT: Any = {"marker": "o", "markersize": 3, "markevery": [-1], "clip_on": False}  # where a line ends
SHOWN = 8
GAP = 0.045  # between two names at the right, as a share of the height


def charts(history: History) -> tuple[str, str]:
    """The ratings of the first eight of the ladder, over each player's own series, and expanded over all."""
    return as_svg(figure_of(history, is_expanded=False)), as_svg(figure_of(history, is_expanded=True))


def page(history: History) -> str:
    """Both charts as an HTML page."""
    contracted, expanded = charts(history)
    return render(
        "rating_charts.html.jinja",
        "cardtable.ratings",
        players=len(history.ladder()),
        series=len(history.seated),
        shown=SHOWN,
        contracted=Markup(contracted),
        expanded=Markup(expanded),
    )


def figure_of(history: History, *, is_expanded: bool) -> Figure:
    """The ratings of the first eight of the ladder: over each player's own series, which shows how they settled, or
    expanded over all series, level while a player did not play.
    """
    names = [name for name, _ in history.ladder()[:SHOWN]]
    style: Literal["steps-post", "default"] = "steps-post" if is_expanded else "default"
    with mpl.rc_context(STYLE):
        figure = Figure(figsize=(8.0, 4.2), layout="constrained")
        axes = figure.add_subplot()
        for number, name in enumerate(names):
            times, ratings = _line(history, name, is_expanded)
            colour, dash = COLOURS[number % len(COLOURS)], DASHES[number // len(COLOURS) % len(DASHES)]
            axes.plot(times, ratings, color=colour, linestyle=dash, linewidth=1.3, label=name, drawstyle=style, **DOT)
        axes.set_xlabel("series played by all" if is_expanded else "series played by the player")
        axes.set_ylabel("rating")
        axes.set_xlim(0, max([1, *(float(np.asarray(line.get_xdata())[-1]) for line in axes.get_lines())]))
        axes.xaxis.set_major_locator(MaxNLocator(integer=True))
        _name_lines(axes)
    return figure


def _line(history: History, name: str, is_expanded: bool) -> tuple[Any, Any]:
    """From the start value, at the player's first series, to the last rating."""
    series, ratings = history.path(name)
    ratings = np.append(history.start[history.players.index(name)], ratings)
    if not is_expanded:
        return np.arange(len(ratings)), ratings
    times = np.concatenate([series[:1], series + 1, [len(history.seated)]])
    return times, np.append(ratings, ratings[-1])


def _name_lines(axes: Axes) -> None:
    """Write every name at the right, at the height of its line's end, moved apart where they would overlap."""
    axes.autoscale_view()
    low, high = axes.get_ylim()
    lines = sorted(axes.get_lines(), key=lambda line: float(np.asarray(line.get_ydata())[-1]))
    heights = np.array([(np.asarray(line.get_ydata())[-1] - low) / (high - low) for line in lines], np.float64)
    for number in range(1, len(heights)):
        heights[number] = max(heights[number], heights[number - 1] + GAP)
    heights -= max(0.0, heights.max(initial=0.0) - 1)
    for line, height in zip(lines, heights, strict=True):
        text = f"{shortened(str(line.get_label()), LONGEST)}  {np.asarray(line.get_ydata())[-1]:.0f}"
        place: Any = (1.01, height)
        axes.annotate(text, place, xycoords="axes fraction", va="center", color=line.get_color(), fontsize=9)
