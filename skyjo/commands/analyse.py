"""The command `analyse`: the loss of every decision of a game, and the luck of its cards."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Annotated, Any

import tyro

from skyjo.interfaces import file_named, interface
from skyjo.terminal.progress import progress

if TYPE_CHECKING:
    from cardtable.arena.exam.analysis import Analyst
    from skyjo.analysis.analysed_game import AnalysedDecision, AnalysedGame


@dataclass(frozen=True)
class Analyse:
    """Judge every decision of a recorded game: the value of each choice, the loss, and the luck.

    Choices are judged by looking ahead: every card that might come is tried, and a network values the result.
    Otherwise, games are played on from guesses at the hidden cards (docs/explanation/luck_and_skill.md). For a written
    position, the choices of the seat to move are judged.
    """

    file: Annotated[str, tyro.conf.arg(metavar="FILE"), tyro.conf.Positional]
    """A record or a position, as text or JSON (docs/reference/notation.md), or the address of a shared game; - reads
    standard input.
    """

    check: bool = False
    """Check doubtful decisions by playing out rounds with guessed hidden cards; takes seconds per decision."""

    judge: Annotated[str | None, tyro.conf.arg(metavar="AGENT", help_behavior_hint="")] = None
    """The agent that judges, such as "rollout:n=400"; by default the best that knows the rules."""

    out: Annotated[str | None, tyro.conf.arg(metavar="FILE", help_behavior_hint="(default: none)")] = None
    """Write a page with a graph of the game, every decision, and the worst ones to try again."""

    moves: bool = False
    """Print every decision, not only the worst."""

    json: bool = False
    """Print everything as JSON."""

    def run(self) -> None:
        """Read, judge and print."""
        import json

        from skyjo.analysis.analysed_game import analyse
        from skyjo.analysis.judge import analyst_for
        from skyjo.commands.shared import written_game
        from skyjo.terminal.text_files import target, write_text

        page = None if self.out is None else target(self.out, file_named("analysis")())
        if page is not None:  # whatever is missing for it is named before anything is judged
            from skyjo.analysis.analysis_page import render_analysis
        game = written_game(self.file)
        record, (judge, analyst) = game.record(), analyst_for(interface(), game.rules, self.judge or "")
        if not record["actions"]:
            self._judge_position(game, analyst)
            return
        with progress("judging", len(record["actions"])) as report:
            analysed = analyse(interface(), record, analyst, judge, self.check, report)
        if page is not None:
            write_text(page, render_analysis(analysed))
        if self.json:
            print(json.dumps(analysed.to_document(), indent=1))
        else:
            self._print_decisions(analysed)
            if page is not None:
                print(f"Written: {page}")

    def _judge_position(self, game: Any, analyst: Analyst) -> None:
        """Print the value of every action."""
        import json

        from cardtable.table.errors import TableError
        from skyjo.analysis.analysed_game import choices_at

        try:
            choices = choices_at(game, analyst)
        except TableError as error:
            raise TableError(f"{self.file}: {error}") from None
        if self.json:
            print(json.dumps(choices, indent=1))
            return
        print(f"Seat {game.seat} decides. Expected margin of each choice, in points:")
        for choice in choices:
            print(f"  {choice['worth']:+6.2f}  {choice['name']}")

    def _print_decisions(self, game: AnalysedGame) -> None:
        from skyjo.analysis.analysed_game import conduct_lines
        from skyjo.terminal.console import folded

        for seat, conduct in enumerate(game.conducts):
            for line in conduct_lines(f"seat {seat}", conduct, game.interface.levels):
                print(folded(line))
        decisions = game.decisions if self.moves else game.worst
        print("\nEvery decision:" if self.moves else "\nThe worst decisions:" if decisions else "\nNothing to mark.")
        for decision in decisions:
            print(folded(_line(decision), indent=7))


def _line(decision: AnalysedDecision) -> str:
    judged = decision.judged
    best = decision.document["choices"][0]
    words = f"{judged.number:>5}  seat {judged.seat}: {decision.words}"
    if judged.is_forced:
        return f"{words} (forced)"
    if judged.lost == 0:
        return f"{words} ({best['worth']:+.2f}, best)"
    better = f"gave away {judged.lost:.2f}; better: {best['name']}"
    return f"{words} ({judged.mark}, {better})" if judged.mark else f"{words} ({better})"
