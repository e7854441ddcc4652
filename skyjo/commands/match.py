"""The command `match`: who is better, on deals played from every seat."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Literal

import tyro

from skyjo.commands.shared import OnCluster
from skyjo.programs import file_named

if TYPE_CHECKING:
    from cardtable.arena.play.plan import Plan
    from cardtable.arena.results.result_document import Document
    from cardtable.arena.statistics import Hypotheses, Moments
    from cardtable.arena.stored.store import Store
    from cardtable.arena.workers.plan_run import PlanProgress


@dataclass(frozen=True)
class Match(OnCluster):
    """Play a match. Every deal is played once per rotation of the agents over the seats, so luck affects all equally.

    A margin is how many points a round (or game) an agent is ahead of the mean of the others, with a 95 % interval
    over deals. The same seed gives the same numbers with any number of workers.
    """

    agents: Annotated[
        tuple[str, ...], tyro.conf.arg(metavar="AGENT ...", help_behavior_hint=""), tyro.conf.Positional
    ] = ()
    """The agents that play, at least two; see the command `agents`."""

    players: Annotated[int | None, tyro.conf.arg(metavar="N", help_behavior_hint="")] = None
    """Number of seats; the last agent takes all that are left (default: one per agent)."""

    deals: Annotated[int, tyro.conf.arg(metavar="N")] = 10_000
    """Number of deals; with --until or --sprt, the maximum."""

    until: Annotated[str | None, tyro.conf.arg(metavar="POINTS", help_behavior_hint="")] = None
    """Stop once the first agent's margin (with --luck, its margin without luck) is known to within POINTS."""

    sprt: Annotated[str | None, tyro.conf.arg(metavar="LOW,HIGH", help_behavior_hint="")] = None
    """Sequential test: stop once it is decided whether that margin is LOW or HIGH, with 5 % error rates."""

    episode: Literal["round", "game"] = "round"
    """Play one round of each deal, or a whole game to the target score."""

    seed: Annotated[int, tyro.conf.arg(metavar="N")] = 0
    """Seed of all deals."""

    rules: Annotated[str, tyro.conf.arg(metavar="TEXT", help_behavior_hint="(default: none)")] = ""
    """Changes to the official rules, as "name=value ..."."""

    workers: Annotated[int, tyro.conf.arg(metavar="N")] = 2
    """How many deals to play at once: in threads for scripted agents, in separate processes for others."""

    timeout: Annotated[float, tyro.conf.arg(metavar="SECONDS")] = 300
    """How long an agent that is not scripted may take for one answer, which may cover many tables."""

    store: Annotated[str | None, tyro.conf.arg(metavar="FOLDER", help_behavior_hint="")] = None
    """Store every game here. If interrupted, run the same command again to continue. See the command `games`."""

    peek: bool = False
    """Let agents such as peek see the hidden cards: for measuring, not for ranking."""

    luck: bool = False
    """Subtract luck from the margins; on average they stay the same, and their intervals are usually narrower."""

    luck_by: Annotated[str | None, tyro.conf.arg(metavar="NAME", help_behavior_hint="(default: cards)")] = None
    """How to measure luck (implies --luck): cards; or network, if the game has one, slower but often far narrower."""

    out: Annotated[str | None, tyro.conf.arg(metavar="FILE", help_behavior_hint="")] = None
    """Also write an HTML page here."""

    json: bool = False
    """Print JSON instead of a table."""

    def run(self) -> None:
        """Play and print."""
        from cardtable.arena.workers.plan_run import check, play
        from cardtable.table.errors import AgentError
        from skyjo.commands.shared import show
        from skyjo.terminal.progress import playing, resumable
        from skyjo.terminal.text_files import target

        is_enough, plan = self._is_enough(), self._plan()
        page = None if self.out is None else target(self.out, file_named("match")())
        check(plan, self.workers, self.timeout)
        store = self._store(plan)
        with (
            resumable(self.store),
            self.connected(self.workers),
            playing(self.deals, _margin_so_far) as report,
        ):
            course = play(
                plan,
                store,
                workers=self.workers,
                limit=self.timeout,
                is_enough=is_enough,
                report=report,
                on_cluster=self.cluster is not None,
            )
        failure = next(iter(course.failures.values()), None)
        if failure is not None and course.deals < 2:
            raise failure
        asked = asdict(self) | {"agents": list(plan.tables[0]), "luck": self._has_luck}
        show(self._document(course), self.json, page, asked)
        if failure is not None:
            raise AgentError(f"{failure}; {course.deals} deals were played before")

    @property
    def _has_luck(self) -> bool:
        return self.luck or self.luck_by is not None

    def _plan(self) -> Plan:
        from cardtable.arena.play.plan import Plan, seat_all
        from cardtable.table.game.card_game import Setup
        from skyjo.commands.shared import luck_measure, rules_of

        agents = tuple(seat_all(self.agents, self.players))
        rules, luck_by = rules_of(self.rules, len(agents)), luck_measure(self.luck_by)
        setup = Setup(rules, self.seed, self.episode, self._has_luck, self.peek, luck_by=luck_by)
        stop = f"until {self.until}" if self.until is not None else f"sprt {self.sprt}" if self.sprt is not None else ""
        return Plan((agents,), (self.deals,), setup, stop)

    def _store(self, plan: Plan) -> Store | None:
        if self.store is None:
            return None
        from cardtable.arena.stored.plan_store import store_for

        return store_for(Path(self.store).expanduser(), plan, self._command())

    def _command(self) -> str:
        from skyjo.commands.shared import command_line

        return command_line("match", self, ("workers", "cluster", "timeout", "out", "json"))

    def _is_enough(self) -> Callable[[Moments], bool] | None:
        """The condition that ends the match early, if there is one."""
        from cardtable.arena.statistics import is_narrow, sprt_margins
        from cardtable.table.errors import TableError

        if self.until is not None and self.sprt is not None:
            raise TableError("--until and --sprt cannot be given together")
        if self.sprt is not None:
            hypotheses = self._hypotheses()
            return lambda margins: sprt_margins(margins, hypotheses).decision is not None
        if self.until is None:
            return None
        try:
            until = float(self.until.removeprefix("±"))
        except ValueError:
            until = 0.0
        if not 0 < until < math.inf:
            raise TableError(f"--until {self.until} must be a number of points above 0")
        return lambda margins: is_narrow(margins, until)

    def _is_known(self, course: PlanProgress) -> bool | None:
        """Whether --until has been reached; None without it."""
        is_enough = self._is_enough()
        return None if self.until is None or is_enough is None else is_enough(_judged_margin(course))

    def _hypotheses(self) -> Hypotheses:
        from cardtable.arena.statistics import Hypotheses
        from cardtable.table.errors import TableError

        try:
            low, high = map(float, str(self.sprt).split(","))
        except ValueError:
            low, high = 0.0, 0.0
        if not -math.inf < low < high < math.inf:
            raise TableError(f"--sprt {self.sprt} must be two numbers of points, the lower one first, such as 0,1")
        return Hypotheses(low, high)

    def _document(self, course: PlanProgress) -> Document:
        from cardtable.arena.results.result_document import Column, Document, Plot, Section, Series, Table
        from skyjo.commands.shared import shares_in_words

        setup, tally, unit = course.plan.setup, course.tallies[0], course.plan.setup.episode
        standings = course.standings()
        without = () if setup.with_luck else ("without_luck",)
        rows = [{k: v for k, v in vars(each).items() if k not in without} for each in standings]
        columns = [
            Column("agent", "agent", "name"),
            Column("margin", f"points a {unit}", "points"),
            *([Column("without_luck", "without luck", "points")] if setup.with_luck else []),
            Column("score", "score", "estimate"),
            Column("wins", "won", "percent", 1),
        ]
        rotations = f"each played {setup.rules.players} times, rotating the seats"
        findings = [f"{tally.deals} deals, {rotations}; ± is half a 95 % interval"]
        facts: dict[str, Any] = {"played": tally.deals, "stopped": tally.stopped, "is_known": self._is_known(course)}
        facts |= tally.shares(setup)
        if setup.with_luck:
            facts["explained"] = course.explained
            findings.append(f"luck explains {100 * course.explained:.0f} % of the variance of the margins")
        findings += shares_in_words(setup, tally.stopped, tally.shares(setup))
        if facts["is_known"] is False:
            findings.append(f"More --deals are needed to know the margin to within {self.until} points")
        if self.sprt is not None:
            facts["verdict"] = self._verdict(course)
            findings.append(_in_words(self._hypotheses(), facts["verdict"]))
        margins = [each.without_luck if setup.with_luck else each.margin for each in standings]
        names = [each.agent for each in standings]
        plot = Plot(
            "intervals", [Series.of("margin", margins)], f"points a {unit} ahead of the others", names=names, line_at=0
        )
        sections = [Section("Standings", [Table(columns, rows, key="standings"), plot])]
        return Document(f"A match of {setup.game.title}", "", findings, sections, facts, self._command())

    def _verdict(self, course: PlanProgress) -> dict[str, Any]:
        """Return the verdict of the sequential test; JSON has no infinity for deals that are all alike."""
        from cardtable.arena.results.result_document import plain
        from cardtable.arena.statistics import sprt_margins

        verdict: dict[str, Any] = plain(sprt_margins(_judged_margin(course), self._hypotheses()))
        return verdict


def _judged_margin(course: PlanProgress) -> Moments:
    """The first agent's margins, without luck if the match is with luck."""
    from cardtable.arena.play.pairing import WITHOUT_LUCK

    return course.tallies[0].moments(WITHOUT_LUCK, 0)


def _margin_so_far(course: PlanProgress) -> str:
    from cardtable.arena.statistics import estimate

    return str(estimate(_judged_margin(course))) if course.tallies else "playing"


def _in_words(hypotheses: Hypotheses, verdict: dict[str, Any]) -> str:
    low, high = f"{hypotheses.low:g}", f"{hypotheses.high:g}"
    words = {"H0": f"{low} points rather than {high}", "H1": f"{high} points rather than {low}"}
    ratio = "all deals are alike" if verdict["llr"] is None else f"log-likelihood ratio {verdict['llr']:+.2f}"
    return f"{words.get(verdict['decision'], 'undecided, more deals are needed')} ({ratio})"
