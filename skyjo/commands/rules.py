"""The command `rules`: the rules of the game, as the page of its package has them."""

from __future__ import annotations

import sys
from dataclasses import dataclass

from skyjo.programs import program

WIDEST = 100  # columns


@dataclass(frozen=True)
class RulesPage:
    """Print the rules of the game, with every clause numbered, and the variants that can be chosen."""

    def run(self) -> None:
        """Print them: laid out on a terminal, as Markdown elsewhere."""
        text = program().rules_text
        if not sys.stdout.isatty():
            print(text, end="")
            return
        from rich.console import Console
        from rich.markdown import Markdown

        console = Console()
        console.print(Markdown(text), width=min(console.width, WIDEST))
