"""How the arena's pictures look, and pictures as SVG text."""

from io import StringIO
from typing import Any

import matplotlib as mpl
from matplotlib.figure import Figure

STYLE: Any = {
    "font.family": "sans-serif",
    "font.size": 10,
    "axes.spines.top": False,
    "axes.spines.right": False,
    "axes.grid": True,
    "grid.color": "#e3e3e3",
    "axes.axisbelow": True,
    "svg.fonttype": "none",
    "svg.hashsalt": "skyjo",  # the same picture is the same text
}


def as_svg(figure: Figure) -> str:
    """The figure as an SVG element, to stand in a page or a file of its own."""
    text = StringIO()
    with mpl.rc_context(STYLE):
        figure.savefig(text, format="svg", metadata={"Date": None, "Creator": None})
    svg = text.getvalue()
    return svg[svg.index("<svg") :]


def shortened(name: str, longest: int) -> str:
    """A name of at most so many letters; long names often differ at their ends."""
    return name if len(name) <= longest else f"{name[: longest // 2]}…{name[1 - longest // 2 :]}"
