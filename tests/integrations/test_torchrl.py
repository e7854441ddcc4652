"""TorchRL: its wrappers play our environments with legal actions, and see what the environments give."""

from typing import Any

import gymnasium
import pytest

pytest.importorskip("torchrl")

import torch
from torchrl.data import Binary
from torchrl.envs import (
    ActionMask,
    GymEnv,
    PettingZooWrapper,
    TransformedEnv,
    check_env_specs,
    default_info_dict_reader,
)

from skyjo_env import skyjo_v0

SINGLE = "skyjo_env:skyjo/Skyjo-v0"

# It says so for every other version; what it wraps has not changed.
pytestmark = pytest.mark.filterwarnings(
    "ignore:PettingZoo in TorchRL is tested using version:UserWarning:torchrl.envs.libs.pettingzoo"
)


def table(**options: Any) -> Any:
    """All seats of a table in TorchRL's wrapper."""
    return PettingZooWrapper(skyjo_v0.env(**options), use_mask=True)


def seat(**options: Any) -> Any:
    """One seat in TorchRL's wrapper, which takes the mask from the info."""
    env = GymEnv(SINGLE, categorical_action_encoding=True, **options)
    mask = Binary(env.action_spec.n, dtype=torch.int8)
    return TransformedEnv(env.set_info_dict_reader(default_info_dict_reader(["action_mask"], [mask])), ActionMask())


def at_random(env: Any, steps: int, seed: int, *, restarts: bool = True) -> Any:
    """Legal actions at random: TorchRL's own choice where no policy is given."""
    torch.manual_seed(seed)
    env.set_seed(seed)
    return env.rollout(steps, break_when_any_done=not restarts)


# The whole table


@pytest.mark.parametrize("options", [{"players": 2}, {"players": 4}, {"players": 3, "encoding": "onehot"}], ids=str)
def test_torchrls_check_of_the_specs_finds_nothing_wrong_at_the_table(options: dict[str, Any]) -> None:
    check_env_specs(table(**options))


@pytest.mark.parametrize("players", [2, 4])
def test_a_rollout_ends_with_the_round_and_every_seat_is_rewarded(players: int) -> None:
    env = table(players=players)
    last = at_random(env, 5000, seed=players, restarts=False)[-1]["next"]
    assert last["done"].item()
    rewards = [last[agent, "reward"].item() for agent in env.possible_agents]
    assert any(rewards)
    assert sum(rewards) == pytest.approx(0, abs=1e-6)


@pytest.mark.parametrize(
    "options",
    [
        {"players": 2},
        {"players": 4, "shaping": "expected_margin"},
        {"players": 3, "reward": "win", "encoding": "onehot"},
        {"players": 2, "rules": "max_turns=5"},
        {"players": 2, "episode": "game", "rules": "target_score=50"},
    ],
    ids=str,
)
def test_torchrl_shows_every_seat_what_the_environment_shows_and_rewards(options: dict[str, Any]) -> None:
    own = skyjo_v0.raw_env(**options)  # an illegal action is an error
    own.reset(seed=5)
    own.reset()  # each of TorchRL's rollouts begins with a reset
    episodes = 0
    for step in at_random(table(**options), 400, seed=5):
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


# All seats in every step


@pytest.mark.parametrize("options", [{"players": 2}, {"players": 4, "shaping": "expected_margin"}], ids=str)
def test_torchrl_plays_the_parallel_table_with_legal_actions_and_sees_what_it_shows(options: dict[str, Any]) -> None:
    """A mask without any legal action, as PettingZoo's own wrapper gives those who wait, would not pass the check."""
    env = PettingZooWrapper(skyjo_v0.parallel_env(**options), categorical_actions=True)
    check_env_specs(env)
    own = skyjo_v0.parallel_env(**options)
    own.reset(seed=5)
    seen, _ = own.reset()  # each of TorchRL's rollouts begins with a reset
    for step in at_random(env, 400, seed=5):
        players, outcome = step["player"], step["next", "player"]
        for seat, agent in enumerate(own.possible_agents):
            assert players["action_mask"][seat].tolist() == (seen[agent]["action_mask"] == 1).tolist()
            assert players["action_mask"][seat][players["action"][seat]]
            assert players["observation", "observation"][seat].tolist() == seen[agent]["observation"].tolist()
        seen, rewards, *_ = own.step(dict(zip(own.possible_agents, players["action"].tolist(), strict=True)))
        assert outcome["reward"].flatten().tolist() == pytest.approx(list(rewards.values()), abs=1e-6)
        assert step["next", "done"].item() == (not own.agents)
        if not own.agents:
            seen, _ = own.reset()


# One seat


@pytest.mark.parametrize("options", [{}, {"players": 4, "encoding": "onehot"}], ids=str)
def test_torchrls_check_of_the_specs_finds_nothing_wrong_at_one_seat(options: dict[str, Any]) -> None:
    check_env_specs(seat(**options))


@pytest.mark.parametrize("options", [{}, {"players": 4, "shaping": "expected_margin"}], ids=str)
def test_torchrl_shows_one_seat_what_the_environment_shows_and_rewards(options: dict[str, Any]) -> None:
    own = gymnasium.make(SINGLE, **options)  # an illegal action is an error
    own.reset(seed=5)
    observation, info = own.reset()  # each of TorchRL's rollouts begins with a reset
    episodes = 0
    for step in at_random(seat(**options), 200, seed=5):
        assert step["observation"].tolist() == observation.tolist()
        assert step["action_mask"].tolist() == info["action_mask"].tolist()
        observation, reward, terminated, truncated, info = own.step(step["action"].item())
        outcome = step["next"]
        assert outcome["reward"].item() == pytest.approx(reward, abs=1e-6)
        assert (outcome["terminated"].item(), outcome["truncated"].item()) == (terminated, truncated)
        if outcome["done"].item():
            episodes += 1
            observation, info = own.reset()
    assert episodes >= 2
