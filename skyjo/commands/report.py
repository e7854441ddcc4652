"""The command `report`: a page about stored games."""

from __future__ import annotations

from dataclasses import asdict, dataclass, field
from typing import Annotated

import tyro

from skyjo.interfaces import file_named
from skyjo.terminal.progress import progress


@dataclass(frozen=True)
class Report:
    """Write a page about the games of a match or tournament: the better agent, its lead, and the course of the games.

    A FOLDER is one written by match --store or tournament --store, finished or not. Several folders are compared, such
    as the same agents at tables of two, three and four.
    """

    folders: Annotated[
        tuple[str, ...], tyro.conf.arg(metavar="FOLDER ...", help_behavior_hint=""), tyro.conf.Positional
    ] = ()
    """Folders of stored games."""

    out: Annotated[str, tyro.conf.arg(metavar="FILE")] = field(default_factory=file_named("report"))
    """HTML file to write, pictures included; in a folder, it gets the default name."""

    anchor: Annotated[str | None, tyro.conf.arg(metavar="AGENT", help_behavior_hint="")] = None
    """The agent rated 1000 (default: the median agent)."""

    summary: Annotated[str | None, tyro.conf.arg(metavar="FILE", help_behavior_hint="")] = None
    """Also write the ladders as Markdown here."""

    ladder: Annotated[str | None, tyro.conf.arg(metavar="FILE", help_behavior_hint="")] = None
    """Also write the ladders as JSON here, for the table in the browser."""

    json: bool = False
    """Print all numbers as JSON."""

    def run(self) -> None:
        """Read, summarise and write."""
        import json

        from cardtable.arena.results.games_page import games_document, ladder_document, ladder_markdown, summaries
        from cardtable.arena.results.page import page_of
        from skyjo.commands.shared import show, the_game
        from skyjo.terminal.text_files import target, write_text

        page = target(self.out, file_named("report")())
        summary = self.summary and target(self.summary, "ladder.md")
        ladder = self.ladder and target(self.ladder, "ladder.json")
        with progress("reading", 1) as report:
            ladders = summaries(the_game(), self.folders, self.anchor, report)
        document = games_document(ladders)
        texts = {page: page_of(document)}
        if summary:
            texts[summary] = ladder_markdown(ladders)
        if ladder:
            texts[ladder] = f"{json.dumps(ladder_document(ladders), indent=1)}\n"
        for file, text in texts.items():
            write_text(file, text)
        show(document, self.json, options=asdict(self))
        if not self.json:
            print(f"Written: {', '.join(texts)}")
