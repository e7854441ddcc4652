"""SkyjoVecEnv: what stable-baselines3 and sb3-contrib expect, and that it plays as the single environment does."""

import sys
from typing import Any

import gymnasium
import numpy as np
import pytest
import torch
from numpy.typing import NDArray
from sb3_contrib import MaskablePPO
from sb3_contrib.common.maskable.utils import get_action_masks, is_masking_supported
from stable_baselines3 import A2C, DQN, PPO
from stable_baselines3.common.env_checker import check_env
from stable_baselines3.common.evaluation import evaluate_policy
from stable_baselines3.common.monitor import Monitor
from stable_baselines3.common.vec_env import DummyVecEnv, VecFrameStack, VecMonitor, VecNormalize

import skyjo_training
from skyjo_env import IllegalActionError, Rules, SkyjoError
from skyjo_env.envs import SkyjoEnv
from skyjo_training import SkyjoVecEnv
from tests.skyjo_env.env_reference import Nth, nth_legal

PLAIN: dict[str, Any] = {"opponents": [Nth()], "seat": 0}


def chosen(observations: Any, masks: Any) -> NDArray[np.int64]:
    return np.array([nth_legal(*seen) for seen in zip(observations, masks, strict=True)])


@pytest.fixture(autouse=True)
def _one_thread() -> None:
    """Small networks are slower on several threads, and much slower beside other tests."""
    torch.set_num_threads(1)


def test_without_the_extra_an_import_says_what_to_type(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "skyjo_training.vec_env", None)  # as if it could not be imported
    with pytest.raises(ImportError, match=r'^training needs \S+: pip install "skyjo-env\[train\]"$'):
        getattr(skyjo_training, "SkyjoVecEnv")  # noqa: B009 (an attribute alone does nothing)


def test_stable_baselines3s_check_env() -> None:
    check_env(SkyjoEnv(illegal="lose", encoding="onehot"), warn=True)


def test_it_agrees_with_single_environments_in_sb3s_own_vector() -> None:
    options: dict[str, Any] = {"players": 3, "opponents": ["random"], "shaping": "expected_margin"}
    ours = SkyjoVecEnv(5, **options)
    theirs = DummyVecEnv([lambda: SkyjoEnv(**options) for _ in range(5)])
    for env in (ours, theirs):
        env.seed(40)
    ours_seen: Any = ours.reset()
    theirs_seen: Any = theirs.reset()
    ends = 0
    for _ in range(300):
        assert np.array_equal(ours_seen, theirs_seen)
        masks = get_action_masks(ours)
        assert np.array_equal(masks, get_action_masks(theirs))
        actions = chosen(ours_seen, masks)
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
        assert [bool(info) for info in infos] == dones.tolist()
    assert ends > 20


def test_a_round_that_is_stopped_is_truncated_for_sb3() -> None:
    env = SkyjoVecEnv(3, Rules(max_turns=6), **PLAIN)
    seen, ends = env.reset(), 0
    for _ in range(40):
        seen, _, dones, infos = env.step(chosen(seen, get_action_masks(env)))
        for table in np.flatnonzero(dones):
            ends += 1
            assert infos[table]["TimeLimit.truncated"]
    assert ends > 5


def test_masks_come_from_env_method_for_all_or_some_tables() -> None:
    env = SkyjoVecEnv(4, **PLAIN)
    env.reset()
    assert is_masking_supported(env)
    assert env.has_attr("action_masks")
    assert not env.has_attr("nonsense")
    masks = get_action_masks(env)
    assert masks.shape == (4, 26)
    assert masks.dtype == np.bool_
    assert np.array_equal(env.env_method("action_masks", indices=[3, 1]), masks[[3, 1]])
    with pytest.raises(AttributeError, match="only 'action_masks'"):
        env.env_method("fly")
    with pytest.raises(AttributeError, match="cannot be set"):
        env.set_attr("seat", 1)
    assert env.get_attr("rules", indices=2) == [env.rules]
    assert env.env_is_wrapped(Monitor) == [False] * 4


def test_seeds_count_up_and_resets_deal_on() -> None:
    first: Any = SkyjoVecEnv(3, **PLAIN)
    second: Any = SkyjoVecEnv(3, **PLAIN)
    assert first.seed(7) == [7, 8, 9]
    second.seed(8)
    one, other = first.reset(), second.reset()
    assert np.array_equal(one[1:], other[:2])
    again = first.reset()
    assert not np.array_equal(again, one)
    first.seed(7)
    assert np.array_equal(first.reset(), one)
    assert np.array_equal(first.reset(), again)


