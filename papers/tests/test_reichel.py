"""Reichel's paper: its exact claims, its program, table 1, thresholds and variants, and the page."""

import json
from collections import Counter
from collections.abc import Callable
from fractions import Fraction
from itertools import permutations, product
from random import Random

import numpy as np
import pytest

from cardtable.arena.statistics import Estimate
from papers import reichel, reichel_sweeps
from papers import reichel_boards as boards
from papers.__main__ import main
from papers.reichel_boards import DECK, Column, Unseen, discarded, mean, without
from papers.reichel_claims import EXACT, LOW_COLUMNS, Claim, Group, change, exact_claims, grouped, judged
from papers.reichel_duels import VARIANTS, duels
from papers.reichel_program import EVENTS, ProgramGame
from papers.reichel_sweeps import SOURCES, THRESHOLDS, Point, compare, errors_between, play_point, played_claims
from skyjo_env import OFFICIAL
from tests.helpers import table
from tests.skyjo_play import play_paired


def turn(cards: str, pile: list[int], discard: int, *, targets: bool = False) -> tuple[list[int], int, set[str]]:
    """One turn of the program at t = 2, ? a hidden 9: the cards left, the discard, and what was counted."""
    game = ProgramGame(2, Random(1), targets)
    board, other = game.tableaus
    board.hidden = {cell for cell, card in enumerate(cards.split()) if card == "?"}
    board.cards = {cell: 9 if card == "?" else int(card) for cell, card in enumerate(cards.split())}
    other.hidden, game.pile, game.discard = set(), pile, discard
    game.play_turn(board)
    return (
        list(board.cards.values()),
        game.discard,
        {event for event, count in game.counts.items() if count} - {"turns"},
    )


def test_the_programs_turns_by_hand() -> None:
    low = "0 0 0 0 0 0 0 0 1 1 1 ?"
    assert turn(low, [9, 5], 3) == ([*[0] * 8, 1, 1, 1, 5], 9, {"by_the_mean"})  # 5 drawn, below 7
    assert turn(low, [9, 5, 8], 3)[1] == 8  # the mean of 9, 5, 8
    assert turn(low, [1, 1], 2)[1:] == (2, {"taken", "laid_back", "by_the_mean", "by_the_pile"})
    assert turn(low, [1, 1], 0) == ([*[0] * 6, 1, 1, 9], 1, {"taken", "needless", "cleared"})
    pair = "4 0 0 0 4 0 0 6 ? 1 1 ?"
    assert turn(pair, [9, 4], 3) == ([4, 0, 0, 0, 4, 0, 0, 4, 9, 1, 1, 9], 6, {"could", "missed", "needless"})
    assert turn(pair.replace("6", "3"), [9, 4], 3, targets=True)[2] == {"could", "cleared", "by_the_mean"}
    with pytest.raises(ZeroDivisionError):
        turn(low, [], 3)


def test_the_program_plays_as_described() -> None:
    """But for the pile's mean and for the end of endless games."""
    ours, theirs = play_point(1, ("program", 1, 1000)), play_point(1, ("described", 1, 20_000))
    assert abs(errors_between(ours, theirs)) < 3
    assert ours.turns == pytest.approx(theirs.turns, rel=0.03)
    endless = play_point(1, ("program", 12, 10))
    assert (endless.stopped, endless.events["taken"]) == (1, 500)
    assert (
        play_point(1, ("program, columns", 2, 300)).events["missed"]
        < play_point(1, ("program", 2, 300)).events["missed"]
    )


def test_intervals_are_as_wide_as_estimates_scatter() -> None:
    found = [play_point(seed, ("described", 0, 400)) for seed in range(200)]
    for each in ([point.mean for point in found], [point.deviation for point in found]):
        assert 1.96 * np.std([one.mean for one in each]) == pytest.approx(np.mean([one.half for one in each]), rel=0.2)


def points(mean: Callable[[int], float], **events: float) -> dict[str, list[Point]]:
    """Every source at every threshold, scores as a function of the threshold; deviations as printed for t = 1."""
    counted = dict.fromkeys(EVENTS, 0.0) | {"could": 2.0, "by_the_mean": 20.0} | events

    def point(t: int) -> Point:
        return Point(t, 1500, Estimate(mean(t), 0.1), Estimate(8.52, 10.0), 50, 0, 0, counted)

    return {source: [point(t) for t in THRESHOLDS] for source in SOURCES}


