"""What people read of learning: a comparison, and the progress of runs, each as a document and as its page."""

from collections.abc import Iterator, Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Any

from cardtable.arena.results.page import page_of
from cardtable.arena.results.result_document import Column, Document, Part, Plot, Section, Series, Table, plain
from cardtable.table.files import write_whole
from cardtable.table.game.card_game import find_game
from skyjo_training.comparison_document import Comparison, Exploited, Looked, Measurement, Met
from skyjo_training.measurements import Measured, over_seeds, read_measurements
from skyjo_training.training_run import about_of, config_of, folders_of

OPEN = "No significant difference from"


def comparison_document(result: Comparison, command: str) -> Document:
    """Return the comparison; `command` repeats it."""
    game, several = find_game(result.game), len(result.policies) > 1
    names = f"{len(result.policies)} policies, trained in the same way from different seeds, have"
    who = names if several else f"`{result.policies[0]['agent']}` has"
    lead = (
        f"In {game.title} **the {'fewest' if game.lower_is_better else 'most'} points win**. Here {who} played others "
        f"at tables of {result.players}"
        f"{', with one kind of opponent in all other seats' if result.players > 2 else ''}. Every deal is played from "
        "every seat, so luck affects everyone equally."
    )
    sections = [Section("The numbers", [_table(result), *_plots(result)])]
    if several:
        sections.append(Section("Seed by seed", ["Points a round ahead.", _seed_table(result)]))
    taken = [part for part in (result.look, result.exploiter) if part is not None]
    if taken:
        sections.append(Section("What can be won from it?", _taken(result, taken)))
    sections.append(Section("How it was done", [_method(result, several)]))
    title, facts = f"Learned and scripted players of {game.title}", {"command": command, **plain(result)}
    return Document(title, lead, list(_findings(result, several)), sections, facts, command)


def _findings(result: Comparison, several: bool) -> Iterator[str]:
    whose = "Over training seeds the policies are" if several else "The policy is"
    words = {"ahead": f"{whose} significantly ahead of", "behind": f"{whose} significantly behind", "open": OPEN}
    count = len(result.against)
    holm = f"5 % for all {count} together, Holm" if count > 1 else "5 %"
    for side, text in words.items():
        rows = [row for row in result.against if row.verdict is not None and row.verdict.side == side]
        if rows:
            yield f"**{text}** {', '.join(_with_points(row) for row in rows)}{'' if side == 'open' else f' ({holm})'}."
    even = 1 / result.players
    for row in result.against:
        points, won = row.together.margin.mean, row.together.rounds
        if (points > 0 and won.high < even) or (points < 0 and won.low > even):
            more, fewer = ("ahead", "fewer") if points > 0 else ("behind", "more")
            share = f"{fewer} rounds than an even share, {100 * won.value:.1f} %"
            yield f"Against `{row.opponent}` points and rounds disagree: {more} in points, it wins {share}."
    for row in result.against:
        parts = {"rounds": row.stopped, "games": row.stopped_games or 0.0}
        shares = [f"{100 * share:.2g} % of {unit}" for unit, share in parts.items() if share > 0]
        if shares:
            yield f"Stopped after too many turns against `{row.opponent}`: {' and '.join(shares)}."
    for part in (result.look, result.exploiter):
        if part is not None:
            yield f"{_who(part)}: {_points(part)} points a round."


def _with_points(row: Met) -> str:
    return (
        f"`{row.opponent}` ({row.together.margin.mean:+.2f} points, {100 * row.together.rounds.value:.1f} % of rounds)"
    )


def _points(row: Measurement) -> str:
    return Column("margin", "", "points").shown(row.together)


def _who(row: Measurement) -> str:
    if isinstance(row, Exploited):
        warm = "Warm exploiter" if row.warm else "Exploiter"
        return f"{warm}, after {row.decisions:,} decisions against the policy alone"
    return f"`lookahead` against the policy, on {row.deals:,} deals"


