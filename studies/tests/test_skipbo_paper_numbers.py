"""The numbers of the study of Strittmatter's paper that need no games: sample sizes, states, statistics."""

import math
from typing import Any

import numpy as np
import pytest
from scipy import stats

from skipbo_env.kernel.state import DECK
from studies.skipbo_paper.matchups import Matchup
from studies.skipbo_paper.pair_measures import (
    PValues,
    differing_rounds,
    pair_document,
    variance_ratio,
)
from studies.skipbo_paper.sample_size import (
    continuity_games,
    games_of_match,
    least_difference,
    pooled_games,
    power_of_arms,
    power_of_match,
    sample_size,
)
from studies.skipbo_paper.single_runs import coverage, errors, false_alarms, runs, wald
from studies.skipbo_paper.state_space import PRINTED, deals, most_states, multinomial, state_space


def matchup(
    wins: list[list[list[int]]], turns: list[list[list[int]]], players: tuple[str, str] = ("greedy", "hpvp")
) -> Matchup:
    """Deals with these winners and turns, [deals, games, players], in which nothing else happened."""
    won, taken = np.array(wins, np.bool_), np.array(turns)
    nobody: Any = ~won.any(axis=2)
    return Matchup(players, won, nobody, np.zeros_like(nobody), taken.sum(axis=2), taken, taken * 0, taken * 0)


def test_equation_1_gives_1562_games_an_arm() -> None:
    size = sample_size()
    assert (size.per_arm, size.match, size.pooled, size.continuity, size.smaller) == (1562, 783, 1565, 1605, 6272)
    assert size.power_printed > 0.999
    assert 0.97 < size.power_halved < 0.99
    assert size.least_halves == pytest.approx(size.least_arms * 2**0.5, rel=0.01)


def test_the_games_that_are_needed_have_the_power() -> None:
    assert power_of_arms(1562) == pytest.approx(0.8, abs=1e-3)
    assert power_of_match(games_of_match()) == pytest.approx(0.8, abs=1e-3)
    assert power_of_match(games_of_match() - 1) < 0.8
    assert power_of_arms(6500, 0.5 + least_difference(lambda share: power_of_arms(6500, share))) == pytest.approx(0.8)


def test_a_match_of_783_games_is_significant_as_often_as_said() -> None:
    games = games_of_match()
    wins = np.arange(games + 1)
    is_significant = np.abs(wins - games / 2) / (games / 4) ** 0.5 > stats.norm.isf(0.025)
    assert stats.binom.pmf(wins[is_significant], games, 0.55).sum() == pytest.approx(0.8, abs=0.015)


def test_corrections_add_games() -> None:
    assert 1562 < pooled_games() < continuity_games()
    assert continuity_games(0.9, 0.1) > pooled_games(0.9, 0.1)


def test_the_multinomial_is_that_of_the_paper() -> None:
    assert sum(PRINTED) == DECK
    by_choices, left = 1, DECK
    for size in PRINTED:
        by_choices, left = by_choices * math.comb(left, size), left - size
    assert multinomial(PRINTED) == by_choices


def test_orders_of_a_deck_with_equal_cards() -> None:
    assert multinomial((2, 1)) == 3
    assert deals() * math.factorial(12) ** 12 * math.factorial(18) == math.factorial(162)
    space = state_space()
    assert space.printed < space.deals < space.most
    assert most_states() % deals() == 0


@pytest.mark.parametrize(("share", "games"), [(0.5, 10), (0.9, 30), (0.99, 100)])
def test_coverage_is_that_of_simulated_games(share: float, games: int) -> None:
    wins = np.random.default_rng(1).binomial(games, share, 20_000)
    counts = np.bincount(wins, minlength=games + 1)
    covering = [wald(k, games).low <= share <= wald(k, games).high for k in range(games + 1)]
    assert coverage(wald, share, games) == pytest.approx(counts[covering].sum() / len(wins), abs=0.01)


