"""Many tables in one Gymnasium vector environment: step by step what N single environments do."""

import copy
import pickle
from itertools import pairwise
from typing import Any

import numpy as np
import pytest
from gymnasium.utils.env_checker import data_equivalence
from gymnasium.vector import AutoresetMode, SyncVectorEnv
from numpy.typing import NDArray

from cardtable.envs.encoding import onehot_of
from skyjo_env import CallError, Game, IllegalActionError, Rules, SkyjoError, make_agent
from skyjo_env.card_game import SKYJO
from skyjo_env.envs import SkyjoEnv, SkyjoVectorEnv
from tests.skyjo_env.env_reference import Nth, finish, nth_legal

MODES = (AutoresetMode.NEXT_STEP, AutoresetMode.SAME_STEP)


def twins(n: int, mode: AutoresetMode, **options: Any) -> tuple[SkyjoVectorEnv, SyncVectorEnv]:
    single = {"opponents": [Nth()], **options}
    many = SyncVectorEnv([lambda: SkyjoEnv(**single) for _ in range(n)], autoreset_mode=mode)
    return SkyjoVectorEnv(n, autoreset_mode=mode, **single), many


def assert_same(ours: Any, theirs: Any) -> None:
    for mine, other in zip(ours, theirs, strict=True):
        assert data_equivalence(mine, other, exact=True), (mine, other)


@pytest.mark.statistical
@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize(
    "options",
    [
        {},
        {"opponents": ["random"], "players": 3},
        {"players": 4, "opponents": ["random", Nth(), "random"], "shaping": "expected_margin"},
        {"episode": "game", "reward": "score", "rules": Rules(target_score=30)},
        {"reward": "win", "encoding": "onehot", "seat": 1},
        {"rules": Rules(max_turns=12), "reward": "win"},
        {"illegal": "lose", "shaping": "expected_margin"},
    ],
)
def test_the_vector_agrees_with_single_environments(mode: AutoresetMode, options: dict[str, Any]) -> None:
    ours, theirs = twins(7, mode, **options)
    assert ours.observation_space == theirs.observation_space
    assert ours.action_space == theirs.action_space
    chance, ends = np.random.default_rng(1), 0
    (_, infos), other = ours.reset(seed=11), theirs.reset(seed=11)
    assert_same(ours.reset(seed=11), other)
    for step in range(250):
        actions = np.array([legal_or_any(chance, mask) for mask in infos["action_mask"]])
        if options.get("illegal") == "lose" and step % 9 == 0:
            actions = chance.integers(0, 26, 7)
        shown = ours.step(actions)
        assert_same(shown, theirs.step(actions))
        ends += int((shown[2] | shown[3]).sum())
        infos = shown[4]
        if step == 120:
            (_, infos), other = ours.reset(), theirs.reset()
            assert_same((_, infos), other)
    assert ends > 10 or options.get("episode") == "game"


def legal_or_any(chance: np.random.Generator, mask: NDArray[Any]) -> int:
    """A random legal action; where the episode has just ended, anything."""
    legal = np.flatnonzero(mask)
    return int(chance.choice(legal)) if len(legal) else 0


@pytest.mark.statistical
@pytest.mark.parametrize("n", [1, 3, 64])
def test_a_table_plays_the_same_among_however_many(n: int) -> None:
    env = SkyjoVectorEnv(n, players=3, opponents=["random"], autoreset_mode="SameStep")
    observations, infos = env.reset(seed=100)
    shown = [observations[0]]
    for _ in range(100):
        actions = [nth_legal(seen, mask) for seen, mask in zip(observations, infos["action_mask"], strict=True)]
        observations, _, _, _, infos = env.step(np.array(actions))
        shown.append(observations[0])
    alone = SkyjoEnv(players=3, opponents=["random"])
    observation, info = alone.reset(seed=100)
    for seen in shown[:-1]:
        assert np.array_equal(observation, seen)
        observation, _, terminated, truncated, info = alone.step(nth_legal(observation, info["action_mask"]))
        if terminated or truncated:
            observation, info = alone.reset()


