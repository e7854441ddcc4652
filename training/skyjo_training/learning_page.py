"""A page about a training run: how the margins grew, what was learned at what speed, and how to do it again."""

from dataclasses import asdict
from pathlib import Path
from typing import Any

import matplotlib as mpl
from markupsafe import Markup
from matplotlib.figure import Figure

from cardtable.files import write_whole
from cardtable.report.page import render
from cardtable.report.svg import STYLE, as_svg
from cardtable.statistics import Estimate, estimate
from skyjo_training.training_run import Row, about_of, config_of, folders_of, rows_of

PAGE = "report.html"
COLOURS = ("#1b6ca8", "#c06c2b", "#3a8a4d", "#8a4d9e", "#9e4d4d")
WIDTH, HEIGHT = 5.4, 3.4
LOSSES = {
    "entropy_loss": "entropy of its actions, with a minus",
    "value_loss": "mean square error of its values",
    "explained_variance": "share of results its values explain",
}


def write_report(folder: Path) -> Path:
    """Write the page into the folder of the run; its path."""
    rows = {each.name: rows_of(each) for each in folders_of(folder)}
    names = [name.removeprefix("margin ") for name in next(iter(rows.values()))[0] if name.startswith("margin ")]
    first = folders_of(folder)[0]
    page = render(
        "learning_page.html.jinja",
        package="skyjo_training",
        name=folder.resolve().name,
        about={"command": ""} | about_of(first),
        config=asdict(config_of(first)),
        seeds=list(rows),
        last={run: measured[-1] for run, measured in rows.items()},
        names=names,
        together={name: together([measured[-1][f"margin {name}"] for measured in rows.values()]) for name in names},
        curves=[_picture(curves(rows, name)) for name in names],
        losses=[_picture(losses(rows, name, words)) for name, words in LOSSES.items()],
    )
    write_whole(folder / PAGE, page.encode())
    return folder / PAGE


def together(margins: list[float]) -> Estimate | None:
    """The mean over training seeds with its t interval, if there are several."""
    return estimate(margins) if len(margins) > 1 else None


def curves(rows: dict[str, list[Row]], name: str) -> Figure:
    """How the margin against a baseline grew, a line for every seed."""
    figure, axes = _drawn()
    for number, (run, measured) in enumerate(rows.items()):
        decisions = [row["decisions"] / 1e6 for row in measured]
        means, halves = ([row[f"{what} {name}"] for row in measured] for what in ("margin", "half"))
        colour = COLOURS[number % len(COLOURS)]
        low, high = ([mean + sign * half for mean, half in zip(means, halves, strict=True)] for sign in (-1, 1))
        axes.fill_between(decisions, low, high, color=colour, alpha=0.15, linewidth=0)
        axes.plot(decisions, means, color=colour, marker="o", markersize=3, label=run)
    axes.axhline(0, color="#4a545e", linewidth=1)
    axes.set_xlabel("million decisions")
    axes.set_ylabel(f"points a round ahead of\n{name}")
    if len(rows) > 1:
        figure.legend(loc="outside lower center", ncols=3, frameon=False, fontsize=8.5)
    return figure


def losses(rows: dict[str, list[Row]], name: str, words: str) -> Figure:
    """What stable-baselines3 notes of the updates."""
    figure, axes = _drawn()
    for number, measured in enumerate(rows.values()):
        axes.plot(
            [row["decisions"] / 1e6 for row in measured],
            [row[name] for row in measured],
            color=COLOURS[number % len(COLOURS)],
        )
    axes.set_xlabel("million decisions")
    axes.set_ylabel(words)
    return figure


def _drawn() -> tuple[Figure, Any]:
    with mpl.rc_context(STYLE):
        figure = Figure(figsize=(WIDTH, HEIGHT), layout="constrained")
        return figure, figure.subplots()


def _picture(figure: Figure) -> Markup:
    return Markup(as_svg(figure))
