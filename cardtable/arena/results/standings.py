"""Results of a match and of a tournament, as documents: the leader, and its lead."""

from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from cardtable.arena.play.pairing import WITHOUT_LUCK, Standing, shares_of_rounds
from cardtable.arena.results.result_document import Column, Document, Plot, Section, Series, Table, plain
from cardtable.arena.statistics import Moments, sprt_margins
from cardtable.arena.workers.plan_run import PlanProgress
from cardtable.table.game.card_game import Setup

if TYPE_CHECKING:  # which needs pyarrow
    from cardtable.arena.results.ladder import Ladder


def judged_margin(course: PlanProgress) -> Moments:
    """Return the first agent's margins, without luck if the match is with luck."""
    return course.tallies[0].moments(WITHOUT_LUCK, 0)


def match_document(
    course: PlanProgress,
    command: str,
    until: str | None = None,
    is_enough: Callable[[Moments], bool] | None = None,
    hypotheses: tuple[float, float] | None = None,
) -> Document:
    """Return the result of the match at a plan's only table, and whether the match has reached its goal: a margin that
    is known well enough, or a decision between hypotheses.
    """
    setup, tally, standings = course.plan.setup, course.tallies[0], course.standings()
    is_known = None if until is None or is_enough is None else is_enough(judged_margin(course))
    shares = shares_of_rounds(setup, tally.round_stats, tally.rounds)
    facts: dict[str, Any] = {"played": tally.deals, "stopped": tally.stopped, "is_known": is_known, **shares}
    played = f"{tally.deals} deals, each played {setup.rules.players} times, rotating the seats"
    findings = [f"{played}; ± is half a 95 % interval", *_about_rounds(course, tally.stopped, shares, facts)]
    if is_known is False:
        findings.append(f"More --deals are needed to know the margin to within {until} points")
    if hypotheses is not None:
        facts["verdict"] = plain(sprt_margins(judged_margin(course), *hypotheses))
        findings.append(_in_words(hypotheses, facts["verdict"]))
    margins = [row.without_luck if setup.with_luck else row.margin for row in standings]
    names, words = [row.agent for row in standings], f"points a {setup.episode} ahead of the others"
    plot = Plot("intervals", [Series.of("margin", margins)], words, names=names, line_at=0)
    table = Table(_columns(setup, "estimate", 2), _rows(setup, standings), key="standings")
    title = f"A match of {setup.game.title}"
    return Document(title, "", findings, [Section("Standings", [table, plot])], facts, command)


def tournament_document(ladder: "Ladder", course: PlanProgress) -> Document:
    """Return the ladder of a tournament."""
    setup, errors = course.plan.setup, course.failures.values()
    facts: dict[str, Any] = {"anchor": ladder.anchor, "games": ladder.games, "stopped": ladder.stopped, **ladder.shares}
    facts["failed"] = [{"agent": e.agent, "seat": e.seat, "deal": e.deal, "reason": e.words} for e in errors]
    scale = f"{ladder.anchor} is rated 1000, a lead of 400 means odds of 10 to 1"
    findings = [f"{ladder.games:,} games; {scale}; ± is half a 95 % interval"]
    findings += _about_rounds(course, ladder.stopped, ladder.shares, facts)
    findings += [f"Left out: {error}" for error in errors]
    agent, *others = _columns(setup, "number", 1)
    columns = [agent, Column("rating", "rating", "estimate", 0), *others]
    sections = [Section("The ladder", [Table(columns, _rows(setup, ladder.rungs), key="rungs")])]
    return Document("A tournament", "", findings, sections, facts | {"pairs": ladder.pairs})


def _columns(setup: Setup, kind: Any, digits: int) -> list[Column]:
    """Return the columns that standings and ladders share."""
    without_luck = [Column("without_luck", "without luck", "points")] if setup.with_luck else []
    return [
        Column("agent", "agent", "name"),
        Column("margin", f"points a {setup.episode}", "points"),
        *without_luck,
        Column("score", "score", kind, digits),
        Column("wins", "won", "percent", 1),
    ]


def _rows(setup: Setup, standings: Sequence[Standing]) -> list[dict[str, Any]]:
    without = () if setup.with_luck else ("without_luck",)
    return [{name: value for name, value in vars(row).items() if name not in without} for row in standings]


def _about_rounds(
    course: PlanProgress, stopped: float, shares: Mapping[str, float], facts: dict[str, Any]
) -> list[str]:
    """Return sentences on games that were stopped, on what luck explains, which is noted among the facts, and on the
    rounds with each fact of the whole table, if there were any.
    """
    setup, findings = course.plan.setup, list[str]()
    if setup.with_luck:
        facts["explained"] = course.explained
        findings.append(f"luck explains {100 * course.explained:.0f} % of the variance of the margins")
    if stopped > 0:
        findings.append(f"{100 * stopped:.2g} % were stopped after too many turns")
    counted = [stat for stat in setup.game.round_stats(setup.rules) if shares.get(stat.name, 0) > 0]
    return findings + [f"{100 * shares[stat.name]:.3g} % of all rounds were {stat.counted}" for stat in counted]


def _in_words(hypotheses: tuple[float, float], verdict: Mapping[str, Any]) -> str:
    low, high = (f"{value:g}" for value in hypotheses)
    words = {"H0": f"{low} points rather than {high}", "H1": f"{high} points rather than {low}"}
    ratio = "all deals are alike" if verdict["llr"] is None else f"log-likelihood ratio {verdict['llr']:+.2f}"
    return f"{words.get(verdict['decision'], 'undecided, more deals are needed')} ({ratio})"
