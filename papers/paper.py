"""The shape of every program here: options, one result, one page.

A paper NAME is `papers/NAME.py`, with more modules `papers/NAME_*.py` where it needs them, the template
`papers/NAME.md.jinja`, tests in `papers/tests/test_NAME*.py`, and a line in `papers/__main__.py`:

- Its subclass of `Paper` sets the class variables and computes everything in `result`, as one frozen dataclass of
  numbers, texts, lists and dataclasses like it.
- `--json` prints that result. Verdicts are fields of it, computed by a rule; a part that was not asked for is None.
- The template gets the fields of the result by their names, `quick` and `command`, and writes one page of Markdown.
  Prose stands there and not in Python. Filters write numbers: `2.346 | fixed(2)` is 2.35, `| signed(2)` +2.35,
  `0.25 | percent(1)` 25.0 %, `12345 | thousands` 12,345, and `| estimated(2)` a mean ± half its interval.
"""

from __future__ import annotations

import json
import re
from abc import ABC, abstractmethod
from collections.abc import Callable
from dataclasses import asdict, dataclass, fields
from typing import Annotated, Any, ClassVar

import tyro

from skyjo.terminal.progress import progress

Report = Callable[[float], object]  # called with the work done since the last call
THREADS = 2  # games that are played at once; the numbers do not depend on it


@dataclass(frozen=True)
class Paper(ABC):
    """A paper's numbers and claims, put to the test."""

    quick: bool = False
    """Play few games: seconds instead of minutes."""

    only: Annotated[str, tyro.conf.arg(metavar="PART,...", help_behavior_hint="")] = ""
    """Parts of the result to compute (default: all)."""

    json: bool = False
    """Print all numbers as JSON instead of the page."""

    seed: Annotated[int, tyro.conf.arg(metavar="N")] = 1
    """Seed of all deals."""

    out: Annotated[str, tyro.conf.arg(metavar="FILE", help_behavior_hint="")] = ""
    """Write the page to this Markdown file instead of standard output; in a folder, it gets its usual name."""

    name: ClassVar[str]  # as it is called, of the template, and of the page in a folder
    parts: ClassVar[tuple[str, ...]]  # the names that --only takes

    @abstractmethod
    def result(self, report: Report) -> Any:
        """Compute the chosen parts, as a frozen dataclass, and report the work done."""

    @property
    def work(self) -> float:
        """The amount of work that `result` reports in all."""
        return 1.0

    @property
    def chosen(self) -> tuple[str, ...]:
        """The parts to compute, in their own order; TableError if one does not exist."""
        from cardtable.table.errors import TableError, did_you_mean

        names = [part.strip() for part in self.only.split(",")] if self.only else self.parts
        for part in names:
            if part not in self.parts:
                near = did_you_mean(part, self.parts)
                raise TableError(f"--only: {part!r} is not a part{near} (parts: {', '.join(self.parts)})")
        return tuple(part for part in self.parts if part in names)

    @property
    def command(self) -> str:
        """The command that computes the same numbers again."""
        options = f"{' --quick' * self.quick} --seed {self.seed}{f' --only {self.only}' * bool(self.only)}"
        return f"python -m papers {self.name}{options}"

    def run(self) -> None:
        """Compute the result, and write or print what was asked for."""
        from cardtable.table.checks import seed_number
        from skyjo.terminal.text_files import target, write_text

        seed_number("--seed", self.seed)
        out = target(self.out, f"{self.name}.md") if self.out else ""
        _ = self.chosen  # refused before anything is played
        with progress("playing", self.work) as report:
            result = self.result(report)
        page = self.page(result)
        if out:
            write_text(out, page)
        if self.json:
            print(json.dumps(asdict(result), indent=1))
        else:
            print(f"Written: {out}\n" if out else page, end="")

    def page(self, result: Any) -> str:
        """Return the page of a result, as Markdown."""
        from jinja2 import Environment, PackageLoader, StrictUndefined

        templates = Environment(
            loader=PackageLoader("papers", "."),
            autoescape=False,
            trim_blocks=True,
            lstrip_blocks=True,
            undefined=StrictUndefined,
            keep_trailing_newline=True,
        )
        templates.filters |= FILTERS
        values = {field.name: getattr(result, field.name) for field in fields(result)}
        page = templates.get_template(f"{self.name}.md.jinja").render(**values, quick=self.quick, command=self.command)
        return re.sub(r"\n{3,}", "\n\n", page).strip() + "\n"


def fixed(number: float, digits: int) -> str:
    """Write a number with this many digits after the point."""
    return f"{number:.{digits}f}"


def signed(number: float, digits: int) -> str:
    """Write a number with its sign, also if it is positive."""
    return f"{number:+.{digits}f}"


def percent(share: float, digits: int = 0) -> str:
    """Write a share as a percentage."""
    return f"{100 * share:.{digits}f} %"


def thousands(number: int) -> str:
    """Write a whole number with commas."""
    return f"{number:,}"


def estimated(estimate: Any, digits: int, plus: str = "") -> str:
    """Write the mean and half the interval of anything that has both; `plus` is + where positive means get a sign."""
    return f"{estimate.mean:{plus}.{digits}f} ± {estimate.half:.{digits}f}"


FILTERS = {function.__name__: function for function in (fixed, signed, percent, thousands, estimated)}
