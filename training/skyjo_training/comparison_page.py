"""The page of a comparison: a forest plot of margins, what was won, all numbers, what can be won from it, and how it
was done.
"""

from dataclasses import dataclass
from typing import Any, Literal

import matplotlib as mpl
from markupsafe import Markup
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from cardtable.card_game import find_game
from cardtable.pages.page import render
from cardtable.pages.svg import STYLE, as_svg, named_rows
from cardtable.statistics import EstimateDocument
from skyjo_training.comparison_document import ComparisonDocument, Measurement, most_taken

ROW, FRAME = 0.5, 1.1  # inches; the names stand above the rows
NAME, DOT = 0.26, 0.68  # from a row's top, as shares of its height
LONGEST = 44  # letters of a name
COLOURS = {"ahead": "#1b6ca8", "behind": "#c06c2b", "open": "#7b858e"}
TAKER = "#8e4585"  # look, and the exploiter
GREY, SEED = "#4a545e", "#9aa4ad"
# A margin this many times the next one, and of more than this many points, is out of the picture.
FAR, NEAR = 3.0, 25.0


@dataclass(frozen=True)
class Line:
    """A line of the forest: the margins of the policies against one opponent."""

    opponent: str
    colour: str
    together: EstimateDocument
    over_seeds: EstimateDocument | None
    each: list[float]  # the policies' means


def render_page(document: ComparisonDocument) -> str:
    """The HTML page."""
    pictures = {"margins": margins(document), "won": won(document)}
    return render(
        "comparison_page.html.jinja",
        package="skyjo_training",
        d=document,
        game=find_game(document["game"]),
        several=len(document["policies"]) > 1,
        most=most_taken(document),
        pictures={name: Markup(as_svg(figure)) for name, figure in pictures.items()},
    )


def margins(document: ComparisonDocument) -> Figure:
    """Margins with their intervals: over deals as a thick line, over training seeds as a thin one with ends."""
    with mpl.rc_context(STYLE):
        lines = _lines(document)
        figure, axes = _drawn([line.opponent for line in lines])
        limit = _limit(lines)
        for number, line in enumerate(lines):
            _draw(axes, line, number + DOT, limit)
        axes.axvline(0, color=GREY, linewidth=1.2)
        low = max(-limit, min(0.0, *map(_low, lines)))
        axes.set_xlim(low - 0.04 * limit, 1.04 * limit)
        axes.set_xlabel("points a round ahead of the opponent")
        _explain(figure, len(document["policies"]) > 1)
    return figure


def _lines(document: ComparisonDocument) -> list[Line]:
    """A line for every opponent, and below them what `look` and the exploiters leave to the policies."""
    lines = [_line(row["opponent"], COLOURS[row["verdict"]["is"]], row, 1) for row in document["against"]]
    for name, found in (("look", document["look"]), ("its exploiter", document["exploiter"])):
        if found is not None:
            lines.append(_line(name, TAKER, found, -1))
    return lines


def _line(opponent: str, colour: str, found: Measurement, sign: int) -> Line:
    """The sign is -1 if the margins are the opponent's."""
    over, means = found["over_seeds"], [sign * each["margin"]["mean"] for each in found["each"]]
    spread = None if over is None else _signed(over["margin"], sign)
    return Line(opponent, colour, _signed(found["together"]["margin"], sign), spread, means)


def _signed(margin: EstimateDocument, sign: int) -> EstimateDocument:
    return {"mean": sign * margin["mean"], "half": margin["half"]}


def _low(line: Line) -> float:
    """The lower end of the wider interval in a line."""
    found = [line.together, *([] if line.over_seeds is None else [line.over_seeds])]
    return min(each["mean"] - each["half"] for each in found)


def _limit(lines: list[Line]) -> float:
    """How far the picture goes: not to the margin over a hopeless opponent, beside which all others look alike."""
    sizes = sorted(abs(line.together["mean"]) for line in lines)
    near = max(size for k, size in enumerate(sizes) if k == 0 or size <= max(FAR * sizes[k - 1], NEAR))
    halves = sorted(line.together["half"] for line in lines)
    return max(1.0, 1.1 * near + halves[len(halves) // 2])


def _draw(axes: Axes, line: Line, place: float, limit: float) -> None:
    found, colour = line.together, line.colour
    across: Any = axes.get_yaxis_transform()
    words = f"{found['mean']:+.2f} ± {found['half']:.2f}".replace("-", "−")
    at = place - (DOT - NAME)
    if abs(found["mean"]) > limit:  # out of the picture
        words = f"{words} →" if found["mean"] > 0 else f"← {words}"
    axes.text(1, at, words, transform=across, va="center", ha="right", fontsize=9, color=colour)
    if abs(found["mean"]) > limit:
        return
    if line.over_seeds is not None:
        over = line.over_seeds
        axes.errorbar(over["mean"], place, xerr=over["half"], color=SEED, linewidth=1, capsize=3, fmt="none")
        axes.plot(line.each, [place + 0.13] * len(line.each), "o", color=SEED, markersize=3)
    axes.plot(
        [found["mean"] - found["half"], found["mean"] + found["half"]],
        [place, place],
        color=colour,
        linewidth=3.5,
        solid_capstyle="butt",
    )
    axes.plot(found["mean"], place, "o", color=colour, markersize=5.5)


def won(document: ComparisonDocument) -> Figure:
    """The shares of rounds and of games that were won."""
    with mpl.rc_context(STYLE):
        rows = document["against"]
        figure, axes = _drawn([row["opponent"] for row in rows])
        even = 100 / document["players"]
        axes.axvline(even, color=GREY, linewidth=1.2)
        kinds: tuple[tuple[Literal["rounds", "games"], str, str, float], ...] = (
            ("rounds", "#1b6ca8", "o", -0.08),
            ("games", "#c06c2b", "s", 0.12),
        )
        for kind, colour, marker, shift in kinds:
            for number, row in enumerate(rows):
                found, label = row["together"][kind], kind if number == 0 else None
                if found is None:
                    continue
                value, low, high = 100 * found["value"], 100 * found["low"], 100 * found["high"]
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
