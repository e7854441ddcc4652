"""What the studies of both papers share: a document that --json has printed, and the pages rendered from one."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, TypeGuard, TypeVar

D = TypeVar("D")
Page = tuple[str, Callable[[D], str]]  # a file, and what renders it


def stored_document(command: Any, file: str, options: Sequence[str], is_document: Callable[[Any], TypeGuard[D]]) -> D:
    """The document in a file that --json has printed; TableError if it is none, or if one of the options that say what
    to play is given as well.
    """
    import json

    from cardtable.errors import TableError
    from skyjo.terminal.text_files import read_text

    given = [
        f"--{name}" for name in options if getattr(command, name) is not None and getattr(command, name) is not False
    ]
    if given:
        raise TableError(f"{', '.join(given)} cannot be given with --load: its numbers are there already")
    try:
        document = json.loads(read_text(file))
    except json.JSONDecodeError:
        document = None
    if not is_document(document):
        raise TableError(_no_document(file))
    return document


def write_pages(document: D, pages: Sequence[Page[D]], loaded: str | None) -> None:
    """Render all pages, then write them; TableError if the document that was loaded from a file is damaged inside."""
    from skyjo.terminal.text_files import write_text

    texts = [(file, _rendered(render, document, loaded)) for file, render in pages]
    for file, text in texts:
        write_text(file, text)


def _rendered(render: Callable[[D], str], document: D, loaded: str | None) -> str:
    from jinja2 import UndefinedError

    from cardtable.errors import TableError

    try:
        return render(document)
    except (AttributeError, LookupError, TypeError, ValueError, UndefinedError) as error:
        if loaded is None:
            raise
        raise TableError(_no_document(loaded)) from error


def _no_document(file: str) -> str:
    return f"{file}: this is not what --json prints"
