"""The pages about skill and chance: one in HTML with its pictures inside, and a summary in Markdown."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from markupsafe import Markup

from cardtable.card_game import find_game
from cardtable.pages.page import render
from cardtable.pages.svg import as_svg
from studies.skill.skill_document import EpisodeDocument, SkillDocument, SkillRow
from studies.skill.skill_figures import draw_figures
from studies.skill.skill_players import PLAYERS

NUMBERS = ["none", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve"]


def render_page(document: SkillDocument) -> str:
    """The HTML page."""
    figures = {name: Markup(as_svg(figure)) for name, figure in draw_figures(document).items()}
    return _rendered("skill.html.jinja", document, figures=figures)


def render_summary(document: SkillDocument) -> str:
    """The Markdown page."""
    return _rendered("skill.md.jinja", document)


def _rendered(template: str, document: SkillDocument, **more: Any) -> str:
    """The page of the document's game."""
    game = find_game(document["game"])
    thinkers = PLAYERS[game.name].thinkers
    return render(
        f"{game.name}_{template}", "studies.skill", game=game, thinkers=thinkers, **vars(_views(document)), **more
    )


@dataclass(frozen=True)
class Views:
    """The document's parts as both templates name them."""

    d: SkillDocument
    rounds: EpisodeDocument
    games: EpisodeDocument
    everybody: str  # the name of the largest population
    thinking: str  # and of those who look at their cards
    count: Sequence[str]  # how many these are, in words
    blind: Sequence[str]  # who does not look at them
    best: SkillRow
    pairs: Sequence[tuple[SkillRow, SkillRow]]  # every player's skill in rounds and in games


def _views(document: SkillDocument) -> Views:
    rounds, games = document["episodes"]["round"], document["episodes"]["game"]
    all_players, thinkers = ([row["player"] for row in each["ratings"]] for each in rounds["populations"].values())
    (everybody, thinking), in_rounds = rounds["populations"], rounds["relative"]["players"]
    return Views(
        d=document,
        rounds=rounds,
        games=games,
        everybody=everybody,
        thinking=thinking,
        count=[NUMBERS[len(rounds["populations"][name]["ratings"])] for name in (everybody, thinking)],
        blind=[name for name in all_players if name not in thinkers],
        best=next(row for row in in_rounds if row["player"] == document["best"]),
        pairs=list(zip(in_rounds, games["relative"]["players"], strict=True)),
    )