def test_table_1_fits_what_is_near_enough() -> None:
    """A half of 0.1 is a standard error of 0.051, and 0.072 for the difference of two samples; 2.638 are allowed."""
    found = compare(points(lambda t: {0: 3.08 + 0.18, 1: 4.37 - 0.18}.get(t, 7.02)))
    assert found.bound == pytest.approx(2.638, abs=0.001)  # 1 - 0.05 / 12 of the normal distribution
    assert found.fitting == {"3000 scores": list(SOURCES)[:4], "3000 games": []}
    off = [each for each in compare(points(lambda t: 3.0 + t)).comparisons if each.reading == "3000 scores"]
    assert [each.verdict for each in off[:6:2]] == ["fits", "too high", "too high"]


def test_verdicts_follow_what_was_played() -> None:
    for scores, verdict in ((float, "holds"), (lambda _: 20.0, "holds"), (lambda t: -t, "fails"), (abs, "holds under")):
        assert played_claims(points(scores))["Proposition 11"].verdict == verdict
    assert played_claims(points(float))["Proposition 12"].verdict == "holds"
    for event in ("missed", "by_the_pile"):
        found = played_claims(points(float, **{event: 0.5}))["Proposition 12"]
        assert (found.verdict, sum(group.exceptions for group in found.groups)) == ("fails", 750)


def test_duels_are_the_paired_margins() -> None:
    found = duels({"a": (OFFICIAL, True)}, (2, 4, 12), 5, 200).margins["a"]
    names = "threshold:t=4,columns=true", "threshold:t=2,columns=true"
    assert found[1].mean == pytest.approx(play_paired(names, OFFICIAL, 5, range(200)).margins[:, 0].mean())
    assert found[0] == Estimate(0, 0)
    assert found[2].mean < -20
    low = VARIANTS["more low cards"]
    assert duels({"low": low}, (0, 2, 6), 5, 1000).winning == {"low": [0]}


