"""Many tables in one Gymnasium vector environment: step by step what N single environments do."""

import copy
import pickle
from typing import Any

import numpy as np
import pytest
from gymnasium.utils.env_checker import data_equivalence
from gymnasium.vector import AutoresetMode, SyncVectorEnv

from cardtable.errors import CallError, IllegalActionError, TableError
from tests.games.listed import cases_of
from tests.games.players import Eager
from tests.games.under_test import GameUnderTest, Options

MODES = (AutoresetMode.NEXT_STEP, AutoresetMode.SAME_STEP)


def assert_same(ours: Any, theirs: Any) -> None:
    for mine, other in zip(ours, theirs, strict=True):
        assert data_equivalence(mine, other, exact=True), (mine, other)


def singles(game: GameUnderTest, n: int, mode: AutoresetMode, **options: Any) -> SyncVectorEnv:
    """As many environments for one seat in Gymnasium's own vector."""
    return SyncVectorEnv([lambda: game.single(**options) for _ in range(n)], autoreset_mode=mode)


@pytest.mark.statistical
@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize(("game", "options"), cases_of("vector_options"))
def test_the_vector_agrees_with_single_environments(game: GameUnderTest, mode: AutoresetMode, options: Options) -> None:
    chosen = {"opponents": [game.nth], **options}
    ours, theirs = game.vector(7, autoreset_mode=mode, **chosen), singles(game, 7, mode, **chosen)
    assert ours.observation_space == theirs.observation_space
    assert ours.action_space == theirs.action_space
    chance, ends = np.random.default_rng(1), 0
    seen, theirs_seen = ours.reset(seed=11), theirs.reset(seed=11)
    assert_same(seen, theirs_seen)
    for step in range(220):
        actions = game.nth.choices(seen[0], seen[-1]["action_mask"])
        if options.get("illegal") == "lose" and step % 9 == 0:
            actions = chance.integers(0, ours.rules.actions, 7)
        seen = ours.step(actions)
        assert_same(seen, theirs.step(actions))
        ends += int((seen[2] | seen[3]).sum())
        if step == 120:
            seen, theirs_seen = ours.reset(), theirs.reset()
            assert_same(seen, theirs_seen)
    assert ends > (3 if options.get("episode") == "game" else 10)


@pytest.mark.statistical
@pytest.mark.parametrize("n", [1, 3, 64])
def test_a_table_plays_the_same_among_however_many(game: GameUnderTest, n: int) -> None:
    options: Options = {"rules": game.quick_rules, "players": 3, "opponents": ["random"]}
    env, alone = game.vector(n, autoreset_mode="SameStep", **options), game.single(**options)
    (observations, infos), (observation, info) = env.reset(seed=100), alone.reset(seed=100)
    for _ in range(100):
        assert np.array_equal(observations[0], observation)
        observations, _, _, _, infos = env.step(game.nth.choices(observations, infos["action_mask"]))
        observation, _, terminated, truncated, info = alone.step(game.nth.choice(observation, info["action_mask"]))
        if terminated or truncated:
            observation, info = alone.reset()


def test_arrays_that_were_handed_out_are_never_overwritten(game: GameUnderTest) -> None:
    env = game.vector(4, opponents=[game.nth], autoreset_mode="SameStep")
    seen: list[Any] = [env.reset(seed=1)]
    kept = copy.deepcopy(seen)
    for _ in range(60):
        seen.append(env.step(seen[-1][-1]["action_mask"].argmax(1)))
        kept.append(copy.deepcopy(seen[-1]))
    for one, other in zip(seen, kept, strict=True):
        assert_same(one, other)


def test_a_list_of_seeds_gives_every_table_its_own(game: GameUnderTest) -> None:
    options = {"opponents": [game.nth]}
    ours, theirs = game.vector(3, **options), singles(game, 3, MODES[0], **options)
    assert_same(ours.reset(seed=[5, 5, 8]), theirs.reset(seed=[5, 5, 8]))
    observations, _ = ours.reset(seed=[5, 5, 8])
    assert np.array_equal(observations[0], observations[1])
    assert not np.array_equal(observations[0], observations[2])
    with pytest.raises(TableError, match="2 seeds given, but there are 3"):
        ours.reset(seed=[1, 2])


def test_wrong_shapes_and_types_of_actions_name_the_expected(game: GameUnderTest) -> None:
    env = game.vector(2)
    env.reset(seed=1)
    first, beyond = int(env.action_masks()[0].argmax()), env.rules.actions
    for actions, message in [
        (np.zeros(3, np.int64), "one whole number for every table, here 2, not"),
        (np.zeros((2, 1), np.int64), r"not of shape \(2, 1\)"),
        (np.zeros(2), "float64"),
        ([0, "x"], "whole number"),
        (None, "whole number"),
        ([first, beyond], f"table 1: action {beyond} must be from 0 to {beyond - 1}"),
    ]:
        with pytest.raises(TableError, match=message):
            env.step(actions)


