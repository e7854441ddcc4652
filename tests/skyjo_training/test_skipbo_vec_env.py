"""SkipboVecEnv: what stable-baselines3 and sb3-contrib expect, and that it plays as the single environment does."""

from typing import Any

import numpy as np
import pytest
import torch
from numpy.typing import NDArray
from sb3_contrib import MaskablePPO
from sb3_contrib.common.maskable.utils import get_action_masks
from stable_baselines3 import DQN
from stable_baselines3.common.env_checker import check_env
from stable_baselines3.common.vec_env import DummyVecEnv, VecMonitor

from skipbo_env import SkipboError
from skipbo_env.envs import SkipboEnv
from skyjo_training import SkipboVecEnv
from tests.skipbo_env.env_reference import Eager, nth_eager


@pytest.fixture(autouse=True)
def _one_thread() -> None:
    """Small networks are slower on several threads, and much slower beside other tests."""
    torch.set_num_threads(1)


def chosen(observations: Any, masks: Any) -> NDArray[np.int64]:
    return np.array([nth_eager(*seen) for seen in zip(observations, masks, strict=True)])


def test_stable_baselines3s_check_env() -> None:
    check_env(SkipboEnv(illegal="lose", encoding="onehot"), warn=True)


@pytest.mark.parametrize("rules", ["stock=1", "stock=4 players=3"])
def test_it_agrees_with_single_environments_in_sb3s_own_vector(rules: str) -> None:
    options: dict[str, Any] = {"rules": rules, "opponents": [Eager()], "shaping": "stock"}
    ours = SkipboVecEnv(5, **options)
    theirs = DummyVecEnv([lambda: SkipboEnv(**options) for _ in range(5)])
    for env in (ours, theirs):
        env.seed(40)
    ours_seen: Any = ours.reset()
    theirs_seen: Any = theirs.reset()
    ends = 0
    for _ in range(200):
        assert np.array_equal(ours_seen, theirs_seen)
        masks = get_action_masks(ours)
        assert np.array_equal(masks, get_action_masks(theirs))
        actions = chosen(ours_seen, masks)
        ours_seen, rewards, dones, infos = ours.step(actions)
        theirs_seen, their_rewards, their_dones, their_infos = theirs.step(actions)
        assert np.array_equal(rewards, their_rewards)
        assert np.array_equal(dones, their_dones)
        for table in np.flatnonzero(dones):
            ends += 1
            assert np.array_equal(infos[table]["terminal_observation"], their_infos[table]["terminal_observation"])
            assert infos[table]["round_scores"] == their_infos[table]["round_scores"].tolist()
    assert ends > 10


@pytest.mark.parametrize("algorithm", [MaskablePPO, DQN])
def test_algorithms_learn_on_it(algorithm: Any) -> None:
    """A few updates: weights change and episodes are counted. MaskablePPO meets an error if it does not mask."""
    illegal = "error" if algorithm is MaskablePPO else "lose"
    env = VecMonitor(SkipboVecEnv(4, "stock=1", opponents=[Eager()], illegal=illegal, encoding="onehot"))
    steps = {"learning_starts": 20} if algorithm is DQN else {"n_steps": 32}
    model = algorithm("MlpPolicy", env, seed=1, device="cpu", **steps)
    before = [weights.clone() for weights in model.policy.parameters()]
    model.learn(400)
    assert any(not old.equal(new) for old, new in zip(before, model.policy.parameters(), strict=True))
    assert len(model.ep_info_buffer) > 0


def test_its_errors_name_it() -> None:
    env = SkipboVecEnv(2)
    env.set_options({"deal": 3})
    with pytest.raises(SkipboError, match="SkipboVecEnv has no options for reset"):
        env.reset()
    with pytest.raises(AttributeError, match="a SkipboVecEnv has no method 'fly'"):
        env.env_method("fly")
