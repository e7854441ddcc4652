"""Batches and environments in several threads: the results are the same as in one, and no thread outlives them."""

import copy
import gc
import os
import pickle
import random
import threading
import time
import warnings
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import skipbo_env
import skyjo_env
from cardtable import table_threads
from cardtable.agents import RandomAgent
from cardtable.errors import CallError, TableError
from cardtable.kernel.waiting import ASLEEP
from cardtable.slices import Encoding
from cardtable.table_threads import BLOCK, MOST_THREADS, TableThreads
from skipbo_env.envs import SkipboVectorEnv
from skyjo_env.envs import SkyjoVectorEnv
from tests.helpers import first_quick
from tests.skipbo_env import tables as skipbo_tables
from tests.skyjo_env import lockstep as skyjo_lockstep

GAMES = {
    "skyjo": (skyjo_env, SkyjoVectorEnv, skyjo_lockstep.random_rules),
    "skipbo": (skipbo_env, SkipboVectorEnv, skipbo_tables.random_rules),
}
MANY = 3 * BLOCK + 5  # tables: four parts, the last one short


def random_actions(masks: Any, chances: Any) -> Any:
    return RandomAgent(None).act(np.zeros((len(masks), 1), np.int16), masks, chances)


def same(one: Any, other: Any) -> bool:
    """Are these the same arrays, in whatever they are packed?"""
    if isinstance(one, dict):
        return one.keys() == other.keys() and all(same(one[key], other[key]) for key in one)
    if isinstance(one, list | tuple):
        return len(one) == len(other) and all(map(same, one, other))
    if isinstance(one, np.ndarray):
        if one.dtype == object:
            return same(list(one), list(other))
        return (one.dtype, one.shape, one.tobytes()) == (other.dtype, other.shape, other.tobytes())
    return bool(one == other)


class ByPlace:
    """Decides by where a table stands among those that it is asked for, and by how often it has been asked."""

    def __init__(self) -> None:
        self.calls: list[int] = []

    def act(self, _: Any, masks: Any, chances: Any) -> Any:
        self.calls.append(len(masks))
        chances += np.arange(len(masks), dtype=np.uint64) + np.uint64(len(self.calls))
        return random_actions(masks, chances)


