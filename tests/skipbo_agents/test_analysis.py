"""Analysis of Skip-Bo by rollouts: forced decisions, checks with other guesses, and who can judge."""

from math import sqrt
from typing import Any

import numpy as np
import pytest

from cardtable.arena.exam.analysis import Analyst, Judged, chances, conduct_of
from cardtable.table.errors import AgentError
from skipbo_agents.judging import MARKS, SkipboAnalyst, analyst_of
from skipbo_agents.search import RolloutAgent
from skipbo_env import OFFICIAL, Game, make_agent


@pytest.fixture(scope="module", params=[2, 3])
def game(request: Any) -> Game:
    """A round played at random, so that there are mistakes in it."""
    game, chance = Game(f"stock=2 players={request.param}", seed=5, episode="round"), np.random.default_rng(5)
    while not game.is_over:
        game.apply(int(chance.choice(game.legal_actions())))
    return game


@pytest.fixture(scope="module")
def analyst(game: Game) -> Analyst:
    return analyst_of(RolloutAgent(game.rules, "greedy", n=20, turns=4))


@pytest.fixture(scope="module")
def judged(game: Game, analyst: Analyst) -> list[Judged]:
    return [*analyst.decisions(game.record())]


def test_every_decision_is_judged_for_every_seat(game: Game, judged: list[Judged]) -> None:
    assert [each.action for each in judged] == game.record()["actions"]
    for each in judged:
        legal = ~np.isnan(each.action_values[:, each.seat])
        assert legal[each.action]
        assert each.action_values[legal].sum(1) == pytest.approx(0, abs=1e-9)
        assert each.luck is None
    assert judged[-1].margins is not None
    assert sum(judged[-1].margins) == pytest.approx(0)


def test_a_mark_needs_a_check(judged: list[Judged]) -> None:
    marked = [each for each in judged if each.mark]
    assert marked
    for each in judged:
        assert (each.check is not None) == (each.seems_lost >= each.least / 2)
    for each in marked:
        assert each.check is not None
        assert each.settles(each.check)
        assert each.least <= MARKS.inaccuracy


def test_chances_follow_margins_and_matter_more_with_fewer_cards_left(judged: list[Judged]) -> None:
    for each in judged:
        assert each.chances.sum() == pytest.approx(1)
        assert np.argmax(each.chances) == np.argmax(each.action_values[each.best])
    spreads = [each.spread for each in judged]
    assert spreads == sorted(spreads, reverse=True)
    assert spreads[0] > spreads[-1]
    assert any(0 < each.chance_lost < 1 for each in judged)


def test_half_a_card_is_an_inaccuracy_of_a_level_round_by_points_and_by_chances_alike() -> None:
    """Before anything is played, at a table of two."""
    spread = SkipboAnalyst.spread.last + SkipboAnalyst.spread.more * sqrt(OFFICIAL.stock_size)
    before, after = (chances(np.zeros(2), spread, 0, lost)[0] for lost in (0.0, MARKS.inaccuracy))
    assert before - after == pytest.approx(MARKS.chance, rel=0.1)


def test_a_seat_can_be_judged_by_itself(game: Game, analyst: Analyst, judged: list[Judged]) -> None:
    own = [*analyst.decisions(game.record(), lambda _, seat: seat == 1)]
    assert [each.number for each in own] == [each.number for each in judged if each.seat == 1]
    assert conduct_of(1, own).lost == conduct_of(1, judged).lost > 0
    assert conduct_of(1, own).luck is None


def test_scripts_cannot_judge() -> None:
    with pytest.raises(AgentError, match=r"^it cannot judge; rollout can$"):
        analyst_of(make_agent("planner"))
