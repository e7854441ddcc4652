"""What the commands that read stored games share."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

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
            yield from matching(wanted, [stored])
            report(1)