def test_an_illegal_action_names_its_table_and_none_has_changed(game: GameUnderTest) -> None:
    env = game.vector(3)
    observations, infos = env.reset(seed=1)
    actions = infos["action_mask"].argmax(1)
    actions[2] = illegal = infos["action_mask"][2].argmin()
    with pytest.raises(IllegalActionError, match=f"table 2: action {illegal} "):
        env.step(actions)
    assert np.array_equal(env._tables.seen(), observations)
    assert np.array_equal(env.action_masks(), infos["action_mask"])
    env.step(infos["action_mask"].argmax(1))


@pytest.mark.parametrize(
    ("name", "values", "reason"),
    [
        ("autoreset_mode", ["Disabled", AutoresetMode.DISABLED, "same", None], "is not one of 'NextStep', 'SameStep'"),
        ("num_envs", [0, -1, 1.5, "two"], "num_envs"),
    ],
)
def test_wrong_arguments_are_named(game: GameUnderTest, name: str, values: list[Any], reason: str) -> None:
    for value in values:
        with pytest.raises(TableError, match=reason):
            game.vector(**{"num_envs": 2, name: value})


@pytest.mark.parametrize("clone", [copy.deepcopy, lambda env: pickle.loads(pickle.dumps(env))])
def test_copies_in_mid_game_go_on_alike(game: GameUnderTest, clone: Any) -> None:
    env = game.vector(5, opponents=["random"])
    _, infos = env.reset(seed=4)
    twin, actions = clone(env), infos["action_mask"].argmax(1)
    assert_same(env.step(actions), twin.step(actions))


def test_a_saved_state_goes_on_alike(game: GameUnderTest) -> None:
    env, twin = (game.vector(5, game.quick_rules, opponents=["random"], autoreset_mode="SameStep") for _ in range(2))
    _, infos = env.reset(seed=3)
    for _ in range(20):
        _, _, _, _, infos = env.step(infos["action_mask"].argmax(1))
    twin._tables.restore(env._tables.state())
    for _ in range(40):
        actions = infos["action_mask"].argmax(1)
        ours, theirs = env.step(actions), twin.step(actions)
        assert_same(ours[:4], theirs[:4])
        infos = ours[4]


def test_onehot_is_the_encoding_of_the_same_observation(game: GameUnderTest) -> None:
    compact, onehot = (game.vector(6, seat=0, encoding=encoding) for encoding in ("compact", "onehot"))
    seen, _ = compact.reset(seed=1)
    coded, infos = onehot.reset(seed=1)
    for _ in range(60):
        assert np.array_equal(coded, game.api.ObservationSpec(compact.rules).onehot(seen))
        assert coded in onehot.observation_space
        actions = game.nth.choices(seen, infos["action_mask"])
        seen = compact.step(actions)[0]
        coded, _, _, _, infos = onehot.step(actions)


@pytest.mark.statistical
def test_rewards_over_many_rounds_are_fair_between_equal_players(game: GameUnderTest) -> None:
    """Random against random at a random seat: the mean reward is 0 within four standard errors."""
    agent, chances = Eager(game.equal_plays), np.arange(2000, dtype=np.uint64)
    env = game.vector(2000, game.quick_rules, opponents=[agent], reward="margin", autoreset_mode="SameStep")
    observations, infos = env.reset(seed=77)
    rewards: list[float] = []
    for _ in range(90):
        actions = agent.act(observations, infos["action_mask"], chances)
        chances += np.uint64(len(chances))
        observations, earned, terminated, _, infos = env.step(actions)
        rewards += earned[terminated].tolist()
    assert len(rewards) > 1500
    assert abs(np.mean(rewards)) < 4 * np.std(rewards) / len(rewards) ** 0.5


def test_deals_follow_each_other_at_every_table(game: GameUnderTest) -> None:
    env = game.vector(3, "max_turns=8", opponents=[game.nth], autoreset_mode="SameStep")
    _, infos = env.reset(seed=5)
    deals = [[0, 0, 0]]
    for _ in range(200):
        _, _, terminated, truncated, infos = env.step(infos["action_mask"].argmax(1))
        deals.append((deals[-1] + (terminated | truncated)).tolist())
        assert env._tables.tables["deal"].tolist() == deals[-1]
    assert min(deals[-1]) > 3


@pytest.mark.parametrize("mode", MODES)
def test_many_tables_may_lose(game: GameUnderTest, mode: AutoresetMode) -> None:
    env = game.vector(64, players=3, illegal="lose", autoreset_mode=mode)
    _, infos = env.reset(seed=1)
    _, rewards, terminated, _, infos = env.step(infos["action_mask"].argmin(1))
    assert terminated.all()
    assert set(rewards.tolist()) == {game.penalties[game.rewards[0]]}
    _, _, terminated, _, infos = env.step(infos["action_mask"].argmax(1))
    assert not terminated.any()  # a new episode has begun, or its first decision is made
    beyond = env.rules.actions
    with pytest.raises(CallError, match=f"table 63: action {beyond} must be from 0 to {beyond - 1}"):
        env.step(np.append(infos["action_mask"].argmax(1)[:63], beyond))
