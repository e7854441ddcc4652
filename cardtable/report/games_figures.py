"""The pictures of a report: how strong everybody is, and how margins and turns are distributed. Agents are rows, the
best on top.

Names are above the rows, where there is room for long ones.
"""

from collections.abc import Sequence
from math import sqrt
from typing import Any

import matplotlib as mpl
import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.ticker import MaxNLocator

from cardtable.pages.svg import STYLE, named_rows, shortened
from cardtable.report.games_summary import Summary
from cardtable.report.histogram import Histogram

LONGEST = 64  # letters of a name

ROW, HILL, FRAME = 0.46, 0.72, 0.75  # inches: the heights of a row, of one with a hill, and of all around them
NAME, DOT, NEXT = 0.12, 0.31, 0.16  # from a row's top to the name and to the first dot, and from there to the next
COLOURS = ("#1b6ca8", "#c06c2b", "#2a9d8f", "#8e6bbf", "#6b6b6b")  # of the stores
MARKERS = "osD^v"
TAIL = 0.005  # of the games lie beyond each end of a picture at most
BINS = 60


def ratings(summaries: Sequence[Summary]) -> Figure:
    """The ratings with their intervals, of one store or of several beside each other."""
    agents = list(dict.fromkeys(rung.agent for each in summaries for rung in each.ladder.rungs))
    height = ROW + NEXT * (len(summaries) - 1)
    with mpl.rc_context(STYLE):
        figure, axes = named_rows(agents, height, FRAME, NAME, LONGEST)
        for number, summary in enumerate(summaries):
            place = (DOT + NEXT * number) / height
            _dots(axes, summary, [agents.index(rung.agent) + place for rung in summary.ladder.rungs], number)
        axes.set_xlabel(f"rating ({shortened(summaries[0].ladder.anchor, LONGEST)} is 1000)")
        if len(summaries) > 1:
            figure.legend(loc="outside lower center", ncols=2, frameon=False, fontsize=8.5)
    return figure


def _dots(axes: Axes, summary: Summary, places: Sequence[float], number: int) -> None:
    rungs = summary.ladder.rungs
    errors = [[each.rating - each.low for each in rungs], [each.high - each.rating for each in rungs]]
    look: Any = {"fmt": MARKERS[number % len(MARKERS)], "markersize": 4.5, "capsize": 2, "linewidth": 1.2}
    colour = COLOURS[number % len(COLOURS)]
    axes.errorbar([each.rating for each in rungs], places, xerr=errors, color=colour, label=summary.label, **look)


def spreads(histograms: dict[str, Histogram], words: str) -> Figure:
    """How often which numbers came, a hill for every agent: half of them in the dark part, the median at its line."""
    low = min(each.quantile(TAIL) for each in histograms.values())
    high = max(each.quantile(1 - TAIL) for each in histograms.values())
    fewest = min(each.total for each in histograms.values())
    width = max(1, round((high - low) / min(BINS, 2 * sqrt(fewest))))
    edges = np.arange(low - 0.5, high + width + 0.5, width)
    with mpl.rc_context(STYLE):
        figure, axes = named_rows(list(histograms), HILL, FRAME, NAME, LONGEST)
        for row, histogram in enumerate(histograms.values()):
            _hill(axes, histogram, edges, row + 0.97)
        axes.set_xlim(edges[0], edges[-1])
        axes.xaxis.set_major_locator(MaxNLocator(integer=True))
        axes.set_xlabel(words)
    return figure


def _hill(axes: Axes, histogram: Histogram, edges: Any, foot: float) -> None:
    counts = histogram.counts_between(edges)
    heights = foot - 0.67 * counts / counts.max()
    quartiles = [histogram.quantile(share) for share in (0.25, 0.5, 0.75)]
    axes.stairs(heights, edges, baseline=foot, fill=True, color=COLOURS[0], alpha=0.3)
    inner = np.clip(edges, quartiles[0] - 0.5, quartiles[2] + 0.5)
    axes.stairs(heights, inner, baseline=foot, fill=True, color=COLOURS[0], alpha=0.55)
    top = heights[np.clip(np.searchsorted(edges, quartiles[1], "right") - 1, 0, len(heights) - 1)]
    axes.plot([quartiles[1]] * 2, [foot, top], color="#0b2f4a", linewidth=1.6, solid_capstyle="butt")
