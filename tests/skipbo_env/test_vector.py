"""Many tables in one Gymnasium vector environment: step by step what N single environments do."""

from typing import Any

import numpy as np
import pytest
from gymnasium.utils.env_checker import data_equivalence
from gymnasium.vector import AutoresetMode, SyncVectorEnv

from skipbo_env.envs import SkipboEnv, SkipboVectorEnv
from tests.skipbo_env.env_reference import Eager, nth_eager

MODES = (AutoresetMode.NEXT_STEP, AutoresetMode.SAME_STEP)


def assert_same(ours: Any, theirs: Any) -> None:
    for mine, other in zip(ours, theirs, strict=True):
        assert data_equivalence(mine, other, exact=True), (mine, other)


@pytest.mark.statistical
@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize(
    "options",
    [
        {"rules": "stock=1", "shaping": "stock"},
        {"rules": "stock=3", "players": 3, "opponents": ["random"], "reward": "point"},
        {"rules": "stock=3", "players": 4, "opponents": ["random", Eager(), "random"], "reward": "margin"},
        {"rules": "stock=2 target_score=60", "episode": "game", "reward": "margin", "shaping": "stock"},
        {"rules": "max_turns=12", "encoding": "onehot", "seat": 1},
        {"rules": "stock=2", "illegal": "lose", "shaping": "stock"},
    ],
    ids=str,
)
def test_the_vector_agrees_with_single_environments(mode: AutoresetMode, options: dict[str, Any]) -> None:
    single = {"opponents": [Eager()], **options}
    theirs = SyncVectorEnv([lambda: SkipboEnv(**single) for _ in range(7)], autoreset_mode=mode)
    ours, chance, ends = SkipboVectorEnv(7, autoreset_mode=mode, **single), np.random.default_rng(1), 0
    assert ours.observation_space == theirs.observation_space
    (observations, infos), other = ours.reset(seed=11), theirs.reset(seed=11)
    assert_same((observations, infos), other)
    for step in range(200):
        seen = zip(observations, infos["action_mask"], strict=True)
        actions = np.array([nth_eager(*one) if one[1].any() else 0 for one in seen])
        if options.get("illegal") == "lose" and step % 9 == 0:
            actions = chance.integers(0, 125, 7)
        shown = ours.step(actions)
        assert_same(shown, theirs.step(actions))
        ends += int((shown[2] | shown[3]).sum())
        observations, infos = shown[0], shown[4]
    assert ends > 10


@pytest.mark.statistical
@pytest.mark.parametrize("n", [1, 64])
def test_a_table_plays_the_same_among_however_many(n: int) -> None:
    options: dict[str, Any] = {"rules": "stock=5", "players": 3, "opponents": ["random"], "autoreset_mode": "SameStep"}
    env, alone = SkipboVectorEnv(n, **options), SkipboVectorEnv(1, **options)
    (observations, infos), (other, other_infos) = env.reset(seed=100), alone.reset(seed=100)
    for _ in range(150):
        assert np.array_equal(observations[0], other[0])
        seen = zip(observations, infos["action_mask"], strict=True)
        observations, _, _, _, infos = env.step(np.array([nth_eager(*one) for one in seen]))
        other, _, _, _, other_infos = alone.step(np.array([nth_eager(other[0], other_infos["action_mask"][0])]))


def test_a_saved_state_goes_on_alike() -> None:
    env, twin = (SkipboVectorEnv(5, "stock=3", opponents=["random"], autoreset_mode="SameStep") for _ in range(2))
    _, infos = env.reset(seed=3)
    for _ in range(20):
        _, _, _, _, infos = env.step(infos["action_mask"].argmax(1))
    twin._tables.restore(env._tables.state())
    for _ in range(40):
        actions = infos["action_mask"].argmax(1)
        ours, theirs = env.step(actions), twin.step(actions)
        assert_same(ours[:4], theirs[:4])
        infos = ours[4]
