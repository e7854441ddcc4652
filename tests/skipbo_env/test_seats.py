"""One seat with opponents: the Gymnasium environment."""

from typing import Any

import gymnasium
import numpy as np
import pytest
from gymnasium.utils.env_checker import check_env
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import NDArray

from skipbo_env import CallError, Game, IllegalActionError, Rules, SkipboError
from skipbo_env.envs import SkipboEnv, SkipboVectorEnv
from tests.helpers import SEEDED
from tests.skipbo_env.env_reference import (
    KINDS,
    Eager,
    at_first_decision,
    nth_eager,
    one_seat,
    with_short_rounds,
)
from tests.skipbo_env.tables import many_rules, seeds

ID = "skipbo_env:skipbo/SkipBo-v0"


class FirstLegal(gymnasium.spaces.Discrete):
    """An action space whose sample is legal: check_env knows no masks."""

    def __init__(self, env: SkipboEnv) -> None:
        super().__init__(env.rules.actions)
        self.env = env

    def sample(self, mask: Any = None, probability: Any = None) -> np.int64:
        assert mask is None
        assert probability is None
        return np.int64(self.env.action_masks().argmax())


@pytest.mark.parametrize(
    "options",
    [
        {},
        {"players": 4, "episode": "game"},
        {"encoding": "onehot", "rules": "stock=2"},
        {"shaping": "stock"},
    ],
    ids=str,
)
def test_gymnasiums_check_env(options: dict[str, Any]) -> None:
    """It samples an action before the reset after which it is taken, so that may be illegal."""
    env = SkipboEnv(illegal="lose", **options)
    env.action_space = FirstLegal(env)
    check_env(env, skip_render_check=True)


def test_make_finds_the_environment_and_its_vector() -> None:
    assert isinstance(gymnasium.make(ID).unwrapped, SkipboEnv)
    assert isinstance(gymnasium.make_vec(ID, num_envs=3), SkipboVectorEnv)


@SEEDED
@given(
    many_rules.map(with_short_rounds), seeds, st.sampled_from(["round", "game"]), st.sampled_from(KINDS), st.booleans()
)
def test_a_single_environment_is_the_game_from_one_seat(
    rules: Rules, seed: int, episode: str, reward: str, is_shaped: bool
) -> None:
    shaping, seat = "stock" if is_shaped else None, seed % rules.players
    env = SkipboEnv(rules, opponents=[Eager()], seat=seat, episode=episode, reward=reward, shaping=shaping)
    observation, info = env.reset(seed=seed)
    game = at_first_decision(rules, seed, episode, seat)
    earned, terminated, truncated = 0.0, False, False
    for seen in one_seat(game, seat, reward, is_shaped):
        assert observation.tolist() == seen.observation.tolist()
        assert info["action_mask"].tolist() == env.action_masks().tolist() == seen.mask.tolist()
        assert (info["seat"], info["round"]) == (seat, game.round)
        assert earned == pytest.approx(seen.reward, abs=1e-9)
        assert (terminated, truncated) == (game.is_over and not game.is_truncated, game.is_truncated)
        if not game.is_over:
            observation, earned, terminated, truncated, info = env.step(nth_eager(observation, info["action_mask"]))
    assert info["round_scores"].tolist() == list(game.round_scores)
    assert info["totals"].tolist() == list(game.totals)


def test_a_deal_that_is_over_before_the_learner_is_asked_is_not_an_episode() -> None:
    """With one stock card the first seat often wins in its first turn."""
    rules = Rules(stock=1)
    env = SkipboEnv(rules, opponents=[Eager()], seat=1, shaping="stock")
    skipped = 0
    env.reset(seed=0)
    for _ in range(60):
        before = int(env._table.tables["deal"][0])
        observation, info = env.reset()
        deals = int(env._table.tables["deal"][0]) - before
        game = Game(rules, 0, before + deals, "round")
        while game.seat != 1:
            game.apply(nth_eager(game.observation(), game.mask()))
        assert observation.tolist() == game.observation().tolist()
        assert info["action_mask"].any()
        skipped += deals - 1
        _, reward, *_ = env.step(nth_eager(observation, info["action_mask"]))
        assert -2.0 <= reward <= 2.0
    assert skipped > 3


