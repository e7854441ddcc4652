"""The page about an analysed game: how the margin went and why, every decision, and the worst of them to try again."""

from math import nan

from cardtable.arena.results.page import render
from cardtable.arena.results.result_document import Plot, Series
from skyjo.analysis.analysed_game import AnalysedGame, conduct_lines


def render_analysis(game: AnalysedGame) -> str:
    """Return the page as HTML."""
    seats = range(len(game.conducts))
    drawn = seats[:1] if len(seats) == 2 else seats  # of two, one's course is the other's upside down
    return render(
        "analysis_page.html.jinja",
        package="skyjo.analysis",
        game=game,
        conducts=[
            conduct_lines(f"Seat {seat}", conduct, game.interface.levels) for seat, conduct in enumerate(game.conducts)
        ],
        courses=[course(game, seat) for seat in drawn],
    )


def course(game: AnalysedGame, seat: int) -> Plot:
    """Return the margin that a seat could expect before every decision, how much of it luck brought if that is
    measured, and how much decisions gave away; all of them start again with every round.
    """
    lines: tuple[list[float], ...] = [], [], [], []
    numbers, expected, luck, skill = lines
    lucky = lost = 0.0
    for judged in (decision.judged for decision in game.decisions):
        best, chosen = judged.action_values[judged.best, seat], judged.action_values[judged.action, seat]
        for line, value in zip(lines, (judged.number, best, lucky, lost), strict=True):
            line.append(float(value))
        lost += chosen - best
        lucky += 0.0 if judged.luck is None else judged.luck[seat]
        if judged.margins is not None:
            for line, value in zip(lines, (judged.number + 0.5, judged.margins[seat], lucky, lost), strict=True):
                line += [float(value), nan]
            lucky = lost = 0.0
    courses = {"expected margin of the round": expected, "given away by others, less by this seat": skill}
    if any(decision.judged.luck is not None for decision in game.decisions):
        courses["luck so far"] = luck
    series = [Series(words, line, numbers) for words, line in courses.items()]
    return Plot("lines", series, "decision", y_label=f"points, seat {seat}", line_at=0)