def _row(row: Measurement, policies: int) -> dict[str, Any]:
    """Return the cells of an opponent, for all policies together."""
    over = None if row.over_seeds is None else row.over_seeds["margin"]
    return {**vars(row), **vars(row.together), "seeds": over, "deals": row.deals * policies}


def _table(result: Comparison) -> Table:
    several = len(result.policies) > 1
    columns = [
        Column("opponent", "against", "name"),
        Column("margin", "points a round, without luck" if result.luck else "points a round", "points"),
        *([Column("seeds", "over seeds", "half")] if several else []),
        Column("rounds", "rounds won", "percent", 1),
        Column("games", "games won", "percent", 1),
        Column("deals", "deals", "count"),
    ]
    return Table(columns, [_row(row, len(result.policies)) for row in result.against])


def _seed_table(result: Comparison) -> Table:
    names = [policy["name"] for policy in result.policies]
    rows = [{"opponent": row.opponent} | {one.policy: one.margin for one in row.by_policy} for row in result.against]
    return Table([Column("opponent", "against", "name"), *(Column(name, name, "points") for name in names)], rows)


def _plots(result: Comparison) -> list[Plot]:
    rows: Sequence[Measurement] = result.against
    names, tones = (
        [row.opponent for row in rows],
        [row.verdict.side for row in result.against if row.verdict is not None],
    )
    margins = [Series.of("over deals", [row.together.margin for row in rows], tones=tones)]
    if len(result.policies) > 1:
        over = [None if row.over_seeds is None else row.over_seeds["margin"] for row in rows]
        margins.append(Series.of("over training seeds", over, tones=["open"] * len(rows)))
    won = [
        Series.of("rounds", [row.together.rounds for row in rows], scale=100),
        Series.of("games", [row.together.games for row in rows], scale=100),
    ]
    colours = "Blue is significantly ahead and orange significantly behind; grey may be chance."
    even = 100 / result.players
    return [
        Plot("intervals", margins, "points a round ahead of the opponent", colours, names=names, line_at=0),
        Plot("intervals", won, f"won, %; {even:.0f} % is even", names=names, line_at=even),
    ]


def _taken(result: Comparison, taken: Sequence[Looked | Exploited]) -> list[Part]:
    """Return the section on what `lookahead` and the exploiters won from the policies."""
    columns = [Column("opponent", "player", "name"), Column("margin", "its points a round", "points")]
    columns += [Column("seeds", "over seeds", "half")] if len(result.policies) > 1 else []
    columns += [Column("rounds", "rounds it won", "percent", 1), Column("deals", "deals", "count")]
    rows = [_row(part, len(result.policies)) for part in taken]
    bound = (
        "The points that a player wins from the policies are a **lower bound**: others may find more. A margin below 0 "
        "means that this player found nothing; a copy of the policy has 0."
    )
    notes = []
    if result.look is not None:
        agents = ", ".join(f"`{agent}`" for agent in dict.fromkeys(result.look.agents))
        notes.append(f"**lookahead** lets the network of a policy value every choice, one decision ahead: {agents}.")
    if result.exploiter is not None:
        start = "a copy of the policy" if result.exploiter.warm else "a fresh policy"
        learned = f"{start} trained on {result.exploiter.decisions:,} decisions, with the policy in all other seats"
        notes.append(f"**exploiter:** {learned}, then measured on other deals.")
    return [bound, Table(columns, rows, is_brief=False), notes]


def _method(result: Comparison, several: bool) -> list[str]:
    seeds = f"This is one policy of one training run: `{result.game} train --seeds 5` shows how much seeds differ."
    if several:
        seeds = "**Over seeds:** the t interval of the policies' means, for what training again would give."
    strict = "every difference is held to a stricter standard where there are several (Holm)"
    wilson = "Intervals are Wilson's, for the number of independent games that would vary as much as the deals did"
    lines = [
        "± is half a 95 % interval over deals: how much these same policies would vary on other deals.",
        seeds,
        f"**Significance:** {strict}.",
        f"**Won:** ties share the win, and nobody wins what was stopped. {wilson}.",
        f"Rules: {result.rules or 'official'}, {result.players} players, seed {result.seed}.",
        "Policies: " + "; ".join(f"{policy['name']}, `{policy['agent']}`" for policy in result.policies) + ".",
    ]
    if result.luck:
        share = "These terms are 0 on average whoever plays, so a fixed share of them can be subtracted"
        lines.append(f"**Without luck:** {find_game(result.game).luck.explained} {share}.")
    return lines


