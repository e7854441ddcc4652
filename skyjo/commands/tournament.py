"""The command `tournament`: every agent against every other, and how strong they are."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Annotated, Literal

import tyro

from skyjo.commands.shared import OnCluster
from skyjo.programs import file_named

if TYPE_CHECKING:
    from cardtable.arena.play.plan import Plan
    from cardtable.arena.results.ladder import Ladder
    from cardtable.arena.results.result_document import Document
    from cardtable.arena.stored.store import Store
    from cardtable.arena.workers.plan_run import PlanProgress


@dataclass(frozen=True)
class Tournament(OnCluster):
    """Play a tournament: a table for every combination of agents, every deal from every seat, and a rating for each.

    With --store, an interrupted tournament continues when the same command is run again. The same seed gives the same
    numbers with any number of workers.
    """

    agents: Annotated[
        tuple[str, ...], tyro.conf.arg(metavar="AGENT ...", help_behavior_hint=""), tyro.conf.Positional
    ] = ()
    """The agents that play; see the command `agents`."""

    players: Annotated[int, tyro.conf.arg(metavar="N")] = 2
    """Seats at a table."""

    deals: Annotated[int, tyro.conf.arg(metavar="N")] = 1000
    """Deals per table."""

    slow: Annotated[int | None, tyro.conf.arg(metavar="N", help_behavior_hint="")] = None
    """Deals per table with a slow agent, such as rollout (default: same as --deals)."""

    episode: Literal["round", "game"] = "round"
    """Play one round of each deal, or a whole game to the target score."""

    seed: Annotated[int, tyro.conf.arg(metavar="N")] = 0
    """Seed of all deals."""

    rules: Annotated[str, tyro.conf.arg(metavar="TEXT", help_behavior_hint="(default: none)")] = ""
    """Changes to the official rules, as "name=value ..."."""

    anchor: Annotated[str | None, tyro.conf.arg(metavar="AGENT", help_behavior_hint="")] = None
    """The agent rated 1000 (default: the median agent)."""

    luck: bool = False
    """Subtract luck from the margins; on average they stay the same, and their intervals are usually narrower."""

    luck_by: Annotated[str | None, tyro.conf.arg(metavar="NAME", help_behavior_hint="(default: cards)")] = None
    """How to measure luck (implies --luck): cards; or network, if the game has one, slower but often far narrower."""

    peek: bool = False
    """Let agents such as peek see the hidden cards: for measuring, not for ranking."""

    workers: Annotated[int, tyro.conf.arg(metavar="N")] = 2
    """How many pieces to play at once: in threads if all agents are scripted, otherwise in separate processes."""

    timeout: Annotated[float, tyro.conf.arg(metavar="SECONDS")] = 300
    """How long an agent that is not scripted may take for one answer, which may cover many tables."""

    drop_failing: bool = False
    """Continue without an agent that raises an error, plays an illegal action or times out."""

    store: Annotated[str | None, tyro.conf.arg(metavar="FOLDER", help_behavior_hint="")] = None
    """Store every game here; see the commands `games` and `report`."""

    out: Annotated[str | None, tyro.conf.arg(metavar="FILE", help_behavior_hint="")] = None
    """Also write an HTML page here, as the command `report` does."""

    json: bool = False
    """Print JSON instead of a table."""

    def run(self) -> None:
        """Play, rate and print."""
        from cardtable.arena.results.ladder import ladder
        from cardtable.arena.stored.store import Store
        from cardtable.arena.workers.plan_run import check
        from skyjo.commands.shared import show
        from skyjo.terminal.progress import progress
        from skyjo.terminal.text_files import target

        plan = self._plan()
        check(plan, self.workers, self.timeout)
        page = None if self.out is None else target(self.out, file_named("tournament")())
        with TemporaryDirectory() as spare:
            store = self._store(plan, Path(spare, "games"))
            course = self._play(plan, store)
            with progress("rating", RESAMPLES) as report:
                found = ladder(Store.open(store.folder), self.anchor, RESAMPLES, report)
            if page is not None:
                self._write_page(page, store)
        show(ladder_document(found, course), self.json, asked=asdict(self) | {"luck": self._has_luck})
        if page is not None and not self.json:
            print(f"Written: {page}")

    def _write_page(self, page: str, store: Store) -> None:
        from cardtable.arena.results.games_page import games_document
        from cardtable.arena.results.games_summary import summaries
        from cardtable.arena.results.page import page_of
        from skyjo.commands.shared import the_game
        from skyjo.terminal.text_files import write_text

        write_text(page, page_of(games_document(summaries(the_game(), [str(store.folder)], self.anchor))))

    @property
    def _has_luck(self) -> bool:
        return self.luck or self.luck_by is not None

    def _plan(self) -> Plan:
        from cardtable.arena.play.plan import tournament
        from cardtable.table.errors import TableError
        from cardtable.table.game.card_game import Setup
        from skyjo.commands.shared import luck_measure, rules_of

        if self.anchor is not None and self.anchor not in self.agents:
            raise TableError(f"--anchor {self.anchor} is not among the agents")
        rules, luck_by = rules_of(self.rules, self.players), luck_measure(self.luck_by)
        setup = Setup(rules, self.seed, self.episode, self._has_luck, self.peek, luck_by=luck_by)
        return tournament(self.agents, setup, self.deals, self.slow)

    def _store(self, plan: Plan, spare: Path) -> Store:
        from cardtable.arena.stored.plan_store import store_for
        from skyjo.commands.shared import command_line

        folder = spare if self.store is None else Path(self.store).expanduser()
        without = ("workers", "cluster", "timeout", "out", "json", "anchor", "drop_failing")
        return store_for(folder, plan, command_line("tournament", self, without))

    def _play(self, plan: Plan, store: Store) -> PlanProgress:
        """Play all tables; AgentError if an agent fails, unless failing agents are dropped."""
        from cardtable.arena.workers.plan_run import play
        from cardtable.table.errors import AgentError
        from skyjo.terminal.progress import playing, resumable

        with (
            resumable(self.store),
            self.connected(self.workers),
            playing(sum(plan.deals)) as report,
        ):
            course = play(
                plan,
                store,
                workers=self.workers,
                limit=self.timeout,
                go_on=self.drop_failing,
                report=report,
                on_cluster=self.cluster is not None,
            )
        if course.failures and not self.drop_failing:
            error = next(iter(course.failures.values()))
            kept = "" if self.store is None else "; the games played so far are kept, and the same command continues"
            raise AgentError(f"{error}{kept} (--drop-failing continues without it)")
        if all(course.is_dropped(table) for table in range(len(plan.tables))):
            raise AgentError(f"no table is left: {'; '.join(map(str, course.failures.values()))}")
        return course


RESAMPLES = 400


def ladder_document(found: Ladder, course: PlanProgress) -> Document:
    """Return the ladder of a tournament."""
    from cardtable.arena.results.result_document import Column, Document, Section, Table
    from skyjo.commands.shared import shares_in_words

    setup, errors = course.plan.setup, course.failures.values()
    failed = [{"agent": each.agent, "seat": each.seat, "deal": each.deal, "reason": each.words} for each in errors]
    numbers = {"anchor": found.anchor, "games": found.games, "stopped": found.stopped, **found.shares, "failed": failed}
    ahead = [{"agent": agent, "other": other, **vars(by)} for (agent, other), by in found.ahead.items()]
    without = () if setup.with_luck else ("without_luck",)
    rungs = [{name: value for name, value in vars(rung).items() if name not in without} for rung in found.rungs]
    scale = f"{found.anchor} is rated 1000, a lead of 400 means odds of 10 to 1"
    findings = [f"{found.games:,} games; {scale}; ± is half a 95 % interval"]
    findings += shares_in_words(setup, found.stopped, found.shares)
    if setup.with_luck:
        numbers["explained"] = course.explained
        findings.append(f"luck explains {100 * course.explained:.0f} % of the variance of the margins")
    findings += [f"Left out: {error}" for error in errors]
    columns = [
        Column("agent", "agent", "name"),
        Column("rated", "rating", "estimate", 0),
        Column("margin", f"points a {setup.episode}", "points"),
        *([Column("without_luck", "without luck", "points")] if setup.with_luck else []),
        Column("score", "score", "number", 1),
        Column("wins", "won", "percent", 1),
    ]
    rows = [
        {
            **vars(rung),
            "rated": {"mean": rung.rating, "half": (rung.high - rung.low) / 2},
            "score": rung.score.mean,
            "wins": rung.wins.mean,
        }
        for rung in found.rungs
    ]
    sections = [Section("The ladder", [Table(columns, rows)])]
    return Document("A tournament", "", findings, sections, {**numbers, "rungs": rungs, "ahead": ahead})
