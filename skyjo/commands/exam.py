"""The command `exam`: what agents give away in positions where the value of every action is known."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Annotated, Any

import tyro

from skyjo.interfaces import file_named, interface, loaded

if TYPE_CHECKING:
    from cardtable.arena.exam.questions import Answer, ExamKind, Grades
    from cardtable.arena.exam.questions import Exam as AllQuestions
    from cardtable.arena.results.result_document import Document

WORST = 5  # positions to show


@dataclass(frozen=True)
class Exam:
    """Examine agents: the points that they give away per decision, in positions where every action has been valued.

    The positions come from the play of many agents at tables of several sizes; every action has been valued by playing
    on many times (docs/guides/measuring.md). For a single agent, it also prints each phase and the worst decisions.
    """

    agents: Annotated[
        tuple[str, ...], tyro.conf.arg(metavar="AGENT ...", help_behavior_hint=""), tyro.conf.Positional
    ] = ()
    """The agents to examine; see the command `agents`."""

    fresh: Annotated[int | None, tyro.conf.arg(metavar="SEED", help_behavior_hint="")] = None
    """Draw new questions with this seed, so that no agent can have been tuned to them. This takes up to 20 minutes."""

    share: Annotated[float, tyro.conf.arg(metavar="SHARE")] = 1.0
    """With --fresh, the share of the usual number of questions."""

    threads: Annotated[int, tyro.conf.arg(metavar="N")] = 2
    """Threads that value the actions of fresh questions; the result is the same with any number."""

    questions: Annotated[str | None, tyro.conf.arg(metavar="FILE", help_behavior_hint="")] = None
    """With --fresh, write the questions here (.npz)."""

    out: Annotated[str | None, tyro.conf.arg(metavar="FILE", help_behavior_hint="")] = None
    """Also write an HTML page here."""

    json: bool = False
    """Print JSON instead of tables."""

    def run(self) -> None:
        """Examine and print."""
        from cardtable.arena.exam.questions import grade
        from skyjo.commands.shared import show
        from skyjo.terminal.console import waiting
        from skyjo.terminal.text_files import target

        self._check_options()
        kind: ExamKind = loaded(interface().exam)
        names = dict.fromkeys(self.agents)
        path = None if self.questions is None else target(self.questions, kind.file.name)
        page = None if self.out is None else target(self.out, file_named("exam")())
        exam = self._questions(kind, path)
        with waiting("examining"):
            grades = [grade(name, exam) for name in names]
        if grades or self.json:
            show(_document(kind, exam, grades), self.json, page)
        if self.json:
            return
        if len(grades) == 1:
            _print_worst(grades[0])
        if path is not None:
            print(f"Written: {path}")

    def _check_options(self) -> None:
        """TableError for options that make no sense, before anything is drawn."""
        from cardtable.table.checks import check_int
        from cardtable.table.errors import TableError

        if not self.agents and self.questions is None:
            raise TableError("name the agents to examine, such as tempo")
        if self.fresh is None and (self.questions is not None or self.share != 1.0):
            raise TableError("--questions and --share need --fresh")
        if self.fresh is not None and not 0 <= self.fresh < 2**31:
            raise TableError(f"--fresh {self.fresh} must be from 0 to {2**31 - 1}")
        if not 0.01 <= self.share <= 100:
            raise TableError(f"--share {self.share} must be from 0.01 to 100")
        check_int("--threads", self.threads, 1, 64, TableError)

    def _questions(self, kind: ExamKind, path: str | None) -> AllQuestions:
        """Return the questions that come with the package, or fresh ones, which are written there."""
        from dataclasses import replace
        from pathlib import Path

        from cardtable.arena.exam.drawing import draw
        from cardtable.arena.exam.questions import Exam as AllQuestions
        from cardtable.arena.exam.questions import candidates
        from cardtable.table.errors import TableError
        from skyjo.commands.shared import the_game
        from skyjo.terminal.progress import progress

        if self.fresh is None:
            return AllQuestions.read(kind.file)
        if self.agents and self.fresh == AllQuestions.read(kind.file).recipe["seed"]:
            raise TableError(f"--fresh {self.fresh} would draw the package's own questions; choose another seed")
        for name in self.agents:  # before anything is drawn
            candidates(name, the_game(), kind.draws)
        phases, draws = len(kind.phases), {}
        for players, sample in kind.draws.items():  # as many of each phase
            draws[players] = sample._replace(questions=phases * max(2, round(sample.questions * self.share / phases)))
        with progress("drawing questions", sum(sample.questions for sample in draws.values())) as report:
            exam = draw(replace(kind, draws=draws), self.fresh, self.threads, report)
        if path is not None:
            exam.write(Path(path))
        return exam


def _print_worst(grades: Grades) -> None:
    print("\nThe worst decisions. These are the largest of many estimates; ± is a standard error:")
    for number, answer in enumerate(grades.answers[:WORST], 1):
        action, best = _names(answer)
        lost = f"{answer.lost:.1f} ± {answer.error:.1f}"
        print(f"\n{number}. {action} gives away {lost}; best: {best}\n\n{_table(answer)}")


def _rules(answer: Answer) -> Any:
    from skyjo.commands.shared import the_game

    return the_game().official.replace(players=answer.players)


def _names(answer: Answer) -> tuple[str, str]:
    from skyjo.commands.shared import the_game

    names = the_game().action_names(_rules(answer))
    return names[answer.action], names[answer.best]


def _table(answer: Answer) -> str:
    names, terminal = [f"seat {seat}" for seat in range(answer.players)], interface().terminal
    question = terminal.question(_rules(answer), answer.observation, answer.mask)
    return f"{terminal.format_view(_rules(answer), answer.observation, names, False)}\n{question}"


def _document(kind: ExamKind, exam: AllQuestions, grades: list[Grades]) -> Document:
    from cardtable.arena.results.result_document import Column, Document, Section, Table

    sizes = {str(size): size for size in exam.tables}
    columns = [Column("agent", "agent", "name"), Column("all", "all", "points")]
    columns += [Column(name, f"{name} players", "points") for name in sizes]
    rows = [
        {"agent": grade.agent, "all": None if grade.refused else grade.mean()}
        | {name: grade.mean(size) for name, size in sizes.items()}
        for grade in grades
    ]
    counts = ", ".join(f"{len(questions.phases)} at tables of {size}" for size, questions in exam.tables.items())
    findings = [f"Points given away per decision. Questions: {counts}; ± is half a 95 % interval over them"]
    for grade in grades:
        for why in dict.fromkeys(grade.refused.values()):
            there = " and ".join(str(size) for size, reason in grade.refused.items() if reason == why)
            findings.append(f"`{grade.agent}` cannot play at {there} players: {why}")
    sections = [Section("Points given away per decision", [Table(columns, rows)])]
    if len(grades) == 1:
        phases = [{"phase": name, "lost": grades[0].mean(phase=phase)} for phase, name in enumerate(kind.phases)]
        by_phase = Table([Column("phase", "phase", "name"), Column("lost", "points", "points")], phases)
        sections.append(Section("By phase", [by_phase]))
    about = {
        str(size): {"questions": len(questions.phases), "label_error": float(questions.errors.mean())}
        for size, questions in exam.tables.items()
    }
    agents = [_graded(kind, exam, grade) for grade in grades]
    facts = {"recipe": exam.recipe, "tables": about, "agents": agents}
    return Document(f"The exam of {interface().title}", "", findings, sections, facts)


def _graded(kind: ExamKind, exam: AllQuestions, grades: Grades) -> dict[str, Any]:
    def mean_lost(players: int | None = None, phase: int | None = None) -> Any:
        mean = grades.mean(players, phase)
        return None if mean is None else mean.to_document()

    return {
        "agent": grades.agent,
        "lost": None if grades.refused else mean_lost(),
        "refused": {str(size): why for size, why in grades.refused.items()},
        "by_players": {str(size): mean_lost(size) for size in exam.tables},
        "by_phase": {name: mean_lost(phase=phase) for phase, name in enumerate(kind.phases)},
        "worst": [
            {"players": answer.players, "lost": answer.lost, "error": answer.error, "position": _position(answer)}
            | dict(zip(("action", "best"), _names(answer), strict=True))
            for answer in grades.answers[:WORST]
        ],
    }


def _position(answer: Answer) -> str:
    return interface().documents.seen_position(_rules(answer), answer.observation, "round")
