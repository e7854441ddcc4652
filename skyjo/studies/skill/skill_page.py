"""What is said about skill and chance: one HTML page with its pictures inside, and a summary in Markdown."""

from typing import Any

from markupsafe import Markup

from cardtable.report.page import render
from cardtable.report.svg import as_svg
from skyjo.studies.skill.skill_figures import draw_figures


def render_page(document: dict[str, Any]) -> str:
    """The HTML page."""
    figures = {name: Markup(as_svg(figure)) for name, figure in draw_figures(document).items()}
    return render("skill_page.html.jinja", "skyjo.studies.skill", **_views(document), figures=figures)


def render_summary(document: dict[str, Any]) -> str:
    """The Markdown page."""
    return render("skill_page.md.jinja", "skyjo.studies.skill", **_views(document))


def _views(document: dict[str, Any]) -> dict[str, Any]:
    """The document's parts as the templates name them."""
    rounds, games = document["episodes"]["round"], document["episodes"]["game"]
    (everybody, thinking), first = rounds["populations"], rounds["relative"]["players"]
    best = next(row for row in first if row["player"] == document["best"])
    return {
        "d": document,
        "rounds": rounds,
        "games": games,
        "everybody": everybody,
        "thinking": thinking,
        "best": best,
        "pairs": list(zip(first, games["relative"]["players"], strict=True)),
    }
