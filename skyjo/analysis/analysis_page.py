"""The page about an analysed game: how the margin went and why, every decision, and the worst of them to try again."""

import matplotlib as mpl
import numpy as np
from markupsafe import Markup
from matplotlib.figure import Figure

from cardtable.pages.page import render
from cardtable.pages.svg import COLOURS, INK, STYLE, WIDTH, as_svg
from skyjo.analysis.analysed_game import AnalysedGame, conduct_lines

HEIGHT = 3.2  # inches
EXPECTED, LUCK, SKILL = INK, COLOURS["behind"], COLOURS["ahead"]


def render_analysis(game: AnalysedGame) -> str:
    """The page as HTML."""
    seats = range(len(game.conducts))
    drawn = seats[:1] if len(seats) == 2 else seats  # of two, one's course is the other's upside down
    return render(
        "analysis_page.html.jinja",
        package="skyjo.analysis",
        game=game,
        conducts=[
            conduct_lines(f"Seat {seat}", conduct, game.program.levels) for seat, conduct in enumerate(game.conducts)
        ],
        courses=[Markup(as_svg(course(game, seat))) for seat in drawn],
    )


def course(game: AnalysedGame, seat: int) -> Figure:
    """The margin that a seat could expect before every decision, how much of it luck brought if that is measured, and
    how much decisions gave away; all of them start again with every round.
    """
    numbers, expected, luck, skill = [], [], [], []
    lucky = given = 0.0
    has_luck = any(decision.judged.luck is not None for decision in game.decisions)
    for decision in game.decisions:
        judged = decision.judged
        best, chosen = judged.worths[judged.best, seat], judged.worths[judged.action, seat]
        numbers.append(judged.number)
        expected.append(best)
        luck.append(lucky)
        skill.append(given)
        given += chosen - best
        lucky += 0.0 if judged.luck is None else judged.luck[seat]
        if judged.margins is not None:
            for line, value in (
                (numbers, judged.number + 0.5),
                (expected, judged.margins[seat]),
                (luck, lucky),
                (skill, given),
            ):
                line += [value, np.nan]
            lucky = given = 0.0
    with mpl.rc_context(STYLE):
        figure = Figure(figsize=(WIDTH, HEIGHT), layout="constrained")
        axes = figure.subplots()
        axes.axhline(0, color=INK, linewidth=0.8)
        if has_luck:
            axes.plot(numbers, luck, color=LUCK, linewidth=1.2, label="luck so far")
        axes.plot(numbers, skill, color=SKILL, linewidth=1.2, label="given away by others, less by this seat")
        axes.plot(numbers, expected, color=EXPECTED, linewidth=1.8, label="expected margin of the round")
        axes.set_xlabel("decision")
        axes.set_ylabel(f"points, seat {seat}")
        figure.legend(loc="outside lower center", ncols=1, frameon=False, fontsize=8.5)
    return figure
