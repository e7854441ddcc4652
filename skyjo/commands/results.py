"""The one way in which commands print results: tables or JSON in the terminal, and a page where one is asked for."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from skyjo.terminal.console import folded, print_table
from skyjo.terminal.text_files import write_text

if TYPE_CHECKING:
    from cardtable.arena.results.result_document import Document, Table
    from cardtable.table.game.card_game import Setup


def show(document: Document, as_json: bool, page: str | None = None, asked: Mapping[str, Any] | None = None) -> None:
    """Print a result, and write its page to a file if one is named; JSON begins with what was asked for."""
    if page is not None:
        from cardtable.arena.results.page import page_of

        write_text(page, page_of(document))
    if as_json:
        from cardtable.arena.results.result_document import plain

        print(json.dumps(plain(asked or {}) | document.to_dict(), indent=1))
        return
    for table in document.tables:
        if table.is_brief:
            print_rows(table)
    for text in document.findings:
        print(folded(text.replace("`", "").replace("**", "")))
    if page is not None:
        print(f"Written: {page}")


def print_rows(table: Table) -> None:
    """Print a table in the terminal."""
    rows = [[column.shown(row) for column in table.columns] for row in table.rows]
    names = sum(column.kind == "name" for column in table.columns)
    print_table([column.title for column in table.columns], rows, names)


def shares_in_words(setup: Setup, stopped: float, shares: Mapping[str, float]) -> list[str]:
    """Return a sentence on the games that were stopped, and on the rounds with each fact of the whole table, if any."""
    found = [f"{100 * stopped:.2g} % were stopped after too many turns"] if stopped > 0 else []
    facts = [fact for fact in setup.game.facts(setup.rules) if shares.get(fact.name, 0) > 0]
    return found + [f"{100 * shares[fact.name]:.3g} % of all rounds were {fact.counted}" for fact in facts]
