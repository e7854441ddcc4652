"""The numbers of the Skip-Bo paper that need no games: sample sizes, states, intervals and tests."""

import math

import numpy as np
import pytest
from scipy import stats

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
from skipbo_env.kernel import DECK


def test_equation_1_gives_1562_games_an_arm_and_not_6500() -> None:
    size = numbers().sample_size
    assert (size.per_arm, size.match, size.pooled, size.continuity, size.smaller) == (1562, 783, 1565, 1605, 6272)
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


def test_orders_of_the_deck_with_equal_cards_lie_between_the_bounds() -> None:
    space = numbers().state_space
    orders = math.log10(math.factorial(162)) - 12 * math.log10(math.factorial(12)) - math.log10(math.factorial(18))
    assert space.deals == pytest.approx(orders)
    assert space.printed < space.deals < space.most


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
