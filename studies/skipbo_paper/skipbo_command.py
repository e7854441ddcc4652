"""`python -m studies skipbo-paper`: the evaluation of Strittmatter's paper reproduced, and its claims tested."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import nullcontext
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import tyro

from skyjo.terminal.progress import progress
from studies.paper_study import PaperStudy

if TYPE_CHECKING:
    from studies.skipbo_paper.skipbo_document import SkipboPaperDocument


@dataclass(frozen=True)
class SkipboPaper(PaperStudy):
    """Reproduce Strittmatter's paper: run its evaluation, test every claim, and write a report.

    Its three players in every reading, a control and a stronger player play each other, with each deal played from both
    seats. Takes a few minutes. The same seed gives the same numbers with any number of threads.
    """

    deals: Annotated[int | None, tyro.conf.arg(metavar="N", help_behavior_hint="")] = None
    """Deals for every matchup, each played twice (default: 5000; at least 30)."""

    out: Annotated[str, tyro.conf.arg(metavar="FILE")] = "skipbo-paper.html"
    """HTML file to write; in a folder, it gets the default name."""

    data: Annotated[str | None, tyro.conf.arg(metavar="FOLDER", help_behavior_hint="")] = None
    """Also write all games to this folder, one row each, as games.parquet and games.csv."""

    amount = "deals"
    played = ("deals", "quick", "seed", "threads", "data", "cluster")
    files = ("skipbo-paper.html", "skipbo_paper.md")

    def pages(self) -> tuple[Callable[[Any], bool], Callable[[Any], str], Callable[[Any], str]]:
        """What knows such a document, and what renders the pages from one."""
        from studies.skipbo_paper.skipbo_document import is_skipbo_document
        from studies.skipbo_paper.skipbo_page import render_page, render_summary

        return is_skipbo_document, render_page, render_summary

    def play(self) -> SkipboPaperDocument:
        """The document; the games go to files of their own."""
        from studies.skipbo_paper.games_files import games_files
        from studies.skipbo_paper.skipbo_results import FULL, QUICK, Settings, run_study

        deals, given = self.settings_given(FULL, QUICK)
        settings = Settings(deals, **given)
        files = nullcontext() if self.data is None else games_files(_folder(self.data))
        with (
            files as keep,
            self.connected(settings.threads) as cluster,
            progress("playing", settings.work) as report,
        ):
            return run_study(replace(settings, cluster=cluster), report, keep)

    def print_verdicts(self, document: SkipboPaperDocument) -> None:
        """Of all claims."""
        for claim in document["claims"]:
            print(f"{claim['section']} {claim['title']}: {claim['verdict']}")


def _folder(name: str) -> Path:
    """The folder, made if there is none."""
    folder = Path(name).expanduser()
    folder.mkdir(parents=True, exist_ok=True)
    return folder