def test_random_opponents_do_not_repeat_themselves_at_every_table() -> None:
    env = SkyjoVectorEnv(50, opponents=["random"], seat=1, rules=Rules(first_starter="seat_0"))
    observations, _ = env.reset(seed=0, options={"deal": 3})
    first = [int(np.flatnonzero(board != 21)[0]) for board in observations[:, 25:37]]
    assert len(set(first)) > 6


def test_arrays_that_were_handed_out_are_never_overwritten() -> None:
    env = SkyjoVectorEnv(4, opponents=[Nth()], autoreset_mode="SameStep")
    seen = [env.reset(seed=1)]
    kept = copy.deepcopy(seen)
    for _ in range(60):
        infos = seen[-1][-1]
        actions = infos["action_mask"].argmax(1)
        seen.append(env.step(actions))  # type: ignore[arg-type]
        kept.append(copy.deepcopy(seen[-1]))
    for one, other in zip(seen, kept, strict=True):
        assert_same(one, other)


def test_a_list_of_seeds_gives_every_table_its_own() -> None:
    ours, theirs = twins(3, MODES[0])
    assert_same(ours.reset(seed=[5, 5, 8]), theirs.reset(seed=[5, 5, 8]))
    observations, _ = ours.reset(seed=[5, 5, 8])
    assert np.array_equal(observations[0], observations[1])
    assert not np.array_equal(observations[0], observations[2])
    with pytest.raises(SkyjoError, match="2 seeds given, but there are 3"):
        ours.reset(seed=[1, 2])


@pytest.mark.parametrize(
    ("actions", "message"),
    [
        (np.zeros(3, np.int64), "one whole number for every table, here 2, not"),
        (np.zeros((2, 1), np.int64), r"not of shape \(2, 1\)"),
        (np.zeros(2), "float64"),
        ([0, "x"], "whole number"),
        (None, "whole number"),
        ([14, 26], "table 1: action 26 must be from 0 to 25"),
    ],
)
def test_wrong_shapes_and_types_of_actions_name_the_expected(actions: Any, message: str) -> None:
    env = SkyjoVectorEnv(2)
    env.reset(seed=1)
    with pytest.raises(SkyjoError, match=message):
        env.step(actions)


def test_an_illegal_action_names_its_table_and_none_has_changed() -> None:
    env = SkyjoVectorEnv(3)
    observations, infos = env.reset(seed=1)
    actions = infos["action_mask"].argmax(1)
    actions[2] = 0
    with pytest.raises(IllegalActionError, match="table 2: action 0"):
        env.step(actions)
    assert np.array_equal(env._tables.seen(), observations)
    assert np.array_equal(env.action_masks(), infos["action_mask"])
    env.step(infos["action_mask"].argmax(1))


@pytest.mark.parametrize("mode", ["Disabled", AutoresetMode.DISABLED, "same", None])
def test_other_autoreset_modes_are_refused(mode: Any) -> None:
    with pytest.raises(SkyjoError, match="is not one of 'NextStep', 'SameStep'"):
        SkyjoVectorEnv(2, autoreset_mode=mode)


@pytest.mark.parametrize("n", [0, -1, 1.5, "two"])
def test_the_number_of_tables_is_checked(n: Any) -> None:
    with pytest.raises(SkyjoError, match="num_envs"):
        SkyjoVectorEnv(n)


