"""A result as one typed document: what a match, tournament, comparison, report, exam or training run has found.

The same document is printed in the terminal, and written as JSON, as Markdown and as an HTML page. In its texts
`backticks` mark names and commands, and **stars** mark what is strong.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, field, is_dataclass
from math import isfinite, nan
from typing import Any, Literal, Self

import numpy as np

Kind = Literal["name", "text", "count", "number", "points", "estimate", "percent", "range", "half"]


@dataclass(frozen=True)
class Column:
    """A column: the attribute or entry of the rows that it shows, and how.

    A cell is a plain value, an estimate (`mean` and `half`) or a range (`value`, `low` and `high`).
    """

    key: str
    title: str
    kind: Kind = "text"
    digits: int = 2

    def cell(self, row: Any) -> Any:
        """Return the value of a row."""
        return row[self.key] if isinstance(row, Mapping) else getattr(row, self.key)

    def shown(self, row: Any) -> str:
        """Return the value of a row as text."""
        value, digits = self.cell(row), self.digits
        if value is None:
            return "–"
        if self.kind in ("name", "text") or isinstance(value, str):
            return str(value)
        middle, low, high = ends(value)
        if self.kind == "count":
            return f"{middle:,.0f}"
        if self.kind == "half":
            return f"± {(high - low) / 2:.{digits}f}"
        if self.kind == "range":
            has_ends = isfinite(high - low) and high > low
            return f"{middle:.{digits}f}" + (f" ({low:.{digits}f} to {high:.{digits}f})" if has_ends else "")
        scale, unit = (100, " %") if self.kind == "percent" else (1, "")
        sign = "+" if self.kind == "points" else ""
        half = "" if middle is value or self.kind == "number" else f" ± {scale * (high - low) / 2:.{digits}f}"
        return f"{scale * middle:{sign}.{digits}f}{half}{unit}"


def ends(value: Any) -> tuple[float, float, float]:
    """Return the middle, the lower and the upper end of a cell; those of a plain number are equal."""
    if not isinstance(value, Mapping):
        if not is_dataclass(value):
            return value, value, value
        value = vars(value)
    if "mean" in value:
        return value["mean"], value["mean"] - value["half"], value["mean"] + value["half"]
    return value["value"], value["low"], value["high"]


@dataclass(frozen=True)
class Table:
    """A table; with a key its rows are part of the JSON."""

    columns: Sequence[Column]
    rows: Sequence[Any]
    key: str = ""
    is_brief: bool = True  # so that it is printed in the terminal, too


@dataclass(frozen=True)
class Series:
    """One series of a plot: numbers in order, with the ends of their intervals."""

    label: str
    y: Sequence[float]  # NaN where there is none
    x: Sequence[float] = ()
    low: Sequence[float] = ()
    high: Sequence[float] = ()
    tones: Sequence[str] = ()  # of single numbers, where they are not all of the series' own colour

    @classmethod
    def of(
        cls, label: str, cells: Sequence[Any], x: Sequence[float] = (), tones: Sequence[str] = (), scale: float = 1.0
    ) -> Self:
        """Return the series of cells as columns have them; None is no number."""
        parts = [(nan, nan, nan) if cell is None else ends(cell) for cell in cells]
        y, low, high = ([scale * value for value in column] for column in zip(*parts, strict=True))
        return cls(label, y, x, low, high, tones)


@dataclass(frozen=True)
class Plot:
    """A plot: lines over x, or for each name an interval along x."""

    kind: Literal["lines", "intervals"]
    series: Sequence[Series]
    x_label: str
    caption: str = ""
    names: Sequence[str] = ()
    y_label: str = ""
    line_at: float | None = None  # where a line tells two sides apart, such as ahead and behind
    x_scale: Literal["linear", "log"] = "linear"  # of lines


Part = str | list[str] | Table | Plot


@dataclass(frozen=True)
class Section:
    """A part of the document under a title: its texts, lists of texts, tables and plots in order."""

    title: str
    parts: Sequence[Part]


@dataclass(frozen=True)
class Document:
    """A result. Findings are its sentences for readers in a hurry; facts are numbers for JSON besides the tables."""

    title: str
    lead: str
    findings: Sequence[str]
    sections: Sequence[Section]
    facts: Mapping[str, Any] = field(default_factory=dict)
    command: str = ""  # that repeats it

    @property
    def tables(self) -> Iterator[Table]:
        """All tables in order."""
        return (part for section in self.sections for part in section.parts if isinstance(part, Table))

    def to_dict(self) -> dict[str, Any]:
        """Return the facts, and the rows of every table that has a key, as JSON values."""
        rows = {table.key: table.rows for table in self.tables if table.key}
        return {name: plain(value) for name, value in {**self.facts, **rows}.items()}


def plain(value: Any) -> Any:
    """Return a value as JSON values; numbers that are not finite are None, which JSON has."""
    if is_dataclass(value) and not isinstance(value, type):
        return plain(asdict(value))
    if isinstance(value, Mapping):
        return {str(key): plain(item) for key, item in value.items()}
    if isinstance(value, np.ndarray | np.generic):
        return plain(value.tolist())
    if isinstance(value, Sequence) and not isinstance(value, str):
        return [plain(item) for item in value]
    return None if isinstance(value, float) and not isfinite(value) else value


def markdown(table: Table) -> str:
    """Return a table as Markdown, with names as code and a true minus."""
    lines = [[column.title for column in table.columns], ["---"] * len(table.columns)]
    for row in table.rows:
        cells = [column.shown(row) for column in table.columns]
        named = zip(table.columns, cells, strict=True)
        lines.append([f"`{cell}`" if column.kind == "name" else cell.replace("-", "−") for column, cell in named])
    return "".join(f"| {' | '.join(line)} |\n" for line in lines)
