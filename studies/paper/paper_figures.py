"""The paper's figures drawn again, as SVG: the deck, and the mean score over the threshold."""

import matplotlib as mpl
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from cardtable.pages.svg import STYLE
from skyjo_env.rules import SKYJO_DECK
from studies.paper.paper_document import PaperDocument

COLOURS = {
    "program": "#1b6ca8",
    "program+columns": "#2a9d8f",
    "described": "#8e6bbf",
    "described+columns": "#c06c2b",
    "official": "#6b6b6b",
    "official+columns": "#b03a48",
}
SHORT = (-2, 4)  # the thresholds around those that the paper prints


def draw_deck(axes: Axes) -> None:
    """Figure 1: how many cards there are of every value."""
    values, counts = zip(*SKYJO_DECK, strict=True)
    bars = axes.bar(values, counts, color="#1b6ca8", width=0.8)
    axes.bar_label(bars, padding=2)
    axes.set_xticks(values)
    axes.set_xlabel("value")
    axes.set_ylabel("cards")
    axes.grid(visible=False, axis="x")


def draw_means(axes: Axes, document: PaperDocument, sources: list[str], least: int, greatest: int) -> None:
    """Figure 5: the mean score at every threshold, with 95 % intervals, and what the paper prints."""
    for source in sources:
        points = [each for each in document["points"] if each["source"] == source]
        points = [each for each in points if least <= each["threshold"] <= greatest]
        axes.errorbar(
            [each["threshold"] for each in points],
            [each["mean"] for each in points],
            yerr=[each["half"] for each in points],
            marker="o",
            markersize=3.5,
            linewidth=1.4,
            capsize=2,
            color=COLOURS[source],
            label=document["sources"][source],
        )
    printed = document["printed"]
    axes.plot(
        [row["threshold"] for row in printed],
        [row["mean"] for row in printed],
        "D",
        color="black",
        markersize=6,
        label="printed in the paper",
        zorder=5,
    )
    axes.set_xlabel("threshold t: discards of at most t are taken")
    axes.set_ylabel("mean score")


def explain(figure: Figure) -> Figure:
    """Add a legend below the picture."""
    figure.legend(loc="outside lower center", ncols=2, frameon=False, fontsize=9)
    return figure


def drawn(width: float, height: float) -> tuple[Figure, Axes]:
    """An empty picture."""
    figure = Figure(figsize=(width, height), layout="constrained")
    return figure, figure.subplots()


def figure_1() -> Figure:
    """The deck."""
    figure, axes = drawn(7, 2.8)
    draw_deck(axes)
    return figure


def figure_5(document: PaperDocument) -> Figure:
    """The mean score near the printed thresholds, by the paper's rules."""
    figure, axes = drawn(7.5, 4.6)
    played = {each["source"] for each in document["points"]}
    draw_means(axes, document, [each for each in COLOURS if each in played and "official" not in each], *SHORT)
    return explain(figure)


def figure_5_whole(document: PaperDocument) -> Figure:
    """The mean score at all thresholds and by both rules."""
    figure, axes = drawn(7.5, 4.6)
    played = {each["source"] for each in document["points"]}
    draw_means(axes, document, [each for each in COLOURS if each in played], -2, 12)
    return explain(figure)


def draw_figures(document: PaperDocument) -> dict[str, Figure]:
    """All figures that the document has numbers for."""
    with mpl.rc_context(STYLE):
        figures = {"deck": figure_1()}
        if document["points"]:
            figures["means"] = figure_5(document)
        if any(each["threshold"] > SHORT[1] for each in document["points"]):
            figures["all_means"] = figure_5_whole(document)
    return figures
