"""The evaluation of the Skip-Bo paper: its games and measures, its other numbers, the verdicts, and the page."""

import json
import math
import re
from dataclasses import asdict
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from scipy import stats

from cardtable.arena.play.pairing import play_paired
from cardtable.table.game.card_game import Setup
from papers.strittmatter import FULL, Strittmatter
from papers.strittmatter_claims import CLAIMS, CONFIRMED, IMPRECISE, NOT_TESTABLE, REFUTED, Measured, Verdict
from papers.strittmatter_evaluation import WORK, Result, result
from papers.strittmatter_games import (
    AS_ZERO,
    CHANGES,
    FARTHEST,
    FIRST,
    FOUR_PILES,
    GREEDY,
    LITERAL,
    PLANNER,
    PLAYERS,
    RANDOM,
    SPREAD,
    Evaluator,
    Matchup,
    choices_of,
    differing_games,
)
from papers.strittmatter_measures import (
    Significance,
    adjust,
    alone_result,
    change_result,
    pair_result,
    variance_ratio,
)
from papers.strittmatter_numbers import (
    PRINTED_GROUPS,
    covered,
    false_alarms,
    games_of_match,
    intervals,
    multinomial,
    numbers,
    power_of_arms,
)
from skipbo_env.kernel import COPIES, DECK, RANKS, WILDS
from skipbo_env.rules import STRITTMATTER, Rules

EVALUATOR = Evaluator(deals=40, seed=3, report=lambda _: None)


def matchup(wins: Any, turns: Any) -> Matchup:
    """Return deals with these winners and turns, [deals, games, players]; games without a winner are blocked."""
    won = np.array(wins, np.bool_)
    return Matchup((GREEDY, LITERAL), won, np.array(turns), np.logical_not(won.any(axis=2)))


def test_a_pair_is_played_as_any_match() -> None:
    games = EVALUATOR.pair((GREEDY, LITERAL))
    match = play_paired((GREEDY, LITERAL), Setup(STRITTMATTER, 3), range(40))
    assert games.shares.tolist() == match.wins[:, 0].tolist()
    assert not games.is_truncated.any()


def test_random_players_block_each_other() -> None:
    games, rounds = EVALUATOR.alone(RANDOM)
    assert games.is_blocked.mean() > 0.9
    assert games.points[games.is_blocked].tolist() == [[0.5, 0.5]] * int(games.is_blocked.sum())
    assert alone_result(games, rounds, choices_of(rounds, 3, 5, ())).passes > 0


def test_every_decision_of_a_game_is_examined() -> None:
    _, rounds = EVALUATOR.alone(LITERAL)
    one, some = choices_of(rounds, 3, 1, ()), choices_of(rounds, 3, 12, (LITERAL, GREEDY))
    assert one.decisions == rounds.decisions[0]
    assert some.decisions == rounds.decisions[:12].sum()
    assert some.agreeing[LITERAL] == 1 > some.agreeing[GREEDY] > 0
    assert 0 < some.stock_choices < 0.5 < some.others_holding < 1


def test_the_literal_player_discards_on_one_pile_in_both_senses() -> None:
    games, rounds = EVALUATOR.alone(LITERAL)
    assert alone_result(games, rounds, choices_of(rounds, 3, 1, ())).on_piles == (1, 0, 0, 0)
    pairs = [EVALUATOR.rotations((reading, GREEDY), record_actions=True) for reading in (LITERAL, FARTHEST, AS_ZERO)]
    assert [differing_games(*each) for each in zip(pairs[0], pairs[1], strict=True)] == [0, 0]
    assert min(differing_games(*each) for each in zip(pairs[0], pairs[2], strict=True)) > 20


def test_changed_rules_are_compared_deal_by_deal() -> None:
    usual = EVALUATOR.pair((GREEDY, LITERAL))
    same = change_result(CHANGES[0], usual, usual)
    assert (same.difference.mean, same.difference.test.p) == (0, 1)
    games = EVALUATOR.pair((GREEDY, LITERAL), STRITTMATTER.replace(**CHANGES[1].rules))
    changed = change_result(CHANGES[1], games, usual)
    assert changed.difference.mean == pytest.approx(changed.share.mean - usual.shares.mean())


def test_a_game_without_a_winner_is_half_for_both() -> None:
    games = matchup([[[1, 0], [0, 0]], [[0, 1], [0, 1]]], [[[3, 2], [4, 4]], [[5, 5], [4, 5]]])
    assert games.shares.tolist() == [0.75, 0]
    assert games.starters.tolist() == [0.75, 0.5]
    assert (games.winners_turns(0).tolist(), games.winners_turns(1).tolist()) == ([3], [5, 5])


