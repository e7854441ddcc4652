"""Many tables in one Gymnasium vector environment: step by step what N single environments do."""

import copy
import threading
from typing import Any

import numpy as np
import pytest
from gymnasium.utils.env_checker import data_equivalence
from gymnasium.vector import AutoresetMode, SyncVectorEnv
from numpy.typing import NDArray

from cardtable.table.errors import CallError, TableError
from tests.games.under_test import GameUnderTest, Options

MODES = tuple(AutoresetMode)


def singles(game: GameUnderTest, n: int, mode: AutoresetMode, **options: Any) -> SyncVectorEnv:
    """As many environments for one seat in Gymnasium's own vector."""
    return SyncVectorEnv([lambda: game.single(**options) for _ in range(n)], autoreset_mode=mode)


def reset_both(ours: Any, theirs: Any, where: NDArray[np.bool_], **options: Any) -> Any:
    """Reset these tables of two vectors, which must then show the same; returns what they show."""
    chosen = {"reset_mask": where, **options.pop("options", {})}
    seen = ours.reset(options=chosen, **options)
    assert "reset_mask" in chosen  # Gymnasium's vector takes it out, and then RecordEpisodeStatistics does not find it
    assert data_equivalence(seen, theirs.reset(options=chosen.copy(), **options), exact=True)
    return seen


@pytest.mark.parametrize("mode", MODES)
def test_resets_of_some_tables_leave_the_others_as_they_are(game: GameUnderTest, mode: AutoresetMode) -> None:
    """Seeds for all, for some and for none of them, a chosen deal, and running as well as ended tables."""
    n, chance = 30, np.random.default_rng(3)
    ours = game.vector(n, "max_turns=12", opponents=[game.nth], autoreset_mode=mode)
    theirs = singles(game, n, mode, rules="max_turns=12", opponents=[game.nth])
    seen = ours.reset(seed=4)
    assert data_equivalence(seen, theirs.reset(seed=4), exact=True)
    seeds = [None if number % 3 else number for number in range(n)]
    resets: list[Options] = [{}, {"seed": 70}, {"seed": seeds}, {"options": {"deal": 5}}, {}]
    for step, options in enumerate(resets * 3):
        actions = game.nth.choices(seen[0], ours.action_masks())
        seen = ours.step(actions)
        assert data_equivalence(seen, theirs.step(actions), exact=True)
        if mode is AutoresetMode.DISABLED:
            seen[0][...] = 0  # what was handed out belongs to the caller
        where = seen[2] | seen[3] | (chance.random(n) < 0.2 * (step % 3)) | (np.arange(n) == step)
        seen = reset_both(ours, theirs, where, **options)
    assert data_equivalence(ours.reset(), theirs.reset(), exact=True)


def test_an_ended_table_must_be_reset_before_a_step(game: GameUnderTest) -> None:
    env = game.vector(3, "max_turns=8", opponents=[game.nth], autoreset_mode="Disabled")
    _, infos = env.reset(seed=5)
    ended = np.zeros(3, np.bool_)
    while not ended.any():
        observations, _, terminated, truncated, infos = env.step(env.action_masks().argmax(1))
        ended = terminated | truncated
    first, state = int(ended.argmax()), env._tables.state()
    for where in (None, ~ended):
        if where is not None and where.any():
            env.reset(options={"reset_mask": where})
            state = env._tables.state()
        with pytest.raises(CallError, match=rf"table {first}: its episode has ended: call reset\(options="):
            env.step(env.action_masks().argmax(1))
        assert all(np.array_equal(array, state[name]) for name, array in env._tables.state().items())
    assert not infos["action_mask"][ended].any()
    seen, infos = env.reset(options={"reset_mask": ended})
    assert not np.array_equal(seen[first], observations[first])
    assert infos["_action_mask"].tolist() == ended.tolist()
    assert env.action_masks().any(axis=1).all()
    env.step(env.action_masks().argmax(1))


