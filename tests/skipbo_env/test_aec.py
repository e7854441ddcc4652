"""The PettingZoo environment: others' tests, and that it is the game with its rewards."""

import copy
import pickle
import random
from typing import Any

import numpy as np
import pettingzoo
import pytest
from hypothesis import given
from hypothesis import strategies as st
from pettingzoo.test import api_test, render_test, seed_test
from pettingzoo.test import test_save_obs as save_obs_test
from pettingzoo.utils.env_logger import EnvLogger

from cardtable.envs.encoding import onehot_of
from skipbo_env import CallError, Game, IllegalActionError, Rules, RulesError, SkipboError, skipbo_v0
from skipbo_env.card_game import SKIPBO, illegal_penalty
from tests.helpers import SEEDED
from tests.skipbo_env.env_reference import KINDS, nth_eager, reward_at_the_end, stock_margin, with_short_rounds
from tests.skipbo_env.tables import many_rules, seeds

# What api_test says about every environment with a dictionary for an observation that is not on its list of names.
dictionary_observations = pytest.mark.filterwarnings(
    "ignore:Observation is not a NumPy array",
    "ignore:Observation space for each agent probably should be",
    "ignore:Action mask numpy array is all zeros",
)


@pytest.fixture(autouse=True)
def _quiet() -> Any:
    """PettingZoo's warnings are kept in a list, not printed."""
    EnvLogger.suppress_output()
    EnvLogger.flush()
    yield
    EnvLogger.unsuppress_output()


def play(env: Any, chance: random.Random, decisions: int) -> None:
    """Random legal decisions; a finished episode is followed by the next."""
    for _ in range(decisions):
        if not env.agents:
            env.reset()
        legal = env.infos[env.agent_selection]["legal_actions"]
        env.step(chance.choice(legal) if legal else None)


@dictionary_observations
@pytest.mark.parametrize("make", [skipbo_v0.env, skipbo_v0.raw_env])
@pytest.mark.parametrize(
    "options",
    [{}, {"players": 6, "encoding": "onehot"}, {"episode": "game", "shaping": "stock"}, {"rules": "stock=2 view=own"}],
    ids=str,
)
def test_pettingzoos_api_test(make: Any, options: dict[str, Any]) -> None:
    api_test(make(**options), num_cycles=300)


@pytest.mark.parametrize("players", [2, 5])
def test_pettingzoos_seed_test(players: int) -> None:
    seed_test(lambda: skipbo_v0.env(players=players, rules="stock=3", episode="game"), num_cycles=200)


