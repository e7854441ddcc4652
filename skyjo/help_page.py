"""Help that fits on the terminal: tyro draws its boxes to fit, but prints the words above them as they are."""

import sys
from collections.abc import Iterator
from contextlib import contextmanager, redirect_stdout
from io import StringIO
from shutil import get_terminal_size
from textwrap import fill
from typing import TextIO

NARROWEST = 40  # columns; tyro's boxes are never narrower


class _Page(StringIO):
    """Stands in for standard output, of which tyro asks whether it can show frames and colours."""

    def __init__(self, shown: TextIO) -> None:
        super().__init__()
        self._shown = shown

    @property
    def encoding(self) -> str:  # type: ignore[override]  # an attribute there
        return self._shown.encoding

    def isatty(self) -> bool:
        return self._shown.isatty()


@contextmanager
def fitted() -> Iterator[None]:
    """What the block prints appears after it, with wide paragraphs broken between words."""
    page = _Page(sys.stdout)
    try:
        with redirect_stdout(page):
            yield
    finally:
        print(wrapped(page.getvalue(), max(NARROWEST, get_terminal_size().columns)), end="")


def wrapped(page: str, width: int) -> str:
    """The page with paragraphs that are wider than this broken between words; the others stay as they are."""
    return "\n\n".join(_paragraph(text, width) for text in page.split("\n\n"))


def _paragraph(text: str, width: int) -> str:
    if max(map(len, text.split("\n"))) <= width:
        return text
    return fill(" ".join(text.split()), width, break_long_words=False, break_on_hyphens=False)