def test_an_illegal_action_is_an_error_or_loses() -> None:
    strict, lenient = SkyjoVecEnv(2, **PLAIN), SkyjoVecEnv(2, illegal="lose", **PLAIN)
    for env in (strict, lenient):
        env.seed(1)
        env.reset()
    actions = get_action_masks(strict).argmax(1)
    actions[1] = 0
    with pytest.raises(IllegalActionError, match="table 1"):
        strict.step(actions)
    _, rewards, dones, infos = lenient.step(actions)
    assert rewards.tolist() == [0.0, np.float32(-3.12)]
    assert dones.tolist() == [False, True]
    assert infos[1]["illegal_action"] == 0


def test_learners_that_cannot_mask_may_have_many_tables() -> None:
    env = SkyjoVecEnv(100, illegal="lose", encoding="onehot")
    env.reset()
    _, rewards, dones, _ = env.step(np.zeros(100, np.int64))
    assert dones.all()
    assert set(rewards.tolist()) == {float(np.float32(-3.12))}


def test_what_a_caller_writes_into_an_info_is_not_seen_in_the_next_step() -> None:
    env = SkyjoVecEnv(3, **PLAIN)
    env.reset()
    for _ in range(3):
        _, _, _, infos = env.step(get_action_masks(env).argmax(1))
        assert infos == [{}, {}, {}]
        infos[1]["note"] = 1


def test_calls_out_of_order_and_options_are_refused() -> None:
    env = SkyjoVecEnv(2)
    with pytest.raises(SkyjoError, match="reset"):
        env.step(np.zeros(2, np.int64))
    env.set_options({"deal": 3})
    with pytest.raises(SkyjoError, match="no options"):
        env.reset()
    with pytest.raises(SkyjoError, match="render_mode='human' is not one of None, 'rgb_array'"):
        SkyjoVecEnv(2, render_mode="human")


def test_pictures_of_all_tables_are_tiled() -> None:
    env = SkyjoVecEnv(4, render_mode="rgb_array", render_size=(320, 200))
    env.reset()
    picture = env.render()
    assert picture is not None
    assert picture.shape == (400, 640, 3)


def test_the_usual_wrappers_work() -> None:
    env = VecMonitor(VecNormalize(VecFrameStack(SkyjoVecEnv(3, encoding="onehot", **PLAIN), 2)))
    env.seed(3)
    env.reset()
    episodes = []
    for _ in range(150):
        _, _, dones, infos = env.step(get_action_masks(env).argmax(1))
        episodes += [infos[table]["episode"] for table in np.flatnonzero(dones)]
    assert len(episodes) > 3
    assert all(episode["l"] > 1 for episode in episodes)


@pytest.mark.parametrize("algorithm", [MaskablePPO, PPO, A2C, DQN])
@pytest.mark.parametrize("encoding", ["compact", "onehot"])
def test_algorithms_learn_on_it(algorithm: Any, encoding: str) -> None:
    """A few updates: weights change and episodes are counted. MaskablePPO meets an error if it does not mask."""
    illegal = "error" if algorithm is MaskablePPO else "lose"
    env = VecMonitor(SkyjoVecEnv(4, illegal=illegal, encoding=encoding))
    steps = {"learning_starts": 20} if algorithm is DQN else {"n_steps": 32}
    model = algorithm("MlpPolicy", env, seed=1, device="cpu", **steps)
    before = [weights.clone() for weights in model.policy.parameters()]
    model.learn(400)
    after = list(model.policy.parameters())
    assert any(not old.equal(new) for old, new in zip(before, after, strict=True))
    assert len(model.ep_info_buffer) > 0


def test_evaluation_is_the_same_at_one_table_and_in_the_vector() -> None:
    model = PPO("MlpPolicy", SkyjoVecEnv(2, illegal="lose"), n_steps=32, seed=1, device="cpu")
    rewards = []
    single = Monitor(gymnasium.make("skyjo_env:skyjo/Skyjo-v0", illegal="lose"))
    for env in (DummyVecEnv([lambda: single]), VecMonitor(SkyjoVecEnv(1, illegal="lose"))):
        env.seed(5)
        rewards.append(evaluate_policy(model, env, n_eval_episodes=4, return_episode_rewards=True))
    assert rewards[0] == rewards[1]
