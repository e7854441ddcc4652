"""Plots as SVG text to stand in a page, which gives them its own colours, light or dark."""

from io import StringIO
from typing import Any

import matplotlib as mpl
import numpy as np
from cycler import cycler
from matplotlib.figure import Figure
from matplotlib.ticker import LogFormatter, StrMethodFormatter

from cardtable.arena.results.result_document import Plot

WIDTH, HEIGHT = 5.4, 3.2  # inches: small enough to be read on a telephone
ROW, NEXT, FRAME = 0.46, 0.16, 0.85  # inches: a row, a further series in it, all around
MAX_NAME_LENGTH = 60  # letters of a name
MARKERS = "osD^v"
# By tone or number of the series; each is the name of a colour of the page.
COLOURS = {"ahead": "#1b6ca8", "behind": "#c06c2b", "open": "#7b858e", "taker": "#8e4585", "good": "#2a9d8f"}
PAPER, INK, GRID = "#fefefe", "#1d2733", "#e3e3e3"
NAMES = {colour: f"var(--{name})" for name, colour in COLOURS.items()} | {
    PAPER: "var(--paper)",
    INK: "var(--ink)",
    GRID: "var(--grid)",
}
STYLE: Any = {
    "font.family": "sans-serif",
    "font.size": 10,
    "axes.spines.top": False,
    "axes.spines.right": False,
    "axes.grid": True,
    "axes.axisbelow": True,
    "axes.prop_cycle": cycler(color=list(COLOURS.values())),
    "axes.facecolor": "none",
    "figure.facecolor": "none",
    "grid.color": GRID,
    **dict.fromkeys(("text.color", "axes.labelcolor", "axes.edgecolor", "xtick.color", "ytick.color"), INK),
    "svg.fonttype": "none",
    "svg.hashsalt": "cardtable",  # the same picture is the same text
}


def drawn(plot: Plot) -> str:
    """Return a plot as an SVG element."""
    draw = _lines if plot.kind == "lines" else _intervals
    with mpl.rc_context(STYLE):
        figure = draw(plot)
        (axes,) = figure.axes
        if plot.line_at is not None:
            (axes.axhline if plot.kind == "lines" else axes.axvline)(plot.line_at, color=INK, linewidth=1, zorder=1)
        axes.set_xlabel(plot.x_label)
        if len(plot.series) > 1:
            figure.legend(loc="outside lower center", ncols=2, frameon=False, fontsize=8.5)
        text = StringIO()
        figure.savefig(text, format="svg", metadata={"Date": None, "Creator": None})
    svg = text.getvalue()
    for colour, name in NAMES.items():
        svg = svg.replace(colour, name)
    return svg[svg.index("<svg") :]


def _lines(plot: Plot) -> Figure:
    """Draw every series as a line, with a band between the ends of its intervals."""
    figure = Figure(figsize=(WIDTH, HEIGHT), layout="constrained")
    axes = figure.subplots()
    for series in plot.series:
        (line,) = axes.plot(series.x, series.y, ".-", label=_shortened(series.label))
        if len(series.low):
            axes.fill_between(series.x, series.low, series.high, color=line.get_color(), alpha=0.15, linewidth=0)
    if plot.x_scale == "log":
        axes.set_xscale("log")
        axes.xaxis.set(major_formatter=StrMethodFormatter("{x:g}"), minor_formatter=LogFormatter())
    axes.set_ylabel(plot.y_label, wrap=True)
    return figure


def _intervals(plot: Plot) -> Figure:
    """Draw a row for every name, which stands at its top, with a dot and an interval of every series in it."""
    height = ROW + NEXT * (len(plot.series) - 1)
    figure = Figure(figsize=(WIDTH, FRAME + len(plot.names) * height), layout="constrained")
    axes = figure.subplots()
    axes.set_ylim(len(plot.names), 0)
    axes.set_yticks([])
    axes.spines["left"].set_visible(False)
    beside, back = axes.get_yaxis_transform(), {"facecolor": PAPER, "edgecolor": "none", "pad": 1}
    for number, name in enumerate(plot.names):
        axes.axhline(number, color=GRID, linewidth=0.8)
        place = number + 0.12 / height
        axes.text(0, place, _shortened(name), transform=beside, va="center", fontsize=9, bbox=back)
    for number, series in enumerate(plot.series):
        look: Any = {"fmt": MARKERS[number % len(MARKERS)], "markersize": 4.5, "capsize": 2, "linewidth": 1.4}
        for row, value in enumerate(series.y):
            place = row + (0.31 + NEXT * number) / height
            colour = COLOURS[series.tones[row] if series.tones else [*COLOURS][number % len(COLOURS)]]
            ends = np.array([[value - series.low[row]], [series.high[row] - value]]) if series.low else None
            errors = None if ends is None else np.maximum(ends, 0)
            label = None if row else _shortened(series.label)
            axes.errorbar([value], [place], xerr=errors, color=colour, label=label, **look)
    return figure


def _shortened(name: str) -> str:
    """Return a name of at most so many letters; long names often differ at their ends."""
    return (
        name if len(name) <= MAX_NAME_LENGTH else f"{name[: MAX_NAME_LENGTH // 2]}…{name[1 - MAX_NAME_LENGTH // 2 :]}"
    )
