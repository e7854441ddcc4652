"""Comparing learned policies with other agents: margins, rounds and games won, what lookahead and exploiters win."""

from dataclasses import replace
from statistics import fmean
from typing import Any

from cardtable.arena.play.pairing import MARGIN, WINS, WITHOUT_LUCK
from cardtable.arena.play.plan import Plan, pace
from cardtable.arena.statistics import Moments
from cardtable.arena.workers.plan_run import PlanProgress, play
from cardtable.table.agents.agents import agents_of
from skyjo_training.comparison_document import Comparison, Exploited, Looked, Met, Sample, verdicts
from skyjo_training.comparison_plan import AHEAD, GAME, THOUGHT, ComparisonPlan, Report, rules_text
from skyjo_training.exploiter import Taken, exploit


def play_comparison(plan: ComparisonPlan, report: Report = lambda *_: None) -> Comparison:
    """Play it all, let exploiters learn, and return all numbers. AgentError for an agent that fails."""
    numbers = range(len(plan.policies))
    rounds = [_played(plan, plan.results_of(number), report, 1, "playing rounds") for number in numbers]
    tables = [plan.games_of(number) for number in numbers]
    games = [_played(plan, part, report, GAME, "playing games") for part in tables if part is not None]
    ahead = 1 if plan.has_slow_policy else AHEAD
    looked = [_played(plan, plan.look_of(k), report, ahead, "looking ahead") for k in range(len(plan.lookers))]
    taken = [exploit(plan, k, report) for k in range(len(plan.policies))] if plan.exploiter_decisions > 0 else []
    rows = [_met(plan, opponent, rounds, games) for opponent in plan.opponents]
    return Comparison(
        policies=[{"name": policy.name, "agent": policy.agent} for policy in plan.policies],
        game=plan.game.name,
        rules=rules_text(plan.rules),
        players=plan.rules.players,
        deals=plan.deals,
        games=plan.games,
        slow=plan.slow_deals,
        seed=plan.seed,
        luck=plan.with_luck,
        against=[replace(row, verdict=verdict) for row, verdict in zip(rows, verdicts(rows), strict=True)],
        look=_looked(plan, looked) if looked else None,
        exploiter=_exploited(plan, taken) if taken else None,
    )


def _played(plan: ComparisonPlan, tables: Plan, report: Report, weight: float, words: str) -> PlanProgress:
    """Play at these tables, and report the work as it is done."""
    registry, seated = agents_of(plan.game), zip(tables.tables, tables.deals, strict=True)
    slow = sum(deals for agents, deals in seated if pace(registry, agents) == "slow")
    weight *= (sum(tables.deals) + (THOUGHT - 1) * slow) / sum(tables.deals)  # tables advance side by side
    reported = 0

    def tell(course: PlanProgress) -> None:
        nonlocal reported
        report(weight * (course.played - reported), words)
        reported = course.played

    report(0, words)
    course = play(tables, workers=plan.workers, limit=plan.timeout, report=tell, on_cluster=plan.on_cluster)
    for error in course.failures.values():
        raise error
    return course


def _looked(plan: ComparisonPlan, looked: list[PlanProgress]) -> Looked:
    """What `lookahead` won from the policies."""
    deals = looked[0].tallies[0].deals
    return Looked(agents=list(plan.lookers), **_measured("lookahead", deals, _sample(plan, looked, 0)))


def _sample(plan: ComparisonPlan, rounds: list[PlanProgress], table: int, games: list[Moments] | None = None) -> Sample:
    """Return the numbers of the agent that is named first at a table, policy by policy."""
    margin = WITHOUT_LUCK if plan.with_luck else MARGIN
    margins, wins = ([course.tallies[table].moments(kind, 0) for course in rounds] for kind in (margin, WINS))
    return Sample([policy.name for policy in plan.policies], margins, wins, games)


def _measured(opponent: str, deals: int, sample: Sample) -> dict[str, Any]:
    numbers = {"by_policy": sample.by_policy, "together": sample.together, "over_seeds": sample.over_seeds}
    return {"opponent": opponent, "deals": deals, **numbers}


def _met(plan: ComparisonPlan, opponent: str, rounds: list[PlanProgress], games: list[PlanProgress]) -> Met:
    """How the policies did against one opponent."""
    at = plan.opponents.index(opponent)
    stopped = fmean(course.tallies[at].stopped for course in rounds)
    whole = [course.tallies[place] for course in games for place in _places(course, opponent)]
    won = [tally.moments(WINS, 0) for tally in whole] or None
    return Met(
        games=0 if won is None else won[0].count,
        stopped=stopped,
        stopped_games=fmean(tally.stopped for tally in whole) if whole else None,
        **_measured(opponent, rounds[0].tallies[at].deals, _sample(plan, rounds, at, won)),
    )


def _places(course: PlanProgress, opponent: str) -> list[int]:
    """The table at which this opponent plays, if there is one."""
    return [place for place, table in enumerate(course.plan.tables) if table[1] == opponent]


def _exploited(plan: ComparisonPlan, taken: list[Taken]) -> Exploited:
    policies = [policy.name for policy in plan.policies]
    sample = Sample(policies, [part.margins for part in taken], [part.wins for part in taken])
    numbers = _measured("exploiter", plan.exploit_deals, sample)
    return Exploited(decisions=plan.exploiter_decisions, warm=plan.warm, **numbers)
