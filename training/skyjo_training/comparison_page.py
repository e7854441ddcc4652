"""A comparison as a document for people."""

from collections.abc import Iterator, Sequence

from cardtable.arena.results.result_document import Column, Document, Part, Plot, Section, Series, Table, plain
from cardtable.arena.statistics import Estimate
from cardtable.table.game.card_game import find_game
from skyjo_training.comparison import Comparison, Measurement


def comparison_document(result: Comparison, command: str) -> Document:
    """Return the comparison; `command` repeats it."""
    game, several = find_game(result.game), len(result.policies) > 1
    names = f"{len(result.policies)} policies, trained in the same way from different seeds, have"
    who = names if several else f"`{result.policies[0].agent}` has"
    lead = (
        f"In {game.title} **the {'fewest' if game.lower_is_better else 'most'} points win**. Here {who} played others "
        f"at tables of {result.players}"
        f"{', with one kind of opponent in all other seats' if result.players > 2 else ''}. Every deal is played from "
        "every seat, so luck affects everyone equally."
    )
    sections = [Section("The numbers", [_table(result, result.against, "against"), *_plots(result)])]
    if several:
        sections.append(Section("Seed by seed", ["Points a round ahead.", _seed_table(result)]))
    if taken := _taken(result):
        sections.append(Section("What can be won from it?", _taken_parts(result, [*taken.values()])))
    sections.append(Section("How it was done", [_method(result, several)]))
    title, facts = f"Learned and scripted players of {game.title}", {"command": command, **plain(result)}
    return Document(title, lead, list(_findings(result, several)), sections, facts, command)


def _findings(result: Comparison, several: bool) -> Iterator[str]:
    whose = "Over training seeds the policies are" if several else "The policy is"
    words = {
        "ahead": f"{whose} significantly ahead of",
        "behind": f"{whose} significantly behind",
        "open": "No significant difference from",
    }
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
    for player, part in _taken(result).items():
        yield f"{player}: {Column('margin', '', 'points').shown(part.together)} points a round."


def _with_points(row: Measurement) -> str:
    return (
        f"`{row.opponent}` ({row.together.margin.mean:+.2f} points, {100 * row.together.rounds.value:.1f} % of rounds)"
    )


def _taken(result: Comparison) -> dict[str, Measurement]:
    """Return what `lookahead` and the exploiters won from the policies, by who they are."""
    found = {}
    if result.lookahead is not None:
        found[f"`lookahead` against the policy, on {result.lookahead.deals:,} deals"] = result.lookahead
    if result.exploiter is not None:
        kind = "Warm exploiter" if result.warm else "Exploiter"
        found[f"{kind}, after {result.exploiter_decisions:,} decisions against the policy alone"] = result.exploiter
    return found


def _table(result: Comparison, rows: Sequence[Measurement], title: str, is_brief: bool = True) -> Table:
    """Return a row for every opponent, with the numbers of all policies together."""
    count = len(result.policies)
    columns = [
        Column("opponent", title, "name"),
        Column("margin", "points a round, without luck" if result.luck else "points a round", "points"),
        *([Column("seeds", "over seeds", "half")] if count > 1 else []),
        Column("rounds", "rounds won", "percent", 1),
        *([Column("games", "games won", "percent", 1)] if any(row.games for row in rows) else []),
        Column("deals", "deals", "count"),
    ]
    cells = [
        {**vars(row.together), "opponent": row.opponent, "seeds": _over_seeds(row), "deals": row.deals * count}
        for row in rows
    ]
    return Table(columns, cells, is_brief=is_brief)


def _over_seeds(row: Measurement) -> Estimate | None:
    return None if row.over_seeds is None else row.over_seeds["margin"]


def _seed_table(result: Comparison) -> Table:
    names = [policy.name for policy in result.policies]
    rows = [{"opponent": row.opponent} | {one.policy: one.margin for one in row.by_policy} for row in result.against]
    return Table([Column("opponent", "against", "name"), *(Column(name, name, "points") for name in names)], rows)


def _plots(result: Comparison) -> list[Plot]:
    rows, even = result.against, 100 / result.players
    names, tones = [row.opponent for row in rows], [row.verdict.side for row in rows if row.verdict is not None]
    margins = [Series.of("over deals", [row.together.margin for row in rows], tones=tones)]
    if len(result.policies) > 1:
        over = [_over_seeds(row) for row in rows]
        margins.append(Series.of("over training seeds", over, tones=["open"] * len(rows)))
    won = [
        Series.of("rounds", [row.together.rounds for row in rows], scale=100),
        Series.of("games", [row.together.games for row in rows], scale=100),
    ]
    colours = "Blue is significantly ahead and orange significantly behind; grey may be chance."
    return [
        Plot("intervals", margins, "points a round ahead of the opponent", colours, names=names, line_at=0),
        Plot("intervals", won, f"won, %; {even:.0f} % is even", names=names, line_at=even),
    ]


def _taken_parts(result: Comparison, taken: Sequence[Measurement]) -> list[Part]:
    """Return the section on what `lookahead` and the exploiters won from the policies."""
    bound = (
        "The points that a player wins from the policies are a **lower bound**: others may find more. A margin below 0 "
        "means that this player found nothing; a copy of the policy has 0."
    )
    notes = []
    if result.lookahead is not None:
        agents = ", ".join(f"`{agent}`" for agent in dict.fromkeys(result.lookahead_agents))
        notes.append(f"**lookahead** lets the network of a policy value every choice, one decision ahead: {agents}.")
    if result.exploiter is not None:
        start = "a copy of the policy" if result.warm else "a fresh policy"
        learned = f"{start} trained on {result.exploiter_decisions:,} decisions, with the policy in all other seats"
        notes.append(f"**exploiter:** {learned}, then measured on other deals.")
    return [bound, _table(result, taken, "player", is_brief=False), notes]


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
        "Policies: " + "; ".join(f"{policy.name}, `{policy.agent}`" for policy in result.policies) + ".",
    ]
    if result.luck:
        share = "These terms are 0 on average whoever plays, so a fixed share of them can be subtracted"
        lines.append(f"**Without luck:** {find_game(result.game).luck.explained} {share}.")
    return lines