def test_complete_rounds_are_the_winners_turns_minus_one() -> None:
    wins = [[[1, 0], [0, 0]], [[0, 1], [0, 1]]]
    assert matchup(wins, [[[3, 2], [4, 4]], [[5, 5], [4, 5]]]).differing_rounds() == 0
    assert matchup(wins, [[[3, 1], [4, 4]], [[5, 5], [4, 5]]]).differing_rounds() == 1


def test_pairing_removes_the_variance_of_players_that_play_alike() -> None:
    starter_wins = matchup([[[1, 0], [0, 1]], [[0, 1], [1, 0]]] * 10, [[[3, 2], [2, 3]]] * 20)
    same_player_wins = matchup([[[1, 0], [1, 0]], [[0, 1], [0, 1]]] * 10, [[[3, 2], [2, 3]]] * 20)
    assert (variance_ratio(starter_wins), variance_ratio(same_player_wins)) == (0, 2)


def test_a_pair_is_measured_by_deals_and_by_games() -> None:
    rng = np.random.default_rng(2)
    first = rng.random((400, 2)) < 0.6
    wins = np.stack([first, ~first], axis=2)
    wins[:40] = False
    pair = pair_result(matchup(wins, rng.integers(20, 40, (400, 2, 2))))
    assert adjust((pair,)) == 3
    assert (pair.blocked, sum(pair.wins)) == (80, 720)
    assert pair.share.mean == pytest.approx((pair.wins[0] + 40) / 800)
    assert (pair.is_ahead(GREEDY), pair.is_ahead(LITERAL)) == (True, False)
    assert pair.exact is not None
    assert pair.turns is not None
    assert stats.binom.sf(pair.wins[0] - 1, 720, pair.exact[0]) == pytest.approx(0.025)
    assert stats.binom.cdf(pair.wins[0], 720, pair.exact[1]) == pytest.approx(0.025)
    assert pair.turns.effect == pytest.approx(0.5, abs=0.06)
    assert pair.games_needed == pytest.approx(783 * 0.9, rel=0.1)


def test_all_tests_of_a_page_are_adjusted_together() -> None:
    tests = [Significance(0.01), Significance(0.04), Significance(0.02)]
    assert adjust(tests[:1], (tests[1:],)) == 3
    assert [test.adjusted for test in tests] == pytest.approx([0.03, 0.04, 0.04])


def test_equation_1_gives_1562_games_an_arm_and_not_6500() -> None:
    size = numbers().sample_size
    assert (size.per_arm, size.match, size.smaller) == (1562, 783, 6272)
    assert power_of_arms(size.per_arm, 0.05) == pytest.approx(0.8, abs=1e-3)
    assert size.power_printed > size.power_halved > 0.97


def test_a_match_of_783_games_is_significant_in_four_cases_of_five() -> None:
    games = games_of_match(0.55)
    wins = np.arange(games + 1)
    is_significant = np.abs(wins - games / 2) / (games / 4) ** 0.5 > stats.norm.isf(0.025)
    assert stats.binom.pmf(wins[is_significant], games, 0.55).sum() == pytest.approx(0.8, abs=0.015)


def test_the_multinomial_counts_ways_to_choose_group_after_group() -> None:
    ways, left = 1, DECK
    for size in PRINTED_GROUPS:
        ways, left = ways * math.comb(left, size), left - size
    assert (multinomial(PRINTED_GROUPS), left) == (ways, 0)


def test_orders_of_the_deck_with_equal_cards_are_more_than_the_paper_says() -> None:
    printed, deals = numbers().states
    orders = math.log10(math.factorial(162)) - 12 * math.log10(math.factorial(12)) - math.log10(math.factorial(18))
    assert deals == pytest.approx(orders)
    assert printed < deals


@pytest.mark.parametrize(("rate", "games"), [(0.5, 10), (0.9, 30), (0.99, 100)])
@pytest.mark.parametrize("method", ["normal", "wilson", "exact"])
def test_coverage_is_that_of_simulated_games(method: str, rate: float, games: int) -> None:
    low, high = intervals(games, method)
    wins = np.random.default_rng(1).binomial(games, rate, 20_000)
    simulated = np.mean((low[wins] <= rate) & (rate <= high[wins]))
    assert covered(rate, games, low, high) == pytest.approx(simulated, abs=0.01)


def test_a_test_that_counts_games_twice_errs_as_a_table_of_both_players() -> None:
    games, expected = 100, 0.0
    for wins in range(games + 1):
        table = [[wins, games - wins], [games - wins, wins]]
        p = 0.0 if wins in (0, games) else stats.chi2_contingency(table, correction=False).pvalue
        expected += stats.binom.pmf(wins, games, 0.5) * (p < 0.05)
    assert false_alarms(games, 2) == pytest.approx(expected)
    assert false_alarms(games, 1) < 0.06 < 0.15 < false_alarms(games, 2)


