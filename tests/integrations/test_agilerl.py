"""AgileRL: its learners choose legal actions in our environments and keep the masks that they chose by."""

from typing import Any

import gymnasium
import numpy as np
import pytest

pytest.importorskip("agilerl")

from skyjo_env import skyjo_v0

# AgileRL's own, some of them when it is imported, which therefore happens in the tests.
pytestmark = pytest.mark.filterwarnings("ignore::DeprecationWarning", "ignore::FutureWarning", "ignore::UserWarning")


def test_ppo_keeps_the_mask_of_every_decision_and_chooses_by_it() -> None:
    from agilerl.algorithms import PPO
    from agilerl.rollouts import collect_rollouts

    options: dict[str, Any] = {"players": 3, "encoding": "onehot", "autoreset_mode": "SameStep"}
    env: Any = gymnasium.make_vec("skyjo_env:skyjo/Skyjo-v0", num_envs=8, **options)  # an illegal action is an error
    agent = PPO(env.single_observation_space, env.single_action_space, num_envs=8, learn_step=80)
    collect_rollouts(agent, env, 10)
    kept = agent.rollout_buffer.get_tensor_batch()
    masks, actions = kept["action_masks"], kept["actions"].long().reshape(-1, 1)
    assert masks.sum() < masks.numel()
    assert (masks.gather(1, actions) == 1).all()


@pytest.mark.parametrize("players", [2, 4])
def test_ippo_chooses_legal_actions_in_every_seat(players: int) -> None:
    from agilerl.algorithms import IPPO

    env = skyjo_v0.parallel_env(players=players, encoding="onehot", rules="max_turns=8")
    agents = env.possible_agents
    spaces = [env.observation_space(agent)["observation"] for agent in agents]
    learner = IPPO(spaces, [env.action_space(agent) for agent in agents], agent_ids=agents)
    observations, _ = env.reset(seed=1)
    while env.agents:
        seen = {agent: observations[agent]["observation"] for agent in agents}
        masks = {agent: {"action_mask": observations[agent]["action_mask"].tolist()} for agent in agents}
        chosen, *_ = learner.get_action(seen, masks)
        actions = {agent: int(np.asarray(chosen[agent]).item()) for agent in agents}
        assert all(observations[agent]["action_mask"][actions[agent]] for agent in agents)
        observations, *_ = env.step(actions)