PAGE = "report.html"
MILLION = 1e6
LOGGED_WORDS = {
    "entropy": "entropy of its actions",
    "value_loss": "mean square error of its values",
    "explained_variance": "share of results its values explain",
    "round_length": "decisions a round",
    "stopped": "share of rounds stopped after too many turns",
}


def write_report(folder: Path) -> Path:
    """Write the page into the folder of the run, or of several with the same config, and return its path."""
    write_whole(folder / PAGE, page_of(learning_document(folder)).encode())
    return folder / PAGE


def learning_document(folder: Path) -> Document:
    """Return the course and the end of a run, or of several with the same config and different seeds."""
    folders = folders_of(folder)
    config, about = config_of(folders[0]), about_of(folders[0])
    runs = {folder.name: read_measurements(folder) for folder in folders}
    baselines = list(next(iter(runs.values()))[-1].margins)
    pool = (
        f", or opponents from a pool at {100 * config.opponent_fraction:.0f} % of the tables"
        if config.opponent_fraction > 0
        else ""
    )
    lead = (
        f"A policy that learned {find_game(config.game).title} by playing against itself{pool}. Below is how far it is "
        "ahead of scripted agents, in points a round, when it always plays the action that it rates highest."
    )
    several = len(runs) > 1
    ends = "in the last line over training seeds" if several else "and says nothing about other seeds; `--seeds 5` does"
    curves = [_plot(runs, "margins", name, f"points ahead of {name}", line_at=0) for name in baselines]
    logged = [_plot(runs, "logged", name, words) for name, words in LOGGED_WORDS.items()]
    sections = [
        Section("Where it ended", [_last(runs, baselines), f"± is half a 95 % interval over deals, {ends}."]),
        Section("How it learned", [*curves, *logged, "Measurements along the way use fewer deals than the last one."]),
        Section("How it was made", [_made({**asdict(config), "rules": config.rules or "official", **about})]),
    ]
    title = f"Training run {folder.resolve().name}"
    return Document(title, lead, [], sections, command=about.get("command", ""))


X = "million decisions"


def _plot(runs: dict[str, list[Measured]], kind: str, name: str, words: str, line_at: float | None = None) -> Plot:
    """Return how a margin or a logged number went, a line for every run."""
    series = []
    for run, measured in runs.items():
        cells = [getattr(point, kind)[name] for point in measured]
        series.append(Series.of(run, cells, [point.decisions / MILLION for point in measured]))
    return Plot("lines", series, X, y_label=words, line_at=line_at)


def _last(runs: dict[str, list[Measured]], baselines: list[str]) -> Table:
    rows: list[dict[str, Any]] = []
    for run, measured in runs.items():
        last = measured[-1]
        rows.append({"run": run, "decisions": last.decisions / MILLION, "minutes": last.seconds / 60, **last.margins})
    if len(runs) > 1:
        means = {name: [measured[-1].margins[name].mean for measured in runs.values()] for name in baselines}
        over = {name: over_seeds(values) for name, values in means.items()}
        rows.append({"run": "over seeds", "decisions": None, "minutes": None, **over})
    columns = [
        Column("run", "run", "name"),
        Column("decisions", X, "number"),
        Column("minutes", "minutes", "number", 1),
    ]
    return Table([*columns, *(Column(name, f"against {name}", "points") for name in baselines)], rows)


def _made(facts: dict[str, Any]) -> Table:
    """Return the config and the versions."""
    rows = [
        {"name": name, "value": ", ".join(map(str, value)) if isinstance(value, tuple | list) else value}
        for name, value in facts.items()
        if name != "command"
    ]
    return Table([Column("name", ""), Column("value", "")], rows)
