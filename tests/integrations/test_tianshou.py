"""Tianshou: its collector plays the table with legal actions, and stores what the environment gives."""

from typing import Any

import numpy as np
import pytest

pytest.importorskip("tianshou")

from tianshou.algorithm.multiagent.marl import MultiAgentOffPolicyAlgorithm
from tianshou.algorithm.random import MARLRandomDiscreteMaskedOffPolicyAlgorithm
from tianshou.data import Collector, VectorReplayBuffer
from tianshou.env import DummyVectorEnv, PettingZooEnv

from skyjo_env import skyjo_v0


def collect(options: dict[str, Any], episodes: int, seed: int) -> tuple[Any, Any]:
    """Let players that choose at random play at two tables, those of seed and seed + 1; statistics and the buffer."""
    np.random.seed(seed)  # noqa: NPY002  # where Tianshou draws from
    env = PettingZooEnv(skyjo_v0.env(**options))
    players = [MARLRandomDiscreteMaskedOffPolicyAlgorithm(env.action_space) for _ in env.agents]
    envs = DummyVectorEnv([lambda: PettingZooEnv(skyjo_v0.env(**options))] * 2)
    envs.seed(seed)
    buffer = VectorReplayBuffer(10_000, 2)
    policy = MultiAgentOffPolicyAlgorithm(algorithms=players, env=env)
    collector = Collector(policy, envs, buffer, exploration_noise=True)
    return collector.collect(n_episode=episodes, reset_before_collect=True), buffer


def test_tianshou_stores_what_every_seat_sees_and_gets() -> None:
    options: dict[str, Any] = {"players": 3, "shaping": "expected_margin", "encoding": "onehot"}
    result, buffer = collect(options, 4, seed=3)
    returns = []
    for number, part in enumerate(buffer.buffers):
        own = skyjo_v0.raw_env(**options)  # an illegal action is an error
        own.reset(seed=3 + number)
        own.reset()  # collecting begins with a reset
        total = np.zeros(own.rules.players)
        for step in part[: len(part)]:
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
