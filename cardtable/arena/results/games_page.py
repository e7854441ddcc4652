"""The report on stored games as a document: the ladder, who is ahead of whom, and the course of the games."""

from collections.abc import Iterator, Sequence
from math import sqrt
from shlex import quote

from cardtable.arena.results.games_summary import CHANCE, Summary
from cardtable.arena.results.result_document import Column, Document, Part, Plot, Section, Series, Table, markdown

EXPLAINED_LEADS = (
    "Each row says how many points its agent is ahead of the agent with the column's number, where both sit at a "
    "table. Colours mark what is beyond chance."
)
INTRODUCTION = """# The ladder

How well each agent plays {title}, measured on deals that everybody plays from every seat; [measuring.md](measuring.md)
explains ratings and points. The last column is how many points an agent is ahead of the next, where both sit. Brackets
and ± are 95 % intervals over deals. Written by `{name} report`; `make ladder` plays it all again.
"""


def games_document(summaries: Sequence[Summary]) -> Document:
    """Return the report about these stores, which are all rated from the same anchor."""
    several, game = len(summaries) > 1, summaries[0].plan.game
    played = [
        f"{len(s.ladder.rungs)} of them in {s.ladder.games:,} {s.unit}s, {s.plan.players} at a table" for s in summaries
    ]
    lead = (
        f"In {game.title} **the {'fewest' if game.lower_is_better else 'most'} points win**. Here computer players, "
        f"called agents, have played each other: {'; '.join(played)}. Every deal is played from every seat, so luck "
        "affects all agents equally. ± is half a 95 % interval, and numbers in brackets are its ends."
    )
    findings = [f"**{s.label}:** {_finding(s)}" if several else _finding(s) for s in summaries]
    findings += [text for s in summaries for text in _unfinished(s)]
    together = "Each agent's rating at each kind of table, with its interval."
    sections = [Section("From table to table", [_ratings(summaries, together)])] if several else []
    for summary in summaries:
        sections += [Section(summary.label, [])] if several else []
        sections += _sections(summary, 3 if several else 2)
    sections.append(Section("How it was done", [_method(summaries), *map(_repeated, summaries)]))
    stores = {"stores": [s.to_dict() for s in summaries]}
    return Document(f"Who plays {game.title} well?", lead, findings, sections, stores)


def ladder_markdown(summaries: Sequence[Summary]) -> str:
    """Return the ladders of these stores as a page of the documents."""
    game = summaries[0].plan.game
    parts = [INTRODUCTION.format(title=game.title, name=game.name)]
    for s in summaries:
        shares = "".join(f"\n{line}\n" for line in _table_shares(s))
        parts.append(f"\n## {s.label}\n\n`{s.manifest['command']}`\n\n{markdown(ladder_table(s))}{shares}")
    return "".join(parts)


def ladder_table(s: Summary) -> Table:
    """Return the ladder with numbered rows, each with the lead over the next agent."""
    rungs, ahead = s.ladder.rungs, s.ladder.ahead
    below = [*(rung.agent for rung in rungs[1:]), ""]
    rows = [
        {**vars(rung), "number": number, "rated": rung.rated, "next": ahead.get((rung.agent, other), "")}
        for number, (rung, other) in enumerate(zip(rungs, below, strict=True), 1)
    ]
    columns = [
        Column("number", "", "count"),
        Column("agent", "agent", "name"),
        Column("rated", "rating", "range", 0),
        Column("margin", "points", "points"),
        *([Column("without_luck", "without luck", "points")] if s.plan.setup.with_luck else []),
        Column("score", "score", "estimate"),
        Column("wins", "won", "percent", 1),
        Column("games", f"{s.unit}s", "count"),
        Column("next", "ahead of the next", "points"),
    ]
    return Table(columns, rows, is_brief=False)


