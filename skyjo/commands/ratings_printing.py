"""Prints ratings in the terminal."""

from collections.abc import Sequence

from cardtable.ratings.rating_documents import SHARES, EloDocument, PairRow, RankedDocument, RankedRow, SpreadRow
from skyjo.terminal.console import print_table

BEYOND = 0.05  # p-values up to this one are marked


def print_ranked(document: RankedDocument) -> None:
    """The players with ratings and intervals; then the pairs, if they were compared."""
    rows = [
        (each["player"], f"{each['rating']:.1f}", _interval(each), f"{each['games']:,}", f"{100 * each['won']:.1f} %")
        for each in document["standings"]
    ]
    print_table(("player", "rating", "95 %", "games", "won"), rows)
    print(
        f"{document['games']:,} games of {document['deals']:,} deals; {document['anchor']} is rated 1000, "
        "and intervals are for the difference from it"
    )
    if "pairs" in document:
        _print_pairs(document["pairs"])


def print_rated(document: EloDocument) -> None:
    """The players by Elo; then, where asked for, how ratings spread and which files were written."""
    rows = [
        (each["player"], f"{each['rating']:.2f}", f"{each['start']:.2f}", f"{each['series']:,}", f"{each['score']:.2f}")
        for each in document["standings"]
    ]
    print_table(("player", "rating", "start", "series", "mean score"), rows)
    print(f"{document['games']:,} games, {document['series_rated']:,} series")
    if document["games_left"]:
        print(f"games that do not fill a series and are not rated: {document['games_left']:,}")
    if document["scores_raised"]:
        print(f"scores raised to 1: {document['scores_raised']:,} (give a higher --ceiling, or --form difference)")
    if "spreads" in document:
        _print_spreads(document["spreads"])
    if "written" in document:
        print(f"Written: {', '.join(document['written'])}")


def _print_pairs(pairs: Sequence[PairRow]) -> None:
    rows = [
        (
            each["player"],
            each["against"],
            f"{each['games']:,}",
            f"{100 * each['observed']:.1f} %",
            f"{100 * each['fitted']:.1f} %",
            _excess(each),
            "" if each["p_value"] is None else f"{each['p_value']:.3f}{'*' if each['p_value'] <= BEYOND else ' '}",
        )
        for each in pairs
    ]
    print_table(("player", "against", "games", "ahead", "expected", "excess", "p"), rows, names=2)
    beyond = sum(each["p_value"] is not None and each["p_value"] <= BEYOND for each in pairs)
    print(
        f"{beyond} of {len(pairs)} pairs differ from their ratings by more than chance (*: p at most {BEYOND}, by Holm)"
    )


def _interval(each: RankedRow) -> str:
    return "" if each["low"] is None else f"{each['low']:.1f} to {each['high']:.1f}"


def _excess(each: PairRow) -> str:
    """The excess with half its interval, which is symmetric."""
    low, high = each["low"], each["high"]
    half = "" if low is None or high is None else f" ± {50 * (high - low):.1f}"
    return f"{100 * each['excess']:+.1f}{half} %"


def _print_spreads(rows: Sequence[SpreadRow]) -> None:
    wide = max(len("scores"), *(len(row["scores"]) for row in rows))
    shares = "".join(f"{f'{share} %':>10}" for share in SHARES)
    print(f"\n{'scores':{wide}}{'K':>6}{'max':>10}{'mean':>10}{'min':>10}{shares}")
    for row in rows:
        numbers = "".join(f"{each:10.2f}" for each in (row["greatest"], row["mean"], row["least"], *row["above"]))
        print(f"{row['scores']:{wide}}{row['k']:6.2f}{numbers}")
