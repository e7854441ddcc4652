"""`python -m studies skipbo-paper`: the evaluation of Strittmatter's paper reproduced, and its claims tested."""

from __future__ import annotations

from contextlib import nullcontext
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import tyro

from skyjo.commands.cluster_option import OnCluster

if TYPE_CHECKING:
    from studies.skipbo_paper.skipbo_document import SkipboPaperDocument
    from studies.skipbo_paper.skipbo_results import Settings

PLAYED = ("deals", "quick", "seed", "threads", "data", "cluster")  # options that say what to play, or need the games


@dataclass(frozen=True)
class SkipboPaper(OnCluster):
    """Reproduce Strittmatter's paper: run its evaluation, test every claim, and write a report.

    Its three players in every reading, a control and a stronger player play each other, with each deal played from both
    seats. Takes a few minutes. The same seed gives the same numbers with any number of threads.
    """

    deals: Annotated[int | None, tyro.conf.arg(metavar="N", help_behavior_hint="")] = None
    """Deals for every matchup, each played twice (default: 5000; at least 30)."""

    quick: bool = False
    """Play as few deals as is sensible: seconds instead of minutes."""

    seed: Annotated[int | None, tyro.conf.arg(metavar="N", help_behavior_hint="")] = None
    """Seed of all deals (default: 1)."""

    out: Annotated[str, tyro.conf.arg(metavar="FILE")] = "skipbo-paper.html"
    """HTML file to write; in a folder, it gets the default name."""

    summary: Annotated[str | None, tyro.conf.arg(metavar="FILE", help_behavior_hint="")] = None
    """Also write a summary as Markdown here."""

    data: Annotated[str | None, tyro.conf.arg(metavar="FOLDER", help_behavior_hint="")] = None
    """Also write all games to this folder, one row each, as games.parquet and games.csv."""

    threads: Annotated[int | None, tyro.conf.arg(metavar="N", help_behavior_hint="")] = None
    """How many games to play at once (default: 2)."""

    load: Annotated[str | None, tyro.conf.arg(metavar="FILE", help_behavior_hint="")] = None
    """Write the report from the output of --json, without playing."""

    json: bool = False
    """Print all numbers as JSON."""

    def run(self) -> None:
        """Play or load, and write."""
        from skyjo.terminal.text_files import target
        from studies.skipbo_paper.skipbo_document import is_skipbo_document
        from studies.skipbo_paper.skipbo_page import render_page, render_summary
        from studies.study_documents import Page, stored_document, write_pages

        pages: list[Page[SkipboPaperDocument]] = [(target(self.out, "skipbo-paper.html"), render_page)]
        if self.summary:
            pages.append((target(self.summary, "skipbo_paper.md"), render_summary))
        loaded = self.load
        document = self._play() if loaded is None else stored_document(self, loaded, PLAYED, is_skipbo_document)
        write_pages(document, pages, loaded)
        if self.json:
            import json

            print(json.dumps(document, indent=1))
        else:
            _print_verdicts(document)
            print(f"Written: {', '.join(file for file, _ in pages)}")

    def _settings(self) -> Settings:
        from cardtable.errors import TableError
        from studies.skipbo_paper.skipbo_results import FULL, QUICK, Settings

        if self.quick and self.deals is not None:
            raise TableError("--quick and --deals cannot be given together")
        deals = self.deals if self.deals is not None else QUICK if self.quick else FULL
        given = {name: getattr(self, name) for name in ("seed", "threads") if getattr(self, name) is not None}
        return Settings(deals, **given)

    def _play(self) -> SkipboPaperDocument:
        from skyjo.terminal.progress import progress
        from studies.skipbo_paper.games_files import games_files
        from studies.skipbo_paper.skipbo_results import run_study

        settings = self._settings()
        files = nullcontext() if self.data is None else games_files(_folder(self.data))
        with (
            files as keep,
            self.connected(settings.threads) as cluster,
            progress("playing", settings.work) as report,
        ):
            return run_study(replace(settings, cluster=cluster), report, keep)


def _folder(name: str) -> Path:
    """The folder, made if there is none."""
    folder = Path(name).expanduser()
    folder.mkdir(parents=True, exist_ok=True)
    return folder


def _print_verdicts(document: SkipboPaperDocument) -> None:
    for claim in document["claims"]:
        print(f"{claim['section']} {claim['title']}: {claim['verdict']}")
