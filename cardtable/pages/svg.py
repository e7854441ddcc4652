"""The style of the pages' charts, and charts as SVG text."""

from collections.abc import Sequence
from io import StringIO
from typing import Any

import matplotlib as mpl
from matplotlib.axes import Axes
from matplotlib.figure import Figure

WIDTH = 5.4  # inches: small enough to be read on a telephone
STYLE: Any = {
    "font.family": "sans-serif",
    "font.size": 10,
    "axes.spines.top": False,
    "axes.spines.right": False,
    "axes.grid": True,
    "grid.color": "#e3e3e3",
    "axes.axisbelow": True,
    "svg.fonttype": "none",
    "svg.hashsalt": "cardtable",  # the same picture is the same text
}


def as_svg(figure: Figure) -> str:
    """The figure as an SVG element, to stand in a page or a file of its own."""
    text = StringIO()
    with mpl.rc_context(STYLE):
        figure.savefig(text, format="svg", metadata={"Date": None, "Creator": None})
    svg = text.getvalue()
    return svg[svg.index("<svg") :]


def shortened(name: str, longest: int) -> str:
    """A name of at most this many letters; long names often differ at their ends."""
    return name if len(name) <= longest else f"{name[: longest // 2]}…{name[1 - longest // 2 :]}"


def named_rows(
    names: Sequence[str], row: float, frame: float, top: float, longest: int, **look: Any
) -> tuple[Figure, Axes]:
    """An empty picture with a row of this height for every name, which stands so far below the row's top; in inches.

    `look` is that of the names, of which at most `longest` letters are shown.
    """
    figure = Figure(figsize=(WIDTH, frame + len(names) * row), layout="constrained")
    axes = figure.subplots()
    axes.set_ylim(len(names), 0)
    axes.set_yticks([])
    axes.spines["left"].set_visible(False)
    across: Any = axes.get_yaxis_transform()
    for number, name in enumerate(names):
        axes.axhline(number, color="#e3e3e3", linewidth=0.8)
        text = shortened(name, longest)
        axes.text(0, number + top / row, text, transform=across, va="center", fontsize=9, **look)
    return figure, axes
