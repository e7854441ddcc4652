"""Short rounds and episodes of every game, quick enough to be run without compilation (`make coverage`)."""

from typing import Any

import numpy as np
import pytest

from cardtable.table.agents.agents import agents_of
from cardtable.table.envs.gymnasium_envs import SeatEnv
from cardtable.table.game.card_game import CardGame
from cardtable.table.game.table_game import game_class
from cardtable.table.kernel.futures import GAINED, POINTS, SQUARES
from tests.games.listed import GAMES
from tests.games.under_test import GameUnderTest

SHORT = {
    "skyjo": "rows=2 columns=2 max_turns=40",
    "skipbo": "stock=2 max_turns=60",
    "skyjo_action": "max_turns=40",
}  # rules of short rounds
BASES = {"skyjo": "naive", "skipbo": "random", "skyjo_action": "greedy"}  # quick players for searches
every_game = pytest.mark.parametrize("game", [each.card_game for each in GAMES], ids=lambda game: game.name)


@every_game
@pytest.mark.parametrize("reward", range(3))
def test_shaping_adds_up_to_the_change_of_the_potential(game: CardGame, reward: int) -> None:
    class Env(SeatEnv):
        card_game = game

    plain, shaped = (Env(SHORT[game.name], seat=0, reward=game.rewards[reward], shaping=each) for each in game.shapings)
    infos = [env.reset(seed=2)[1] for env in (plain, shaped)]
    first, earned, has_ended, potentials = potential(plain), np.zeros(2), False, set[float]()
    while not has_ended:
        action = int(np.flatnonzero(infos[0]["action_mask"])[0])
        for number, env in enumerate((plain, shaped)):
            _, points, is_over, is_stopped, infos[number] = env.step(action)
            earned[number] += points
        has_ended = is_over or is_stopped
        potentials.add(potential(plain))
        assert earned[1] - earned[0] == pytest.approx(potential(plain) - first)
    assert len(potentials) > 1


def potential(env: SeatEnv) -> float:
    """What shaping pays the change of, for seat 0."""
    found: float = env.card_game.kernel.potential(env._table.game(0).state[0], env.rules.params[0], 0)
    return found


@every_game
def test_a_search_tries_every_distinct_action_on_the_same_guesses(game: CardGame) -> None:
    rules = game.rules(SHORT[game.name])
    table = game_class(game)(rules, 3, 0, "round")
    agent: Any = agents_of(game).make(f"rollout:n=2,base={BASES[game.name]}", rules)
    actions = agent.distinct_actions(table.observation(), table.mask(), table.legal_actions()[0])
    tried = agent.try_actions(table.observation(), actions, range(2), np.uint64(5))
    again = agent.try_actions(table.observation(), actions[:1], range(2), np.uint64(5))
    assert (tried[POINTS:, 0] == again[POINTS:, 0]).all()
    assert (tried[GAINED, 0], tried[SQUARES, 0]) == (0, 0)
    assert (tried[POINTS:].sum(0) == 0).all()


@pytest.mark.parametrize("game", GAMES, ids=lambda game: game.name)
def test_the_potential_is_the_one_worked_out_from_the_table(game: GameUnderTest) -> None:
    for seed in range(12):
        table = game.played(game.rules(seed), seed, 5 * seed)
        for seat in range(table.rules.players):
            found = game.card_game.kernel.potential(table.state[0], table.rules.params[0], seat)
            assert found == pytest.approx(game.potential(table, seat))
