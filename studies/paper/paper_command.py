"""`python -m studies paper`: the paper's numbers and claims, put to the test."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Annotated

import tyro

from skyjo.commands.cluster_option import OnCluster
from skyjo.terminal.progress import progress

if TYPE_CHECKING:
    from studies.paper.paper_document import PaperDocument
    from studies.paper.paper_results import Settings

PLAYED = ("games", "quick", "seed", "only", "threads", "cluster")  # options that say what to play


@dataclass(frozen=True)
class Paper(OnCluster):
    """Reproduce Reichel (2026): run its program and strategies again, test every claim, and write a report.

    Takes a few minutes on two cores. The same seed gives the same numbers with any number of threads.
    """

    games: Annotated[int | None, tyro.conf.arg(metavar="N", help_behavior_hint="")] = None
    """Games for each threshold of table 1, fewer for others (default: 1000000; at least 15000)."""

    quick: bool = False
    """Play as few games as is sensible: seconds instead of minutes."""

    seed: Annotated[int | None, tyro.conf.arg(metavar="N", help_behavior_hint="")] = None
    """Seed of all deals (default: 1)."""

    out: Annotated[str, tyro.conf.arg(metavar="FILE")] = "skyjo-paper.html"
    """HTML file to write; in a folder, it gets the default name."""

    summary: Annotated[str | None, tyro.conf.arg(metavar="FILE", help_behavior_hint="")] = None
    """Also write a summary as Markdown here."""

    only: Annotated[str | None, tyro.conf.arg(metavar="PART,...", help_behavior_hint="")] = None
    """Parts of the report to make: table1, thresholds, claims, variants (default: all)."""

    threads: Annotated[int | None, tyro.conf.arg(metavar="N", help_behavior_hint="")] = None
    """How many games to play at once (default: 2)."""

    load: Annotated[str | None, tyro.conf.arg(metavar="FILE", help_behavior_hint="")] = None
    """Write the report from the output of --json, without playing."""

    json: bool = False
    """Print all numbers as JSON."""

    def run(self) -> None:
        """Play or load, and write."""
        from skyjo.terminal.text_files import target
        from studies.paper.paper_document import is_paper_document
        from studies.paper.paper_page import render_page, render_summary
        from studies.study_documents import Page, stored_document, write_pages

        pages: list[Page[PaperDocument]] = [(target(self.out, "skyjo-paper.html"), render_page)]
        if self.summary:
            pages.append((target(self.summary, "paper.md"), render_summary))
        loaded = self.load
        document = self._play() if loaded is None else stored_document(self, loaded, PLAYED, is_paper_document)
        write_pages(document, pages, loaded)
        if self.json:
            import json

            print(json.dumps(document, indent=1))
        else:
            _print_verdicts(document)
            print(f"Written: {', '.join(file for file, _ in pages)}")

    def _settings(self) -> Settings:
        from cardtable.errors import TableError
        from studies.paper.paper_document import PARTS
        from studies.paper.paper_results import FULL, QUICK, Settings

        if self.quick and self.games is not None:
            raise TableError("--quick and --games cannot be given together")
        games = self.games if self.games is not None else QUICK if self.quick else FULL
        chosen = PARTS if self.only is None else tuple(part.strip() for part in self.only.split(","))
        given = {name: getattr(self, name) for name in ("seed", "threads") if getattr(self, name) is not None}
        return Settings(games, parts=tuple(dict.fromkeys(part for part in chosen if part)), **given)

    def _play(self) -> PaperDocument:
        from studies.paper.paper_results import run_study

        settings = self._settings()
        with self.connected(settings.threads) as cluster, progress("playing", settings.work) as report:
            return run_study(replace(settings, cluster=cluster), report)


def _print_verdicts(document: PaperDocument) -> None:
    from studies.paper.paper_page import verdict_words

    for each in document["table1"]["comparisons"] if "table1" in document else ():
        if each["reading"] == "3000 scores" and each["source"] == "program":
            print(
                f"Table 1, t = {each['threshold']}, {each['value']}: printed {each['printed']:.2f}, "
                f"the program {each['expected']:.2f}: {each['verdict']}"
            )
    for claim in document.get("claims", []):
        print(f"{' and '.join(claim['labels'])}: {verdict_words(claim)}")