def test_a_test_that_counts_games_twice_errs_as_scipy_says() -> None:
    games = 100
    found = 0.0
    for wins in range(games + 1):
        table = [[wins, games - wins], [games - wins, wins]]
        p = 0.0 if wins in (0, games) else stats.chi2_contingency(table, correction=False).pvalue
        found += stats.binom.pmf(wins, games, 0.5) * (p < 0.05)
    assert false_alarms(games, 2) == pytest.approx(found)
    assert false_alarms(games, 1) < 0.06 < 0.15 < errors()[-1]["doubled"]


def test_points_count_nobodys_game_as_half() -> None:
    found = matchup([[[1, 0], [0, 0]], [[0, 1], [0, 1]]], [[[3, 2], [4, 4]], [[5, 5], [4, 5]]])
    assert found.shares.tolist() == [0.75, 0]
    assert found.starters.tolist() == [(1 + 0.5) / 2, (0 + 1) / 2]
    assert found.winners_turns(0).tolist() == [3]
    assert found.winners_turns(1).tolist() == [5, 5]


def test_complete_rounds_are_the_winners_turns_less_one() -> None:
    """The first player starts game 1 and wins in its 3rd turn; the second wins game 1 of deal 2 in its 5th."""
    found = matchup([[[1, 0], [0, 0]], [[0, 1], [0, 1]]], [[[3, 2], [4, 4]], [[5, 5], [4, 5]]])
    assert found.complete_rounds.tolist() == [2, 4, 4]
    assert differing_rounds(found) == 0
    wrong = matchup([[[1, 0], [0, 1]], [[0, 1], [0, 1]]], [[[3, 1], [4, 4]], [[5, 5], [4, 5]]])
    assert differing_rounds(wrong) == 1


def test_players_that_play_alike_leave_no_variance() -> None:
    """Whoever wins as the starter loses when the other one starts."""
    twins = matchup([[[1, 0], [0, 1]], [[0, 1], [1, 0]]] * 10, [[[3, 2], [2, 3]]] * 20)
    assert variance_ratio(twins) == 0
    same = matchup([[[1, 0], [1, 0]], [[0, 1], [0, 1]]] * 10, [[[3, 2], [2, 3]]] * 20)
    assert variance_ratio(same) == 2


def test_a_pair_is_measured_by_deals_and_by_games() -> None:
    rng = np.random.default_rng(2)
    first = rng.random((400, 2)) < 0.6
    wins = np.stack([first, ~first], axis=2)
    wins[:40] = False
    turns = rng.integers(20, 40, (400, 2, 2))
    tests = PValues()
    found = pair_document(matchup(wins.tolist(), turns.tolist()), tests)
    tests.adjust()
    assert found["blocked"] == 80
    assert sum(found["wins"]) == 720
    assert found["decided"] is not None
    assert found["decided"]["share"] == pytest.approx(found["wins"][0] / 720)
    low, high = found["decided"]["exact"]
    assert stats.binom.sf(found["wins"][0] - 1, 720, low) == pytest.approx(0.025)
    assert stats.binom.cdf(found["wins"][0], 720, high) == pytest.approx(0.025)
    assert found["share"]["mean"] == pytest.approx((found["wins"][0] + 40) / 800)
    assert found["test"]["p"] <= found["test"]["adjusted"] < 0.001
    assert found["ranks"] is not None
    assert found["ranks"]["effect"] == pytest.approx(0.5, abs=0.06)
    assert found["deals_needed"] == pytest.approx(783 / 2 * 0.9, rel=0.1)


def test_runs_with_fixed_starters_are_biased_by_them() -> None:
    """The first player wins whenever it starts, and half of the games in which it does not."""
    wins = [[[1, 0], [0, 1]], [[1, 0], [1, 0]]] * 50
    found = runs(matchup(wins, [[[3, 2], [2, 3]]] * 100), 100, 1)
    assert found["single"] == [1, 1]
    assert found["paired"][0] < 0.75 < found["paired"][1]
    assert (found["single_wrong"], found["paired_wrong"]) == (0, 0)
