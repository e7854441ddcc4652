"""The report on stored games: as a document, as Markdown, and as the ladders that the table in the browser shows."""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import zip_longest
from pathlib import Path
from shlex import quote
from typing import Any

from cardtable.arena.play.plan import Plan
from cardtable.arena.results.ladder import CHANCE, RESAMPLES, Ladder, LadderRow, Report, failed_in, ladder
from cardtable.arena.results.result_document import Column, Document, Part, Plot, Section, Series, Table, markdown
from cardtable.arena.stored.pieces import plan_of
from cardtable.arena.stored.plan_store import open_games
from cardtable.table.errors import TableError
from cardtable.table.game.card_game import CardGame, distribution_of

VERSION, DIGITS = 1, 3  # of the ladders as JSON
LEADS = "Where both sit at a table, a row's agent is so far ahead of the column's. What is beyond chance is bold."


def summaries(
    game: CardGame, folders: Sequence[str], anchor: str | None = None, report: Report = lambda _: None
) -> list[Ladder]:
    """Return the ladders of the stores in these folders, all rated from one anchor: by default the median agent of the
    first store.

    `report` is called with the share of the work done. TableError if the anchor does not play everywhere, a folder
    holds no games, they are damaged, or an agent plays against itself.
    """
    if not folders:
        raise TableError("a report needs games: name a folder written by --store")
    if len(set(folders)) < len(folders):
        raise TableError("a folder is named twice: every store is reported once")
    stores = [open_games(Path(folder).expanduser(), game) for folder in folders]
    plans = [plan_of(store) for store in stores]
    ladders: list[Ladder] = []
    for store in stores:
        _refuse_strangers(anchor, folders, plans)
        ladders.append(ladder(store, anchor, RESAMPLES, lambda share: report(share / len(folders))))
        anchor = ladders[-1].anchor
    labels = [ladder.label for ladder in ladders]
    return [
        item if labels.count(item.label) == 1 else replace(item, label=f"{item.label} ({item.store.folder})")
        for item in ladders
    ]


def _refuse_strangers(anchor: str | None, folders: Sequence[str], plans: Sequence[Plan]) -> None:
    """Raise TableError if the anchor is missing somewhere."""
    names = [{name for table in plan.tables for name in table} for plan in plans]
    for folder, here in zip(folders, names, strict=True):
        if anchor is not None and anchor not in here:
            everywhere = ", ".join(sorted(set.intersection(*names)))
            hint = f"--anchor can be {everywhere}" if everywhere else "and no agent plays in all of these"
            raise TableError(f"{anchor} does not play in {folder}: {hint}")


def ladder_document(ladders: Sequence[Ladder]) -> dict[str, Any]:
    """Return the ladders of these stores, which are of one game, in numbers that people read: for the browser."""
    first = ladders[0]
    game, manifest = first.plan.game, first.store.manifest
    version = str(manifest["versions"].get(distribution_of(game)))
    source = {"begun": manifest["begun"].partition("T")[0], "version": version, "anchor": first.anchor}
    tables = [
        {
            "players": item.plan.players,
            "episode": item.unit,
            "command": item.store.manifest["command"],
            "rows": [_ladder_row(rung) for rung in item.rungs],
        }
        for item in ladders
    ]
    return {"version": VERSION, "game": game.name, "title": game.title, "made": source, "tables": tables}


def _ladder_row(rung: LadderRow) -> dict[str, Any]:
    numbers = {
        "rating": rung.rating.value,
        "low": rung.rating.low,
        "high": rung.rating.high,
        "points": rung.margin.mean,
        "error": rung.margin.half,
        "without_luck": rung.without_luck.mean,
        "score": rung.score.mean,
        "won": rung.wins.mean,
    }
    rounded = {name: round(value, DIGITS) for name, value in numbers.items()}
    return {"agent": rung.agent} | rounded | {"rounds": rung.games}


def games_document(summaries: Sequence[Ladder]) -> Document:
    """Return the report about these stores, which are all rated from the same anchor."""
    several, game = len(summaries) > 1, summaries[0].plan.game
    played = [f"{len(s.rungs)} of them in {s.games:,} {s.unit}s, {s.plan.players} at a table" for s in summaries]
    lead = (
        f"In {game.title} **the {'fewest' if game.lower_is_better else 'most'} points win**. Here computer players, "
        f"called agents, have played each other: {'; '.join(played)}. Every deal is played from every seat, so luck "
        "affects all agents equally. ± is half a 95 % interval, and numbers in brackets are its ends."
    )
    findings = [f"**{s.label}:** {_finding(s)}" if several else _finding(s) for s in summaries]
    findings += [text for s in summaries for text in _unfinished(s)]
    together = "Each agent's rating at each kind of table, with its interval."
    sections = [Section("From table to table", [_ratings(summaries, together)])] if several else []
    for s in summaries:
        sections += _sections(s, f"{s.label}: " if several else "")
    sections.append(Section("How it was done", [_method(summaries), *map(_repeated, summaries)]))
    stores = {"stores": [s.to_dict() for s in summaries]}
    return Document(f"Who plays {game.title} well?", lead, findings, sections, stores)


