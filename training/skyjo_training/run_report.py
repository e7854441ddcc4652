"""The report of a training run: how it learned and where it ended, as a document and as its page."""

from dataclasses import asdict
from math import isfinite
from pathlib import Path
from typing import Any

from cardtable.arena.results.page import page_of
from cardtable.arena.results.result_document import Column, Document, Plot, Section, Series, Table
from cardtable.table.files import write_whole
from cardtable.table.game.card_game import find_game
from skyjo_training.measurements import Measured, margins_over_seeds, read_measurements
from skyjo_training.training_run import about_of, config_of, folders_of

PAGE = "report.html"
MILLION = 1e6
LOGGED_WORDS = {
    "entropy": "entropy of its actions",
    "value_loss": "mean square error of its values",
    "explained_variance": "share of results its values explain",
    "round_length": "decisions a round",
    "stopped": "share of rounds stopped after too many turns",
}


def write_report(folder: Path) -> Path:
    """Write the page into the folder of the run, or of several with the same config, and return its path."""
    write_whole(folder / PAGE, page_of(report_of(folder)).encode())
    return folder / PAGE


def report_of(folder: Path) -> Document:
    """Return the course and the end of a run, or of several with the same config and different seeds."""
    folders = folders_of(folder)
    config, about = config_of(folders[0]), about_of(folders[0])
    runs = {folder.name: read_measurements(folder) for folder in folders}
    baselines = list(next(iter(runs.values()))[-1].margins)
    pool = (
        f", or opponents from a pool at {100 * config.opponent_fraction:.0f} % of the tables"
        if config.opponent_fraction > 0
        else ""
    )
    lead = (
        f"A policy that learned {find_game(config.game).title} by playing against itself{pool}. Below is how far it is "
        "ahead of scripted agents, in points a round, when it always plays the action that it rates highest."
    )
    several = len(runs) > 1
    ends = "in the last line over training seeds" if several else "and says nothing about other seeds; `--seeds 5` does"
    curves = [_plot(runs, "margins", name, f"points ahead of {name}", line_at=0) for name in baselines]
    logged = [_plot(runs, "logged", name, words) for name, words in LOGGED_WORDS.items() if _tells(runs, name)]
    sections = [
        Section("Where it ended", [_last(runs, baselines), f"± is half a 95 % interval over deals, {ends}."]),
        Section("How it learned", [*curves, *logged, "Measurements along the way use fewer deals than the last one."]),
        Section("How it was made", [_made({**asdict(config), "rules": config.rules or "official", **about})]),
    ]
    title = f"Training run {folder.resolve().name}"
    return Document(title, lead, [], sections, command=about.get("command", ""))


X = "million decisions"


def _tells(runs: dict[str, list[Measured]], name: str) -> bool:
    """Return whether a number was logged, and was ever other than 0."""
    values = [point.logged[name] for measured in runs.values() for point in measured]
    return any(isfinite(value) and value != 0 for value in values)


def _plot(runs: dict[str, list[Measured]], kind: str, name: str, words: str, line_at: float | None = None) -> Plot:
    """Return how a margin or a logged number went, a line for every run."""
    series = []
    for run, measured in runs.items():
        cells = [getattr(point, kind)[name] for point in measured]
        series.append(Series.of(run, cells, [point.decisions / MILLION for point in measured]))
    return Plot("lines", series, X, y_label=words, line_at=line_at)


def _last(runs: dict[str, list[Measured]], baselines: list[str]) -> Table:
    rows: list[dict[str, Any]] = []
    for run, measured in runs.items():
        last = measured[-1]
        rows.append({"run": run, "decisions": last.decisions / MILLION, "minutes": last.seconds / 60, **last.margins})
    over = margins_over_seeds([measured[-1] for measured in runs.values()])
    if over:
        rows.append({"run": "over seeds", "decisions": None, "minutes": None, **over})
    columns = [
        Column("run", "run", "name"),
        Column("decisions", X, "number"),
        Column("minutes", "minutes", "number", 1),
    ]
    return Table([*columns, *(Column(name, f"against {name}", "points") for name in baselines)], rows)


def _made(facts: dict[str, Any]) -> Table:
    """Return the config and the versions."""
    rows = [
        {"name": name, "value": ", ".join(map(str, value)) if isinstance(value, tuple | list) else value}
        for name, value in facts.items()
        if name != "command"
    ]
    return Table([Column("name", ""), Column("value", "")], rows)
