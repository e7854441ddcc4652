"""The command `skill`: how much of the game is skill, and how much is chance."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Annotated

import tyro

from skyjo.commands.cluster_option import OnCluster
from skyjo.programs import file_named, program
from skyjo.terminal.progress import progress
from studies.skill.skill_players import PLAYERS, SkillPlayers

if TYPE_CHECKING:
    from studies.skill.skill_document import MeasureDocument, SkillDocument
    from studies.skill.skill_results import Settings


@dataclass(frozen=True)
class Skill(OnCluster):
    """Measure how much of the game is skill, from every player against every other in rounds and games; write a page.

    It reports how far Elo ratings spread, compared with a game partly decided by a coin; how many rounds it takes until
    the better of two players leads; and how close players come to one who knows every card. Takes a minute or two on
    two cores. The same seed gives the same numbers with any number of threads.
    """

    deals: Annotated[int | None, tyro.conf.arg(metavar="N", help_behavior_hint="")] = None
    """Deals for each pair, as rounds and as games (default: 4000; at least 1000)."""

    quick: bool = False
    """Play few deals: seconds instead of minutes."""

    seed: Annotated[int, tyro.conf.arg(metavar="N")] = 0
    """Seed of all deals."""

    beginner: Annotated[str, tyro.conf.arg(metavar="AGENT")] = field(default_factory=lambda: _players().beginner)
    """The player whose relative skill is 0; one of those compared."""

    best: Annotated[str, tyro.conf.arg(metavar="AGENT")] = field(default_factory=lambda: _players().best)
    """The best player; relative skill is measured against it."""

    out: Annotated[str, tyro.conf.arg(metavar="FILE")] = field(default_factory=file_named("skill"))
    """HTML file to write, pictures included; in a folder, it gets the default name."""

    summary: Annotated[str | None, tyro.conf.arg(metavar="FILE", help_behavior_hint="")] = None
    """Also write a summary as Markdown here."""

    threads: Annotated[int, tyro.conf.arg(metavar="N")] = 2
    """How many deals to play at once."""

    json: bool = False
    """Print all numbers as JSON."""

    def run(self) -> None:
        """Play, measure and write."""
        from skyjo.terminal.text_files import target, write_text
        from studies.skill.skill_page import render_page, render_summary
        from studies.skill.skill_results import run_study

        page, summary = target(self.out, file_named("skill")()), self.summary and target(self.summary, "skill.md")
        settings = self._settings()
        with self.connected(self.threads) as cluster, progress("playing", settings.work) as report:
            document = run_study(replace(settings, cluster=cluster), report)
        write_text(page, render_page(document))
        if summary:
            write_text(summary, render_summary(document))
        if self.json:
            import json

            print(json.dumps(document, indent=1))
        else:
            _print_answers(document)
            print(f"Written: {', '.join(file for file in (page, summary) if file)}")

    def _settings(self) -> Settings:
        from cardtable.errors import TableError
        from studies.skill.skill_results import FULL, QUICK, Settings

        if self.quick and self.deals is not None:
            raise TableError("--quick and --deals cannot be given together")
        deals = self.deals if self.deals is not None else QUICK if self.quick else FULL
        return Settings(_players(), deals, self.seed, self.beginner, self.best, self.threads)


def _players() -> SkillPlayers:
    return PLAYERS[program().game]


def _print_answers(document: SkillDocument) -> None:
    from skyjo.terminal.console import print_table

    rows = []
    for episode, found in document["episodes"].items():
        for name, each in found["populations"].items():
            numbers = (
                _words(each["spread"]),
                _words(each["coin_share"], 100, " %", 1),
                _words(each["rounds"], digits=1),
            )
            rows.append((name, f"{episode}s", *numbers))
    print_table(("players", "", "Elo spread", "share of sure wins", "to lead with 75 %"), rows, names=2)
    best, beginner = document["best"], document["beginner"]
    for episode, found in document["episodes"].items():
        (skill,) = (row["skill"] for row in found["relative"]["players"] if row["player"] == best)
        print(
            f"Relative skill of {best} in {episode}s, with {beginner} as the beginner: "
            f"{100 * skill['mean']:.0f} ± {100 * skill['half']:.1f} %"
        )


def _words(measure: MeasureDocument, factor: float = 1, unit: str = "", digits: int = 0) -> str:
    value, low, high = (f"{factor * end:.{digits}f}" for end in (measure["value"], measure["low"], measure["high"]))
    return f"{value}{unit} ({low} to {high})"
