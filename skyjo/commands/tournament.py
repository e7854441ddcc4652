"""The command `tournament`: every agent against every other, and how strong they are."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Annotated, Any, Literal

import tyro

from skyjo.commands.cluster_option import OnCluster

if TYPE_CHECKING:
    from cardtable.card_game import Setup
    from cardtable.play.plan import Plan
    from cardtable.report.ladder import Ladder
    from cardtable.stored.store import Store
    from cardtable.workers.plan_run import PlanProgress


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

    json: bool = False
    """Print JSON instead of a table."""

    def run(self) -> None:
        """Play, rate and print."""
        from cardtable.report.ladder import ladder
        from cardtable.stored.store import Store
        from cardtable.workers.plan_run import check
        from skyjo.terminal.progress import progress

        plan = self._plan()
        check(plan, self.workers, self.timeout)
        with TemporaryDirectory() as spare:
            store = self._store(plan, Path(spare, "games"))
            course = self._play(plan, store)
            with progress("rating", RESAMPLES) as report:
                found = ladder(Store.open(store.folder), self.anchor, RESAMPLES, report)
        if self.json:
            import json

            asked = asdict(self) | {"luck": self._has_luck}
            print(json.dumps(asked | _course(course) | document(found, self._has_luck), indent=2))
        else:
            print_ladder(found, plan.setup)
            if self._has_luck:
                print(f"luck explains {100 * course.explained:.0f} % of the variance of the margins")
            for error in course.failures.values():
                print(f"Left out: {error}")

    @property
    def _has_luck(self) -> bool:
        return self.luck or self.luck_by is not None

    def _plan(self) -> Plan:
        from cardtable.card_game import Setup
        from cardtable.errors import TableError
        from cardtable.play.plan import tournament
        from skyjo.commands.chosen_game import luck_measure, rules_of

        if self.anchor is not None and self.anchor not in self.agents:
            raise TableError(f"--anchor {self.anchor} is not among the agents")
        rules, luck_by = rules_of(self.rules, self.players), luck_measure(self.luck_by)
        setup = Setup(rules, self.seed, self.episode, self._has_luck, self.peek, luck_by=luck_by)
        return tournament(self.agents, setup, self.deals, self.slow)

    def _store(self, plan: Plan, spare: Path) -> Store:
        from cardtable.stored.plan_store import store_for
        from skyjo.commands.repeat_command import command_line

        folder = spare if self.store is None else Path(self.store).expanduser()
        without = ("workers", "cluster", "timeout", "json", "anchor", "drop_failing")
        return store_for(folder, plan, command_line("tournament", self, without))

    def _play(self, plan: Plan, store: Store) -> PlanProgress:
        """Play all tables; AgentError if an agent fails, unless failing agents are dropped."""
        from cardtable.errors import AgentError
        from cardtable.workers.plan_run import play
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


def _course(course: PlanProgress) -> dict[str, Any]:
    errors = course.failures.values()
    failed = [{"agent": each.agent, "seat": each.seat, "deal": each.deal, "reason": each.words} for each in errors]
    return {"failed": failed} | ({"explained": course.explained} if course.plan.setup.with_luck else {})


def document(found: Ladder, with_luck: bool) -> dict[str, Any]:
    """A ladder for JSON."""
    without = () if with_luck else ("without_luck",)
    rungs = [{name: value for name, value in asdict(rung).items() if name not in without} for rung in found.rungs]
    ahead = [{"agent": agent, "other": other, **asdict(by)} for (agent, other), by in found.ahead.items()]
    numbers = {name: value for name, value in asdict(found).items() if name not in ("shares", "results")}
    return numbers | found.shares | {"rungs": rungs, "ahead": ahead}


def print_ladder(found: Ladder, setup: Setup) -> None:
    """The ladder as a table."""
    from rich.console import Console

    from skyjo.commands.table_shares import print_shares
    from skyjo.terminal.console import print_table

    rows = []
    for rung in found.rungs:
        half = (rung.high - rung.low) / 2  # none where somebody has won or lost everything
        is_known = half > 0 or rung.agent == found.anchor
        rating = f"{rung.rating:.0f} ± {half:.0f}" if is_known else f"{rung.rating:.0f} ± ?"
        more = (str(rung.without_luck),) if setup.with_luck else ()
        shares = f"{rung.score.mean:.1f}", f"{100 * rung.wins.mean:.1f} %"
        rows.append((rung.agent, rating, str(rung.margin), *more, *shares))
    corrected = ("without luck",) if setup.with_luck else ()
    print_table(("agent", "rating", f"points a {setup.episode}", *corrected, "score", "won"), rows)
    console = Console()
    console.print(
        f"{found.games:,} games; {found.anchor} is rated 1000, a lead of 400 means odds of 10 to 1; "
        "± is half a 95 % interval"
    )
    if found.stopped > 0:
        console.print(f"{100 * found.stopped:.2g} % were stopped after too many turns")
    print_shares(setup, found.shares)
