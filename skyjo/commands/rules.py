"""The command `rules`: the rules of the game, as the package's own pages tell them."""

from __future__ import annotations

import sys
from dataclasses import dataclass
from pathlib import Path

from skyjo.programs import program

WIDEST = 100  # columns


@dataclass(frozen=True)
class RulesPage:
    """Print the rules of the game, with every clause numbered, and the variants that can be chosen."""

    def run(self) -> None:
        """Print them: laid out on a terminal, as Markdown elsewhere."""
        text = rules_page().read_text(encoding="utf-8")
        if not sys.stdout.isatty():
            print(text, end="")
            return
        from rich.console import Console
        from rich.markdown import Markdown

        console = Console()
        console.print(Markdown(text), width=min(console.width, WIDEST))


def rules_page() -> Path:
    """Where the page lies: in the package once it is installed, else at the top of the repository."""
    package = Path(__file__).parents[1]
    places = [folder / program().rules_page for folder in (package, package.parent)]
    return next(place for place in places if place.exists())