class Wrong(ByPlace):
    """Decides for an illegal action at some tables, in one of its calls."""

    at = 0

    def act(self, observations: Any, masks: Any, chances: Any) -> Any:
        actions = super().act(observations, masks, chances)
        if len(self.calls) == self.at:
            actions[len(actions) // 3 :] = masks[len(actions) // 3 :].argmin(axis=1)
        return actions


def threads_alive() -> int:
    return sum(thread.name.startswith("tables-") for thread in threading.enumerate())


def wait_for(condition: Callable[[], bool]) -> None:
    """Wait until it holds. If it never does, the time limit of the whole run ends the test."""
    while not condition():
        gc.collect()
        time.sleep(0.01)


def test_tables_are_shared_in_whole_blocks_that_cover_them_all() -> None:
    for tables in (1, BLOCK, BLOCK + 1, MANY, 4096):
        for threads in (1, 2, 3, 7, MOST_THREADS):
            parts = TableThreads(threads, tables).parts
            assert len(parts) == min(threads, -(-tables // BLOCK))
            assert [number for part in parts for number in range(part.start, part.stop)] == list(range(tables))
            assert all(part.start % BLOCK == 0 for part in parts)
            if tables == 4096 and threads < 8:
                sizes = [part.stop - part.start for part in parts]
                assert max(sizes) - min(sizes) <= BLOCK


@pytest.mark.parametrize("name", GAMES)
@pytest.mark.parametrize("threads", first_quick(1, [3, 2, 9]))
def test_a_batch_plays_the_same_with_any_number_of_threads(name: str, threads: int) -> None:
    package, _, random_rules = GAMES[name]
    for seed in range(4):
        rules, restart = random_rules(random.Random(seed)), seed % 2 == 0
        one, many = (
            package.GameBatch(rules, MANY, seed=seed, episode="round", restart=restart, threads=each)
            for each in (1, threads)
        )
        chances = np.arange(MANY, dtype=np.uint64)
        for _ in range(60):
            actions = np.zeros(MANY, np.int64)
            running = one.masks.any(axis=1)
            actions[running] = random_actions(one.masks[running], chances[running])
            chances += np.uint64(1)
            assert same(one.step(actions), many.step(actions))
            shown = [(batch.observations, batch.masks, batch.seats, batch.phases, batch.deals) for batch in (one, many)]
            assert same(*shown)
            assert same(one.state(), many.state())


@pytest.mark.parametrize("name", GAMES)
def test_the_first_illegal_action_is_told_wherever_it_is_and_nothing_changes(name: str) -> None:
    package, _, _ = GAMES[name]
    batches = [package.GameBatch(n=MANY, threads=threads) for threads in (1, 4)]
    legal = batches[0].masks.argmax(axis=1)
    for wrong in ([0], [BLOCK - 1], [BLOCK], [MANY - 1], [2 * BLOCK + 1, BLOCK + 7], [MANY - 1, 3], range(MANY)):
        actions = legal.copy()
        actions[list(wrong)] = 2000
        told = []
        for batch in batches:
            before = batch.state(), batch.observations.copy(), batch.masks.copy()
            with pytest.raises(TableError) as error:
                batch.step(actions)
            told.append(str(error.value))
            assert same(before, (batch.state(), batch.observations, batch.masks))
        assert told[0] == told[1]
        assert told[0].startswith(f"table {min(wrong)}: ")


OPPONENTS: dict[str, Callable[[], list[Any]]] = {
    "random, compiled": lambda: [RandomAgent(None)],
    "by name": lambda: ["random"],
    "Python": lambda: [ByPlace()],
    "both": lambda: [RandomAgent(None), ByPlace(), RandomAgent(None)],
    "two of Python": lambda: [ByPlace(), ByPlace(), RandomAgent(None)],
}


@pytest.mark.parametrize("name", GAMES)
@pytest.mark.parametrize(
    ("opponents", "mode", "encoding"),
    first_quick(
        3,
        [
            ("random, compiled", "NextStep", "compact"),
            ("by name", "SameStep", "compact"),
            ("Python", "NextStep", "onehot"),
            ("both", "NextStep", "compact"),
            ("two of Python", "SameStep", "onehot"),
            ("by name", "NextStep", "onehot"),
        ],
    ),
)
def test_an_environment_plays_the_same_with_any_number_of_threads(
    name: str, opponents: str, mode: str, encoding: Encoding
) -> None:
    _, kind, _ = GAMES[name]
    rules = {"skyjo": "players=4 max_turns=30", "skipbo": "players=4 stock=2"}[name]
    seated = [OPPONENTS[opponents]() for _ in range(2)]
    envs = [
        kind(MANY, rules, opponents=who, autoreset_mode=mode, encoding=encoding, illegal="lose", threads=threads)
        for who, threads in zip(seated, (1, 3), strict=True)
    ]
    seen = [env.reset(seed=3) for env in envs]
    assert same(*seen)
    chances = np.arange(MANY, dtype=np.uint64)
    infos = seen[0][1]
    for _ in range(40):
        masks = infos["action_mask"]
        actions, running = np.zeros(MANY, np.int64), masks.any(axis=1)
        actions[running] = random_actions(masks[running], chances[running])
        chances += np.uint64(1)
        steps = [env.step(actions) for env in envs]
        assert same(*steps)
        infos = steps[0][4]
    for one, other in zip(*seated, strict=True):
        if isinstance(one, ByPlace):
            assert one.calls == other.calls


@pytest.mark.parametrize("name", GAMES)
def test_illegal_actions_in_an_environment_are_told_as_with_one_thread(name: str) -> None:
    _, kind, _ = GAMES[name]
    opponents = [Wrong(), Wrong()]
    envs = [kind(MANY, players=3, opponents=[opponents[k]], threads=threads) for k, threads in enumerate((1, 4))]
    masks = [env.reset(seed=1)[1]["action_mask"] for env in envs][-1]
    actions = masks.argmax(axis=1)
    for wrong in ([0], [BLOCK], [MANY - 1, BLOCK + 3]):
        bad = actions.copy()
        bad[wrong] = masks[wrong].argmin(axis=1)
        told = []
        for env in envs:
            with pytest.raises(TableError, match=f"^table {min(wrong)}: ") as error:
                env.step(bad)
            told.append(str(error.value))
        assert told[0] == told[1]
    told = []
    for env, opponent in zip(envs, opponents, strict=True):
        opponent.at, seen = len(opponent.calls) + 3, masks
        with pytest.raises(TableError, match="agent Wrong") as error:  # noqa: PT012 (one of these steps)
            while len(opponent.calls) < opponent.at:
                seen = env.step(seen.argmax(axis=1))[4]["action_mask"]
        told.append(str(error.value))
        with pytest.raises(CallError, match="the last step was interrupted"):
            env.step(actions)
    assert told[0] == told[1]


@pytest.mark.parametrize("threads", [0, -1, MOST_THREADS + 1, 1.0, "2", True, None])
def test_a_wrong_number_of_threads_is_refused(threads: Any) -> None:
    for make in (skyjo_env.GameBatch, skipbo_env.GameBatch, SkyjoVectorEnv, SkipboVectorEnv):
        with pytest.raises(TableError, match=rf"threads=.* must be a whole number from 1 to {MOST_THREADS}"):
            make(threads=threads)


@pytest.mark.slow
def test_states_do_not_depend_on_the_number_of_threads() -> None:
    one, many = (skyjo_env.GameBatch(n=MANY, seed=4, threads=threads) for threads in (1, 4))
    for _ in range(9):
        one.step(one.masks.argmax(axis=1))
    many.restore(one.state())
    for _ in range(30):
        actions = one.masks.argmax(axis=1)
        assert same(one.step(actions), many.step(actions))
    envs = [SkyjoVectorEnv(MANY, threads=threads) for threads in (1, 4)]
    envs[0].reset(seed=1)
    envs[1]._tables.restore(envs[0]._tables.state())
    for _ in range(30):
        actions = envs[0]._tables.masks.argmax(axis=1)
        assert same(envs[0].step(actions), envs[1].step(actions))


@pytest.mark.parametrize("again", [copy.copy, copy.deepcopy, lambda batch: pickle.loads(pickle.dumps(batch))])
def test_copies_play_on_in_threads_of_their_own(again: Callable[[Any], Any]) -> None:
    batch = skyjo_env.GameBatch(n=MANY, threads=3)
    batch.step(batch.masks.argmax(axis=1))
    twin = again(batch)
    assert twin.threads == 3
    for _ in range(20):
        actions = batch.masks.argmax(axis=1)
        assert same(batch.step(actions), twin.step(actions))
        assert same((batch.observations, batch.deals, batch.state()), (twin.observations, twin.deals, twin.state()))


def test_no_thread_outlives_its_batch_or_environment() -> None:
    wait_for(lambda: threads_alive() == 0)
    batch, env = skyjo_env.GameBatch(n=MANY, threads=4), SkyjoVectorEnv(MANY, threads=3, encoding="onehot")
    env.reset(seed=1)
    assert threads_alive() == 5
    env.close()
    assert threads_alive() == 3
    del batch
    wait_for(lambda: threads_alive() == 0)


def test_one_thread_starts_none() -> None:
    wait_for(lambda: threads_alive() == 0)
    batches = skyjo_env.GameBatch(n=MANY), skyjo_env.GameBatch(n=BLOCK, threads=8)
    assert threads_alive() == 0
    assert [batch.threads for batch in batches] == [1, 8]


@pytest.mark.skipif(not hasattr(os, "fork"), reason="there is no fork here")
def test_a_forked_process_starts_threads_of_its_own() -> None:
    batch = skyjo_env.GameBatch(n=MANY, threads=4)
    actions = batch.masks.argmax(axis=1)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", DeprecationWarning)  # of forks while there are threads
        child = os.fork()
    if child == 0:
        batch.step(actions)
        os._exit(7 if threads_alive() == 3 else 1)
    assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 7
    batch.step(actions)


def test_errors_of_a_part_are_raised_when_all_parts_are_done() -> None:
    team, done = TableThreads(4, MANY), []

    def job(part: int) -> int:
        if part in (1, 2):
            raise ValueError(f"part {part}")
        time.sleep(0.05)
        done.append(part)
        return part

    with pytest.raises(ValueError, match="part 1"):
        team.run(job)
    assert sorted(done) == [0, 3]
    assert team.run(lambda part: part) == [0, 1, 2, 3]


def test_a_part_that_exits_does_so_in_the_thread_of_the_caller() -> None:
    team = TableThreads(2, MANY)

    def job(part: int) -> None:
        if part == 1:
            raise SystemExit("part 1")

    with pytest.raises(SystemExit, match="part 1"):
        team.run(job)
    assert team.run(lambda part: part) == [0, 1]


def test_an_interrupted_step_changes_nothing_and_leaves_no_thread_working() -> None:
    one, batch = (skyjo_env.GameBatch(n=MANY, threads=threads) for threads in (1, 4))
    actions, loop = batch.masks.argmax(axis=1), batch._team.loops[0]
    before, at_work = batch.state(), list(batch._team._threads)

    def interrupted(_: int) -> None:
        raise KeyboardInterrupt

    batch._team.loops[0] = interrupted
    with pytest.raises(KeyboardInterrupt):
        batch.step(actions)
    assert [thread.is_alive() for thread in at_work] == [False] * 3
    assert same(before, batch.state())
    batch._team.loops[0] = loop
    assert same(one.step(actions), batch.step(actions))
    assert same(one.state(), batch.state())


def test_an_interrupted_call_leaves_no_thread_working() -> None:
    team, at_work = TableThreads(4, MANY), []

    def job(part: int) -> None:
        if part == 0:
            at_work.extend(team._threads)
            raise KeyboardInterrupt
        time.sleep(0.02)

    with pytest.raises(KeyboardInterrupt):
        team.run(job)
    assert [thread.is_alive() for thread in at_work] == [False] * 3
    assert team.run(lambda part: part) == [0, 1, 2, 3]


def test_threads_that_sleep_wake_up_for_steps_and_calls() -> None:
    one, many = (skyjo_env.GameBatch(n=MANY, threads=threads) for threads in (1, 4))
    for job in range(12):
        wait_for(lambda: all(member.signals[ASLEEP] for member in many._team._members))
        if job % 3 == 1:
            one.reset(job)
            many.reset(job)
        actions = one.masks.argmax(axis=1)
        assert same(one.step(actions), many.step(actions))
        assert same(one.state(), many.state())


def test_threads_may_finish_a_call_before_it_is_given(monkeypatch: pytest.MonkeyPatch) -> None:
    batch, give = skyjo_env.GameBatch(n=MANY, threads=4), TableThreads._give

    def give_late(team: TableThreads, is_call: bool) -> None:
        time.sleep(0.05 * is_call)
        give(team, is_call)

    batch.step(batch.masks.argmax(axis=1))
    monkeypatch.setattr(TableThreads, "_give", give_late)
    batch.reset()
    batch.step(batch.masks.argmax(axis=1))


def test_an_interrupt_before_all_sleepers_are_woken_leaves_no_thread_waiting(monkeypatch: pytest.MonkeyPatch) -> None:
    one, batch = (skyjo_env.GameBatch(n=MANY, threads=threads) for threads in (1, 4))
    actions = batch.masks.argmax(axis=1)

    def interrupted(_posts: Any, part: int) -> bool:
        if part == 2:
            raise KeyboardInterrupt
        return True

    batch.step(actions)
    one.step(actions)
    time.sleep(0.1)
    with monkeypatch.context() as patched:
        patched.setattr(table_threads, "is_asleep", interrupted)
        with pytest.raises(KeyboardInterrupt):
            batch.step(batch.masks.argmax(axis=1))
    for each in (one, batch):
        each.step(each.masks.argmax(axis=1))
    assert np.array_equal(one.observations, batch.observations)


def test_threads_may_step_one_batch_in_turn() -> None:
    batch = skyjo_env.GameBatch(skyjo_env.Rules(max_turns=4), MANY, restart=False, episode="round", threads=2)
    chances = np.arange(MANY, dtype=np.uint64)
    while (running := batch.masks.any(axis=1)).any():  # finished tables accept any number
        actions = np.zeros(MANY, np.int64)
        actions[running] = random_actions(batch.masks[running], chances[running])
        chances += np.uint64(1)
        batch.step(actions)
    before = batch.state()
    users = [threading.Thread(target=lambda: [batch.step(actions) for _ in range(50)]) for _ in range(4)]
    for user in users:
        user.start()
    for user in users:
        user.join()
    assert same(before, batch.state())


def test_a_team_whose_threads_cannot_all_start_has_none(monkeypatch: pytest.MonkeyPatch) -> None:
    wait_for(lambda: threads_alive() == 0)
    team, start = TableThreads(4, MANY), threading.Thread.start
    started: list[threading.Thread] = []

    def limited(thread: threading.Thread) -> None:
        if len(started) == 2:
            raise RuntimeError("can't start new thread")
        started.append(thread)
        start(thread)

    with monkeypatch.context() as patch:
        patch.setattr(threading.Thread, "start", limited)
        with pytest.raises(RuntimeError, match="can't start new thread"):
            team.run(lambda part: part)
    assert threads_alive() == 0
    team.close()
    assert team.run(lambda part: part) == [0, 1, 2, 3]


def test_threads_that_use_one_batch_wait_for_each_other() -> None:
    team, at_work, most = TableThreads(2, MANY), [0], [0]

    def job(part: int) -> None:
        if part == 0:
            at_work[0] += 1
            most[0] = max(most[0], at_work[0])
            time.sleep(0.001)
            at_work[0] -= 1

    users = [threading.Thread(target=lambda: [team.run(job) for _ in range(20)]) for _ in range(4)]
    for user in users:
        user.start()
    for user in users:
        user.join()
    assert most == [1]