def _finding(s: Summary) -> str:
    (first, second, *_), count = s.ladder.rungs, len(s.ladder.rungs)
    margin, is_pair = first.margin.mean, count == 2
    less = "less" if (margin > 0) == s.plan.game.lower_is_better else "more"
    text = (
        f"`{first.agent}` is the {'stronger of the two' if is_pair else f'strongest of {count}'}. "
        f"It wins {100 * first.wins.mean:.0f} % of its {s.unit}s, scores {abs(margin):.1f} points {less} than "
        f"{'the other' if is_pair else 'the mean of the others'}, and is rated {first.rating - second.rating:.0f} "
        f"above `{second.agent}`{'' if is_pair else ', who comes next'}."
    )
    for pair in s.pairs:
        if (pair.agent, pair.other) == (first.agent, second.agent):
            side = "ahead" if pair.ahead.mean > 0 else "behind"
            chance = "is more than chance explains" if pair.is_clear else "may be chance"
            both = f"{abs(pair.ahead.mean):.1f} ± {pair.ahead.half:.1f} points a {s.unit} {side}"
            text += f" Where both sit at a table, it is {both}, which {chance}."
    return text


def _unfinished(s: Summary) -> Iterator[str]:
    if s.manifest["finished"] is None:
        so_far = f"**Not finished:** {s.deals:,} of {s.planned:,} deals are played so far."
        yield f"{so_far} The same command continues from there."
    elif s.deals < s.planned:
        yield f"{s.deals:,} of {s.planned:,} planned deals count{'' if s.failed else ': that was enough'}."
    for agent, (seat, deal, words) in s.failed.items():
        yield f"`{agent}` failed at deal {deal} in seat {seat} and is left out with its tables: {words}"


def _ratings(summaries: Sequence[Summary], caption: str) -> Plot:
    agents = list(dict.fromkeys(rung.agent for s in summaries for rung in s.ladder.rungs))
    series = []
    for s in summaries:
        rungs = {rung.agent: rung.rated for rung in s.ladder.rungs}
        series.append(Series.of(s.label, [rungs.get(agent) for agent in agents]))
    return Plot("intervals", series, f"rating ({summaries[0].ladder.anchor} is 1000)", caption, names=agents)


def _sections(s: Summary, level: int) -> list[Section]:
    """Return the sections about one store."""
    others = "the mean score of the others", "the agent's own score"
    ahead = " minus ".join(others if s.plan.game.lower_is_better else others[::-1])
    explained = (
        f"Points are {ahead}, averaged over all its tables. The order is that of the ratings, which count who finished "
        "ahead of whom and not by how much, so the two can differ. A lead of 100 rating points means a chance of 64 % "
        "to finish ahead, and 400 points one of 91 %."
    )
    found = [Section("The ladder", [ladder_table(s), _ratings([s], "Ratings with their intervals."), explained], level)]
    found.append(Section("Who is ahead of whom?", [_cross_table(s), EXPLAINED_LEADS], level))
    found.append(Section(f"How the {s.unit}s went", _course(s), level))
    matters = any(seat.p_value <= CHANCE for seat in s.seats)
    answer = "Yes: some seat is significantly ahead or behind." if matters else "No difference is significant."
    columns = [
        Column("seat", "seat", "count"),
        Column("score", "score", "estimate"),
        Column("ahead", "ahead of the other seats", "points"),
        Column("p_value", "p", "number", 3),
    ]
    seats: list[Part] = [f"{answer} Every agent sat in each seat equally often."]
    return [*found, Section("Does the seat matter?", [*seats, Table(columns, s.seats, is_brief=False)], level)]


def _cross_table(s: Summary) -> Table:
    """Return the table of all leads; those that are beyond chance are coloured."""
    agents = [rung.agent for rung in s.ladder.rungs]
    clear = [pair for pair in s.pairs if pair.is_clear]
    most = max((abs(pair.ahead.mean) for pair in clear), default=1.0)
    shades: dict[tuple[int, str], float] = {}
    for pair in clear:
        depth = (0.1 + 0.5 * sqrt(abs(pair.ahead.mean) / most)) * (1 if pair.ahead.mean > 0 else -1)
        row, column = agents.index(pair.agent), agents.index(pair.other)
        shades |= {(row, str(column + 1)): depth, (column, str(row + 1)): -depth}
    rows = []
    for number, agent in enumerate(agents, 1):
        leads = {str(k): s.ladder.ahead.get((agent, other), "") for k, other in enumerate(agents, 1)}
        rows.append({"number": number, "agent": agent} | leads)
    columns = [Column("number", "", "count"), Column("agent", f"points ahead, a {s.unit}, of", "name")]
    columns += [Column(str(number), str(number), "points", 1) for number in range(1, len(agents) + 1)]
    return Table(columns, rows, is_brief=False, shades=shades)


