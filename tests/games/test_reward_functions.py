"""Rewards by a function of the rounds' results: in every environment, at every table, and only where a round ended."""

from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from cardtable.table.envs.reward_functions import RoundResults
from cardtable.table.errors import CallError, TableError
from tests.games.listed import GAMES
from tests.games.players import finish
from tests.games.under_test import GameUnderTest

EPISODES = ("round", "game")


def told_apart(results: RoundResults) -> NDArray[Any]:
    """Every score, total and seat brings another reward, and so does the end."""
    seats = np.arange(results.scores.shape[1])
    rewards: NDArray[Any] = results.scores / 7 + 3 * results.totals + 0.01 * seats + 1000 * results.is_last[:, None]
    return rewards


def rewards_at(table: Any, players: int) -> NDArray[Any]:
    """What the last decision at a table brings, worked out from the table alone."""
    if not table.has_scored:
        return np.zeros(players)
    results = RoundResults(*(np.array([each]) for each in (table.round_scores, table.totals, table.is_over)))
    rewards: NDArray[Any] = told_apart(results)[0]
    return rewards


SHORT = {  # rules under which rounds are scored soon, and games are over after a few of them
    "skyjo": "rows=2 columns=2 opening_flips=1 target_score=20",
    "skipbo": "stock=1 target_score=60",
    "skyjo_action": "target_score=40",
}


def short(game: GameUnderTest, players: int = 3) -> Any:
    return game.api.Rules.from_text(SHORT[game.name]).replace(players=players)


@pytest.mark.parametrize("episode", EPISODES)
def test_every_seat_gets_the_functions_reward_when_a_round_is_scored(game: GameUnderTest, episode: str) -> None:
    scored = 0
    for seed in range(4):
        env = game.pettingzoo.raw_env(short(game, 2 + seed), episode=episode, reward=told_apart)
        env.reset(seed=seed)
        players = env.rules.players
        while env.agents:
            has_ended = env.terminations[env.agent_selection] or env.truncations[env.agent_selection]
            env.step(None if has_ended else game.nth.choice(env.game.observation(), env.game.mask()))
            if not has_ended:
                expected = rewards_at(env.game, players)
                scored += env.game.has_scored
                assert [env.rewards[agent] for agent in env.possible_agents] == pytest.approx(expected.tolist())
    assert scored > 3


@pytest.mark.parametrize("episode", EPISODES)
def test_one_seat_gets_what_it_would_at_the_table_of_all(game: GameUnderTest, episode: str) -> None:
    """From its first decision on; a round that others end before that earns nothing."""
    paid = 0.0
    for seed in range(4):
        rules = short(game, 2 + seed)
        seat = seed % rules.players
        env = game.single(rules, opponents=[game.nth], seat=seat, episode=episode, reward=told_apart)
        observation, info = env.reset(seed=seed)
        table = game.api.Game(rules, seed=seed, deal=int(env._table.tables["deal"][0]), episode=episode)
        while table.seat != seat:
            table.apply(game.nth.choice(table.observation(), table.mask()))
        is_over = False
        while not is_over:
            action = game.nth.choice(observation, info["action_mask"])
            observation, reward, terminated, truncated, info = env.step(action)
            is_over, earned, is_own = terminated or truncated, 0.0, True
            while not table.is_over and (is_own or table.seat != seat):
                table.apply(game.nth.choice(table.observation(), table.mask()))
                earned, is_own = earned + rewards_at(table, rules.players)[seat], False
            assert reward == pytest.approx(earned)
            paid += abs(reward)
    assert paid > 0


def test_two_rounds_that_end_within_one_step_are_both_rewarded() -> None:
    """In Skip-Bo the others may finish a round before the seat decides in it."""
    game = next(each for each in GAMES if each.name == "skipbo")
    numbers: list[int] = []

    def counted(results: RoundResults) -> NDArray[Any]:
        numbers.append(len(results.scores))
        return np.ones(results.scores.shape)

    env = game.single("stock=1 next_starter=winner", opponents=[game.nth], seat=0, episode="game", reward=counted)
    several = 0
    for seed in range(60):
        _, info = env.reset(seed=seed)
        is_over = False
        while not is_over:
            numbers.clear()
            _, reward, terminated, truncated, info = env.step(info["action_mask"].argmax())
            is_over = terminated or truncated
            assert reward == sum(numbers)
            assert len(numbers) <= 1  # however many rounds ended, it is asked once
            several += sum(numbers) > 1
    assert several > 0


def test_a_round_that_is_stopped_is_not_asked_about_and_brings_nothing(game: GameUnderTest) -> None:
    def never(results: RoundResults) -> NDArray[Any]:
        raise AssertionError(results)

    single = game.single("max_turns=4", opponents=[game.nth], reward=never)
    single.reset(seed=1)
    assert not any(finish(single))


# Functions that answer wrongly


WRONG: list[tuple[Any, str]] = [
    (lambda results: results.scores[0], r"an array of shape \(\d,\)"),
    (lambda results: results.scores * np.nan, r"array\(\[\[nan, nan"),
    (lambda results: [["much"] * results.scores.shape[1]], r"\[\['much', "),
    (lambda _: None, "None"),
]


@pytest.mark.parametrize(("function", "found"), WRONG)
def test_an_answer_that_is_not_one_finite_number_for_every_seat_is_an_error(
    game: GameUnderTest, function: Any, found: str
) -> None:
    function.__name__ = "mine"
    env = game.single(short(game), opponents=[game.nth], reward=function)
    env.reset(seed=1)
    with pytest.raises(TableError, match=rf"mine must return a finite number for .* seat, \(1, \d\), not {found}"):
        finish(env)
    with pytest.raises(CallError, match="the last step was interrupted: call reset"):
        env.step(0)
    env.reset(seed=1)
    assert env.action_masks().any()


def test_a_function_that_does_not_take_the_results_is_refused_at_once(game: GameUnderTest) -> None:
    for make in (game.single, game.vector, game.pettingzoo.env):
        with pytest.raises(TableError, match=r"reward <lambda> must be a function <lambda>\(results\), not "):
            make(reward=lambda: None)
