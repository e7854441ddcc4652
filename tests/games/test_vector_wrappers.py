"""Gymnasium's wrappers of vectors in all three autoreset modes: around ours they do what they do around its own."""

from collections.abc import Callable
from typing import Any

import gymnasium
import numpy as np
import pytest
from gymnasium.utils.env_checker import data_equivalence
from gymnasium.vector import AutoresetMode, SyncVectorEnv
from gymnasium.wrappers import vector

from tests.games.under_test import GameUnderTest, Options

MODES = tuple(AutoresetMode)
WRAPPERS: dict[str, Callable[[Any], Any]] = {
    "RecordEpisodeStatistics": vector.RecordEpisodeStatistics,
    "DictInfoToList": vector.DictInfoToList,
    "NormalizeObservation": vector.NormalizeObservation,
    "NormalizeReward": vector.NormalizeReward,
    "TransformObservation": lambda env: vector.TransformObservation(env, lambda seen: 2 * seen),
    "VectorizeTransformObservation": lambda env: vector.VectorizeTransformObservation(
        env,
        gymnasium.wrappers.TransformObservation,
        func=lambda seen: 2 * seen,
        observation_space=env.single_observation_space,  # the same space: it writes into what it was handed
    ),
    "FlattenObservation": vector.FlattenObservation,
    "ReshapeObservation": lambda env: vector.ReshapeObservation(env, (env.single_observation_space.shape[0], 1)),
    "RescaleObservation": lambda env: vector.RescaleObservation(env, np.float32(-1), np.float32(1)),
    "DtypeObservation": lambda env: vector.DtypeObservation(env, np.float64),
    "FilterObservation": lambda env: vector.FilterObservation(env, ["observation"]),
    "GrayscaleObservation": vector.GrayscaleObservation,
    "ResizeObservation": lambda env: vector.ResizeObservation(env, (8, 8)),
    "TransformAction": lambda env: vector.TransformAction(env, lambda actions: actions),
    "VectorizeTransformAction": lambda env: vector.VectorizeTransformAction(
        env, gymnasium.wrappers.TransformAction, func=lambda action: action, action_space=env.single_action_space
    ),
    "ClipAction": vector.ClipAction,
    "RescaleAction": lambda env: vector.RescaleAction(env, 0, 1),
    "TransformReward": lambda env: vector.TransformReward(env, lambda rewards: 2 * rewards),
    "VectorizeTransformReward": lambda env: vector.VectorizeTransformReward(
        env, gymnasium.wrappers.TransformReward, func=lambda reward: 2 * reward
    ),
    "ClipReward": lambda env: vector.ClipReward(env, -0.1, 0.1),
}
OBSERVATIONS = tuple(name for name in WRAPPERS if name.endswith("Observation"))
USELESS = ("FilterObservation", "GrayscaleObservation", "ResizeObservation", "ClipAction", "RescaleAction")


def refuses(name: str, mode: AutoresetMode) -> bool:
    """Is this wrapper for other spaces, or not for this mode? docs/environments.md lists these."""
    if name == "NormalizeObservation":
        return mode is not AutoresetMode.NEXT_STEP
    return name in USELESS or (name in OBSERVATIONS and mode is AutoresetMode.SAME_STEP)


def without_times(seen: Any) -> Any:
    """What a wrapped vector shows, without how long episodes took."""
    if isinstance(seen[-1], dict) and "episode" in seen[-1]:
        del seen[-1]["episode"]["t"]
    return seen