@pytest.mark.parametrize("clone", [copy.deepcopy, lambda env: pickle.loads(pickle.dumps(env))])
def test_copies_in_mid_game_go_on_alike_and_apart(clone: Any) -> None:
    env = SkyjoEnv(opponents=["random"], shaping="expected_margin", render_mode="ansi")
    env.reset(seed=4)
    for _ in range(6):
        env.step(int(env.action_masks().argmax()))
    twin, before = clone(env), env.render()
    rewards = finish(twin)
    assert env.render() == before
    assert finish(env) == rewards
    vector = SkyjoVectorEnv(5, opponents=["random"])
    _, infos = vector.reset(seed=4)
    other, actions = clone(vector), infos["action_mask"].argmax(1)
    assert_same(vector.step(actions), other.step(actions))


def test_onehot_is_the_encoding_of_the_same_observation() -> None:
    compact, onehot = SkyjoVectorEnv(6, seat=0), SkyjoVectorEnv(6, seat=0, encoding="onehot")
    seen, _ = compact.reset(seed=1)
    coded, infos = onehot.reset(seed=1)
    for _ in range(60):
        assert np.array_equal(coded, onehot_of(SKYJO, compact.rules).encode(seen))
        assert coded in onehot.observation_space
        actions = [legal_or_any(np.random.default_rng(0), mask) for mask in infos["action_mask"]]
        seen = compact.step(np.array(actions))[0]
        coded, _, _, _, infos = onehot.step(np.array(actions))


def test_rendering_shows_the_table() -> None:
    env = SkyjoEnv(seat=0, render_mode="ansi", rules=Rules(first_starter="seat_0", opening_flips=0))
    env.reset(seed=3)
    assert str(Game(env.rules, seed=3, episode="round")).splitlines()[1:3] == env.render().splitlines()[1:3]
    vector = SkyjoVectorEnv(2, render_mode="rgb_array", render_size=(320, 200))
    vector.reset(seed=1)
    pictures: Any = vector.render()
    assert [picture.shape for picture in pictures] == [(200, 320, 3)] * 2


@pytest.mark.statistical
def test_rewards_over_many_rounds_are_fair_between_equal_players() -> None:
    """Random against random at a random seat: the mean margin is 0 within four standard errors."""
    env = SkyjoVectorEnv(2000, opponents=["random"], autoreset_mode="SameStep")
    observations, infos = env.reset(seed=77)
    agent, chances = make_agent("random"), np.arange(2000, dtype=np.uint64)
    rewards: list[float] = []
    for _ in range(90):
        actions = agent.act(observations, infos["action_mask"], chances)
        observations, earned, terminated, _, infos = env.step(actions)
        rewards += earned[terminated].tolist()
    assert len(rewards) > 2000
    assert abs(np.mean(rewards)) < 4 * np.std(rewards) / len(rewards) ** 0.5


def test_deals_follow_each_other_at_every_table() -> None:
    env = SkyjoVectorEnv(3, opponents=[Nth()], autoreset_mode="SameStep")
    _, infos = env.reset(seed=5)
    deals = [env._tables.tables["deal"].tolist()]
    for _ in range(200):
        _, _, terminated, _, infos = env.step(infos["action_mask"].argmax(1))
        if terminated[0]:
            deals.append(env._tables.tables["deal"].tolist())
    first = [deal[0] for deal in deals]
    assert all(later == earlier + 1 for earlier, later in pairwise(first))
    assert first[0] == 0


@pytest.mark.parametrize("mode", MODES)
def test_many_tables_may_lose(mode: AutoresetMode) -> None:
    env = SkyjoVectorEnv(64, illegal="lose", autoreset_mode=mode)
    env.reset(seed=1)
    _, rewards, terminated, _, _ = env.step(np.zeros(64, np.int64))  # nobody can draw before the opening is over
    assert terminated.all()
    assert set(rewards.tolist()) == {-3.12}
    _, _, terminated, _, infos = env.step(np.full(64, 14))
    assert not terminated.any()  # a new episode has begun, or its first card is turned up
    with pytest.raises(CallError, match="table 63: action 99 must be from 0 to 25"):
        env.step(np.append(infos["action_mask"].argmax(1)[:63], 99))
