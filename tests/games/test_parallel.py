"""PettingZoo's parallel API: the same table as with turns, step by step, with a legal action for everybody."""

import pickle
import random
from typing import Any

import numpy as np
import pytest
from pettingzoo.utils.env_logger import EnvLogger

from cardtable.table.errors import CallError, TableError
from tests.games.under_test import GameUnderTest, illegal_at


@pytest.fixture(autouse=True)
def _quiet() -> Any:
    """PettingZoo's warnings are kept in a list, not printed."""
    EnvLogger.suppress_output()
    EnvLogger.flush()
    yield
    EnvLogger.unsuppress_output()


def chosen(env: Any, observations: dict[str, Any], chance: random.Random) -> dict[str, int]:
    """A random legal action for every agent, by the masks alone."""
    return {agent: chance.choice(np.flatnonzero(observations[agent]["action_mask"]).tolist()) for agent in env.agents}


def test_what_agents_choose_that_are_not_to_move_is_ignored(game: GameUnderTest) -> None:
    envs = [game.pettingzoo.parallel_env(players=3) for _ in range(3)]
    seen = [env.reset(seed=4)[0] for env in envs]
    chance = random.Random(4)
    for _ in range(20):
        legal = chosen(envs[0], seen[0], chance)
        to_move = f"player_{envs[0].game.seat}"
        steps = [legal, {to_move: legal[to_move]}, dict.fromkeys(legal, 0) | {to_move: legal[to_move]}]
        seen = [env.step(actions)[0] for env, actions in zip(envs, steps, strict=True)]
        assert len({pickle.dumps(env.game) for env in envs}) == 1


@pytest.mark.parametrize("kind", ["illegal", "wait"])
def test_an_illegal_action_of_the_agent_to_move_loses(
    game: GameUnderTest, kind: str, caplog: pytest.LogCaptureFixture
) -> None:
    env = game.pettingzoo.parallel_env(players=3)
    env.reset(seed=1)
    agent = f"player_{env.game.seat}"
    action = env.wait if kind == "wait" else illegal_at(env.game)
    _, rewards, terminated, truncated, _ = env.step({agent: action})
    assert rewards == dict.fromkeys(env.possible_agents, 0.0) | {agent: game.penalties[game.rewards[0]]}
    assert all(terminated.values())
    assert all(truncated.values())
    assert f"action {action} " in caplog.text
    assert env.agents == []
    env.reset()
    assert env.agents == env.possible_agents


def test_calls_that_cannot_be_answered_change_nothing(game: GameUnderTest) -> None:
    env = game.pettingzoo.parallel_env()
    env.reset(seed=1)
    agent, before = f"player_{env.game.seat}", env.game.position()
    others = {other: env.wait for other in env.agents if other != agent}
    for actions, message in [
        (others, f"there is no action for {agent}, which is to move"),
        ({agent: env.wait + 1}, "is not in the action space"),
        ({agent: None}, "is not in the action space"),
    ]:
        with pytest.raises(CallError, match=message):
            env.step(actions)
        assert env.game.position() == before
    with pytest.raises(TableError, match="unknown agent 'player_9'; the agents are"):
        env.observation_space("player_9")
    with pytest.raises(TableError, match="unknown agent 'player_9'; the agents are"):
        env.action_space("player_9")
    with pytest.raises(TypeError, match="unknown option opponents; options: rules, players, episode"):
        game.pettingzoo.parallel_env(opponents="random")
