"""The page of benchmarks/baselines.py: docs/baselines.md and its picture, from docs/baselines.json."""

import json
from collections.abc import Callable, Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Any

import matplotlib as mpl
from baseline_libraries import LIBRARIES, LibraryRun
from baseline_methods import CURVE_DEALS, METHODS, OPPONENT, POINTS, SCRIPTED, TABLES, Run
from jinja2 import Environment, StrictUndefined
from matplotlib.figure import Figure

from cardtable.files import write_whole
from cardtable.pages.svg import STYLE, WIDTH, as_svg
from cardtable.statistics import Estimate, estimate

TEMPLATE = Path(__file__).parent / "baselines_page.md.jinja"
AS_LINES: Any = {"trim_blocks": True, "keep_trailing_newline": True}
COLOURS = ("#1b6ca8", "#c06c2b", "#4a545e", "#3c8d53", "#8a4fa3", "#b3324a")
LEARNERS = [name for name in METHODS if name != "random"]
UNMASKED = [name for name in LEARNERS if not METHODS[name].knows_the_mask]


def write_page(docs: Path, runs: Sequence[Run], libraries: Sequence[LibraryRun]) -> None:
    """Write the figures, the page and its picture."""
    figures = {"runs": [asdict(run) for run in runs], "libraries": [asdict(run) for run in libraries]}
    write_whole(docs / "baselines.json", json.dumps(figures, indent=1).encode())
    write_whole(docs / "baselines.md", page_of(runs, libraries).encode())
    write_whole(docs / "images" / "baselines.svg", as_svg(picture(runs)).encode())


def read_figures(file: Path) -> tuple[list[Run], list[LibraryRun]]:
    """What `write_page` has kept."""
    figures: dict[str, Any] = json.loads(file.read_text())
    return [Run.from_document(run) for run in figures["runs"]], [LibraryRun(**run) for run in figures["libraries"]]


def page_of(runs: Sequence[Run], libraries: Sequence[LibraryRun]) -> str:
    """The whole page."""
    seeds = len({run.seed for run in runs})
    wanted = max(run.wanted for run in runs)
    minutes = sum(run.seconds + run.measuring for run in runs) / 60
    versions = ", ".join(f"{name} {number}" for name, number in runs[0].versions.items())
    stopped = max(run.stopped for run in runs)
    template = Environment(undefined=StrictUndefined, **AS_LINES).from_string(TEMPLATE.read_text())
    return template.render(
        seeds=seeds,
        decisions=f"{wanted:,}",
        deals=runs[0].deals,
        minutes=f"{minutes:.0f}",
        versions=versions,
        tables=TABLES,
        opponent=OPPONENT,
        curve_deals=CURVE_DEALS,
        margins=_margins(runs),
        stopped=f"{100 * stopped:.2g} %" if stopped > 0 else "",
        illegal=_illegal(runs),
        libraries=_libraries(libraries),
        plain_decisions=wanted,
        random=_rounded(_over_seeds(_of(runs, "random"), lambda run: run.margins[OPPONENT])),
        library_deals=max((run.deals for run in libraries), default=0),
        library_decisions=f"{max((run.decisions for run in libraries), default=0):,}",
    )


def _rows(head: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    """A Markdown table."""
    lines = [head, ["---"] * len(head), *rows]
    return "\n".join(f"| {' | '.join(line)} |" for line in lines)


def _margins(runs: Sequence[Run]) -> str:
    head = ["method", "core-minutes", *(f"`{player}`" for player in SCRIPTED)]
    rows = []
    for name in METHODS:
        mine = _of(runs, name)
        minutes = "–" if name == "random" else f"{sum(run.seconds for run in mine) / len(mine) / 60:.2f}"
        margins = [_over_seeds(mine, lambda run, player=player: run.margins[player]) for player in SCRIPTED]  # type: ignore[misc]
        rows.append([METHODS[name].title, minutes, *map(_rounded, margins)])
    return _rows(head, rows)


def _illegal(runs: Sequence[Run]) -> str:
    parts = range(1, POINTS + 1)
    head = ["of the run", *(f"{100 * part // POINTS} %" for part in parts)]
    rows = []
    for name in UNMASKED:
        mine = _of(runs, name)
        shares = [_over_seeds(mine, lambda run, part=part: 100 * run.curve[part].illegal).mean for part in parts]  # type: ignore[misc]
        rows.append(
            [METHODS[name].title, *(f"{share:.0f} %" if share >= 9.95 else f"{share:.1f} %" for share in shares)]
        )
    return _rows(head, rows)


def _libraries(libraries: Sequence[LibraryRun]) -> str:
    head = ["library", "program", "margin", "core-minutes", "version"]
    rows = []
    for run in libraries:
        library = LIBRARIES[run.library]
        margin = _rounded(Estimate(run.margin, run.half))
        minutes = f"{run.seconds / 60:.2f}" if library.is_one_process else "–"
        rows.append([library.title, f"`{run.command}`", margin, minutes, run.version])
    return _rows(head, rows)


def _of(runs: Sequence[Run], name: str) -> list[Run]:
    return [run for run in runs if run.method == name]


def _over_seeds(runs: Sequence[Run], number: Callable[[Run], float]) -> Estimate:
    return estimate([number(run) for run in runs])


def _rounded(found: Estimate) -> str:
    return f"{found.mean:+.1f} ± {found.half:.1f}".replace("-", "−")


def picture(runs: Sequence[Run]) -> Figure:
    """The learning curves: the mean over the seeds, and the lowest and highest of them."""
    with mpl.rc_context(STYLE):
        figure = Figure(figsize=(WIDTH, 3.8), layout="constrained")
        axes = figure.subplots()
        for colour, name in zip(COLOURS, LEARNERS, strict=True):
            mine = _of(runs, name)
            where = [point.decisions / 1000 for point in mine[0].curve]
            curves = list(zip(*([point.margin for point in run.curve] for run in mine), strict=True))
            axes.fill_between(where, [*map(min, curves)], [*map(max, curves)], color=colour, alpha=0.15, linewidth=0)
            means = [sum(margins) / len(margins) for margins in curves]
            axes.plot(where, means, color=colour, label=METHODS[name].title, linewidth=1.5)
        axes.axhline(0, color="#4a545e", linewidth=1, linestyle=":")
        axes.set_xlabel("thousand decisions")
        axes.set_ylabel(f"points a round against {OPPONENT}")
        figure.legend(loc="outside lower center", ncols=2, fontsize=8, frameon=False)
    return figure
