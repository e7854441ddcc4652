"""The command `tournament`: every agent against every other, and how strong they are."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Annotated, ClassVar

import tyro

from skyjo.commands.playing import Playing, PlayingTables
from skyjo.commands.shared import show

if TYPE_CHECKING:
    from cardtable.arena.play.plan import Plan
    from cardtable.arena.stored.store import Store
    from cardtable.arena.workers.plan_run import PlanProgress


@dataclass(frozen=True, kw_only=True)
class Tournament(PlayingTables):
    """Play a tournament: a table for every combination of agents, every deal from every seat, and a rating for each.

    With --store, an interrupted tournament continues when the same command is run again. The same seed gives the same
    numbers with any number of workers.
    """

    name = "tournament"
    does_not_matter: ClassVar[tuple[str, ...]] = (*Playing.does_not_matter, "anchor", "drop_failing")

    players: Annotated[int, tyro.conf.arg(metavar="N")] = 2
    """Seats at a table."""

    slow_deals: Annotated[int | None, tyro.conf.arg(metavar="N", help_behavior_hint="")] = None
    """Deals per table with a slow agent, such as rollout (default: same as --deals)."""

    anchor: Annotated[str | None, tyro.conf.arg(metavar="AGENT", help_behavior_hint="")] = None
    """The agent rated 1000 (default: the median agent)."""

    drop_failing: bool = False
    """Continue without an agent that raises an error, plays an illegal action or times out."""

    def run(self) -> None:
        """Play, rate and print."""
        from cardtable.arena.results.ladder import ladder
        from cardtable.arena.results.standings import tournament_document
        from cardtable.arena.stored.store import Store
        from skyjo.terminal.progress import progress

        plan = self._plan()
        page = self.begin(plan)
        with TemporaryDirectory() as spare:
            store = self.store_in(Path(spare, "games") if self.store is None else self.store, plan)
            course = self._course(plan, store)
            with progress("rating", 1) as report:
                rungs = ladder(Store.open(store.folder), self.anchor, report=report)
            if page is not None:
                from cardtable.arena.results.games_page import games_document
                from cardtable.arena.results.page import page_of
                from skyjo.terminal.text_files import write_text

                write_text(page, page_of(games_document([rungs])))
        show(tournament_document(rungs, course), self.json, options=self.request)
        if page is not None and not self.json:
            print(f"Written: {page}")

    def _plan(self) -> Plan:
        from cardtable.arena.play.plan import tournament
        from cardtable.table.errors import TableError

        if self.anchor is not None and self.anchor not in self.agents:
            raise TableError(f"--anchor {self.anchor} is not among the agents")
        return tournament(self.agents, self.setup(self.players), self.deals, self.slow_deals)

    def _course(self, plan: Plan, store: Store) -> PlanProgress:
        """Play all tables; AgentError if an agent fails, unless failing agents are dropped."""
        from cardtable.table.errors import AgentError

        course = self.play(plan, store, continue_on_error=self.drop_failing)
        if course.failures and not self.drop_failing:
            error = next(iter(course.failures.values()))
            hint = "" if self.store is None else "; the games played so far are kept, and the same command continues"
            raise AgentError(f"{error}{hint} (--drop-failing continues without it)")
        if all(course.is_dropped(table) for table in range(len(plan.tables))):
            raise AgentError(f"no table is left: {'; '.join(map(str, course.failures.values()))}")
        return course
