"""The vectors for learners: what stable-baselines3 and sb3-contrib expect, and that they play as those for one seat."""

from copy import deepcopy
from typing import Any

import numpy as np
import pytest

torch = pytest.importorskip("torch")
pytest.importorskip("sb3_contrib")

from sb3_contrib import MaskablePPO  # noqa: E402
from sb3_contrib.common.maskable.utils import get_action_masks, is_masking_supported  # noqa: E402
from stable_baselines3 import A2C, DQN, PPO  # noqa: E402
from stable_baselines3.common.env_checker import check_env  # noqa: E402
from stable_baselines3.common.monitor import Monitor  # noqa: E402
from stable_baselines3.common.vec_env import DummyVecEnv  # noqa: E402

import skyjo_training  # noqa: E402
from cardtable.arena.play.pairing import play_paired  # noqa: E402
from cardtable.table.errors import IllegalActionError, TableError  # noqa: E402
from cardtable.table.game.card_game import Setup  # noqa: E402
from tests.games.players import LastLegal  # noqa: E402
from tests.games.under_test import GameUnderTest, Options  # noqa: E402


def vector(game: GameUnderTest, n: int, rules: str = "", **options: Any) -> Any:
    """N tables for learners; the opponent is `game.nth` unless the options say otherwise."""
    return skyjo_training.SeatVecEnv(game.name, n, rules or game.quick_rules, **{"opponents": [game.nth], **options})


@pytest.fixture(autouse=True)
def _one_thread() -> None:
    """Small networks are slower on several threads, and much slower beside other tests."""
    torch.set_num_threads(1)


@pytest.mark.parametrize("learner", [PPO, A2C])
def test_a_learner_without_masks_is_told_of_masks(game: GameUnderTest, learner: Any) -> None:
    model = learner("MlpPolicy", vector(game, 8), n_steps=16, seed=1)
    with pytest.raises(IllegalActionError, match=r"is illegal.*; choose by action_masks\(\), as MaskablePPO"):
        model.learn(2000)


MODELS: dict[str, tuple[Any, Options]] = {
    "MaskablePPO": (MaskablePPO, {"n_steps": 8, "batch_size": 16}),
    "PPO": (PPO, {"n_steps": 8, "batch_size": 16}),
    "DQN": (DQN, {"learning_starts": 10}),
}


@pytest.mark.parametrize(
    ("name", "encoding"), [("MaskablePPO", "compact"), ("MaskablePPO", "onehot"), ("PPO", "onehot"), ("DQN", "compact")]
)
def test_a_model_plays_as_it_was_when_it_became_an_agent(game: GameUnderTest, name: str, encoding: str) -> None:
    learner, options = MODELS[name]
    env = vector(game, 4, encoding=encoding, illegal="lose")
    model = learner("MlpPolicy", env, seed=1, **options)
    model.learn(32)
    agent, kept = skyjo_training.sb3_agent(model), deepcopy(model.policy.state_dict())
    setup = Setup(env.rules, seed=1)
    before = play_paired([agent, "random"], setup, range(2)).margins
    env.set_opponents(agent)
    model.learn(64)  # against itself
    assert np.array_equal(play_paired([agent, "random"], setup, range(2)).margins, before)
    tables = game.api.GameBatch(env.rules, n=50, seed=3)
    shown = (
        game.api.ObservationSpec(env.rules).onehot(tables.observations) if encoding == "onehot" else tables.observations
    )
    if name == "MaskablePPO":
        model.policy.load_state_dict(kept)
        expected, _ = model.predict(shown, action_masks=tables.masks.astype(bool), deterministic=True)
        assert agent.act(shown, tables.masks, np.zeros(50, np.uint64)).tolist() == expected.tolist()


def test_stable_baselines3s_check_env(game: GameUnderTest) -> None:
    check_env(game.single(illegal="lose", encoding="onehot"), warn=True)


