"""The report on stored games: its numbers are those that the same games give when they are played anew."""

import re
from collections.abc import Callable
from itertools import combinations
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from cardtable.arena.play import plan as plans
from cardtable.arena.play.pairing import by_agent
from cardtable.arena.play.plan import Plan
from cardtable.arena.results import games_page
from cardtable.arena.results.games_page import games_document, summaries
from cardtable.arena.results.ladder import Ladder
from cardtable.arena.results.page import page_of
from cardtable.arena.statistics import Estimate, estimate, holm, t_test
from cardtable.arena.stored.plan_store import store_for
from cardtable.arena.workers.plan_run import PlanProgress, play
from cardtable.table.errors import TableError
from cardtable.table.game.measured_deals import DealResults
from skyjo_env import Rules, make_agent
from skyjo_env.card_game import SKYJO
from tests.faulty_agents import faulty
from tests.outputs import Page
from tests.skyjo_play import a_plan, a_tournament, play_paired, play_rotation

__all__ = ["faulty"]

THREE = ("tempo", "threshold:t=2,columns=true", "naive")


@pytest.fixture(autouse=True)
def few_resamples(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(games_page, "RESAMPLES", 40)
    monkeypatch.setattr(plans, "MIN_PIECE", 16)


def stored(folder: Path, plan: Plan, **how: Any) -> str:
    """The folder, with the plan's games in it."""
    play(plan, store_for(folder, plan, "skyjo tournament … <&>"), **how)
    return str(folder)


@pytest.fixture
def three(tmp_path: Path) -> Ladder:
    """Of a table of three, on 50 deals."""
    folder = stored(tmp_path / "three", a_plan((THREE,), (50,), Rules(players=3), seed=5))
    (found,) = summaries(SKYJO, [folder])
    return found


def rotations(players: int = 3, deals: int = 50, seed: int = 5, **how: Any) -> list[DealResults]:
    rules = how.pop("rules", Rules(players=players))
    agents = [make_agent(name, rules) for name in THREE[:players]]
    return [play_rotation(agents, k, rules, seed, range(deals), **how) for k in range(players)]


def of_agent(rotations: list[DealResults], agent: int, what: Callable[[DealResults], Any]) -> Any:
    """An agent's numbers from all rotations."""
    return np.concatenate([by_agent(each, what(each))[:, agent] for each in rotations])


@pytest.mark.parametrize(("players", "episode", "deals"), [(3, "round", 50), (2, "game", 12)])
def test_habits_are_means_over_every_game_of_an_agent(players: int, episode: str, deals: int, tmp_path: Path) -> None:
    rules = Rules(players=players, target_score=40)
    (found,) = summaries(SKYJO, [stored(tmp_path, a_plan((THREE[:players],), (deals,), rules, episode, seed=5))])
    played = rotations(players, deals, rules=rules, episode=episode)
    rounds, turns = (np.concatenate([getattr(each, name) for each in played]) for name in ("rounds", "turns"))
    for each in found.rungs:
        cells = of_agent(played, THREE.index(each.agent), lambda rounds: rounds.round_stats[:, :, 0])
        assert (each.rounds, each.turns) == pytest.approx((rounds.mean(), turns.mean()))
        assert each.round_stats["cleared"] == pytest.approx(cells.sum() / 3 / rounds.sum())
    assert ("rounds a game" in page_of(games_document([found]))) == (episode == "game")


def test_a_seat_is_compared_with_the_others_of_its_deal(three: Ladder) -> None:
    by_seat = np.mean([each.scores for each in rotations()], axis=0)  # [deals, seats]
    ahead = [np.delete(by_seat, seat, axis=1).mean(axis=1) - by_seat[:, seat] for seat in range(3)]
    p_values = holm([t_test(each) for each in ahead])
    for seat in three.seats:
        expected = estimate(by_seat[:, seat.seat]), estimate(ahead[seat.seat])
        for got, wanted in zip((seat.score, seat.ahead), expected, strict=True):
            assert (got.mean, got.half) == pytest.approx((wanted.mean, wanted.half), rel=1e-6)
        assert seat.p_value == pytest.approx(p_values[seat.seat], rel=1e-6)
    assert "No difference is significant." in page_of(games_document([three]))


def test_pairs_are_tested_together(tmp_path: Path) -> None:
    agents = ("threshold:t=1", "threshold:t=3", "expected")
    (found,) = summaries(SKYJO, [stored(tmp_path, a_plan((agents,), (60,), Rules(players=3), seed=5))])
    scores = play_paired(agents, Rules(players=3), 5, range(60)).scores
    rated = [rung.agent for rung in found.rungs]
    assert [(pair.agent, pair.other) for pair in found.pairs] == list(combinations(rated, 2))
    gaps = [scores[:, agents.index(pair.other)] - scores[:, agents.index(pair.agent)] for pair in found.pairs]
    for pair, gap, p in zip(found.pairs, gaps, holm([t_test(gap) for gap in gaps]), strict=True):
        assert pair.ahead.mean == pytest.approx(gap.mean())
        assert pair.p_value == pytest.approx(p, rel=1e-6, abs=0)
        assert pair.is_clear == (p <= 0.05)


# The page


def signed(found: Estimate, digits: int = 2) -> str:
    return f"{found.mean:+.{digits}f} ± {found.half:.{digits}f}".replace("-", "−")


def test_the_page_says_the_numbers(three: Ladder) -> None:
    page = Page(page_of(games_document([three])))
    for rung in three.rungs:
        assert signed(rung.margin) in page.words
        assert f"{rung.score.mean:.2f} ± {rung.score.half:.2f}" in page.words
        assert f"{100 * rung.wins.mean:.1f}" in page.words
        assert rung.agent in page.words
    for pair in three.pairs:
        assert signed(pair.ahead, 1) in page.words
    for seat in three.seats:
        assert signed(seat.ahead) in page.words
    first, second = three.rungs[:2]
    above = f"{first.agent} is rated {first.rating.value - second.rating.value:.0f} above {second.agent}"
    assert above in page.words
    assert f"It wins {100 * first.wins.mean:.0f} % of its rounds" in page.words
    assert "called agents, have played each other: 3 of them in 150 rounds, 3 at a table." in page.words
    assert f"{three.anchor} is set to 1000" in page.words
    assert "official, 3 players, seed 5" in page.words
    assert "skyjo tournament … <&>" in page.words
    assert [tag for tag, _ in page.found].count("svg") == 1


def test_differences_beyond_chance_are_bold(tmp_path: Path) -> None:
    agents = ("threshold:t=2", "threshold:t=3", "naive")
    (found,) = summaries(SKYJO, [stored(tmp_path, a_tournament(agents, deals=40, seed=2))])
    (unclear,) = (pair for pair in found.pairs if not pair.is_clear)
    assert {unclear.agent, unclear.other} == set(agents[:2])
    page = page_of(games_document([found]))
    assert f"{unclear.ahead} points, which may be chance." in Page(page).words
    bold = re.findall("<td><strong>(.)", page)
    assert bold == ["+", "+", "−", "−"]  # naive is the last row


@pytest.mark.slow
def test_stores_are_rated_from_the_same_agent_on(tmp_path: Path) -> None:
    agents = ("expected", *THREE[:2])
    two, three = (stored(tmp_path / str(n), a_tournament(agents, n, deals=deals)) for n, deals in ((2, 100), (3, 400)))
    found = summaries(SKYJO, [two, three])
    assert [each.label for each in found] == ["2 players, rounds", "3 players, rounds"]
    assert summaries(SKYJO, [three])[0].anchor == THREE[1]  # who is in the middle at tables of three
    assert [each.anchor for each in found] == ["expected"] * 2  # at tables of two
    page = Page(page_of(games_document(found)))
    assert [tag for tag, _ in page.found].count("svg") == 3
    assert "From table to table" in page.words
    assert all(signed(rung.margin) in page.words for each in found for rung in each.rungs)
    assert {each.anchor for each in summaries(SKYJO, [two, three], "tempo")} == {"tempo"}


# What went otherwise


def begun(folder: Path, plan: Plan, deals: int) -> None:
    """Play the plan until so many deals are played, and be interrupted."""

    def stop(course: PlanProgress) -> None:
        if course.deals >= deals:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        stored(folder, plan, workers=1, report=stop)


def test_an_unfinished_store_says_how_far_it_is(tmp_path: Path) -> None:
    begun(tmp_path, a_plan((THREE[:2],), (500,)), 64)
    (found,) = summaries(SKYJO, [str(tmp_path)])
    assert 64 <= found.deals < 500
    assert found.games == 2 * found.deals
    assert f"Not finished: {found.deals} of 500 deals are played so far" in Page(page_of(games_document([found]))).words


@pytest.mark.usefixtures("faulty")
def test_who_failed_is_named_and_left_out(tmp_path: Path) -> None:
    agents = ("tempo", "naive", "faulty:how=raises")
    folder = stored(tmp_path / "games", a_tournament(agents, deals=20), workers=1, continue_on_error=True)
    (found,) = summaries(SKYJO, [folder])
    assert [rung.agent for rung in found.rungs] == ["tempo", "naive"]
    assert found.deals == 20
    words = Page(page_of(games_document([found]))).words
    assert "20 of 60 planned deals count." in words
    assert "faulty:how=raises failed at deal" in words
    assert "ZeroDivisionError: too hard" in words
    assert "is left out with its tables" in words


def test_an_anchor_must_play_everywhere(tmp_path: Path) -> None:
    one = stored(tmp_path / "one", a_plan((("tempo", "naive"),), (4,)))
    other = stored(tmp_path / "other", a_plan((("expected", "naive"),), (4,)))
    with pytest.raises(TableError, match=r"tempo does not play in .*other: --anchor can be naive$"):
        summaries(SKYJO, [one, other], "tempo")
    last = stored(tmp_path / "last", a_plan((("threshold", "expected"),), (4,)))
    with pytest.raises(TableError, match="no agent plays in all of these"):
        summaries(SKYJO, [one, other, last], "naive")