@pytest.mark.statistical
@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize("name", WRAPPERS)
def test_a_wrapped_vector_shows_what_gymnasiums_own_shows(game: GameUnderTest, name: str, mode: AutoresetMode) -> None:
    options: Options = {"rules": "max_turns=8", "opponents": [game.nth], "encoding": "compact"}
    ours = game.vector(3, autoreset_mode=mode, **options)
    theirs = SyncVectorEnv([lambda: game.single(**options)] * 3, autoreset_mode=mode)
    wrap = WRAPPERS[name]
    if refuses(name, mode):
        for env in (ours, theirs):
            with pytest.raises((AssertionError, TypeError, ValueError)):
                wrap(env)
        return
    wrapped, other = wrap(ours), wrap(theirs)
    assert data_equivalence(wrapped.reset(seed=2), other.reset(seed=2), exact=True)
    for _ in range(30):
        actions = ours.action_masks().argmax(1)
        seen, their_seen = without_times(wrapped.step(actions)), without_times(other.step(actions.copy()))
        assert data_equivalence(seen, their_seen, exact=True)
        if mode is AutoresetMode.DISABLED and (seen[2] | seen[3]).any():
            if name == "RecordEpisodeStatistics":
                return  # Gymnasium's vector hides the mask from it
            chosen = {"reset_mask": seen[2] | seen[3]}
            assert data_equivalence(wrapped.reset(options=chosen), other.reset(options=chosen.copy()), exact=True)


def test_episodes_are_counted_one_by_one_when_only_ended_tables_are_reset(game: GameUnderTest) -> None:
    options: Options = {"rules": "max_turns=8", "opponents": [game.nth], "shaping": game.shaping}
    tables = game.vector(5, autoreset_mode="Disabled", **options)
    env = vector.RecordEpisodeStatistics(tables)
    observations, _ = env.reset(seed=3)
    lengths, returns, ends = np.zeros(5, np.int64), np.zeros(5), 0
    for _ in range(60):
        actions = game.nth.choices(observations, tables.action_masks())
        observations, rewards, terminated, truncated, infos = env.step(actions)
        lengths, returns, ended = lengths + 1, returns + rewards, terminated | truncated
        if ended.any():
            ends += int(ended.sum())
            assert infos["_episode"].tolist() == ended.tolist()
            assert infos["episode"]["l"][ended].tolist() == lengths[ended].tolist()
            assert infos["episode"]["r"][ended] == pytest.approx(returns[ended])
            lengths[ended], returns[ended] = 0, 0.0
            observations, _ = env.reset(options={"reset_mask": ended})
    assert env.episode_count == ends > 5


@pytest.mark.parametrize("mode", [AutoresetMode.NEXT_STEP, AutoresetMode.DISABLED])
def test_tensors_of_torch_come_out_of_the_wrapper_for_them(game: GameUnderTest, mode: AutoresetMode) -> None:
    """With same-step autoreset it cannot convert the last observations, which stand in an array of objects."""
    pytest.importorskip("array_api_compat")
    torch = pytest.importorskip("torch")
    env = vector.NumpyToTorch(game.vector(3, autoreset_mode=mode))
    plain = game.vector(3, autoreset_mode=mode)
    seen, infos = env.reset(seed=2)
    assert torch.equal(seen, torch.as_tensor(plain.reset(seed=2)[0]))
    actions = infos["action_mask"].long().argmax(1)
    seen, rewards, *_ = env.step(actions)
    assert torch.equal(seen, torch.as_tensor(plain.step(actions.numpy())[0]))
    assert rewards.shape == (3,)


def test_what_torchs_categorical_samples_from_the_masks_are_actions_of_every_environment(game: GameUnderTest) -> None:
    torch = pytest.importorskip("torch")

    def sampled(mask: Any) -> Any:
        logits = torch.zeros(np.shape(mask)).masked_fill(torch.as_tensor(mask) == 0, -torch.inf)
        return torch.distributions.Categorical(logits=logits).sample()

    envs = game.vector(3, game.quick_rules, autoreset_mode="SameStep")
    mask, ends = envs.reset(seed=1)[1]["action_mask"], 0
    while ends < 3:
        _, _, terminated, truncated, infos = envs.step(sampled(mask))
        mask, ends = infos["action_mask"], ends + (terminated | truncated).sum()
    one, turns, together = game.single(), game.pettingzoo.env(), game.pettingzoo.parallel_env()
    one.step(sampled(one.reset(seed=1)[1]["action_mask"]))
    turns.reset(seed=1)
    turns.step(sampled(turns.last()[0]["action_mask"]))
    together.step({agent: sampled(seen["action_mask"]) for agent, seen in together.reset(seed=1)[0].items()})
    batch = game.api.GameBatch(n=3)
    batch.step(sampled(batch.masks))