@pytest.mark.parametrize("players", [2, 3])
def test_it_agrees_with_single_environments_in_sb3s_own_vector(game: GameUnderTest, players: int) -> None:
    opponents = ["random"] if players == 3 else [game.nth]
    options: Options = {"players": players, "opponents": opponents, "shaping": game.shaping}
    ours = vector(game, 5, **options)
    theirs = DummyVecEnv([lambda: game.single(game.quick_rules, **options) for _ in range(5)])
    for env in (ours, theirs):
        env.seed(40)
    ours_seen: Any = ours.reset()
    theirs_seen: Any = theirs.reset()
    ends = 0
    for step in range(200):
        if step == 100:  # the opponents change at all tables
            assert [each.env_method("set_opponents", LastLegal()) for each in (ours, theirs)] == [[None] * 5] * 2
        assert np.array_equal(ours_seen, theirs_seen)
        masks = get_action_masks(ours)
        assert np.array_equal(masks, get_action_masks(theirs))
        actions = game.nth.choices(ours_seen, masks)
        ours_seen, rewards, dones, infos = ours.step(actions)
        theirs_seen, their_rewards, their_dones, their_infos = theirs.step(actions)
        assert rewards.dtype == their_rewards.dtype
        assert np.array_equal(rewards, their_rewards)
        assert np.array_equal(dones, their_dones)
        for table in np.flatnonzero(dones):
            ends += 1
            info, other = infos[table], their_infos[table]
            assert np.array_equal(info["terminal_observation"], other["terminal_observation"])
            assert info["TimeLimit.truncated"] == other["TimeLimit.truncated"]
            assert info["round_scores"] == other["round_scores"].tolist()
            assert info["totals"] == other["totals"].tolist()
            assert (info["turns"], info["stopped"]) == (other["turns"], other["stopped"])
        assert [bool(info) for info in infos] == dones.tolist()
    assert ends > 4


def test_the_game_is_its_name_its_declaration_or_its_rules(game: GameUnderTest) -> None:
    for given in (game.name, game.card_game, game.api.OFFICIAL):
        assert skyjo_training.SeatVecEnv(given, 2, players=3).rules == game.api.Rules(players=3)
    with pytest.raises(TableError, match="the rules are given already, by the first argument"):
        skyjo_training.SeatVecEnv(game.api.OFFICIAL, 2, game.quick)
    with pytest.raises(TableError, match=r"no game is called .chess.; installed: .*skyjo"):
        skyjo_training.SeatVecEnv("chess", 2)


def test_masks_come_from_env_method_for_all_or_some_tables(game: GameUnderTest) -> None:
    env = vector(game, 4)
    env.reset()
    assert is_masking_supported(env)
    assert env.has_attr("action_masks")
    assert not env.has_attr("nonsense")
    masks = get_action_masks(env)
    assert masks.shape == (4, env.action_space.n)
    assert masks.dtype == np.bool_
    assert np.array_equal(env.env_method("action_masks", indices=[3, 1]), masks[[3, 1]])
    with pytest.raises(AttributeError, match=r"a SeatVecEnv has no method 'fly'.*only 'action_masks'"):
        env.env_method("fly")
    with pytest.raises(AttributeError, match="set_opponents is for all tables: call it without indices"):
        env.env_method("set_opponents", "random", indices=[0])
    with pytest.raises(AttributeError, match="cannot be set"):
        env.set_attr("seat", 1)
    assert env.get_attr("rules", indices=2) == [env.rules]
    assert env.env_is_wrapped(Monitor) == [False] * 4


def test_an_illegal_action_is_an_error_or_loses(game: GameUnderTest) -> None:
    strict, lenient = (vector(game, 2, "players=3", illegal=illegal, seat=0) for illegal in ("error", "lose"))
    for env in (strict, lenient):
        env.seed(1)
        env.reset()
    actions = get_action_masks(strict).argmax(1)
    actions[1] = illegal = get_action_masks(strict)[1].argmin()
    with pytest.raises(IllegalActionError, match="table 1"):
        strict.step(actions)
    _, rewards, dones, infos = lenient.step(actions)
    assert rewards.tolist() == [0.0, np.float32(game.penalties[game.rewards[0]])]
    assert dones.tolist() == [False, True]
    assert infos[1]["illegal_action"] == illegal


def test_calls_out_of_order_and_options_are_refused(game: GameUnderTest) -> None:
    env = vector(game, 2)
    with pytest.raises(TableError, match="reset"):
        env.step(np.zeros(2, np.int64))
    env.set_options({"deal": 3})
    with pytest.raises(TableError, match="SeatVecEnv has no options for reset"):
        env.reset()
    with pytest.raises(TableError, match="render_mode='human' is not one of None, 'rgb_array'"):
        vector(game, 2, render_mode="human")