def test_two_runs_write_the_same_page_with_every_part(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    claims = {labels: Claim("holds", [Group("always", 1, 0)]) for labels in EXACT}
    monkeypatch.setattr(reichel, "exact_claims", lambda: claims)
    monkeypatch.setattr(reichel, "QUICK", 600)
    for module in (reichel, reichel_sweeps):
        monkeypatch.setattr(module, "THRESHOLDS", (0, 1, 2, 3))
    assert main(["reichel", "--quick"]) == 0
    page = capsys.readouterr().out
    assert main(["reichel", "--quick"]) == 0
    assert capsys.readouterr().out == page
    for kind, count in {"Lemma": 3, "Proposition": 12, "Corollary": 2}.items():
        assert all(f"{kind} {number}" in page for number in range(1, count + 1))
    assert main(["reichel", "--quick", "--only", "table1", "--json"]) == 0
    found = json.loads(capsys.readouterr().out)
    assert [part for part, value in found.items() if value is None] == ["thresholds", "claims", "variants"]
    for comparison in found["table1"]["comparisons"]:
        assert f"| {comparison['printed']:.2f} |" in page
        assert comparison["reading"] != "3000 scores" or f" {comparison['measured']:.2f}, " in page


BOARD = ((1, 2, None),)


def counted_score(column: Column, unseen: Unseen, official: bool) -> Fraction:
    """The mean over every arrangement of the unseen cards."""
    scores = []
    for order in permutations(unseen):
        cards = list(order)
        shown = [cards.pop() if card is None else card for card in column]
        scores.append(0 if official and len(set(shown)) == 1 else sum(shown))
    return Fraction(sum(scores), len(scores))


@pytest.mark.parametrize("official", [False, True])
def test_a_columns_expected_score_is_the_mean_over_all_arrangements(official: bool) -> None:
    for unseen, column in product(((-2, -2, 4, 4, 4), (0, 1, 1, 9), (-2, 5, 12)), product((None, -2, 4, 1), repeat=3)):
        if None in column:
            assert boards.column_score(column, unseen, official) == counted_score(column, unseen, official)


def test_waiting_for_a_better_card_by_hand() -> None:
    """Unseen 0 and 10: the draw tells the hidden one, so waiting leaves 1 + 2 + 0; placing a 4 ends the round with 7,
    or on the 2 leaves 1 + 4 + 0.
    """
    unseen = (0, 10)
    assert boards.best_score(BOARD, unseen, 0, False) == boards.board_score(BOARD, unseen, False) == 8
    assert discarded(BOARD, unseen, 1, False) == 3
    assert boards.placed(BOARD, (0, 2), unseen, 4, 1, False) == 7
    assert boards.placed_best(BOARD, unseen, 4, 1, False) == 5
    assert boards.placed(((4, 4, None), (9, 9, 1)), (0, 2), (0, 1), 4, 0, False) == 19  # the column is cleared
    assert discarded(BOARD, unseen, 1, True) == 8  # the card turned up is the last one: the round is over
    assert discarded(((4, 4, None),), (4, 9), 0, True) == Fraction(17, 2)  # cleared, or 17


def test_the_counterexample_to_proposition_10_on_the_kernel() -> None:
    """Official rules, 5 in hand, below the mean: each place is worse than the discard, which turns the last card up."""
    board = (*LOW_COLUMNS, (4, 4, None))
    unseen = without(DECK, 0, 1, 2, 0, 1, 3, 0, 2, 3, 4, 4, 5)
    assert mean(unseen) > 5

    def score(hidden: int, action: int) -> int:
        game = table(
            f"episode round; starter 0; ender 1; turns_left 1; turns 30; board 0 1 2 | 0 1 3 | 0 2 3 | 4 4 ?{hidden}; "
            "board 12 12 11 | 12 12 11 | 12 12 11 | 10 10 9; discard 1; draw ...; seat 0 drawn 5"
        )
        game.apply(action)
        return int(game.round_scores[0])

    def expected(action: int) -> Fraction:
        counts = Counter(unseen).items()
        return sum((Fraction(count * score(hidden, action), len(unseen)) for hidden, count in counts), Fraction(0))

    flipped = expected(14 + 11)
    assert flipped == discarded(board, unseen, 0, True)
    assert min(expected(2 + cell) for cell in range(12)) == boards.placed_best(board, unseen, 5, 0, True) > flipped


def test_completing_a_column_by_hand() -> None:
    """Beside two 4s lie 147 unseen cards of 748 points; with chance 7/147 the hidden one is a 4, which clears 12."""
    unseen = without(DECK, 4, 4, 4)
    assert change(4, unseen) == -8 - Fraction(748, 147)
    assert change(4, unseen, official=True) == change(4, unseen) + 12 * Fraction(7, 147)


def test_the_verdict_follows_from_the_cases() -> None:
    free, broken = grouped([("so", True, "a"), ("else", True, "b"), ("else", False, "c"), ("else", False, "d")])
    assert (free, broken) == (Group("so", 1, 0), Group("else", 3, 2, "c"))
    assert judged([free, free]).verdict == "holds"
    assert judged([free, broken]).verdict == "holds under"
    assert judged([broken]).verdict == judged([free, broken], is_whole=True).verdict == "fails"
    assert judged([]).verdict == judged([Group("", 0, 0)]).verdict == "fails"  # nothing tried, nothing shown


def test_the_claims_are_found_as_they_were() -> None:
    found = exact_claims()
    exceptions = {labels: [group.exceptions for group in claim.groups] for labels, claim in found.items()}
    assert exceptions == {
        "Lemma 1, Lemma 3": [0, 527],
        "Lemma 2": [0, 42, 163],
        "Proposition 1, Proposition 10": [0, 4, 0, 1, 1, 0, 0, 0, 1, 0, 0],
        "Proposition 2, Proposition 6": [0, 27, 18, 18, 0, 0, 2],
        "Proposition 3, Proposition 7": [0, 26, 1, 1, 0, 0, 2],
        "Proposition 4, Proposition 8": [18, 0],
        "Proposition 5, Proposition 9": [15, 4, 15, 4, 10, 2, 10, 2],
        "Corollary 1": [105, 105, 104],
        "Corollary 2": [0, 0, 0, 0, 0, 1],
    }
    assert [labels for labels, claim in found.items() if claim.verdict == "fails"] == [
        "Proposition 5, Proposition 9",
        "Corollary 1",
    ]
    # A hidden card is worth more than every open card up to 5: of 15 values the pairs with a higher one below the mean.
    assert found["Proposition 4, Proposition 8"].beyond[0].exceptions == 8 * 7 // 2
