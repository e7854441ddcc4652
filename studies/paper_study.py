"""What the commands of both papers' studies share: their options, and playing or loading, writing and printing."""

from __future__ import annotations

import json
from abc import abstractmethod
from collections.abc import Callable
from dataclasses import dataclass
from typing import Annotated, Any, ClassVar

import tyro

from skyjo.commands.cluster_option import OnCluster


@dataclass(frozen=True)
class PaperStudy(OnCluster):
    """A paper's numbers and claims, put to the test."""

    quick: bool = False
    """Play few games: seconds instead of minutes."""

    seed: Annotated[int | None, tyro.conf.arg(metavar="N", help_behavior_hint="")] = None
    """Seed of all deals (default: 1)."""

    summary: Annotated[str | None, tyro.conf.arg(metavar="FILE", help_behavior_hint="")] = None
    """Also write a summary as Markdown here."""

    threads: Annotated[int | None, tyro.conf.arg(metavar="N", help_behavior_hint="")] = None
    """How many games to play at once (default: 2)."""

    load: Annotated[str | None, tyro.conf.arg(metavar="FILE", help_behavior_hint="")] = None
    """Write the report from the output of --json, without playing."""

    json: bool = False
    """Print all numbers as JSON."""

    out: Annotated[str, tyro.conf.arg(metavar="FILE")] = ""
    """HTML file to write; in a folder, it gets the default name."""

    amount: ClassVar[str]  # the option that says how much is played
    played: ClassVar[tuple[str, ...]]  # options that say what to play, or need the games
    files: ClassVar[tuple[str, str]]  # the usual names of page and summary

    @abstractmethod
    def play(self) -> Any:
        """The document."""

    @abstractmethod
    def pages(self) -> tuple[Callable[[Any], bool], Callable[[Any], str], Callable[[Any], str]]:
        """What knows such a document, and what renders the page and the summary from one."""

    @abstractmethod
    def print_verdicts(self, document: Any) -> None:
        """The verdicts in the terminal."""

    def run(self) -> None:
        """Play or load, and write."""
        from skyjo.terminal.text_files import target, write_text

        is_document, render_page, render_summary = self.pages()
        renders = {target(self.out, self.files[0]): render_page}
        if self.summary:
            renders[target(self.summary, self.files[1])] = render_summary
        document = self.play() if self.load is None else self._loaded(is_document)
        # All are rendered before the first is written.
        for file, text in [(file, self._rendered(render, document)) for file, render in renders.items()]:
            write_text(file, text)
        if self.json:
            print(json.dumps(document, indent=1))
        else:
            self.print_verdicts(document)
            print(f"Written: {', '.join(renders)}")

    def settings_given(self, full: int, few: int) -> tuple[int, dict[str, Any]]:
        """How much to play, and which of seed and threads are given."""
        from cardtable.errors import TableError

        asked = getattr(self, self.amount)
        if self.quick and asked is not None:
            raise TableError(f"--quick and --{self.amount} cannot be given together")
        given = {"seed": self.seed, "threads": self.threads}
        amount = asked if asked is not None else few if self.quick else full
        return amount, {name: value for name, value in given.items() if value is not None}

    def _loaded(self, is_document: Callable[[Any], bool]) -> Any:
        """The document in a file that --json has printed; TableError if it is none, or if one of the options that say
        what to play is given as well.
        """
        from cardtable.errors import TableError
        from skyjo.terminal.text_files import read_text

        options = {name: getattr(self, name) for name in self.played}
        given = [f"--{name}" for name, value in options.items() if value is not None and value is not False]
        if given:
            raise TableError(f"{', '.join(given)} cannot be given with --load: its numbers are there already")
        try:
            document = json.loads(read_text(str(self.load)))
        except json.JSONDecodeError:
            document = None
        if not is_document(document):
            raise TableError(f"{self.load}: this is not what --json prints")
        return document

    def _rendered(self, render: Callable[[Any], str], document: Any) -> str:
        """TableError if the document that was loaded from a file is damaged inside."""
        from jinja2 import UndefinedError

        from cardtable.errors import TableError

        try:
            return render(document)
        except (AttributeError, LookupError, TypeError, ValueError, UndefinedError) as error:
            if self.load is None:
                raise
            raise TableError(f"{self.load}: this is not what --json prints") from error
