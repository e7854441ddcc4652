"""The command `match`: who is better, on deals played from every seat."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Annotated

import tyro

from skyjo.commands.playing import PlayingTables
from skyjo.commands.shared import show

if TYPE_CHECKING:
    from cardtable.arena.play.plan import Plan
    from cardtable.arena.statistics import Moments
    from cardtable.arena.workers.plan_run import PlanProgress


@dataclass(frozen=True, kw_only=True)
class Match(PlayingTables):
    """Play a match. Every deal is played once per rotation of the agents over the seats: luck affects all equally.

    A margin is an agent's lead over the mean of the others, in points a round (or game), with a 95 % interval over
    deals. The same seed gives the same numbers with any number of workers.
    """

    name = "match"

    players: Annotated[int | None, tyro.conf.arg(metavar="N", help_behavior_hint="")] = None
    """Number of seats; the last agent takes all seats that are left (default: one per agent)."""

    deals: Annotated[int, tyro.conf.arg(metavar="N")] = 10_000
    """Number of deals; with --until or --sprt, the maximum."""

    until: Annotated[str | None, tyro.conf.arg(metavar="POINTS", help_behavior_hint="")] = None
    """Stop once the first agent's margin (with --luck, its margin without luck) is known to within POINTS."""

    sprt: Annotated[str | None, tyro.conf.arg(metavar="LOW,HIGH", help_behavior_hint="")] = None
    """Sequential test: stop once it is decided whether that margin is LOW or HIGH, with 5 % error rates."""

    def run(self) -> None:
        """Play and print."""
        from cardtable.arena.results.standings import match_document
        from cardtable.table.errors import AgentError

        hypotheses, plan = self._hypotheses(), self._plan()
        is_enough = self._is_enough(hypotheses)
        page = self.begin(plan)
        store = None if self.store is None else self.store_in(self.store, plan)
        course = self.play(plan, store, _margin_so_far, is_enough=is_enough)
        failure = next(iter(course.failures.values()), None)
        if failure is not None and course.deals < 2:
            raise failure
        document = match_document(course, self.command(), self.until, is_enough, hypotheses)
        show(document, self.json, page, self.request | {"agents": list(plan.tables[0])})
        if failure is not None:
            raise AgentError(f"{failure}; {course.deals} deals were played before")

    def _plan(self) -> Plan:
        from cardtable.arena.play.plan import Plan, seat_all

        agents = tuple(seat_all(self.agents, self.players))
        stop = f"until {self.until}" if self.until is not None else f"sprt {self.sprt}" if self.sprt is not None else ""
        return Plan((agents,), (self.deals,), self.setup(len(agents)), stop)

    def _is_enough(self, hypotheses: tuple[float, float] | None) -> Callable[[Moments], bool] | None:
        """Return the condition that ends the match early, if there is one."""
        from cardtable.arena.statistics import is_narrow, sprt_margins
        from cardtable.table.errors import TableError

        if hypotheses is not None:
            return lambda margins: sprt_margins(margins, *hypotheses).decision is not None
        if self.until is None:
            return None
        try:
            until = float(self.until.removeprefix("±"))
        except ValueError:
            until = 0.0
        if not 0 < until < math.inf:
            raise TableError(f"--until {self.until} must be a number of points above 0")
        return lambda margins: is_narrow(margins, until)

    def _hypotheses(self) -> tuple[float, float] | None:
        from cardtable.table.errors import TableError

        if self.sprt is None:
            return None
        if self.until is not None:
            raise TableError("--until and --sprt cannot be given together")
        try:
            low, high = map(float, self.sprt.split(","))
        except ValueError:
            low, high = 0.0, 0.0
        if not -math.inf < low < high < math.inf:
            raise TableError(f"--sprt {self.sprt} must be two numbers of points, the lower one first, such as 0,1")
        return low, high


def _margin_so_far(course: PlanProgress) -> str:
    from cardtable.arena.results.standings import judged_margin
    from cardtable.arena.statistics import estimate

    return str(estimate(judged_margin(course))) if course.tallies else "playing"
