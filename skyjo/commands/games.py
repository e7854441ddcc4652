"""The command `games`: which games are stored, and whether they are intact."""

from __future__ import annotations

import sys
from dataclasses import dataclass
from typing import TYPE_CHECKING, Annotated, Any

import tyro

from cardtable.table.game.records import RecordFormat
from skyjo.commands.games_export import Export
from skyjo.commands.games_search import Folder, List, open_store
from skyjo.commands.replay import ReplayOptions

if TYPE_CHECKING:
    from cardtable.arena.stored.store import Store


@dataclass(frozen=True)
class About:
    """Show the contents of a store: the games, their players, and the finished share."""

    folder: Folder
    """Folder of the stored games."""

    json: bool = False
    """Print JSON instead of text."""

    def run(self) -> None:
        """Count and print."""
        document = _about(open_store(self.folder))
        if self.json:
            import json

            print(json.dumps(document, indent=2))
            return
        for name in ("command", "rules", "episode", "seed", "begun", "state"):
            print(f"{name:8} {document[name]}")
        for agent, origin in document["agents"].items():
            print(f"{'agent':8} {agent} ({origin})")
        for table in document["tables"]:
            words = f"{table['table']}: {', '.join(table['agents'])}"
            print(f"{'table':8} {words}; {table['games']:,} games, {table['deals']:,} of {table['planned']:,} deals")
        size = f"{document['bytes'] / 2**20:,.1f} MiB in {document['pieces']:,} files"
        print(f"{'games':8} {document['games']:,}, {size}")


def _about(store: Store) -> dict[str, Any]:
    from cardtable.arena.stored.pieces import plan_of, read_pieces
    from skyjo.terminal.progress import progress

    plan, files = plan_of(store), list(store.pieces().values())
    games, players = [0] * len(plan.tables), plan.players
    with progress("counting", len(files)) as report:
        for stored in read_pieces(store, plan):
            games[stored.piece.table] += len(stored.rows)
            report(1)
    tables = [
        {"table": number, "agents": list(names), "planned": plan.deals[number], "deals": played // players}
        | {"games": played}
        for number, (names, played) in enumerate(zip(plan.tables, games, strict=True))
    ]
    size = sum(file.stat().st_size for file in files)
    setup = plan.setup
    about = {"rules": setup.rules.to_text() or "official", "episode": setup.episode, "seed": setup.seed}
    about |= {"luck": plan.to_dict()["luck"], "state": _state(store, sum(games), players * sum(plan.deals))}
    return store.manifest | about | {"tables": tables, "games": sum(games), "pieces": len(files), "bytes": size}


def _state(store: Store, games: int, planned: int) -> str:
    finished = store.manifest["finished"]
    if finished is None:
        return f"not finished, {games / planned:.1%} played; the same command continues"
    ended = "finished" if games == planned else f"finished early, {games / planned:.1%} played"
    failed = finished["failed"].items()
    return "; ".join([ended, *(f"deal {deal}, seat {seat}, {name}: {words}" for name, (seat, deal, words) in failed)])


@dataclass(frozen=True)
class ReplayStored(ReplayOptions):
    """Print a stored game, as the command `replay` does."""

    folder: Folder
    """Folder of the stored games."""

    id: Annotated[str, tyro.conf.arg(metavar="ID"), tyro.conf.Positional]
    """The game, as table.deal.rotation, as games list shows it."""

    record: bool = False
    """Print the record instead, in the notation that replay and other programs read (docs/reference/notation.md)."""

    def run(self) -> None:
        """Find the game and print it."""
        from cardtable.arena.stored.pieces import GameId, plan_of, seats_of
        from cardtable.arena.stored.recheck import record_of
        from cardtable.table.errors import TableError
        from skyjo.commands.shared import the_game

        if self.record and self.json:
            raise TableError("--record and --json cannot be given together; --json already includes the record")
        store, game = open_store(self.folder), GameId.read(self.id)
        record = record_of(store, game)
        if self.record:
            print(RecordFormat(the_game()).format_record(record), end="")
        else:
            agents = seats_of(plan_of(store), game)
            self.print_game(record, [f"seat {seat} ({name})" for seat, name in enumerate(agents)], agents)


@dataclass(frozen=True)
class Check:
    """Check that every file is intact and that every game, played again, gives the stored result. The exit status is 1
    if something is wrong. Luck terms are not recomputed.
    """

    folder: Folder
    """Folder of the stored games."""

    json: bool = False
    """Print JSON instead of text."""

    def run(self) -> None:
        """Check all games, and print the faults."""
        from cardtable.arena.stored.recheck import faults
        from skyjo.terminal.progress import progress

        store = open_store(self.folder)
        files = len(store.paths())
        with progress("checking", files) as report:
            problems = list(faults(store, report))
        if self.json:
            import json

            print(json.dumps({"folder": self.folder, "files": files, "faults": problems}, indent=2))
        else:
            print("\n".join(problems) if problems else f"{self.folder}: {files:,} files, nothing is wrong")
        if problems:
            sys.exit(1)


Command = (
    Annotated[About, tyro.conf.subcommand("about")]
    | Annotated[List, tyro.conf.subcommand("list")]
    | Annotated[ReplayStored, tyro.conf.subcommand("replay")]
    | Annotated[Export, tyro.conf.subcommand("export")]
    | Annotated[Check, tyro.conf.subcommand("check")]
)


@dataclass(frozen=True)
class Games:
    """Look at stored games: list, replay, export and check them."""

    command: tyro.conf.OmitSubcommandPrefixes[Command]

    def run(self) -> None:
        """Run the subcommand."""
        self.command.run()
