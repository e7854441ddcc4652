"""The page of a comparison: a forest of margins, what was won, all numbers, the exploiter, and how it was done."""

from typing import Any

import matplotlib as mpl
from markupsafe import Markup
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from cardtable.report.page import render
from cardtable.report.svg import STYLE, as_svg, named_rows

ROW, FRAME = 0.5, 1.1  # inches; the names stand above the rows
NAME, DOT = 0.26, 0.68  # from a row's top, as shares of its height
LONGEST = 44  # letters of a name
COLOURS = {"ahead": "#1b6ca8", "behind": "#c06c2b", "open": "#7b858e"}
GREY, SEED = "#4a545e", "#9aa4ad"
# A margin that is so many times the next one, and more than so many points, is out of the picture.
FAR, NEAR = 3.0, 25.0


def render_page(document: dict[str, Any]) -> str:
    """The HTML page."""
    pictures = {"margins": margins(document), "won": won(document)}
    return render(
        "comparison_page.html.jinja",
        package="skyjo_training",
        d=document,
        several=len(document["policies"]) > 1,
        pictures={name: Markup(as_svg(figure)) for name, figure in pictures.items()},
    )


def margins(document: dict[str, Any]) -> Figure:
    """Margins with their intervals: over deals as a thick line, over training seeds as a thin one with ends."""
    with mpl.rc_context(STYLE):
        rows = _rows(document)
        figure, axes = _drawn([row["opponent"] for row in rows])
        limit = _limit(rows)
        for number, row in enumerate(rows):
            _margin(axes, row, number + DOT, limit)
        axes.axvline(0, color=GREY, linewidth=1.2)
        low = max(-limit, min(0.0, *map(_low, rows)))
        axes.set_xlim(low - 0.04 * limit, 1.04 * limit)
        axes.set_xlabel("points a round ahead of the opponent")
        _explain(figure, len(document["policies"]) > 1)
    return figure


def _rows(document: dict[str, Any]) -> list[dict[str, Any]]:
    """The comparisons, and below them what is left to the policies by the exploiters."""
    rows = [row | {"colour": COLOURS[_verdict(row)]} for row in document["against"]]
    found = document["exploiter"]
    if found is not None:
        rows.append({"opponent": "its exploiter", "colour": "#8e4585", **turned(found)})
    return rows


def turned(found: dict[str, Any]) -> dict[str, Any]:
    """The margins of exploiters as those of the policies against them."""
    over = found["over_seeds"]
    margin = {"margin": _turned(over["margin"])} if over is not None else None
    each = [{**one, "margin": _turned(one["margin"])} for one in found["each"]]
    return {"each": each, "together": {"margin": _turned(found["together"]["margin"])}, "over_seeds": margin}


def _turned(margin: dict[str, float]) -> dict[str, float]:
    return {**margin, "mean": -margin["mean"]}


def _verdict(row: dict[str, Any]) -> str:
    verdict: str = row["verdict"]["is"]
    return verdict


def _low(row: dict[str, Any]) -> float:
    """The lower end of the widest interval in a row."""
    over = row["over_seeds"]
    found = [row["together"]["margin"], *([] if over is None else [over["margin"]])]
    return float(min(each["mean"] - each["half"] for each in found))


def _limit(rows: list[dict[str, Any]]) -> float:
    """How far the picture goes: not to the margin over a hopeless opponent, beside which all others would be alike."""
    sizes = sorted(abs(float(row["together"]["margin"]["mean"])) for row in rows)
    near = max(size for k, size in enumerate(sizes) if k == 0 or size <= max(FAR * sizes[k - 1], NEAR))
    halves = sorted(float(row["together"]["margin"]["half"]) for row in rows)
    return max(1.0, 1.1 * near + halves[len(halves) // 2])


def _margin(axes: Axes, row: dict[str, Any], place: float, limit: float) -> None:
    found, colour = row["together"]["margin"], row["colour"]
    across: Any = axes.get_yaxis_transform()
    words = f"{found['mean']:+.2f} ± {found['half']:.2f}".replace("-", "−")
    at = place - (DOT - NAME)
    if abs(found["mean"]) > limit:  # out of the picture
        words = f"{words} →" if found["mean"] > 0 else f"← {words}"
    axes.text(1, at, words, transform=across, va="center", ha="right", fontsize=9, color=colour)
    if abs(found["mean"]) > limit:
        return
    if row["over_seeds"] is not None:
        over = row["over_seeds"]["margin"]
        axes.errorbar(over["mean"], place, xerr=over["half"], color=SEED, linewidth=1, capsize=3, fmt="none")
        means = [each["margin"]["mean"] for each in row["each"]]
        axes.plot(means, [place + 0.13] * len(means), "o", color=SEED, markersize=3)
    axes.plot(
        [found["mean"] - found["half"], found["mean"] + found["half"]],
        [place, place],
        color=colour,
        linewidth=3.5,
        solid_capstyle="butt",
    )
    axes.plot(found["mean"], place, "o", color=colour, markersize=5.5)


def won(document: dict[str, Any]) -> Figure:
    """The shares of rounds and of games that were won."""
    with mpl.rc_context(STYLE):
        rows = document["against"]
        figure, axes = _drawn([row["opponent"] for row in rows])
        even = 100 / document["players"]
        axes.axvline(even, color=GREY, linewidth=1.2)
        for kind, colour, marker, shift in (("rounds", "#1b6ca8", "o", -0.08), ("games", "#c06c2b", "s", 0.12)):
            for number, row in enumerate(rows):
                found, label = row["together"][kind], kind if number == 0 else None
                if found is None:
                    continue
                value, low, high = (100 * found[part] for part in ("value", "low", "high"))
                place, errors = number + DOT + shift, [[max(value - low, 0)], [max(high - value, 0)]]
                look: Any = {"fmt": marker, "markersize": 4.5, "capsize": 2, "linewidth": 1.2}
                axes.errorbar([value], [place], xerr=errors, color=colour, label=label, **look)
        axes.set_xlim(0, 101)
        axes.set_xlabel(f"won, %; {even:.0f} % is even")
        figure.legend(loc="outside lower center", ncols=2, frameon=False, fontsize=8.5)
    return figure


def _drawn(names: list[str]) -> tuple[Figure, Axes]:
    """An empty picture with a row for every name, which no line of the grid crosses."""
    box = {"facecolor": "white", "edgecolor": "none", "pad": 1}
    return named_rows(names, ROW, FRAME, NAME * ROW, LONGEST, bbox=box)


def _explain(figure: Figure, several: bool) -> None:
    """Say below the picture what is what."""
    from matplotlib.lines import Line2D

    marks = [Line2D([], [], color=COLOURS["ahead"], marker="o", linewidth=3.5, label="mean, interval over deals")]
    if several:
        marks.append(Line2D([], [], color=SEED, marker="|", linewidth=1, label="interval over training seeds"))
        marks.append(Line2D([], [], color=SEED, marker="o", markersize=3, linewidth=0, label="a training seed"))
    figure.legend(handles=marks, loc="outside lower center", ncols=2, frameon=False, fontsize=8.5)
