"""TorchRL: its wrapper plays the table with legal actions, and sees what the environment gives."""

from typing import Any

import pytest

pytest.importorskip("torchrl")

import torch
from torchrl.envs import PettingZooWrapper

from skyjo_env import skyjo_v0

# It says so for every other version; what it wraps has not changed.
pytestmark = pytest.mark.filterwarnings(
    "ignore:PettingZoo in TorchRL is tested using version:UserWarning:torchrl.envs.libs.pettingzoo"
)


def test_torchrl_shows_every_seat_what_the_environment_shows_and_rewards() -> None:
    options: dict[str, Any] = {"players": 3, "shaping": "expected_margin", "encoding": "onehot"}
    own = skyjo_v0.raw_env(**options)  # an illegal action is an error
    own.reset(seed=5)
    own.reset()  # each of TorchRL's rollouts begins with a reset
    torch.manual_seed(5)
    wrapped = PettingZooWrapper(skyjo_v0.env(**options), use_mask=True)
    wrapped.set_seed(5)
    episodes = 0
    for step in wrapped.rollout(400, break_when_any_done=False):  # legal actions at random, without a policy
        check_decision(own, step)
        own.step(step[own.agent_selection, "action"].item())
        check_outcome(own, step["next"])
        if step["next", "done"].item():
            episodes += 1
            own.reset()
    assert episodes >= 2


def check_decision(own: Any, step: Any) -> None:
    """The same agent is asked, sees the same, and may do the same."""
    decider = own.agent_selection
    for agent in own.possible_agents:
        assert step[agent, "mask"].item() == (agent == decider)
        assert step[agent, "observation", "observation"][0].tolist() == own.observe(agent)["observation"].tolist()
    assert step[decider, "action_mask"][0].tolist() == own.observe(decider)["action_mask"].tolist()


def check_outcome(own: Any, outcome: Any) -> None:
    """Everybody gets the same, and ends in the same way."""
    assert outcome["done"].item() == own.game.is_over
    for agent in own.possible_agents:
        assert outcome[agent, "reward"].item() == pytest.approx(own.rewards[agent], abs=1e-6)
        assert outcome[agent, "terminated"].item() == own.terminations[agent]
        assert outcome[agent, "truncated"].item() == own.truncations[agent]
