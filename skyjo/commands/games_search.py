"""The command `games list`, and how this command and `games export` find the stored games that match."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Literal

import tyro

if TYPE_CHECKING:
    from cardtable.arena.play.plan import Plan
    from cardtable.arena.stored.game_search import Chosen, Wanted
    from cardtable.arena.stored.store import Store

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
        """Return the filters as `Wanted`; TableError for a value that cannot occur."""
        from cardtable.arena.stored.game_search import Wanted

        filters = self.agent, self.with_, self.winner, self.table, self.deal, self.min_turns, self.stopped
        return Wanted(plan, *filters)


def open_store(folder: str) -> Store:
    """Return the games in a folder; TableError if there are none."""
    from cardtable.arena.stored.plan_store import open_games
    from skyjo.commands.shared import the_game

    return open_games(Path(folder).expanduser(), the_game())


def chosen_of(
    store: Store, wanted: Wanted, parts_of: Callable[[Chosen], Iterable[Chosen]] = lambda chosen: [chosen]
) -> Iterator[Chosen]:
    """Yield the games that match, read a piece at a time, or in parts of it, while a bar shows the progress."""
    from cardtable.arena.stored.game_search import matching
    from cardtable.arena.stored.pieces import read_pieces
    from skyjo.terminal.progress import progress

    with progress("reading", len(store.pieces())) as report:
        for stored in read_pieces(store, wanted.plan):
            chosen = matching(wanted, stored)
            parts = [] if chosen is None else list(parts_of(chosen))
            for part in parts:
                yield part
                report(1 / len(parts))
            if not parts:
                report(1)


@dataclass(frozen=True, kw_only=True)
class List(Filters):
    """List the games that match every filter; the winners' scores are marked with a star."""

    sort: Annotated[Literal["margin", "turns", "score"] | None, tyro.conf.arg(help_behavior_hint="")] = None
    """Sort, highest first (default: order of play); margin and score are those of --agent, or of the best seat."""

    lowest: bool = False
    """With --sort, lowest first."""

    limit: Annotated[int, tyro.conf.arg(metavar="N")] = 20
    """Number of games to show."""

    json: bool = False
    """Print JSON instead of a table."""

    def run(self) -> None:
        """Find and print."""
        from cardtable.arena.stored.game_search import first_of
        from cardtable.arena.stored.pieces import plan_of
        from cardtable.table.checks import check_int
        from cardtable.table.errors import TableError

        if self.lowest and self.sort is None:
            raise TableError("--lowest needs --sort")
        limit = check_int("limit", self.limit, 1, 1_000_000)
        store = open_store(self.folder)
        plan = plan_of(store)
        wanted = self.wanted(plan)
        games, count = first_of(chosen_of(store, wanted), self.sort, self.lowest, self.agent, limit)
        if self.json:
            import json

            print(json.dumps({"found": count, "games": games}, indent=2))
        else:
            _print_games(games, count, plan)


def _print_games(games: list[dict[str, Any]], count: int, plan: Plan) -> None:
    from skyjo.terminal.console import print_table

    round_stats, rows = plan.game.round_stats(plan.setup.rules), []
    for game in games:
        scores = " ".join(f"{score}{'*' * (seat in game['winners'])}" for seat, score in enumerate(game["scores"]))
        turns = f"{'stopped ' * game['stopped']}{game['turns']}"
        stats = (" ".join(map(str, game[stat.name][: 1 if stat.of_table else None])) for stat in round_stats)
        rows.append((game["game"], ", ".join(game["agents"]), scores, turns, *stats))
    if games:
        print_table(
            ("game", "agents by seat", "scores", "turns", *(stat.counted for stat in round_stats)), rows, names=3
        )
    print(f"{len(games):,} of {count:,} games" if games else "no games match")
