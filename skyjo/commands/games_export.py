"""The command `games export`: stored games for other programs."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import tyro

from skyjo.commands.games_filters import Filters, chosen_of, open_store

if TYPE_CHECKING:
    from cardtable.play.plan import Plan
    from cardtable.stored.game_search import Chosen


@dataclass(frozen=True, kw_only=True)
class Export(Filters):
    """Export the games that match every filter, for other programs.

    A CSV has one row per seat and game, in the form that the command ratings reads. JSON has one object per game with
    everything stored, including every action; .jsonl has one object per line.
    """

    out: Annotated[str, tyro.conf.arg(metavar="FILE.csv|FILE.json|FILE.jsonl|-")]
    """File to write, whose ending sets the format; - writes CSV to standard output."""

    def run(self) -> None:
        """Write a piece at a time."""
        from cardtable.errors import TableError
        from cardtable.stored.pieces import plan_of
        from skyjo.terminal.text_files import text_writer

        form = ".csv" if self.out == "-" else Path(self.out).suffix
        if form not in FORMS:
            raise TableError(f"--out {self.out} must end in {', '.join(FORMS)}; or be - for standard output")
        store = open_store(self.folder)
        plan = plan_of(store)
        texts = FORMS[form](plan, chosen_of(store, self.wanted(plan)))
        with text_writer(self.out) as write:
            for text in texts:
                write(text)
        if self.out != "-":
            print(f"Written: {self.out}")


def _csv(plan: Plan, games: Iterator[Chosen]) -> Iterator[str]:
    import csv
    from io import StringIO

    from cardtable.stored.game_search import header, seat_rows

    def text(rows: Iterator[tuple[object, ...]]) -> str:
        sheet = StringIO()
        csv.writer(sheet, lineterminator="\n").writerows(rows)
        return sheet.getvalue()

    yield text(iter([header(plan)]))
    for chosen in games:
        yield text(seat_rows(chosen))


def _json(plan: Plan, games: Iterator[Chosen]) -> Iterator[str]:
    before = "[\n"
    for line in _json_lines(plan, games):
        yield f"{before}{line.rstrip()}"
        before = ",\n"
    yield "\n]\n" if before == ",\n" else "[]\n"


def _json_lines(_: Plan, games: Iterator[Chosen]) -> Iterator[str]:
    import json

    from cardtable.stored.game_search import objects

    for chosen in games:
        for game in objects(chosen):
            yield f"{json.dumps(game)}\n"


FORMS: dict[str, Callable[[Plan, Iterator[Chosen]], Iterator[str]]] = {
    ".csv": _csv,
    ".json": _json,
    ".jsonl": _json_lines,
}