@pytest.mark.slow
def test_pettingzoos_render_test(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SDL_VIDEODRIVER", "dummy")
    render_test(skipbo_v0.env)


def test_pettingzoos_save_obs_test() -> None:
    save_obs_test(skipbo_v0.env())


@pytest.mark.skipif(not hasattr(pettingzoo, "make"), reason="PettingZoo has a registry since 1.27")
@pytest.mark.skipif(not hasattr(pettingzoo, "make"), reason="PettingZoo has no registry before 1.27")
def test_pettingzoos_registry_makes_it() -> None:
    env = pettingzoo.make("aec", "skipbo/skipbo-v0", players=4)
    assert type(env) is skipbo_v0.env
    assert env.max_num_agents == 4


@SEEDED
@given(
    many_rules.map(with_short_rounds), seeds, st.sampled_from(["round", "game"]), st.sampled_from(KINDS), st.booleans()
)
def test_it_is_the_game_with_its_rewards(rules: Rules, seed: int, episode: str, reward: str, is_shaped: bool) -> None:
    env = skipbo_v0.raw_env(rules, episode=episode, reward=reward, shaping="stock" if is_shaped else None)
    env.reset(seed=seed)
    game, seats = Game(rules, seed=seed, episode=episode), range(rules.players)
    owed, margins = [0.0] * rules.players, [0.0] * rules.players
    while not game.is_over:
        seat = game.seat
        observation, owing, terminated, truncated, info = env.last()
        assert env.agent_selection == f"player_{seat}"
        assert observation["observation"].tolist() == game.observation().tolist()
        assert observation["action_mask"].tolist() == game.mask().tolist()
        assert owing == pytest.approx(owed[seat])
        assert (terminated, truncated) == (False, False)
        assert info == {
            "seat": seat,
            "round": game.round,
            "round_scores": list(game.round_scores),
            "totals": list(game.totals),
        }
        assert info["legal_actions"] == game.legal_actions()
        action = nth_eager(game.observation(), game.mask())
        env.step(action)
        game.apply(action)
        owed[seat] = 0.0
        for each in seats:
            brought = reward_at_the_end(game, reward, each)
            if is_shaped:
                before, margins[each] = margins[each], stock_margin(game, each)
                brought += margins[each] - before
            assert env.rewards[f"player_{each}"] == pytest.approx(brought)
            owed[each] += brought
    for seat, agent in enumerate(env.agent_iter()):
        observation, owing, terminated, truncated, info = env.last()
        assert agent == f"player_{seat}"
        assert observation["observation"].tolist() == game.observation(seat).tolist()
        assert not observation["action_mask"].any()
        assert owing == pytest.approx(owed[seat])
        assert (terminated, truncated) == (not game.is_truncated, game.is_truncated)
        assert info["totals"] == list(game.totals)
        env.step(None)
    assert env.agents == []


@pytest.mark.parametrize("reward", KINDS)
def test_rewards_of_a_table(reward: str) -> None:
    """Win and margin sum to 0, points to 1 for a round that somebody has won; nobody gets anything for one blocked."""
    sums = {"won": {"win": 0.0, "point": 1.0, "margin": 0.0}, "blocked": {"win": 0.0, "point": 0.0, "margin": 0.0}}
    endings = set()
    for rules in ("players=3 stock=2", "players=3 stock=30"):
        env = skipbo_v0.raw_env(rules, reward=reward)
        for seed in range(4):
            env.reset(seed=seed)
            chance = random.Random(seed)
            while not env.game.is_over:
                env.step(chance.choice(env.game.legal_actions()))
            ending = str(env.game.ending)
            endings.add(ending)
            assert sum(env.rewards.values()) == pytest.approx(sums[ending][reward])
            if ending == "blocked" and reward != "margin":
                assert set(env.rewards.values()) == {0.0}
    assert endings == {"won", "blocked"}


@pytest.mark.parametrize("make", [skipbo_v0.env, skipbo_v0.raw_env])
@pytest.mark.parametrize("clone", [copy.deepcopy, lambda env: pickle.loads(pickle.dumps(env))])
def test_a_copy_in_mid_game_goes_on_alike_and_apart(make: Any, clone: Any) -> None:
    env = make(players=3, episode="game", shaping="stock", render_mode="ansi")
    env.reset(seed=3)
    play(env, random.Random(0), 50)
    twin = clone(env)
    position = env.game.position()
    play(twin, random.Random(1), 400)
    assert env.game.position() == position
    play(env, random.Random(1), 400)
    assert env.game.position() == twin.game.position()
    assert env.rewards == twin.rewards
    assert env.infos == twin.infos
    assert env.render() == twin.render()


def test_onehot_is_the_encoding_of_the_same_observation() -> None:
    compact, onehot = skipbo_v0.env(players=3), skipbo_v0.env(players=3, encoding="onehot")
    for env in (compact, onehot):
        env.reset(seed=2)
        play(env, random.Random(2), 21)
    for agent in compact.agents:
        seen = compact.observe(agent)["observation"]
        vector = onehot_of(SKIPBO, compact.rules).encode(seen[None])[0]
        assert np.array_equal(onehot.observe(agent)["observation"], vector)
        assert onehot.observation_space(agent).contains(onehot.observe(agent))


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"reward": "score"}, "reward='score' is not one of 'win', 'point', 'margin'"),
        ({"shaping": "yes"}, "shaping='yes' is not one of None, 'stock'"),
        ({"encoding": 1}, "encoding=1 is not one of 'compact', 'onehot'"),
        ({"episode": "match"}, "episode='match' is not one of 'round', 'game'"),
        ({"players": 7}, "players=7 must be a whole number from 2 to 6"),
        ({"rules": 3}, "rules must be skipbo_env.Rules"),
        ({"rules": "colour=red"}, "unknown colour"),
        (
            {"rewards": "win"},
            "unexpected keyword argument 'rewards'; the options are rules, players, episode, reward, ",
        ),
    ],
)
def test_bad_options_name_what_is_allowed(options: dict[str, Any], message: str) -> None:
    with pytest.raises(SkipboError, match=message):
        skipbo_v0.env(**options)


def test_rules_may_be_text_and_must_suit_the_players() -> None:
    assert skipbo_v0.env("view=tops", players=5).rules == Rules(players=5, view="tops")
    with pytest.raises(RulesError, match="stock=30 is too large for players=5"):
        skipbo_v0.env("stock=30", players=5)


def illegal_in(env: Any) -> int:
    """An action that is not legal now."""
    return int((env.game.mask() == 0).argmax())


def test_raw_env_refuses_an_illegal_action_and_changes_nothing() -> None:
    env = skipbo_v0.raw_env()
    env.reset(seed=1)
    before, action = pickle.dumps(env.game), illegal_in(env)
    with pytest.raises(IllegalActionError, match=f"action {action} .* of seat 0 is illegal; legal: "):
        env.step(action)
    assert pickle.dumps(env.game) == before


@pytest.mark.parametrize("reward", KINDS)
def test_env_ends_the_episode_at_an_illegal_action(reward: str) -> None:
    env = skipbo_v0.env(players=3, reward=reward)
    env.reset(seed=1)
    env.step(illegal_in(env))
    assert env.rewards == {"player_0": illegal_penalty(env.rules, reward), "player_1": 0.0, "player_2": 0.0}
    assert all(env.terminations.values())
    assert "is illegal" in env.infos["player_0"]["illegal_action"]
    env.reset(seed=1)
    with pytest.raises(CallError, match=r"a whole number from 0 to 124 \(pass\)"):
        env.step(125)


@pytest.mark.parametrize("rules", ["players=2", "players=6 stock=22", "target_score=1 stock=5", "players=4 stock=30"])
@pytest.mark.parametrize("episode", ["round", "game"])
def test_no_reward_is_below_the_penalty(rules: str, episode: str) -> None:
    env = skipbo_v0.raw_env(rules, reward="margin", episode=episode)
    least = 0.0
    for seed in range(5):
        env.reset(seed=seed)
        while not env.game.is_over:
            env.step(nth_eager(env.game.observation(), env.game.mask()))
        least = min(least, *env.rewards.values())
    assert illegal_penalty(env.rules, "margin") <= least < 0.0