PAGE = (Path(__file__).parents[1] / "strittmatter.md").read_text()


@pytest.fixture(scope="module")
def small() -> Result:
    """An evaluation of few deals."""
    done: list[float] = []
    small = result(30, 2, Strittmatter.parts, done.append)
    assert sum(done) == WORK
    return small


@pytest.mark.parametrize(
    ("title", "numbers", "verdict"),
    [
        ("Every round has a winner", {"blocked": 1}, REFUTED),
        ("Every round has a winner", {"blocked": 0}, CONFIRMED),
        ("The number of states", {"below": -1}, REFUTED),
        ("Priority 4: a positional discard", {"otherwise": 0}, REFUTED),
        ("Priority 4: a positional discard", {"otherwise": 0.001}, IMPRECISE),
        ("Value of the hierarchy", {"ahead": 3, "all": 3}, CONFIRMED),
        ("Value of the hierarchy", {"ahead": 1, "all": 3}, IMPRECISE),
        ("Value of the hierarchy", {"ahead": 0, "all": 3}, REFUTED),
        ("Random play calibrates", {"best": 0.02}, IMPRECISE),
        ("Turn order confers an advantage", {"significant": 1, "advantage": 0.02, "bound": 0.03}, CONFIRMED),
        ("Turn order confers an advantage", {"significant": 1, "advantage": -0.02, "bound": 0.03}, REFUTED),
        ("Turn order confers an advantage", {"significant": 0, "advantage": 0.001, "bound": 0.008}, REFUTED),
        ("Turn order confers an advantage", {"significant": 0, "advantage": 0.001, "bound": 0.03}, NOT_TESTABLE),
        ("Paired games", {"median": 0.9}, CONFIRMED),
        ("Rounds to win", {"rounds_differ": 1}, IMPRECISE),
        ("Clopper–Pearson is conservative", {"exact": 0.949}, REFUTED),
        ("6,500 games for 0.55 against 0.50", {"error": 0.05}, CONFIRMED),
        ("Rule variants matter", {"turned": 1, "changed": 1}, CONFIRMED),
        ("Rule variants matter", {"turned": 0, "changed": 1}, IMPRECISE),
        ("Rule variants matter", {"turned": 0, "changed": 0}, NOT_TESTABLE),
    ],
)
def test_verdicts_follow_the_numbers(title: str, numbers: Measured, verdict: Verdict) -> None:
    (rule,) = (claim.verdict for claim in CLAIMS if claim.title == title)
    assert not isinstance(rule, Verdict)
    assert rule(numbers) == verdict


def test_the_deck_is_as_the_paper_says() -> None:
    """Section 2.1."""
    assert (DECK, RANKS * COPIES, WILDS) == (162, 144, 18)
    assert [Rules(players=players).stock_size for players in range(2, 7)] == [30, 30, 30, 20, 20]


def test_every_claim_is_worded_once_in_the_papers_order(small: Result) -> None:
    headings = re.findall(r"^### ([\d.]+) (.*): ([a-z ]+)$", Strittmatter().page(small), re.MULTILINE)
    assert headings == [(claim.section, claim.title, claim.verdict) for claim in small.claims]
    assert [claim.section for claim in CLAIMS] == sorted(claim.section for claim in CLAIMS)


def test_json_holds_all_numbers(small: Result) -> None:
    stored = json.loads(json.dumps(asdict(small)))
    assert len(stored["games"]["pairs"]) == 45
    assert stored["tests"] == str(stored).count("'adjusted'")
    assert stored["claims"][4]["numbers"] == {"blocked": sum(each["blocked"] for each in stored["games"]["alone"])}


def test_the_page_in_the_documents_has_the_prose_of_this_template(small: Result) -> None:
    """After a change: python -m papers strittmatter --out papers/strittmatter.md."""
    page = Strittmatter().page(small)
    prose = [
        [re.sub(r"[\d.,<+-]+", "", line) for line in text.splitlines() if re.match("[^|#`]*$", line)]
        for text in (page, PAGE)
    ]
    assert prose[0] == prose[1]


def test_the_shares_in_the_documents_are_those_of_the_players() -> None:
    rows = re.findall(r"^\| \d+ `(.*)` \| (.*\d.*) \|$", PAGE, re.MULTILINE)
    shares = {player: dict(zip(PLAYERS, cells.split(" | "), strict=True)) for player, cells in rows if cells.count("|")}
    evaluator = Evaluator(200, 1, lambda _: None)
    assert f"{FULL:,} deals" in PAGE
    for player, other in ((FOUR_PILES, FIRST), (GREEDY, LITERAL), (SPREAD, PLANNER)):
        played = evaluator.pair((player, other)).shares
        assert abs(100 * played.mean() - float(shares[player][other])) < 4 * 100 * np.std(played) / 200**0.5
