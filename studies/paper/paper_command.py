"""`python -m studies paper`: the paper's numbers and claims, put to the test."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Annotated, Any

import tyro

from skyjo.terminal.progress import progress
from studies.paper_study import PaperStudy

if TYPE_CHECKING:
    from studies.paper.paper_document import PaperDocument
    from studies.paper.paper_results import Settings


@dataclass(frozen=True)
class Paper(PaperStudy):
    """Reproduce Reichel (2026): run its program and strategies again, test every claim, and write a report.

    Takes a few minutes on two cores. The same seed gives the same numbers with any number of threads.
    """

    games: Annotated[int | None, tyro.conf.arg(metavar="N", help_behavior_hint="")] = None
    """Games for each threshold of table 1, fewer for others (default: 1000000; at least 15000)."""

    out: Annotated[str, tyro.conf.arg(metavar="FILE")] = "skyjo-paper.html"
    """HTML file to write; in a folder, it gets the default name."""

    only: Annotated[str | None, tyro.conf.arg(metavar="PART,...", help_behavior_hint="")] = None
    """Parts of the report to make: table1, thresholds, claims, variants (default: all)."""

    amount = "games"
    played = ("games", "quick", "seed", "only", "threads", "cluster")
    files = ("skyjo-paper.html", "paper.md")

    def pages(self) -> tuple[Callable[[Any], bool], Callable[[Any], str], Callable[[Any], str]]:
        """What knows such a document, and what renders the pages from one."""
        from studies.paper.paper_document import is_paper_document
        from studies.paper.paper_page import render_page, render_summary

        return is_paper_document, render_page, render_summary

    def play(self) -> PaperDocument:
        """The document."""
        from studies.paper.paper_results import run_study

        settings = self._settings()
        with self.connected(settings.threads) as cluster, progress("playing", settings.work) as report:
            return run_study(replace(settings, cluster=cluster), report)

    def _settings(self) -> Settings:
        from studies.paper.paper_document import PARTS
        from studies.paper.paper_results import FULL, QUICK, Settings

        games, given = self.settings_given(FULL, QUICK)
        chosen = PARTS if self.only is None else tuple(part.strip() for part in self.only.split(","))
        return Settings(games, parts=tuple(dict.fromkeys(part for part in chosen if part)), **given)

    def print_verdicts(self, document: PaperDocument) -> None:
        """Of table 1 as the program gives it, and of all claims."""
        from studies.paper.paper_page import verdict_words

        for each in document["table1"]["comparisons"] if "table1" in document else ():
            if each["reading"] == "3000 scores" and each["source"] == "program":
                print(
                    f"Table 1, t = {each['threshold']}, {each['value']}: printed {each['printed']:.2f}, "
                    f"the program {each['expected']:.2f}: {each['verdict']}"
                )
        for claim in document.get("claims", []):
            print(f"{' and '.join(claim['labels'])}: {verdict_words(claim)}")
