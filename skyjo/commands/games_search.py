"""The commands `games list` and `games export`: the stored games that match, for people and for other programs."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Literal

import tyro

if TYPE_CHECKING:
    from cardtable.play.plan import Plan
    from cardtable.stored.game_search import Chosen, Wanted
    from cardtable.stored.store import Store

Folder = Annotated[str, tyro.conf.arg(metavar="FOLDER"), tyro.conf.Positional]


@dataclass(frozen=True, kw_only=True)
class Filters:
    """Filters for the games of a folder; a game must match every one that is given."""

    folder: Folder
    """Folder of the stored games."""

    agent: Annotated[str | None, tyro.conf.arg(metavar="NAME", help_behavior_hint="")] = None
    """Only games with this agent."""

    with_: Annotated[str | None, tyro.conf.arg(name="with", metavar="NAME", help_behavior_hint="")] = None
    """Only games that also have this agent, in another seat."""

    winner: Annotated[str | None, tyro.conf.arg(metavar="NAME", help_behavior_hint="")] = None
    """Only games won by this agent, alone or shared."""

    table: Annotated[int | None, tyro.conf.arg(metavar="N", help_behavior_hint="")] = None
    """Only games of this table; games about lists the tables."""

    deal: Annotated[int | None, tyro.conf.arg(metavar="N", help_behavior_hint="")] = None
    """Only games of this deal."""

    min_turns: Annotated[int, tyro.conf.arg(metavar="N")] = 0
    """Only games with at least this many turns."""

    stopped: bool = False
    """Only games that were stopped after too many turns."""

    def wanted(self, plan: Plan) -> Wanted:
        """The filters as `Wanted`; TableError for a value that cannot occur."""
        from cardtable.stored.game_search import Wanted

        given = self.agent, self.with_, self.winner, self.table, self.deal, self.min_turns, self.stopped
        return Wanted(plan, *given)


def open_store(folder: str) -> Store:
    """The games in a folder; TableError if there are none."""
    from cardtable.stored.plan_store import open_games
    from skyjo.commands.chosen_game import the_game

    return open_games(Path(folder).expanduser(), the_game())


def chosen_of(store: Store, wanted: Wanted) -> Iterator[Chosen]:
    """The games that match, read a piece at a time while a bar shows the progress."""
    from cardtable.stored.game_search import matching
    from cardtable.stored.pieces import read_pieces
    from skyjo.terminal.progress import progress

    with progress("reading", len(store.pieces())) as report:
        for stored in read_pieces(store, wanted.plan):
            chosen = matching(wanted, stored)
            if chosen is not None:
                yield chosen
            report(1)


@dataclass(frozen=True, kw_only=True)
class List(Filters):
    """List the games that match every filter; the winners' scores are marked with a star."""

    sort: Annotated[Literal["margin", "turns", "score"] | None, tyro.conf.arg(help_behavior_hint="")] = None
    """Sort, highest first (default: order of play); margin and score are those of --agent, or of the best seat."""

    lowest: bool = False
    """With --sort, lowest first."""

    limit: Annotated[int, tyro.conf.arg(metavar="N")] = 20
    """How many games to show."""

    json: bool = False
    """Print JSON instead of a table."""

    def run(self) -> None:
        """Find and print."""
        from cardtable.checks import whole_number
        from cardtable.errors import TableError
        from cardtable.stored.game_search import first_of
        from cardtable.stored.pieces import plan_of

        if self.lowest and self.sort is None:
            raise TableError("--lowest needs --sort")
        limit = whole_number("limit", self.limit, 1, 1_000_000)
        store = open_store(self.folder)
        plan = plan_of(store)
        wanted = self.wanted(plan)
        games, found = first_of(chosen_of(store, wanted), self.sort, self.lowest, self.agent, limit)
        if self.json:
            import json

            print(json.dumps({"found": found, "games": games}, indent=2))
        else:
            _print_games(games, found, plan)


def _print_games(games: list[dict[str, Any]], found: int, plan: Plan) -> None:
    from rich import box
    from rich.console import Console
    from rich.table import Table
    from rich.text import Text

    table, console = Table(box=box.SIMPLE_HEAD, pad_edge=False), Console()
    facts = plan.game.facts(plan.setup.rules)
    for title in ("game", "agents by seat", "scores", "turns", *(fact.counted for fact in facts)):
        table.add_column(title, overflow="fold", justify="right" if title == "turns" else "left")
    for game in games:
        scores = " ".join(f"{score}{'*' * (seat in game['winners'])}" for seat, score in enumerate(game["scores"]))
        turns = f"{'stopped ' * game['stopped']}{game['turns']}"
        left = (" ".join(map(str, game[fact.name][: 1 if fact.of_table else None])) for fact in facts)
        table.add_row(*map(Text, (game["game"], ", ".join(game["agents"]), scores, turns, *left)))
    if games:
        console.print(table)
    print(f"{len(games):,} of {found:,} games" if games else "no games match")


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
