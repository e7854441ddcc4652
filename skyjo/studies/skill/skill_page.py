"""The pages about skill and chance: one in HTML with its pictures inside, and a summary in Markdown."""

from collections.abc import Sequence
from dataclasses import dataclass

from markupsafe import Markup

from cardtable.pages.page import render
from cardtable.pages.svg import as_svg
from skyjo.studies.skill.skill_document import EpisodeDocument, SkillDocument, SkillRow
from skyjo.studies.skill.skill_figures import draw_figures


def render_page(document: SkillDocument) -> str:
    """The HTML page."""
    figures = {name: Markup(as_svg(figure)) for name, figure in draw_figures(document).items()}
    return render("skill_page.html.jinja", "skyjo.studies.skill", **vars(_views(document)), figures=figures)


def render_summary(document: SkillDocument) -> str:
    """The Markdown page."""
    return render("skill_page.md.jinja", "skyjo.studies.skill", **vars(_views(document)))


@dataclass(frozen=True)
class Views:
    """The document's parts as both templates name them."""

    d: SkillDocument
    rounds: EpisodeDocument
    games: EpisodeDocument
    everybody: str  # the name of the largest population
    thinking: str  # and of those who look at their cards
    best: SkillRow
    pairs: Sequence[tuple[SkillRow, SkillRow]]  # every player's skill in rounds and in games


def _views(document: SkillDocument) -> Views:
    rounds, games = document["episodes"]["round"], document["episodes"]["game"]
    (everybody, thinking), in_rounds = rounds["populations"], rounds["relative"]["players"]
    return Views(
        d=document,
        rounds=rounds,
        games=games,
        everybody=everybody,
        thinking=thinking,
        best=next(row for row in in_rounds if row["player"] == document["best"]),
        pairs=list(zip(in_rounds, games["relative"]["players"], strict=True)),
    )