def test_resets_of_some_tables_refuse_what_gymnasium_refuses(game: GameUnderTest) -> None:
    env, some = game.vector(2, autoreset_mode="Disabled"), np.array([True, False])
    with pytest.raises(CallError, match=r"no episode has begun: call reset\(\) for every table before"):
        env.reset(options={"reset_mask": some})
    env.reset(seed=1)
    for mask in ([True, False], some[:1], some.astype(np.int8), ~some & some, None):
        with pytest.raises(TableError, match=r"reset_mask must be an array \(bool\) with one for each of 2 tables"):
            env.reset(options={"reset_mask": mask})
    with pytest.raises(TableError, match="unknown reset option deals; the only options are deal, reset_mask"):
        env.reset(options={"deals": 1})
    env.step(env.action_masks().argmax(1))


def test_arrays_that_were_handed_out_are_never_overwritten(game: GameUnderTest) -> None:
    env = game.vector(4, opponents=[game.nth], autoreset_mode="SameStep")
    seen: list[Any] = [env.reset(seed=1)]
    kept = copy.deepcopy(seen)
    for _ in range(60):
        seen.append(env.step(seen[-1][-1]["action_mask"].argmax(1)))
        kept.append(copy.deepcopy(seen[-1]))
    for one, other in zip(seen, kept, strict=True):
        assert data_equivalence(one, other, exact=True)


def test_tables_answer_as_single_environments_do(game: GameUnderTest) -> None:
    options: Options = {"players": 3, "opponents": [game.nth], "render_mode": "ansi"}
    ours, theirs = game.vector(3, **options), singles(game, 3, MODES[0], **options)
    for env in (ours, theirs):
        env.reset(seed=8)
    names = ("action_masks", "render", "rules", "render_mode", "action_space", "observation_space", "spec", "card_game")
    for name in names:
        assert data_equivalence(ours.call(name), theirs.call(name), exact=True), name
        assert data_equivalence(ours.get_attr(name), theirs.get_attr(name), exact=True), name
    for call in (ours.call, ours.get_attr):
        with pytest.raises(AttributeError, match=f"the tables of a {game.vector.__name__} have no method 'step'"):
            call("step")


def test_wrong_arguments_are_named(game: GameUnderTest) -> None:
    for name, wrong in [("autoreset_mode", "same"), ("num_envs", 0), ("num_envs", 1.5)]:
        with pytest.raises(ValueError, match=f"{name}=|not a valid AutoresetMode"):
            game.vector(**{"num_envs": 2, name: wrong})


def test_a_saved_state_goes_on_alike(game: GameUnderTest) -> None:
    env, twin = (game.vector(5, game.quick_rules, opponents=["random"], autoreset_mode="SameStep") for _ in range(2))
    seen, infos = env.reset(seed=3)
    for _ in range(20):
        seen, _, _, _, infos = env.step(infos["action_mask"].argmax(1))
    restored, told = twin.restore(env.state())
    assert np.array_equal(restored, seen)
    assert all(np.array_equal(told[name], infos[name]) for name in ("seat", "round", "action_mask"))
    for _ in range(40):
        actions = infos["action_mask"].argmax(1)
        ours, theirs = env.step(actions), twin.step(actions)
        assert data_equivalence(ours, theirs, exact=True)
        infos = ours[4]


def test_threads_that_copy_a_vector_or_seat_others_wait_until_its_step_is_done(game: GameUnderTest) -> None:
    """Each comes while an opponent decides: another opponent's lines, or a copy, would be of half a step."""
    env: Any
    copies: list[Any] = []
    work: list[Any] = [lambda: env.set_opponents("random"), lambda: copies.append(copy.deepcopy(env))]
    threads: list[threading.Thread] = []

    def opponent(observations: NDArray[Any], masks: NDArray[Any]) -> Any:  # noqa: ARG001
        while work:
            threads.append(threading.Thread(target=work.pop()))
            threads[-1].start()
            threads[-1].join(0.1)
            assert threads[-1].is_alive()
        return masks.argmax(1)

    env = game.vector(5, seat=0, opponents=[opponent])
    _, infos = env.reset(seed=4)
    while not threads:
        _, _, _, _, infos = env.step(infos["action_mask"].argmax(1))
    for thread in threads:
        thread.join()
    actions = infos["action_mask"].argmax(1)
    for each in (env, *copies):
        each.step(actions)
