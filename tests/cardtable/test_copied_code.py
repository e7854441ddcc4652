"""Copies, pickles and read-only arrays run the code that is there: they compile nothing of their own."""

import copy
import pickle
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

import skipbo_env
import skyjo_env
from cardtable.table.agents.agents import rng_states_of
from cardtable.table.compiling.compile_progress import PROGRESS
from cardtable.table.compiling.compiler import config
from cardtable.table.errors import AgentError
from skipbo_env import SkipboEnv, SkipboVectorEnv, skipbo_v0
from skyjo_env import SkyjoEnv, SkyjoVectorEnv, skyjo_v0

pytestmark = pytest.mark.skipif(config.DISABLE_JIT, reason="nothing is compiled")

HERE: dict[str, Any] = {"skyjo": skyjo_env, "skipbo": skipbo_env}
SEATS: dict[str, Any] = {"skyjo": skyjo_v0, "skipbo": skipbo_v0}
SINGLE: dict[str, Any] = {"skyjo": SkyjoEnv, "skipbo": SkipboEnv}
VECTOR: dict[str, Any] = {"skyjo": SkyjoVectorEnv, "skipbo": SkipboVectorEnv}
AGENTS = {"skyjo": "tempo", "skipbo": "planner"}

Thing = tuple[Any, Callable[[Any], Any]]  # what can be copied, and a step of it


def signatures() -> set[Any]:
    """All compiled functions that are there, with the types of their arguments."""
    return {(function, types) for function in PROGRESS._ours for types in function.overloads}


def game(name: str) -> Thing:
    def step(game: Any) -> None:
        game.apply(game.legal_actions()[0])
        game.observation(0)
        game.outcomes(game.legal_actions()[0])
        game.play(game.legal_actions()[0])
        HERE[name].Game.from_state(game.rules, game.state)

    return HERE[name].Game(seed=1), step


def batch(name: str) -> Thing:
    def step(batch: Any) -> None:
        batch.step(batch.masks.argmax(axis=1))
        batch.reset(seed=2)
        batch.restore(batch.state())
        batch.select([0]).step(batch.masks[:1].argmax(axis=1))

    return HERE[name].GameBatch(n=2), step


def all_seats(name: str) -> Thing:
    def step(env: Any) -> None:
        env.step(int(env.last()[0]["action_mask"].argmax()))
        env.observe(env.possible_agents[1])
        env._reward_seats()  # as at the end of a round

    env = SEATS[name].env()
    env.reset(seed=1)
    return env, step


def one_seat(name: str) -> Thing:
    def step(env: Any) -> None:
        env.step(int(env.action_masks().argmax()))
        env.reset(seed=2)

    env = SINGLE[name](encoding="onehot")
    env.reset(seed=1)
    return env, step


def seats(name: str) -> Thing:
    def step(envs: Any) -> None:
        envs.step(envs.action_masks().argmax(axis=1))
        envs.reset(seed=2)

    envs = VECTOR[name](2, opponents=[AGENTS[name]], encoding="onehot")
    envs.reset(seed=1)
    return envs, step


@pytest.mark.parametrize("name", HERE)
@pytest.mark.parametrize("thing", [game, batch, all_seats, one_seat, seats])
def test_a_copy_compiles_nothing_that_the_original_has_compiled(thing: Callable[[str], Thing], name: str) -> None:
    original, step = thing(name)
    twins: list[Callable[[Any], Any]] = [copy.copy, copy.deepcopy, lambda one: pickle.loads(pickle.dumps(one))]
    copies = [other(twin(original)) for twin in twins[1:] for other in twins]
    step(original)
    there = signatures()
    for each in copies:
        step(each)
    assert signatures() == there


def read_only(numbers: NDArray[Any]) -> NDArray[Any]:
    """The same numbers, as they come from a file that is mapped into memory."""
    return np.frombuffer(numbers.tobytes(), numbers.dtype).reshape(numbers.shape)


@pytest.mark.parametrize("name", HERE)
def test_given_arrays_may_be_read_only_and_of_any_whole_numbers(name: str) -> None:
    here, tables = HERE[name], HERE[name].GameBatch(n=2)
    agent, rng_states = here.make_agent(AGENTS[name]), rng_states_of(tables.observations)
    ways: list[Callable[[NDArray[Any]], Any]] = [np.array, read_only, lambda numbers: numbers.astype(np.int32)]
    compiled = []
    for way in ways:
        given = way(tables.observations)
        here.GameBatch.sample(here.OFFICIAL, given).step(way(tables.masks.argmax(axis=1)))
        tables.copy().step(tables.masks.argmax(axis=1).tolist())
        rng_states_of(given)
        agent.act(given, way(tables.masks), rng_states)
        tables.restore({part: read_only(numbers) for part, numbers in tables.state().items()})
        compiled.append(signatures())
    assert all(more == compiled[0] for more in compiled)


@pytest.mark.parametrize("name", ["random", AGENTS["skyjo"], "rollout:n=2"])
def test_chances_must_be_writable(name: str) -> None:
    """Compiled code would write into whatever they are."""
    tables = skyjo_env.GameBatch(n=2)
    rng_states = read_only(rng_states_of(tables.observations))
    with pytest.raises(AgentError, match="chances must be a writable array of generator states"):
        skyjo_env.make_agent(name).act(tables.observations, tables.masks, rng_states)