def ladder_markdown(summaries: Sequence[Ladder]) -> str:
    """Return the ladders of these stores as a section of a page."""
    parts = [f"## {summaries[0].plan.game.title}\n"]
    for s in summaries:
        shares = "".join(f"\n{line}\n" for line in _table_shares(s))
        command = f"```\n{s.store.manifest['command']}\n```"
        parts.append(f"\n### {s.label}\n\n{command}\n\n{markdown(_narrow(ladder_table(s)))}{shares}")
    return "".join(parts)


def _narrow(ladder: Table) -> Table:
    """Return a ladder with fewer columns, for a page: without scores and games, and with margins of one kind."""
    keys = [column.key for column in ladder.columns]
    left_out = {"score", "games", "margin" if "without_luck" in keys else ""}
    return replace(ladder, columns=[column for column in ladder.columns if column.key not in left_out])


def ladder_table(s: Ladder) -> Table:
    """Return the ladder with numbered rows, each with the lead over the next agent."""
    rungs = s.rungs
    rows = []
    for number, (rung, below) in enumerate(zip_longest(rungs, rungs[1:]), 1):
        pair = None if below is None else s.pair(rung.agent, below.agent)
        rows.append({**vars(rung), "number": number, "next": "" if pair is None else pair.ahead})
    columns = [
        Column("number", "", "count"),
        Column("agent", "agent", "name"),
        Column("rating", "rating", "range", 0),
        Column("margin", "points", "points"),
        *([Column("without_luck", "without luck", "points")] if s.plan.setup.with_luck else []),
        Column("score", "score", "estimate"),
        Column("wins", "won", "percent", 1),
        Column("games", f"{s.unit}s", "count"),
        Column("next", "ahead of the next", "points"),
    ]
    return Table(columns, rows, is_brief=False)


def _finding(s: Ladder) -> str:
    first, second = s.rungs[:2]
    higher = first.rating.value - second.rating.value
    text = (
        f"`{first.agent}` is rated {higher:.0f} above `{second.agent}`, who comes next. "
        f"It wins {100 * first.wins.mean:.0f} % of its {s.unit}s, by {first.margin} points on average."
    )
    pair = s.pair(first.agent, second.agent)
    if pair is None:
        return text
    chance = "is more than chance explains" if pair.is_clear else "may be chance"
    return f"{text} Where both sit at a table, its lead is {pair.ahead} points, which {chance}."


def _unfinished(s: Ladder) -> Iterator[str]:
    planned = sum(s.plan.deals)
    if s.store.manifest["finished"] is None:
        so_far = f"**Not finished:** {s.deals:,} of {planned:,} deals are played so far."
        yield f"{so_far} The same command continues from there."
    elif s.deals < planned:
        yield f"{s.deals:,} of {planned:,} planned deals count."
    for agent, (seat, deal, words) in failed_in(s.store).items():
        yield f"`{agent}` failed at deal {deal} in seat {seat} and is left out with its tables: {words}"


def _ratings(summaries: Sequence[Ladder], caption: str) -> Plot:
    agents = list(dict.fromkeys(rung.agent for s in summaries for rung in s.rungs))
    series = []
    for s in summaries:
        rungs = {rung.agent: rung.rating for rung in s.rungs}
        series.append(Series.of(s.label, [rungs.get(agent) for agent in agents]))
    return Plot("intervals", series, f"rating ({summaries[0].anchor} is 1000)", caption, names=agents)


def _sections(s: Ladder, of: str) -> list[Section]:
    """Return the sections about one store, the titles beginning with what it is of."""
    others = "the mean score of the others", "the agent's own score"
    ahead = " minus ".join(others if s.plan.game.lower_is_better else others[::-1])
    explained = (
        f"Points are {ahead}, averaged over all its tables. The order is that of the ratings, which count who finished "
        "ahead of whom and not by how much, so the two can differ. A lead of 100 rating points means a chance of 64 % "
        "to finish ahead, and 400 points one of 91 %."
    )
    parts = [Section(f"{of}The ladder", [ladder_table(s), _ratings([s], "Ratings with their intervals."), explained])]
    parts.append(Section(f"{of}Who is ahead of whom?", [_cross_table(s), LEADS]))
    parts.append(Section(f"{of}How the {s.unit}s went", _course(s)))
    matters = any(seat.p_value <= CHANCE for seat in s.seats)
    answer = "Yes: some seat is significantly ahead or behind." if matters else "No difference is significant."
    columns = [
        Column("seat", "seat", "count"),
        Column("score", "score", "estimate"),
        Column("ahead", "ahead of the other seats", "points"),
        Column("p_value", "p", "number", 3),
    ]
    seats: list[Part] = [f"{answer} Every agent sat in each seat equally often."]
    return [*parts, Section(f"{of}Does the seat matter?", [*seats, Table(columns, s.seats, is_brief=False)])]


