"""The report on stored games: one HTML page with its pictures inside, and the ladders alone as Markdown."""

from collections.abc import Sequence
from dataclasses import dataclass
from math import sqrt
from shlex import quote

from markupsafe import Markup
from matplotlib.figure import Figure

from cardtable.pages.page import render
from cardtable.pages.svg import as_svg
from cardtable.report.games_figures import ratings, spreads
from cardtable.report.games_summary import Summary

AHEAD, BEHIND = "27,108,168", "214,122,44"  # blue and orange: told apart by everybody


@dataclass(frozen=True)
class StorePart:
    """What the page shows of one store, as the template names it."""

    summary: Summary
    folder: str  # as a shell takes it
    ratings: Markup
    margins: Markup
    turns: Markup
    shades: dict[tuple[str, str], str]  # the colour of every pair in the cross table


def render_page(summaries: Sequence[Summary]) -> str:
    """The page about these stores, which are all rated from the same anchor."""
    parts = [_part(each) for each in summaries]
    together = _svg(ratings(summaries)) if len(summaries) > 1 else None
    agents = list(dict.fromkeys(rung.agent for each in summaries for rung in each.ladder.rungs))
    return render(
        "games_page.html.jinja", "cardtable.report", summaries=summaries, parts=parts, together=together, agents=agents
    )


def render_ladder(summaries: Sequence[Summary]) -> str:
    """The ladders of these stores as Markdown."""
    return render("ladder.md.jinja", "cardtable.report", summaries=summaries)


def _part(summary: Summary) -> StorePart:
    unit = summary.plan.setup.episode
    margins = {each.agent: each.margins for each in summary.habits}
    is_one_table = len(summary.plan.tables) == 1
    turns = {"everybody" if is_one_table else each.agent: each.turns for each in summary.habits}
    return StorePart(
        summary=summary,
        folder=quote(summary.folder),
        ratings=_svg(ratings([summary])),
        margins=_svg(spreads(margins, f"points ahead of the mean of the others, each {unit}")),
        turns=_svg(spreads(turns, f"turns of all seats together, each {unit}")),
        shades=_shades(summary),
    )


def _svg(figure: Figure) -> Markup:
    return Markup(as_svg(figure))


def _shades(summary: Summary) -> dict[tuple[str, str], str]:
    """The colour of every pair in the cross table; what may be chance has none."""
    clear = [pair for pair in summary.pairs if pair.is_clear]
    most = max((abs(pair.ahead.mean) for pair in clear), default=1.0)
    shades = {}
    for pair in clear:
        depth = 0.1 + 0.5 * sqrt(abs(pair.ahead.mean) / most)
        one, other = (AHEAD, BEHIND) if pair.ahead.mean > 0 else (BEHIND, AHEAD)
        shades[pair.agent, pair.other] = f"rgba({one},{depth:.2f})"
        shades[pair.other, pair.agent] = f"rgba({other},{depth:.2f})"
    return shades
