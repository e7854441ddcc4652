"""The tables of the report: every number of the document that its pages show, as text."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from cardtable.statistics import EstimateDocument
from studies.skipbo_paper.claim import Results, percent
from studies.skipbo_paper.players import READINGS
from studies.skipbo_paper.skipbo_document import PairDocument, TestDocument

Row = Sequence[str]


@dataclass(frozen=True)
class Table:
    """Rows of text under a head; the first `words` columns are words."""

    head: Row
    rows: Sequence[Row]
    words: int = 1


def verdicts(results: Results) -> Table:
    """All claims."""
    rows = [(each["section"], each["title"], each["verdict"]) for each in results.document["claims"]]
    return Table(("section", "claim", "verdict"), rows, words=3)


def players(results: Results) -> Table:
    """Who plays."""
    rows = [(str(k), name(player), words) for k, (player, words) in enumerate(results.document["players"].items(), 1)]
    return Table(("", "player", "plays"), rows, words=3)


def matrix(results: Results) -> Table:
    """Who takes how much from whom."""
    everybody = list(results.document["players"])
    rows = [
        (
            f"{k} {name(player)}",
            *("–" if other == player else f"{100 * results.share(player, other)['mean']:.1f}" for other in everybody),
        )
        for k, player in enumerate(everybody, 1)
    ]
    return Table(("takes from", *(str(k) for k in range(1, len(everybody) + 1))), rows)


def win_rates(pairs: Iterable[PairDocument]) -> Table:
    """Every matchup with its intervals."""
    head = ("matchup", "share", "p", "won of decided", "Wilson", "Clopper–Pearson", "blocked", "truncated")
    return Table(head, [(versus(pair), *_rate(pair)) for pair in pairs])


def _rate(pair: PairDocument) -> Row:
    games, decided = 2 * pair["deals"], pair["decided"]
    shares = (
        ("–",) * 3
        if decided is None
        else (f"{100 * decided['share']:.1f}", _ends(decided["wilson"]), _ends(decided["exact"]))
    )
    nobody = (share_of(pair[kind], games) for kind in ("blocked", "truncated"))
    return (spread(pair["share"]), tested(pair["test"]), *shares, *nobody)


def winners_turns(results: Results) -> Table:
    """The turns of the winner, by who has won."""
    rows = [
        (
            versus(pair),
            *(quartile_words(each) for each in ranks["quartiles"]),
            f"{100 * ranks['effect']:.1f}",
            _ends(ranks["interval"]),
            tested(ranks["test"]),
        )
        for pair in results.pairs
        if (ranks := pair["ranks"]) is not None
    ]
    return Table(("matchup", "first wins in", "second wins in", "first takes longer", "interval", "p"), rows)


def starters(results: Results) -> Table:
    """What it is worth to start."""
    alone = [
        (f"{name(each['player'])} against itself", spread(each["starter"]), tested(each["starter_test"]))
        for each in results.alone
    ]
    pairs = [(versus(pair), spread(pair["starter"]), tested(pair["starter_test"])) for pair in results.pairs]
    return Table(("matchup", "starter takes", "p"), [*alone, *pairs])


def pairing(results: Results) -> Table:
    """What it is worth to pair games."""
    rows = [
        (
            versus(pair),
            spread(pair["starting"]),
            spread(pair["following"]),
            spread(pair["share"]),
            "–" if pair["variance_ratio"] is None else f"{pair['variance_ratio']:.2f}",
            "–" if pair["deals_needed"] is None else f"{2 * pair['deals_needed']:,}",
        )
        for pair in results.pairs
    ]
    head = ("matchup", "if it starts", "if it does not", "paired", "variance left", "games needed")
    return Table(head, rows)


def lengths(results: Results) -> Table:
    """Games of players against themselves."""
    rows = [
        (
            name(each["player"]),
            share_of(each["blocked"], each["deals"]),
            share_of(each["truncated"], each["deals"]),
            "–" if each["winners_turns"] is None else quartile_words(each["winners_turns"]),
            "–" if each["skewness"] is None else f"{each['skewness']['value']:.2f}",
            quartile_words(each["turns"]),
            str(each["longest"]),
            f"{each['decisions']:.0f}",
            f"{each['plays_a_turn']:.2f}",
            f"{each['completed']:.1f}",
            f"{each['wilds']:.2f}",
        )
        for each in results.alone
    ]
    head = (
        "player",
        "blocked",
        "truncated",
        "winner's turns",
        "skewness",
        "turns of both",
        "most",
        "decisions",
        "plays a turn",
        "piles completed",
        "wild cards discarded",
    )
    return Table(head, rows)


def choices(results: Results) -> Table:
    """What there is to choose from."""
    rows = []
    for each in results.alone:
        found = each["choices"]
        low, median, high = found["quartiles"]
        numbers = (f"{found['mean']:.1f}", f"{median} ({low}–{high})", str(found["most"]))
        means = (f"{found['plays']:.1f}", f"{found['discards']:.1f}", percent(found["forced"]))
        rows.append((name(each["player"]), f"{found['decisions']:,}", *numbers, *means))
    head = ("player", "decisions", "legal actions", "median", "most", "plays", "discards", "forced")
    return Table(head, rows)


def piles(results: Results) -> Table:
    """Where cards are discarded, and who would decide alike."""
    others = list(results.alone[0]["choices"]["agreeing"])
    rows = [
        (
            name(each["player"]),
            *(percent(share, 0) for share in each["on_piles"]),
            *(percent(each["choices"]["agreeing"][other], 0) for other in others),
        )
        for each in results.alone
    ]
    head = ("player", "pile 1", "pile 2", "pile 3", "pile 4", *(f"as {name(other)}" for other in others))
    return Table(head, rows)


def readings(results: Results, others: Sequence[str]) -> Table:
    """What each reading of HPVP takes from some other players."""
    rows = [(name(each), *(_taken(results, each, other) for other in others)) for each in READINGS]
    return Table(("takes from", *(name(other) for other in others)), rows)


def _taken(results: Results, player: str, other: str) -> str:
    return "–" if player == other else spread(results.share(player, other))


def changes(results: Results, *, faults: bool) -> Table:
    """Pairs under other rules."""
    rows = [
        (
            each["words"],
            " – ".join(name(player) for player in each["players"]),
            spread(each["share"]),
            f"{100 * each['difference']['mean']:+.1f} ± {100 * each['difference']['half']:.1f}",
            tested(each["test"]),
            percent(each["blocked"]),
            f"{each['turns']:.0f}",
            f"{each['completed']:.1f}",
            f"{each['wilds']:.2f}",
        )
        for each in results.changes(faults=faults)
    ]
    head = (
        "change",
        "matchup",
        "share",
        "changed by",
        "p",
        "blocked",
        "turns",
        "piles completed",
        "wild cards discarded",
    )
    return Table(head, rows, words=2)


def runs(results: Results) -> Table:
    """Single runs of a match."""
    rows = [
        (
            " – ".join(name(player) for player in each["players"]),
            f"{each['games']:,}",
            _ends(each["single"]),
            percent(each["single_wrong"]),
            _ends(each["paired"]),
            percent(each["paired_wrong"]),
        )
        for each in results.document["runs"]
    ]
    head = ("matchup", "games", "first always starts", "wrong one ahead", "paired", "wrong one ahead")
    return Table(head, rows)


def coverage(results: Results) -> Table:
    """How often intervals cover."""
    rows = [
        (f"{each['share']:g}", *(percent(share) for share in (each["wald"], each["wilson"], each["exact"])))
        for each in results.document["coverage"]
    ]
    return Table(("win rate", "normal approximation", "Wilson", "Clopper–Pearson"), rows)


def errors(results: Results) -> Table:
    """How often equal players differ significantly."""
    rows = [
        (f"{each['games']:,}", percent(each["single"]), percent(each["doubled"])) for each in results.document["errors"]
    ]
    return Table(("games", "counted once", "counted twice"), rows)


def sample_sizes(results: Results) -> Table:
    """Equation (1) and its surroundings."""
    size = results.document["sample_size"]
    printed, half = size["printed"], size["printed"] // 2
    rows = [
        ("games an arm by equation (1)", f"{size['per_arm']:,}"),
        ("both arms together", f"{2 * size['per_arm']:,}"),
        ("games an arm with pooled variance", f"{size['pooled']:,}"),
        ("games an arm with pooled variance and correction for continuity", f"{size['continuity']:,}"),
        ("games of a match between the two, independent ones", f"{size['match']:,}"),
        ("games an arm for 0.525 against 0.5", f"{size['smaller']:,}"),
        (f"power of {printed:,} games an arm", percent(size["power_printed"], 2)),
        (f"power of {half:,} games an arm", percent(size["power_halved"])),
        (f"power of a match of {printed:,} games", percent(size["power_match"], 2)),
        (f"difference that {printed:,} games an arm find", f"{size['least_arms']:.4f}"),
        (f"difference that {half:,} games an arm find", f"{size['least_halves']:.4f}"),
    ]
    return Table(("0.55 against 0.5, α = 0.05, power 80 %", ""), rows)


def name(player: str) -> str:
    """An agent as pages show it."""
    return f"`{player}`"


def versus(pair: PairDocument) -> str:
    """A matchup."""
    return " – ".join(name(player) for player in pair["players"])


def spread(found: EstimateDocument) -> str:
    """A share with half its interval, in per cent."""
    return f"{100 * found['mean']:.1f} ± {100 * found['half']:.1f}"


def tested(test: TestDocument) -> str:
    """An adjusted p-value."""
    return "< 0.001" if test["adjusted"] < 0.001 else f"{test['adjusted']:.3f}"


def share_of(count: int, games: int) -> str:
    """A count as a share of games."""
    return "0" if count == 0 else percent(count / games, 1 if count / games >= 0.001 else 3)


def quartile_words(found: Sequence[float]) -> str:
    """Median and, in brackets, the other quartiles."""
    low, median, high = (f"{each:g}" for each in found)
    return f"{median} ({low}–{high})"


def _ends(interval: Sequence[float]) -> str:
    return f"{100 * interval[0]:.1f}–{100 * interval[1]:.1f}"
