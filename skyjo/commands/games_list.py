"""The command `games list`: the stored games that match."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Annotated, Any, Literal

import tyro

from skyjo.commands.games_filters import Filters, chosen_of, open_store

if TYPE_CHECKING:
    from cardtable.play.plan import Plan


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
    traces = plan.game.traces(plan.setup.rules)
    for title in ("game", "agents by seat", "scores", "turns", *(trace.counted for trace in traces)):
        table.add_column(title, overflow="fold", justify="right" if title == "turns" else "left")
    for game in games:
        scores = " ".join(f"{score}{'*' * (seat in game['winners'])}" for seat, score in enumerate(game["scores"]))
        turns = f"{'stopped ' * game['stopped']}{game['turns']}"
        left = (" ".join(map(str, game[trace.name][: 1 if trace.of_table else None])) for trace in traces)
        table.add_row(*map(Text, (game["game"], ", ".join(game["agents"]), scores, turns, *left)))
    if games:
        console.print(table)
    print(f"{len(games):,} of {found:,} games" if games else "no games match")