def _course(s: Summary) -> list[Part]:
    """Return the table of how the games went."""
    columns = [Column("agent", "agent", "name"), Column("turns", f"turns a {s.unit}", "number", 1)]
    if s.unit == "game":
        columns.append(Column("rounds", "rounds a game", "number", 1))
    for fact in s.facts:
        share, mean = Column(fact.name, fact.words, "percent", 1), Column(fact.name, f"{fact.words} a round", "number")
        columns.append(share if fact.of_table else mean)
    rows = [vars(each) | each.facts for each in s.habits]
    notes = " ".join(fact.explained for fact in s.facts)
    return [Table(columns, rows, is_brief=False), f"Turns are counted for all seats together. {notes}"]


def _table_shares(s: Summary) -> list[str]:
    facts = [fact for fact in s.facts if fact.of_table]
    return [f"{100 * s.ladder.shares[fact.name]:.2f} % of all rounds were {fact.counted}." for fact in facts]


def _method(summaries: Sequence[Summary]) -> list[str]:
    first = summaries[0]
    game = first.plan.game
    moved = "Each is played once for every seat, with all agents moving one seat on"
    best = "those that best explain who finished ahead of whom (Bradley and Terry; Plackett and Luce), on the Elo scale"
    drawn = f"One drawn {first.unit} of every agent against an imaginary player keeps all of them finite"
    strict = "Where several differences are judged, each is held to a stricter standard (Holm)"
    lines = [
        f"A **deal** is the order of the cards. {moved}. Only the mean over these counts; intervals are over deals.",
        f"**Ratings** are {best}; `{first.ladder.anchor}` is set to 1000. {drawn}.",
        f"{strict}: the chance of calling any difference real that is not is at most 5 %.",
    ]
    if any(s.plan.setup.with_luck for s in summaries):
        share = "These terms are 0 on average whatever anybody does, so a fixed share of them can be subtracted"
        lines.append(f"**Without luck:** {game.luck.explained} {share}.")
    if any(s.plan.setup.may_peek for s in summaries):
        lines.append("An agent that is shown the hidden cards is not a player, but a measure of what could be known.")
    for s in summaries:
        stopped = f"No {s.unit} was stopped for taking too long."
        if s.ladder.stopped > 0:
            how = f"stopped {game.stopped(s.plan.setup.rules)} a round: nobody won them, and they are not rated"
            stopped = f"{100 * s.ladder.stopped:.2f} % of the {s.unit}s were {how}."
        lines.append(" ".join([f"{s.label}:", stopped, *_table_shares(s)]))
    return lines


def _repeated(s: Summary) -> Table:
    """Return the command, the rules and the versions of one store."""
    manifest, words = s.manifest, s.plan.setup.rules.to_text().split()
    changed = " ".join(word for word in words if not word.startswith("players="))
    rules = f"official except {changed}" if changed else "official"
    facts = {
        f"{s.label}: repeat, or continue": manifest["command"],
        "Look at a game": f"{s.plan.game.name} games replay {quote(s.folder)} 0.0.0",
        "Rules": f"{rules}, {s.plan.players} players, seed {s.plan.setup.seed}",
        "Begun": manifest["begun"],
        "With": ", ".join(f"{name} {each}" for name, each in {**manifest["versions"], **manifest["machine"]}.items()),
        "Source code": manifest["sources"],
        **{str(name): str(origin) for name, origin in manifest["agents"].items()},
    }
    rows = [{"name": name, "value": value} for name, value in facts.items()]
    return Table([Column("name", ""), Column("value", "")], rows, is_brief=False)