@pytest.mark.parametrize("mode", ["NextStep", "SameStep"])
def test_what_is_told_of_an_episode_is_not_of_a_deal_that_was_skipped(mode: str) -> None:
    """Where an episode ends, somebody has won it and the learner is paid for just that."""
    env = SkipboVectorEnv(200, "stock=1", opponents=[Eager()], seat=1, autoreset_mode=mode)
    observations, infos = env.reset(seed=0)
    ends = 0
    for _ in range(30):
        actions = [
            nth_eager(*seen) if seen[1].any() else 0 for seen in zip(observations, infos["action_mask"], strict=True)
        ]
        observations, rewards, terminated, _, infos = env.step(np.array(actions))
        told = infos.get("final_info", infos)
        for table in np.flatnonzero(terminated):
            ends += 1
            scores = told["round_scores"][table]
            assert rewards[table] == np.sign(scores[1] - scores[0])
        assert not rewards[~terminated].any()
    assert ends > 500


def test_resets_without_a_seed_deal_on_and_options_choose_a_deal() -> None:
    env = SkipboEnv(opponents=[Eager()], seat=0)
    for deal in range(4):
        observation, _ = env.reset(seed=5) if deal == 0 else env.reset()
        assert observation.tolist() == Game(env.rules, seed=5, deal=deal, episode="round").observation(0).tolist()
    observation, _ = env.reset(options={"deal": 2})
    assert observation.tolist() == Game(env.rules, seed=5, deal=2, episode="round").observation(0).tolist()


def test_an_illegal_action_is_an_error_that_changes_nothing_or_loses() -> None:
    strict, lenient = SkipboEnv(), SkipboEnv(illegal="lose")
    for env in (strict, lenient):
        observation, info = env.reset(seed=1)
    illegal = int(np.flatnonzero(info["action_mask"] == 0)[0])
    with pytest.raises(IllegalActionError, match=f"action {illegal} .* is illegal"):
        strict.step(illegal)
    assert np.array_equal(strict._table.seen()[0], observation)
    _, earned, terminated, truncated, info = lenient.step(illegal)
    assert (earned, terminated, truncated, info["illegal_action"]) == (-1.0, True, False, illegal)
    with pytest.raises(CallError, match="must be a whole number from 0 to 124"):
        strict.step(125)


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"seat": 2}, "seat=2 must be a whole number from 0 to 1"),
        ({"rules": Rules(players=3, max_turns=2)}, "max_turns=2 is too small: with players=3"),
        ({"opponents": ["nobody"]}, "unknown agent 'nobody'"),
        ({"illegal": "ignore"}, "illegal='ignore' is not one of 'error', 'lose'"),
    ],
)
def test_bad_options_name_what_is_allowed(options: dict[str, Any], message: str) -> None:
    with pytest.raises(SkipboError, match=message):
        SkipboEnv(**options)


@pytest.mark.parametrize("view", ["table", "tops", "own"])
def test_a_seat_is_shown_nothing_that_it_cannot_see(view: str) -> None:
    """Other cards in the draw pile, face down and in the others' hands: the same observation (8.3)."""
    rules = Rules(players=3, view=view)
    for seed in range(20):
        game = Game(rules, seed, episode="round")
        for _ in range(seed):
            game.apply(nth_eager(game.observation(), game.mask()))
        other = Game.from_state(rules, hidden_shuffled(game, seed))
        assert game.observation().tolist() == other.observation().tolist()
        assert game.mask().tolist() == other.mask().tolist()


def hidden_shuffled(game: Game, seed: int) -> NDArray[Any]:
    """The game's record with all cards in new places that the seat to move cannot see. No recycling came before."""
    games = game.state.copy()
    assert games["recycles"][0] == 0
    end = len(games["piles"][0])
    places: list[tuple[str, Any]] = [("piles", end - 1 - k) for k in range(int(games["draw_left"][0]))]
    for seat in range(game.rules.players):
        start = seat * game.rules.stock_size
        places += [("stocks", start + k) for k in range(int(games["stock_left"][0, seat]) - 1)]
        if seat != game.seat:
            places += [("hands", (seat, k)) for k in range(int(games["hand_size"][0, seat]))]
    cards = [games[name][0][at] for name, at in places]
    np.random.default_rng(seed).shuffle(cards)
    for (name, at), card in zip(places, cards, strict=True):
        games[name][0][at] = card
    return games
