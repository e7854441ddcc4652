"""Tournaments: who sits with whom, and what the ladder says of it."""

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from cardtable.arena.ratings.bradley_terry import fit
from cardtable.arena.results.ladder import ladder, read_games
from cardtable.arena.statistics import estimate, mean_of_parts
from cardtable.arena.stored.plan_store import store_for
from cardtable.arena.stored.store import Store, StoreError
from cardtable.arena.workers.local_workers import play_piece
from cardtable.arena.workers.plan_run import play
from skyjo_env import Rules
from tests.skyjo.cli import Skyjo, skyjo
from tests.skyjo_play import a_tournament, play_paired

__all__ = ["skyjo"]

THREE = ("tempo", "threshold", "naive")


@pytest.fixture
def stored(tmp_path: Path) -> Store:
    """A small tournament of three, at tables of two."""
    plan = a_tournament(THREE, deals=60, seed=3, with_luck=True)
    store = store_for(tmp_path / "games", plan, "skyjo tournament")
    play(plan, store)
    return Store.open(store.folder)


def test_every_choice_of_agents_has_a_table() -> None:
    plan = a_tournament(["naive", "tempo", "random", "rollout"], players=3, deals=100, slow_deals=7)
    assert plan.tables == (
        ("naive", "tempo", "random"),
        ("naive", "tempo", "rollout"),
        ("naive", "random", "rollout"),
        ("tempo", "random", "rollout"),
    )
    assert plan.deals == (100, 7, 7, 7)  # rollout thinks long
    assert plan.setup.rules == Rules(players=3)


def test_all_tables_are_always_equally_far_on() -> None:
    plan = a_tournament(THREE, deals=3000)
    played = [0, 0, 0]
    for number, piece in enumerate(plan.pieces()):
        assert piece.number == number
        assert piece.deals.start == played[piece.table] <= min(played) + 375
        played[piece.table] = piece.deals.stop
    assert played == [3000] * 3


def test_the_ladder_says_what_was_played(stored: Store) -> None:
    found = ladder(stored, anchor="threshold", resamples=50)
    assert [rung.agent for rung in found.rungs] == list(THREE)
    assert found.rungs[1].rating.value == 1000
    assert (found.games, found.stopped, found.anchor) == (3 * 2 * 60, 0, "threshold")
    pairs = [("tempo", "threshold"), ("tempo", "naive"), ("threshold", "naive")]
    duels = {pair: play_paired(pair, seed=3, deals=range(60), with_luck=True) for pair in pairs}
    for name in ("margins", "scores", "wins", "without_luck"):
        means = {agent: [] for agent in THREE}  # type: dict[str, list[float]]
        for pair, duel in duels.items():
            for place, agent in enumerate(pair):
                means[agent].append(getattr(duel, name)[:, place].mean())
        for rung in found.rungs:
            shown = getattr(rung, {"margins": "margin", "scores": "score"}.get(name, name))
            assert shown.mean == pytest.approx(np.mean(means[rung.agent]), abs=1e-5)
    for pair, duel in duels.items():
        lead, back, expected = found.pair(*pair), found.pair(*pair[::-1]), estimate(duel.margins[:, 0])
        assert lead is not None
        assert back is not None
        assert (lead.ahead.mean, lead.ahead.half, back.ahead.mean) == pytest.approx(
            (expected.mean, expected.half, -expected.mean)
        )


def test_stored_games_are_results_to_rate(stored: Store) -> None:
    read = read_games(stored)
    games, luck = read.results, read.luck
    assert set(games.players) == set(THREE)
    assert len(games.scores) == 360
    rated = fit(games, "threshold", prior=1.0, resamples=0).ratings
    on_ladder = {rung.agent: rung.rating.value for rung in ladder(stored, "threshold", resamples=0).rungs}
    assert dict(zip(games.players, rated, strict=True)) == pytest.approx(on_ladder)
    assert luck is not None
    assert np.corrcoef(luck.scores.ravel(), games.scores.ravel())[0, 1] > 0.1  # bad luck, more points
    assert abs(luck.scores.mean()) < 1


def test_ratings_of_a_tournament_that_is_not_finished_say_so(tmp_path: Path, skyjo: Skyjo) -> None:
    plan = a_tournament(THREE, deals=300)
    store = store_for(tmp_path, plan, "")
    for piece in list(plan.pieces())[:4]:
        games = play_piece(plan, piece, with_games=True).games
        assert games is not None
        store.keep(piece.number, games)
    done = skyjo("ratings", str(tmp_path), "--prior", "1")
    assert (done.status, done.err.strip().endswith("some tables may count for more than others")) == (0, True)
    play(plan, store)
    assert skyjo("ratings", str(tmp_path)).err == ""


def test_games_that_were_stopped_are_counted_but_not_rated(tmp_path: Path) -> None:
    plan = a_tournament(THREE, deals=50, rules=Rules(max_turns=30))
    store = store_for(tmp_path, plan, "")
    play(plan, store)
    found, games = ladder(Store.open(store.folder), resamples=0), read_games(Store.open(store.folder)).results
    assert 0 < found.stopped < 1
    assert len(games.scores) == round(found.games * (1 - found.stopped))


def test_a_tournament_that_has_not_begun_has_no_ladder(tmp_path: Path) -> None:
    store = store_for(tmp_path, a_tournament(THREE), "")
    with pytest.raises(StoreError, match="nothing has been played yet"):
        ladder(store)


def test_the_mean_of_one_part_is_its_estimate() -> None:
    numbers = np.random.default_rng(1).normal(3, 2, 50)
    found, expected = mean_of_parts([(np.arange(7, 57), numbers)]), estimate(numbers)
    assert (found.mean, found.half) == pytest.approx((expected.mean, expected.half))


@pytest.mark.parametrize(("few", "shared"), [(40, 0.0), (40, 3.0), (200, 3.0)])
def test_the_interval_of_several_parts_covers_the_truth_though_they_share_deals(few: int, shared: float) -> None:
    rng, hits = np.random.default_rng(5), 0
    for _ in range(1000):
        luck = shared * rng.normal(size=200)
        parts = [(np.arange(n), luck[:n] + mean + rng.normal(size=n)) for n, mean in ((200, 1.0), (few, 4.0))]
        found = mean_of_parts(parts)
        hits += abs(found.mean - 2.5) <= found.half
    assert 0.93 <= hits / 1000 <= 0.97


def test_the_command_prints_the_ladder(skyjo: Skyjo, tmp_path: Path) -> None:
    arguments = ["tournament", *THREE, "--deals", "60", "--seed", "3", "--anchor", "naive"]
    done = skyjo(*arguments)
    assert done.status == 0
    assert "tempo" in done.out
    assert "naive is rated 1000" in done.out
    document: Any = json.loads(skyjo(*arguments, "--store", str(tmp_path / "games"), "--json").out)
    assert [rung["agent"] for rung in document["rungs"]] == list(THREE)
    assert document["rungs"][2]["rating"]["value"] == 1000
    assert {"agent": "tempo", "other": "naive"}.items() <= document["pairs"][1].items()
    assert json.loads((tmp_path / "games" / "_manifest.json").read_text())["command"] == (
        f"skyjo tournament tempo threshold naive --seed 3 --deals 60 --store {tmp_path / 'games'}"
    )