def _cross_table(s: Ladder) -> Table:
    """Return the table of all leads."""
    agents = [rung.agent for rung in s.rungs]
    rows: list[dict[str, Any]] = [{"number": number, "agent": agent} for number, agent in enumerate(agents, 1)]
    columns = [Column("number", "", "count"), Column("agent", f"points ahead, a {s.unit}, of", "name")]
    for number, other in enumerate(agents, 1):
        columns.append(Column(str(number), str(number), "points", 1))
        for row, agent in zip(rows, agents, strict=True):
            pair = s.pair(agent, other)
            mark = "**" if pair is not None and pair.is_clear else ""
            lead = "" if pair is None else f"{mark}{pair.ahead.mean:+.1f}{mark} ± {pair.ahead.half:.1f}"
            row[str(number)] = lead
    return Table(columns, rows, is_brief=False)


def _course(s: Ladder) -> list[Part]:
    """Return the table of how the games went."""
    columns = [Column("agent", "agent", "name"), Column("turns", f"turns a {s.unit}", "number", 1)]
    if s.unit == "game":
        columns.append(Column("rounds", "rounds a game", "number", 1))
    for stat in s.round_stats:
        share, mean = Column(stat.name, stat.words, "percent", 1), Column(stat.name, f"{stat.words} a round", "number")
        columns.append(share if stat.of_table else mean)
    rows = [vars(rung) | rung.round_stats for rung in s.rungs]
    notes = " ".join(stat.explained for stat in s.round_stats)
    return [Table(columns, rows, is_brief=False), f"Turns are counted for all seats together. {notes}"]


def _table_shares(s: Ladder) -> list[str]:
    round_stats = [stat for stat in s.round_stats if stat.of_table]
    return [f"{100 * s.shares[stat.name]:.2f} % of all rounds were {stat.counted}." for stat in round_stats]


def _method(summaries: Sequence[Ladder]) -> list[str]:
    first = summaries[0]
    game = first.plan.game
    moved = "Each is played once for every seat, with all agents moving one seat on"
    best = "those that best explain who finished ahead of whom (Bradley and Terry; Plackett and Luce), on the Elo scale"
    drawn = f"One drawn {first.unit} of every agent against an imaginary player keeps all of them finite"
    lines = [
        f"A **deal** is the order of the cards. {moved}. Only the mean over these counts; intervals are over deals.",
        f"**Ratings** are {best}; `{first.anchor}` is set to 1000. {drawn}.",
        "Where several differences are judged, the chance of calling any real that is not is at most 5 % (Holm).",
    ]
    if any(s.plan.setup.with_luck for s in summaries):
        share = "These terms are 0 on average for any play, so a fixed share of them can be subtracted"
        lines.append(f"**Without luck:** {game.luck.explained} {share}.")
    if any(s.plan.setup.reveal_hidden for s in summaries):
        lines.append("An agent that is shown the hidden cards is not a player, but a measure of what could be known.")
    for s in summaries:
        stopped = f"No {s.unit} was stopped for taking too long."
        if s.stopped > 0:
            how = f"stopped {game.stopped(s.plan.setup.rules)} a round: they have no winner and are not rated"
            stopped = f"{100 * s.stopped:.2f} % of the {s.unit}s were {how}."
        lines.append(" ".join([f"{s.label}:", stopped, *_table_shares(s)]))
    return lines


def _repeated(s: Ladder) -> Table:
    """Return the command, the rules and the versions of one store."""
    manifest, words = s.store.manifest, s.plan.setup.rules.to_text().split()
    changed = " ".join(word for word in words if not word.startswith("players="))
    rules = f"official except {changed}" if changed else "official"
    round_stats = {
        f"{s.label}: repeat, or continue": manifest["command"],
        "Look at a game": f"{s.plan.game.name} games replay {quote(str(s.store.folder))} 0.0.0",
        "Rules": f"{rules}, {s.plan.players} players, seed {s.plan.setup.seed}",
        "Begun": manifest["begun"],
        "With": ", ".join(f"{name} {value}" for name, value in {**manifest["versions"], **manifest["machine"]}.items()),
        "Source code": manifest["sources"],
        **{str(name): str(origin) for name, origin in manifest["agents"].items()},
    }
    rows = [{"name": name, "value": value} for name, value in round_stats.items()]
    return Table([Column("name", ""), Column("value", "")], rows, is_brief=False)
