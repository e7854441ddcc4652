"""The command `games export`: the stored games that match, for other programs and for learners."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Literal

import tyro

from skyjo.commands.games_search import Filters, chosen_of, open_store

if TYPE_CHECKING:
    from cardtable.arena.play.plan import Plan
    from cardtable.arena.stored.game_search import Chosen
    from cardtable.arena.stored.store import Store

TABLE = ".parquet"


@dataclass(frozen=True, kw_only=True)
class Export(Filters):
    """Export the games that match every filter, for other programs and for learners.

    A CSV has one row per seat and game, in the form that the command `ratings` reads. A .jsonl has one JSON object per
    line and game, with everything stored, including every action. Parquet has one row per decision: observation, legal
    actions, action and reward. A Minari dataset has one episode per seat and game (with --agent, of that agent's seat
    alone), in the form of the game's Gymnasium environment (docs/guides/data.md).
    """

    out: Annotated[str | None, tyro.conf.arg(metavar="FILE", help_behavior_hint="")] = None
    """File to write, in the format of its ending: .csv, .jsonl or .parquet; - writes CSV to standard output."""

    losses: bool = False
    """In a .parquet, the points that every decision gave away, as the command `analyse` judges it; this takes time."""

    minari: Annotated[str | None, tyro.conf.arg(metavar="NAME", help_behavior_hint="")] = None
    """A new Minari dataset, such as skyjo/tempo-v0; it goes to $MINARI_DATASETS_PATH, or ~/.minari/datasets."""

    encoding: Literal["compact", "onehot"] = "compact"
    """The form of observations in a Minari dataset."""

    def run(self) -> None:
        """Write some games at a time."""
        form = self._form()
        if self.minari is not None:  # whatever is missing for it is named before anything is read
            import cardtable.arena.stored.minari_dataset  # noqa: F401
        from cardtable.arena.stored.pieces import plan_of

        store = open_store(self.folder)
        plan = plan_of(store)
        if self.out is None:
            self._write_dataset(store, plan)
        elif form == TABLE:
            self._write_decisions(store, plan)
        else:
            self._write_text(FORMS[form](chosen_of(store, self.wanted(plan))))

    def _form(self) -> str:
        """Return the ending of the file, empty for a dataset; TableError for options that do not go together."""
        from cardtable.table.errors import TableError

        if (self.out is None) == (self.minari is None):
            raise TableError("give either --out FILE or --minari NAME")
        form = ".csv" if self.out == "-" else Path(self.out or "").suffix
        if self.out is not None and form not in (*FORMS, TABLE):
            raise TableError(f"--out {self.out} must end in {', '.join((*FORMS, TABLE))}; or be - for standard output")
        if self.losses and form != TABLE:
            raise TableError(f"--losses needs --out FILE{TABLE}")
        if self.encoding != "compact" and self.minari is None:
            raise TableError("--encoding needs --minari NAME")
        return form

    def _write_text(self, texts: Iterator[str]) -> None:
        from skyjo.terminal.text_files import text_writer

        assert self.out is not None
        with text_writer(self.out) as write:
            for text in texts:
                write(text)
        if self.out != "-":
            print(f"Written: {self.out}")

    def _write_decisions(self, store: Store, plan: Plan) -> None:
        from functools import partial

        from cardtable.arena.stored.decisions import about, losses_of, parts_of, write_decisions
        from skyjo.analysis.judge import analyst_for
        from skyjo.interfaces import interface

        assert self.out is not None
        facts, losses = about(store, plan), None
        if self.losses:
            facts["judge"], analyst = analyst_for(interface(), plan.setup.rules)
            losses = partial(losses_of, analyst=analyst)
        games = chosen_of(store, self.wanted(plan), parts_of)
        write_decisions(Path(self.out).expanduser().resolve(), facts, plan, games, losses)
        print(f"Written: {self.out}")

    def _write_dataset(self, store: Store, plan: Plan) -> None:
        from cardtable.arena.stored.decisions import about, parts_of
        from cardtable.arena.stored.minari_dataset import write_dataset

        assert self.minari is not None
        wanted = self.wanted(plan)
        games = chosen_of(store, wanted, parts_of)
        folder = write_dataset(self.minari, about(store, plan), wanted, games, self.encoding)
        print(f"Written: {self.minari}, in {folder}")


def _csv(games: Iterator[Chosen]) -> Iterator[str]:
    from pyarrow import BufferOutputStream
    from pyarrow.csv import WriteOptions, write_csv

    from cardtable.arena.stored.game_search import seat_table

    for number, chosen in enumerate(games):
        text = BufferOutputStream()
        write_csv(seat_table(chosen), text, WriteOptions(include_header=number == 0))
        yield text.getvalue().to_pybytes().decode()


def _json_lines(games: Iterator[Chosen]) -> Iterator[str]:
    import json

    from cardtable.arena.stored.game_search import objects

    for chosen in games:
        for game in objects(chosen):
            yield f"{json.dumps(game)}\n"


FORMS: dict[str, Callable[[Iterator[Chosen]], Iterator[str]]] = {
    ".csv": _csv,
    ".jsonl": _json_lines,
}
