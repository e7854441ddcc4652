"""Every environment counts how long its episodes last, and warns of rounds that no seat ends."""

import random
import warnings
from collections.abc import Callable, Iterator
from itertools import islice
from math import isnan
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from cardtable.table.game.episode_lengths import MEMORY, EpisodeLengths, StalledWarning
from tests.games.under_test import GameUnderTest

Steps = Iterator[tuple[EpisodeLengths, int, int, int]]  # decisions, episodes that ended, and those that were stopped
chance = np.random.default_rng(1)


def any_legal(masks: NDArray[Any]) -> NDArray[np.int64]:
    actions: NDArray[np.int64] = (chance.random(masks.shape) * masks).argmax(axis=1)
    return actions


def batch_steps(game: GameUnderTest, rules: Any) -> Steps:
    batch = game.api.GameBatch(rules, n=3, seed=1, episode="round")
    while True:
        _, terminated, truncated = batch.step(any_legal(batch.masks))
        yield batch.lengths, 3, int((terminated | truncated).sum()), int(truncated.sum())


def vector_steps(game: GameUnderTest, rules: Any, mode: str = "NextStep") -> Steps:
    envs = game.vector(3, rules, autoreset_mode=mode)
    envs.reset(seed=1)
    while True:
        masks = envs.action_masks()
        _, _, terminated, truncated, _ = envs.step(any_legal(masks))
        yield envs.lengths, int(masks.any(axis=1).sum()), int((terminated | truncated).sum()), int(truncated.sum())


def same_step_vector_steps(game: GameUnderTest, rules: Any) -> Steps:
    return vector_steps(game, rules, "SameStep")


def table_steps(game: GameUnderTest, rules: Any) -> Steps:
    env, own_chance = game.pettingzoo.raw_env(rules), random.Random(1)
    while True:
        env.reset(seed=own_chance.randrange(1000))
        decisions = 0
        while not any(env.terminations.values()) and not any(env.truncations.values()):
            env.step(own_chance.choice(env.game.legal_actions()))
            decisions += 1
        info = env.infos["player_0"]
        assert (info["decisions"], info["stopped"]) == (decisions, env.truncations["player_0"])
        yield env.lengths, decisions, 1, int(info["stopped"])


WAYS = [batch_steps, vector_steps, same_step_vector_steps, table_steps]


@pytest.mark.parametrize("steps", WAYS)
def test_decisions_and_stopped_episodes_are_counted(game: GameUnderTest, steps: Callable[..., Steps]) -> None:
    decisions = ended = stopped = 0
    for lengths, *counted in steps(game, game.quick):
        decisions, ended, stopped = decisions + counted[0], ended + counted[1], stopped + counted[2]
        if ended == 0:
            assert isnan(lengths.mean)
        elif ended < MEMORY:
            assert (lengths.mean, lengths.stopped) == pytest.approx((decisions / ended, stopped / ended))
        else:
            break


@pytest.mark.parametrize("steps", WAYS)
def test_rounds_that_no_seat_ends_bring_one_warning(game: GameUnderTest, steps: Callable[..., Steps]) -> None:
    with warnings.catch_warnings(record=True) as told:
        warnings.simplefilter("always")
        for _ in islice(steps(game, game.quick.replace(max_turns=3)), 5 * MEMORY):
            pass
    assert [(warning.category, "after 3 turns" in str(warning.message)) for warning in told] == [(StalledWarning, True)]


def test_what_was_long_ago_is_forgotten(game: GameUnderTest) -> None:
    lengths = EpisodeLengths(game.card_game, game.card_game.rules())
    for _ in range(10 * MEMORY):
        lengths.add(10, 1, 0)
    assert lengths.mean == pytest.approx(10)
    with pytest.warns(StalledWarning, match="decisions an episode, and 0 % of"):
        lengths.add(90 * 4 * MEMORY, 4 * MEMORY, 0)
    assert 60 < lengths.mean < 90
