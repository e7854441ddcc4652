"""The games of the Skip-Bo paper's evaluation, and the measures of their results."""

from typing import Any

import numpy as np
import pytest
from scipy import stats

from cardtable.arena.play.pairing import play_paired
from cardtable.table.game.card_game import Setup
from papers.strittmatter_games import (
    AS_ZERO,
    CHANGES,
    FARTHEST,
    GREEDY,
    LITERAL,
    RANDOM,
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
    runs,
    variance_ratio,
)
from skipbo_env import Game
from skipbo_env.rules import STRITTMATTER

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
    game, legal = Game(STRITTMATTER, seed=3), []
    for action in rounds.actions[: rounds.decisions[0]]:
        legal.append(len(game.legal_actions()))
        game.apply(int(action))
    assert game.is_over
    one, some = choices_of(rounds, 3, 1, ()), choices_of(rounds, 3, 12, (LITERAL, GREEDY))
    assert (one.decisions, one.legal) == (len(legal), sum(legal) / len(legal))
    assert some.decisions == rounds.decisions[:12].sum()
    assert some.agreeing[LITERAL] == 1 > some.agreeing[GREEDY] > 0
    assert 0 < some.stock_choices < 0.5 < some.others_holding < 1


def test_the_literal_player_discards_on_one_pile_in_both_senses() -> None:
    games, rounds = EVALUATOR.alone(LITERAL)
    assert alone_result(games, rounds, choices_of(rounds, 3, 1, ())).on_piles == (1, 0, 0, 0)
    pairs = [EVALUATOR.rotations((reading, GREEDY), keep=True) for reading in (LITERAL, FARTHEST, AS_ZERO)]
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


def test_runs_with_a_fixed_starter_are_biased() -> None:
    """The first player wins whenever it starts, and half of the games in which it does not."""
    drawn = runs(matchup([[[1, 0], [0, 1]], [[1, 0], [1, 0]]] * 50, [[[3, 2], [2, 3]]] * 100), 100, 1)
    assert drawn.single == (1, 1)
    assert drawn.paired[0] < 0.75 < drawn.paired[1]
    assert (drawn.single_wrong, drawn.paired_wrong) == (0, 0)
