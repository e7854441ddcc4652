"""Comparing learned policies with other agents: margins, rounds and games won, what `lookahead` and exploiters win.

Two kinds of luck are kept apart. Intervals over deals say how much these same policies would vary on other deals.
Several training seeds give several policies, each measured on deals of its own; the interval over them says what
another run of the same training would give, and includes the luck of the deals.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from statistics import fmean
from tempfile import TemporaryDirectory
from typing import Literal

from cardtable.arena.play.pairing import MARGIN, WINS, WITHOUT_LUCK, Tally
from cardtable.arena.play.plan import Plan
from cardtable.arena.statistics import Estimate, Moments, Range, estimate, holm, p_value, t_test, wilson_of_share
from cardtable.arena.workers.plan_run import PlanProgress, play
from skyjo_training.comparison_plan import LOOKAHEAD, Bar, ComparisonPlan, Contender, no_bar, rules_text
from skyjo_training.exploiter import exploiter
from skyjo_training.measurements import over_seeds

CLEAR = 0.05  # of p-values


@dataclass(frozen=True)
class Numbers:
    """Points a round ahead, and the shares of rounds and games that were won; no games if none were played."""

    policy: str  # or all
    margin: Estimate
    rounds: Range
    games: Range | None


@dataclass(frozen=True)
class Verdict:
    """Verdict on a margin: whether it is beyond chance."""

    p_value: float
    side: Literal["ahead", "behind", "open"]


@dataclass(frozen=True)
class Measurement:
    """The results of the policies against one opponent, or those of `lookahead` or exploiters against the policies."""

    opponent: str
    deals: int  # for each policy, of rounds
    games: int  # deals of games for each policy
    stopped: float  # the share of rounds that went on for too long
    stopped_games: float | None
    by_policy: list[Numbers]
    together: Numbers
    over_seeds: dict[str, Estimate | None] | None  # of margin, rounds and games; None for a single policy
    verdict: Verdict | None = None


@dataclass(frozen=True)
class Comparison:
    """Everything that a comparison has found."""

    policies: list[Contender]
    game: str
    rules: str
    players: int
    deals: int
    games: int
    slow: int
    seed: int
    luck: bool
    against: list[Measurement]
    lookahead: Measurement | None
    lookahead_agents: list[str]  # against each policy
    exploiter: Measurement | None
    exploiter_decisions: int
    warm: bool


def play_comparison(plan: ComparisonPlan, bar: Bar = no_bar) -> Comparison:
    """Play it all, let exploiters learn, and return all numbers; every part has a bar. AgentError for an agent that
    fails.
    """
    numbers = range(len(plan.policies))
    rounds = [_played(plan, plan.rounds_of(number), bar, "playing rounds") for number in numbers]
    tables = [plan.games_of(number) for number in numbers]
    games = [_played(plan, part, bar, "playing games") for part in tables if part is not None]
    rows = [
        _measured(plan, opponent, _tallies(rounds, opponent), _tallies(games, opponent)) for opponent in plan.opponents
    ]
    return Comparison(
        policies=list(plan.policies),
        game=plan.game.name,
        rules=rules_text(plan.rules),
        players=plan.rules.players,
        deals=plan.deals,
        games=plan.games,
        slow=plan.slow_deals,
        seed=plan.seed,
        luck=plan.with_luck,
        against=[replace(row, verdict=verdict) for row, verdict in zip(rows, verdicts(rows), strict=True)],
        lookahead=_by_lookahead(plan, bar) if plan.lookaheads else None,
        lookahead_agents=list(plan.lookaheads),
        exploiter=_by_exploiters(plan, bar) if plan.exploiter_decisions > 0 else None,
        exploiter_decisions=plan.exploiter_decisions,
        warm=plan.warm,
    )


def _played(plan: ComparisonPlan, tables: Plan, bar: Bar, words: str) -> PlanProgress:
    """Play at these tables; AgentError for an agent that fails."""
    reported = 0

    def tell(progress: PlanProgress) -> None:
        nonlocal reported
        advance(progress.played - reported)
        reported = progress.played

    with bar(words, sum(tables.deals)) as advance:
        played = play(tables, workers=plan.workers, limit=plan.timeout, report=tell, on_cluster=plan.on_cluster)
    for error in played.failures.values():
        raise error
    return played


def _tallies(played: list[PlanProgress], opponent: str) -> list[Tally]:
    """Return the tally of each policy against this opponent; empty if it was not at their tables."""
    return [
        progress.tallies[place]
        for progress in played
        for place, table in enumerate(progress.plan.tables)
        if table[1] == opponent
    ]


def _by_lookahead(plan: ComparisonPlan, bar: Bar) -> Measurement:
    """Return the measurement of `lookahead` against the policies."""
    plans = [plan.against_policy(number, agent, plan.look_deals) for number, agent in enumerate(plan.lookaheads)]
    return _measured(plan, LOOKAHEAD, [_played(plan, part, bar, "looking ahead").tallies[0] for part in plans])


def _by_exploiters(plan: ComparisonPlan, bar: Bar) -> Measurement:
    """Let an exploiter learn against every policy, and measure what it wins."""
    here, tallies = replace(plan, on_cluster=False), []  # other machines lack the exploiter's file
    for number in range(len(plan.policies)):
        with TemporaryDirectory() as folder:
            tables = plan.against_policy(number, exploiter(plan, number, folder, bar), plan.deals)
            tallies.append(_played(here, tables, bar, "playing exploiters").tallies[0])
    return _measured(plan, "exploiter", tallies)


def _measured(plan: ComparisonPlan, opponent: str, rounds: list[Tally], games: Sequence[Tally] = ()) -> Measurement:
    """Return the numbers of the agents that are named first at their tables, policy by policy."""
    margins = [tally.moments(WITHOUT_LUCK if plan.with_luck else MARGIN, 0) for tally in rounds]
    won, won_games = ([tally.moments(WINS, 0) for tally in tallies] for tallies in (rounds, games))
    parts = {"margin": margins, "rounds": won, "games": won_games}
    over = {name: over_seeds([part.mean for part in moments]) for name, moments in parts.items()}
    return Measurement(
        opponent,
        deals=rounds[0].deals,
        games=games[0].deals if games else 0,
        stopped=fmean(tally.stopped for tally in rounds),
        stopped_games=fmean(tally.stopped for tally in games) if games else None,
        by_policy=[
            _numbers(policy.name, margins[at : at + 1], won[at : at + 1], won_games[at : at + 1])
            for at, policy in enumerate(plan.policies)
        ],
        together=_numbers("all", margins, won, won_games),
        over_seeds=None if over["margin"] is None else over,
    )


def _numbers(name: str, margins: list[Moments], rounds: list[Moments], games: list[Moments]) -> Numbers:
    return Numbers(name, together(margins), share_together(rounds), share_together(games) if games else None)


def together(parts: Sequence[Moments]) -> Estimate:
    """Return the mean of the means of several policies, each on separate deals, with an interval over deals."""
    estimates = [estimate(part) for part in parts]
    return Estimate(fmean(one.mean for one in estimates), math.hypot(*(one.half for one in estimates)) / len(estimates))


def share_together(parts: Sequence[Moments]) -> Range:
    """Return the mean share that several policies won, each on separate deals, with Wilson's interval.

    It counts for as many games as would scatter, if they were independent, as much as the deals did; where the deals
    did not scatter, for the number of deals (Korn and Graubard 1998, Survey Methodology 24:193).
    """
    mean = fmean(part.mean for part in parts)
    error = sum(part.variance / (part.count - 1) for part in parts) / len(parts) ** 2  # squared
    games = mean * (1 - mean) / error if error > 0 else sum(part.count for part in parts)
    return wilson_of_share(mean, games)


def verdicts(rows: Sequence[Measurement]) -> list[Verdict]:
    """Return whether each margin is beyond chance, by Holm's standard for this many opponents.

    A single policy's margin is judged over deals, the mean margin of several over their training seeds.
    """
    values = [
        p_value(row.together.margin, row.deals)
        if row.over_seeds is None
        else t_test([one.margin.mean for one in row.by_policy])
        for row in rows
    ]
    sides: list[Literal["ahead", "behind"]] = ["ahead" if row.together.margin.mean > 0 else "behind" for row in rows]
    adjusted = holm(values).tolist()
    return [Verdict(p, side if p <= CLEAR else "open") for p, side in zip(adjusted, sides, strict=True)]
