"""Shared code of the commands: their game, the line that repeats a command, and results."""

from __future__ import annotations

import json
import shlex
from collections.abc import Mapping
from dataclasses import MISSING, Field, fields
from typing import TYPE_CHECKING, Any

from skyjo.interfaces import interface

if TYPE_CHECKING:
    from cardtable.arena.results.result_document import Document, Table
    from cardtable.table.game.card_game import CardGame
    from cardtable.table.game.table_game import TableGame


def the_game() -> CardGame:
    """Return the game that is played, stored and measured: that of the program that was called."""
    from cardtable.table.game.card_game import find_game

    return find_game(interface().game)


def written_game(file: str) -> TableGame[Any]:
    """Return the game of a record or a position in a file, on standard input (`-`), or in an address; TableError names
    its fault.
    """
    from cardtable.table.errors import TableError
    from cardtable.table.game.records import RecordFormat, is_address
    from skyjo.terminal.text_files import read_text

    text = file if is_address(file) else read_text(file)
    try:
        return RecordFormat(the_game()).read_game(text)
    except TableError as error:
        raise TableError(f"{'the address' if is_address(file) else file}: {error}") from None


def command_line(name: str, command: Any, without: tuple[str, ...] = (), usual: Any = None) -> str:
    """Return the command line that repeats a command, with those options that differ from their defaults, or from those
    of `usual`.
    """
    alone, named = [], []
    for field in fields(command):
        value = getattr(command, field.name)
        parts = list(map(str, value)) if isinstance(value, tuple) else [] if value is True else [str(value)]
        if "Positional" in str(field.type):  # given without a name
            alone += parts
        elif field.name not in without and value != (_default(field) if usual is None else getattr(usual, field.name)):
            named += [f"--{field.name.replace('_', '-')}", *parts]
    return shlex.join([interface().command, name, *alone, *named])


def _default(field: Field[Any]) -> Any:
    if field.default_factory is not MISSING:
        return field.default_factory()
    return field.default if field.default is not MISSING else None


def show(document: Document, as_json: bool, page: str | None = None, options: Mapping[str, Any] | None = None) -> None:
    """Print a result, and write its page to a file if one is named; JSON begins with the question."""
    if page is not None:
        from cardtable.arena.results.page import page_of
        from skyjo.terminal.text_files import write_text

        write_text(page, page_of(document))
    if as_json:
        from cardtable.arena.results.result_document import plain

        print(json.dumps(plain(options or {}) | document.to_dict(), indent=1))
        return
    from skyjo.terminal.console import folded

    for table in document.tables:
        if table.is_brief:
            print_rows(table)
    for text in document.findings:
        print(folded(text.replace("`", "").replace("**", "")))
    if page is not None:
        print(f"Written: {page}")


def print_rows(table: Table) -> None:
    """Print a table in the terminal."""
    from skyjo.terminal.console import print_table

    rows = [[column.shown(row) for column in table.columns] for row in table.rows]
    names = sum(column.kind == "name" for column in table.columns)
    print_table([column.title for column in table.columns], rows, names)
