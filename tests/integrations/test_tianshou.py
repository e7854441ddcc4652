"""Tianshou: its collector plays our environments with legal actions, and stores what the environments give."""

from typing import Any

import gymnasium
import numpy as np
import pytest
from gymnasium import spaces
from gymnasium.wrappers import TransformObservation

pytest.importorskip("tianshou")

from tianshou.algorithm.modelfree.dqn import DiscreteQLearningPolicy
from tianshou.algorithm.multiagent.marl import MultiAgentOffPolicyAlgorithm
from tianshou.algorithm.random import MARLRandomDiscreteMaskedOffPolicyAlgorithm
from tianshou.data import Collector, VectorReplayBuffer
from tianshou.env import DummyVectorEnv, PettingZooEnv
from tianshou.utils.net.common import Net

from skyjo_env import skyjo_v0

SINGLE = "skyjo_env:skyjo/Skyjo-v0"


def table(**options: Any) -> Any:
    """All seats of a table in Tianshou's wrapper."""
    return PettingZooEnv(skyjo_v0.env(**options))


def seat(**options: Any) -> Any:
    """One seat, with the mask where Tianshou looks for it: in the observation."""
    env = gymnasium.make(SINGLE, **options)
    one: Any = env.unwrapped
    space = spaces.Dict({"obs": env.observation_space, "mask": spaces.MultiBinary(one.rules.actions)})
    return TransformObservation(env, lambda observation: {"obs": observation, "mask": one.action_masks()}, space)


def collect(policy: Any, make: Any, episodes: int, seed: int, **options: Any) -> tuple[Any, Any]:
    """Let the policy play at two tables, those of seed and seed + 1; returns the statistics and the buffer."""
    np.random.seed(seed)  # noqa: NPY002  # where Tianshou draws from
    envs = DummyVectorEnv([lambda: make(**options)] * 2)
    envs.seed(seed)
    buffer = VectorReplayBuffer(10_000, 2)
    collector = Collector(policy, envs, buffer, exploration_noise=True)
    return collector.collect(n_episode=episodes, reset_before_collect=True), buffer


def transitions(buffer: Any, number: int) -> Any:
    """What was stored of one table, in order."""
    part = buffer.buffers[number]
    return part[: len(part)]


# The whole table


def random_players(**options: Any) -> Any:
    """For every seat Tianshou's player that chooses among the legal actions at random."""
    env = table(**options)
    players = [MARLRandomDiscreteMaskedOffPolicyAlgorithm(env.action_space) for _ in env.agents]
    return MultiAgentOffPolicyAlgorithm(algorithms=players, env=env)


@pytest.mark.parametrize(
    "options",
    [
        {"players": 2},
        {"players": 4, "shaping": "expected_margin"},
        {"players": 3, "reward": "win", "encoding": "onehot"},
        {"players": 2, "rules": "max_turns=5"},
    ],
    ids=str,
)
def test_tianshou_stores_what_every_seat_sees_and_gets(options: dict[str, Any]) -> None:
    result, buffer = collect(random_players(**options), table, 4, seed=3, **options)
    returns = []
    for number in range(2):
        own = skyjo_v0.raw_env(**options)  # an illegal action is an error
        own.reset(seed=3 + number)
        own.reset()  # collecting begins with a reset
        total = np.zeros(own.rules.players)
        for step in transitions(buffer, number):
            seen = own.observe(own.agent_selection)
            assert step.obs.agent_id == own.agent_selection
            assert step.obs.obs.tolist() == seen["observation"].tolist()
            assert step.obs.mask.tolist() == seen["action_mask"].tolist()
            own.step(int(step.act))
            assert step.rew.tolist() == [own.rewards[agent] for agent in own.possible_agents]
            assert (step.terminated, step.truncated) == (own.terminations["player_0"], own.truncations["player_0"])
            total += step.rew
            if step.done:
                returns.append(total.tolist())
                own.reset()
                total[:] = 0
    assert sorted(returns) == pytest.approx(np.array(sorted(result.returns.tolist())))
    assert result.n_collected_episodes == len(returns) == 4


# One seat


def q_learner(**options: Any) -> Any:
    """An untrained Q-learner, which follows its network in half of its decisions."""
    env = seat(**options)
    (size,), actions = env.observation_space["obs"].shape, int(env.action_space.n)
    network = Net(state_shape=size, action_shape=actions, hidden_sizes=[16])
    return DiscreteQLearningPolicy(model=network, action_space=env.action_space, eps_inference=0.5)


@pytest.mark.parametrize("options", [{}, {"players": 4, "shaping": "expected_margin", "encoding": "onehot"}], ids=str)
def test_tianshou_stores_what_one_seat_sees_and_gets(options: dict[str, Any]) -> None:
    result, buffer = collect(q_learner(**options), seat, 6, seed=3, **options)
    episodes = 0
    for number in range(2):
        own = gymnasium.make(SINGLE, **options)  # an illegal action is an error
        own.reset(seed=3 + number)
        observation, info = own.reset()  # collecting begins with a reset
        for step in transitions(buffer, number):
            assert step.obs.obs.tolist() == observation.tolist()
            assert step.obs.mask.tolist() == info["action_mask"].tolist()
            observation, reward, terminated, truncated, info = own.step(int(step.act))
            assert (step.rew, step.terminated, step.truncated) == (reward, terminated, truncated)
            if step.done:
                assert step.info.round_scores.tolist() == list(info["round_scores"])
                episodes += 1
                observation, info = own.reset()
    assert result.n_collected_episodes == episodes == 6
