"""The command `rules`: the rules of the game, as the page of its package has them."""

from __future__ import annotations

import sys
from dataclasses import dataclass
from typing import TYPE_CHECKING

from skyjo.programs import program

if TYPE_CHECKING:
    from pathlib import Path

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
    """Where the page lies: in the game's folder or in one above it."""
    now = program()
    pages = (folder / now.rules_page for folder in (now.path, *now.path.parents))
    return next(page for page in pages if page.exists())
