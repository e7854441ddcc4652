"""The page about a training run: how the margins and losses went, and the command that repeats it."""

from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

import matplotlib as mpl
from markupsafe import Markup
from matplotlib.figure import Figure

from cardtable.card_game import find_game
from cardtable.files import write_whole
from cardtable.pages.page import render
from cardtable.pages.svg import STYLE, as_svg
from cardtable.statistics import Estimate
from skyjo_training.measurements import Measured, over_seeds, read_measurements
from skyjo_training.training_run import about_of, config_of, folders_of

PAGE = "report.html"
COLOURS = ("#1b6ca8", "#c06c2b", "#3a8a4d", "#8a4d9e", "#9e4d4d")
WIDTH, HEIGHT = 5.4, 3.4
LOSSES = {
    "entropy_loss": "negative entropy of its actions",
    "value_loss": "mean square error of its values",
    "explained_variance": "share of results its values explain",
}


@dataclass(frozen=True)
class LearningPage:
    """What the page shows of a run, or of several with the same config and different seeds."""

    name: str
    title: str  # of the game
    about: dict[str, str]  # the command and the versions
    config: dict[str, Any]
    baselines: list[str]
    last: dict[str, Measured]  # by run
    over_seeds: dict[str, Estimate | None]  # by baseline
    curves: list[Markup]
    losses: list[Markup]


def write_report(folder: Path) -> Path:
    """Write the page into the folder of the run; returns its path."""
    folders = folders_of(folder)
    config = config_of(folders[0])
    measured = {each.name: read_measurements(each) for each in folders}
    last = {run: each[-1] for run, each in measured.items()}
    baselines = list(next(iter(last.values())).margins)
    page = LearningPage(
        name=folder.resolve().name,
        title=find_game(config.game).title,
        about={"command": ""} | about_of(folders[0]),
        config=asdict(config),
        baselines=baselines,
        last=last,
        over_seeds={name: over_seeds([each.margins[name].mean for each in last.values()]) for name in baselines},
        curves=[_picture(curves(measured, name)) for name in baselines],
        losses=[_picture(losses(measured, name, words)) for name, words in LOSSES.items()],
    )
    written = render("learning_page.html.jinja", package="skyjo_training", page=page)
    write_whole(folder / PAGE, written.encode())
    return folder / PAGE


def curves(runs: dict[str, list[Measured]], baseline: str) -> Figure:
    """How the margin against a baseline grew, a line for every run."""
    figure, axes = _drawn()
    for number, (run, measured) in enumerate(runs.items()):
        decisions = [each.decisions / 1e6 for each in measured]
        margins = [each.margins[baseline] for each in measured]
        means = [margin.mean for margin in margins]
        low, high = ([margin.mean + sign * margin.half for margin in margins] for sign in (-1, 1))
        colour = COLOURS[number % len(COLOURS)]
        axes.fill_between(decisions, low, high, color=colour, alpha=0.15, linewidth=0)
        axes.plot(decisions, means, color=colour, marker="o", markersize=3, label=run)
    axes.axhline(0, color="#4a545e", linewidth=1)
    axes.set_xlabel("million decisions")
    axes.set_ylabel(f"points a round ahead of\n{baseline}")
    if len(runs) > 1:
        figure.legend(loc="outside lower center", ncols=3, frameon=False, fontsize=8.5)
    return figure


def losses(runs: dict[str, list[Measured]], name: str, words: str) -> Figure:
    """What stable-baselines3 notes of the updates, a line for every run."""
    figure, axes = _drawn()
    for number, measured in enumerate(runs.values()):
        axes.plot(
            [each.decisions / 1e6 for each in measured],
            [each.losses[name] for each in measured],
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
