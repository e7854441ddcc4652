"""The report on stored games: one HTML page with its pictures inside, and the ladders alone as Markdown.

In the pictures agents are rows, the best on top. Names are above the rows, where there is room for long ones.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from math import sqrt
from shlex import quote
from typing import Any

import matplotlib as mpl
import numpy as np
from markupsafe import Markup
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.ticker import MaxNLocator

from cardtable.pages.page import render
from cardtable.pages.svg import STYLE, as_svg, named_rows, shortened
from cardtable.report.games_summary import Summary
from cardtable.report.habits import Histogram

LONGEST = 64  # letters of a name

ROW, HILL, FRAME = 0.46, 0.72, 0.75  # inches: the heights of a row, of one with a hill, and of all around them
NAME, DOT, NEXT = 0.12, 0.31, 0.16  # from a row's top to the name and to the first dot, and from there to the next
COLOURS = ("#1b6ca8", "#c06c2b", "#2a9d8f", "#8e6bbf", "#6b6b6b")  # of the stores
MARKERS = "osD^v"
TAIL = 0.005  # of the games lie beyond each end of a picture at most
BINS = 60
AHEAD, BEHIND = "27,108,168", "214,122,44"  # blue and orange: told apart by everybody


@dataclass(frozen=True)
class StorePart:
    """What the page shows of one store, as the template names it."""

    summary: Summary
    folder: str  # as a shell takes it
    ratings: Markup
    margins: Markup
    turns: Markup
    shades: dict[tuple[str, str], str]  # the colour of every pair in the cross table


def render_page(summaries: Sequence[Summary]) -> str:
    """The page about these stores, which are all rated from the same anchor."""
    parts = [_part(each) for each in summaries]
    together = _svg(ratings(summaries)) if len(summaries) > 1 else None
    agents = list(dict.fromkeys(rung.agent for each in summaries for rung in each.ladder.rungs))
    return render(
        "games_page.html.jinja", "cardtable.report", summaries=summaries, parts=parts, together=together, agents=agents
    )


def render_ladder(summaries: Sequence[Summary]) -> str:
    """The ladders of these stores as Markdown."""
    return render("ladder.md.jinja", "cardtable.report", summaries=summaries)


def _part(summary: Summary) -> StorePart:
    unit = summary.plan.setup.episode
    margins = {each.agent: each.margins for each in summary.habits}
    is_one_table = len(summary.plan.tables) == 1
    turns = {"everybody" if is_one_table else each.agent: each.turns for each in summary.habits}
    return StorePart(
        summary=summary,
        folder=quote(summary.folder),
        ratings=_svg(ratings([summary])),
        margins=_svg(spreads(margins, f"points ahead of the mean of the others, each {unit}")),
        turns=_svg(spreads(turns, f"turns of all seats together, each {unit}")),
        shades=_shades(summary),
    )


def _svg(figure: Figure) -> Markup:
    return Markup(as_svg(figure))


def _shades(summary: Summary) -> dict[tuple[str, str], str]:
    """The colour of every pair in the cross table; what may be chance has none."""
    clear = [pair for pair in summary.pairs if pair.is_clear]
    most = max((abs(pair.ahead.mean) for pair in clear), default=1.0)
    shades = {}
    for pair in clear:
        depth = 0.1 + 0.5 * sqrt(abs(pair.ahead.mean) / most)
        one, other = (AHEAD, BEHIND) if pair.ahead.mean > 0 else (BEHIND, AHEAD)
        shades[pair.agent, pair.other] = f"rgba({one},{depth:.2f})"
        shades[pair.other, pair.agent] = f"rgba({other},{depth:.2f})"
    return shades


def ratings(summaries: Sequence[Summary]) -> Figure:
    """The ratings with their intervals, of one store or of several beside each other."""
    agents = list(dict.fromkeys(rung.agent for each in summaries for rung in each.ladder.rungs))
    height = ROW + NEXT * (len(summaries) - 1)
    with mpl.rc_context(STYLE):
        figure, axes = named_rows(agents, height, FRAME, NAME, LONGEST)
        for number, summary in enumerate(summaries):
            rungs, place = summary.ladder.rungs, (DOT + NEXT * number) / height
            axes.errorbar(
                [each.rating for each in rungs],
                [agents.index(each.agent) + place for each in rungs],
                xerr=[[each.rating - each.low for each in rungs], [each.high - each.rating for each in rungs]],
                fmt=MARKERS[number % len(MARKERS)],
                color=COLOURS[number % len(COLOURS)],
                label=summary.label,
                markersize=4.5,
                capsize=2,
                linewidth=1.2,
            )
        axes.set_xlabel(f"rating ({shortened(summaries[0].ladder.anchor, LONGEST)} is 1000)")
        if len(summaries) > 1:
            figure.legend(loc="outside lower center", ncols=2, frameon=False, fontsize=8.5)
    return figure


def spreads(histograms: dict[str, Histogram], words: str) -> Figure:
    """How often each number came, a hill for every agent: half of all in the dark part, the median at its line."""
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
    counts = np.histogram(histogram.values, edges, weights=histogram.counts)[0]
    heights = foot - 0.67 * counts / counts.max()
    quartiles = [histogram.quantile(share) for share in (0.25, 0.5, 0.75)]
    axes.stairs(heights, edges, baseline=foot, fill=True, color=COLOURS[0], alpha=0.3)
    inner = np.clip(edges, quartiles[0] - 0.5, quartiles[2] + 0.5)
    axes.stairs(heights, inner, baseline=foot, fill=True, color=COLOURS[0], alpha=0.55)
    top = heights[np.clip(np.searchsorted(edges, quartiles[1], "right") - 1, 0, len(heights) - 1)]
    axes.plot([quartiles[1]] * 2, [foot, top], color="#0b2f4a", linewidth=1.6, solid_capstyle="butt")
