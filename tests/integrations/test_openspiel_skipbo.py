"""Skip-Bo as an OpenSpiel game: OpenSpiel's own checks, and the same rounds as `Game` plays."""
# ruff: noqa: E402  # what needs OpenSpiel can only be imported once it is known to be there

import importlib
import random
import sys
from typing import Any

import numpy as np
import pytest

pyspiel = pytest.importorskip("pyspiel")

from open_spiel.python.algorithms.generate_playthrough import playthrough

import skipbo_env.envs.openspiel  # registers the game
from skipbo_env import Game, IllegalActionError, Rules, SkipboError
from tests.games.skipbo import SKIPBO, reward_at_the_end


def load(**parameters: Any) -> Any:
    return pyspiel.load_game("python_skipbo", parameters)


@pytest.mark.parametrize("players", [2, 6])
def test_openspiels_simulation_finds_nothing_wrong(players: int) -> None:
    pyspiel.random_sim_test(load(players=players, deals=50), num_sims=1, serialize=True, verbose=False)


def test_a_playthrough_played_again_is_the_same_line_by_line() -> None:
    game = "python_skipbo(players=3,deals=5,seed=2)"
    written = playthrough(game, None, seed=1)
    actions = [int(line.removeprefix("action: ")) for line in written.splitlines() if line.startswith("action: ")]
    assert playthrough(game, actions) == written


@pytest.mark.parametrize(("players", "seed", "deal"), [(2, 0, 0), (3, 5, 17), (6, 2**31 - 1, 999)])
def test_a_round_is_that_of_the_game_with_the_same_seed_and_deal(players: int, seed: int, deal: int) -> None:
    state = load(players=players, seed=seed).new_initial_state()
    state.apply_action(deal)
    game = Game(Rules(players=players), seed=seed, deal=deal, episode="round")
    while not game.is_over:
        assert state.current_player() == game.seat
        assert state.legal_actions() == game.legal_actions()
        assert state.returns() == [0.0] * players
        for player in range(players):
            assert state.observation_tensor(player) == game.observation(player).tolist()
        action = SKIPBO.nth.choice(game.observation(), game.mask())
        state.apply_action(action)
        game.apply(action)
    assert state.is_terminal()
    assert state.returns() == pytest.approx([reward_at_the_end(game, "win", seat) for seat in range(players)])
    assert game.ending == "won"


def test_a_round_that_nobody_wins_returns_nothing() -> None:
    state, chance = load(players=3).new_initial_state(), random.Random(1)
    state.apply_action(0)
    while not state.is_terminal():
        discards = [action for action in state.legal_actions() if action >= 72]
        state.apply_action(chance.choice(discards or state.legal_actions()))
    assert state.table.ending == "blocked"
    assert np.array_equal(state.returns(), [0, 0, 0])


def test_what_cannot_be_is_refused() -> None:
    with pytest.raises(SkipboError, match="deals=0"):
        load(deals=0)
    with pytest.raises(SkipboError, match="players=7 must be a whole number from 2 to 6"):
        load(players=7)
    state = load().new_initial_state()
    state.apply_action(0)
    with pytest.raises(IllegalActionError, match="action 124"):
        state.apply_action(124)


def test_without_openspiel_the_import_says_how_to_install_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "pyspiel", None)
    monkeypatch.delitem(sys.modules, "cardtable.envs.openspiel")
    monkeypatch.delitem(sys.modules, skipbo_env.envs.openspiel.__name__)
    with pytest.raises(ImportError, match=r'pip install "skyjo-env\[integrations\]"'):
        importlib.import_module("skipbo_env.envs.openspiel")
