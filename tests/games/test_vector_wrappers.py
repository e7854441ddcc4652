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
    "NormalizeObservation": vector.NormalizeObservation,
    "NormalizeReward": vector.NormalizeReward,
    "VectorizeTransformObservation": lambda env: vector.VectorizeTransformObservation(
        env,
        gymnasium.wrappers.TransformObservation,
        func=lambda seen: 2 * seen,
        observation_space=env.single_observation_space,  # the same space: it writes into what it was handed
    ),
    "RescaleObservation": lambda env: vector.RescaleObservation(env, np.float32(-1), np.float32(1)),
}
OBSERVATIONS = tuple(name for name in WRAPPERS if name.endswith("Observation"))


def refuses(name: str, mode: AutoresetMode) -> bool:
    """Is this wrapper for other spaces, or not for this mode? docs/guides/gymnasium.md lists these."""
    if name == "NormalizeObservation":
        return mode is not AutoresetMode.NEXT_STEP
    return name in OBSERVATIONS and mode is AutoresetMode.SAME_STEP


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
