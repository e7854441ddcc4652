"""The PettingZoo environments: others' tests, their own promises, and the guard against PettingZoo's wrappers."""

import copy
import pickle
import random
from collections.abc import Callable
from operator import attrgetter
from typing import Any

import numpy as np
import pettingzoo
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from pettingzoo.test import render_test, seed_test
from pettingzoo.utils import wrappers
from pettingzoo.utils.env_logger import EnvLogger

from cardtable.table.errors import TableError
from tests.games.listed import GAMES, game_id
from tests.games.under_test import GameUnderTest, Options, illegal_at
from tests.helpers import SEEDED, first_quick, seeds


@pytest.fixture(autouse=True)
def _quiet() -> Any:
    """PettingZoo's warnings are kept in a list, not printed."""
    EnvLogger.suppress_output()
    EnvLogger.flush()
    yield
    EnvLogger.unsuppress_output()


def standard(game: GameUnderTest, **options: Any) -> Any:
    """raw_env in PettingZoo's standard wrappers."""
    env = game.pettingzoo.raw_env(**options)
    penalty = game.card_game.penalty(env.rules, options.get("reward", game.rewards[0]))
    env = wrappers.TerminateIllegalWrapper(env, illegal_reward=penalty)
    return wrappers.OrderEnforcingWrapper(wrappers.AssertOutOfBoundsWrapper(env))


def both(game: GameUnderTest, seed: int | None = 1, **options: Any) -> list[Any]:
    """Our guarded environment and the standard one, each after a reset."""
    envs = [game.pettingzoo.env(**options), standard(game, **options)]
    for env in envs:
        if seed is not None:
            env.reset(seed=seed)
    return envs


def started(game: GameUnderTest, kind: str = "env", seed: int = 1, **options: Any) -> Any:
    """An environment after its first reset."""
    env = getattr(game.pettingzoo, kind)(**options)
    env.reset(seed=seed)
    return env


def play(env: Any, chance: random.Random, decisions: int) -> None:
    """Random legal decisions; a finished episode is followed by the next."""
    for _ in range(decisions):
        if not env.agents:
            env.reset()
        legal = env.last()[0]["action_mask"].nonzero()[0].tolist()
        env.step(chance.choice(legal) if legal else None)


# Others' tests


@pytest.mark.parametrize("game", first_quick(1, GAMES), ids=game_id)
def test_pettingzoos_render_test(game: GameUnderTest, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SDL_VIDEODRIVER", "dummy")
    render_test(game.pettingzoo.env)


@pytest.mark.skipif(not hasattr(pettingzoo, "make"), reason="PettingZoo has a registry since 1.27")
@pytest.mark.parametrize(("registry", "kind"), [("aec", "env"), ("parallel", "parallel_env")])
def test_pettingzoos_registry_makes_it(game: GameUnderTest, registry: str, kind: str) -> None:
    env = pettingzoo.make(registry, game.gymnasium_id.lower(), players=4)
    assert (type(env), env.max_num_agents) == (getattr(game.pettingzoo, kind), 4)


def test_pettingzoos_seed_test(game: GameUnderTest) -> None:
    seed_test(lambda: game.pettingzoo.env(game.quick_rules, players=5, episode="game"), num_cycles=200)


# Their own promises


@settings(SEEDED, max_examples=50)
@given(seeds, st.sampled_from(["round", "game"]), st.integers(0, 2), st.booleans())
def test_its_rewards_are_those_worked_out_from_the_tables(
    game: GameUnderTest, seed: int, episode: str, reward: int, is_shaped: bool
) -> None:
    rules, kind = game.short_rules(seed), game.rewards[reward]
    env = game.pettingzoo.raw_env(rules, episode=episode, reward=kind, shaping=game.shaping if is_shaped else None)
    env.reset(seed=seed)
    table, seats = game.api.Game(rules, seed=seed, episode=episode), range(rules.players)
    owed, potential = [0.0] * rules.players, [game.potential(table, seat) for seat in seats]
    decisions = [0]  # when rounds ended
    while not table.is_over:
        seat = table.seat
        told = {"seat": seat, "round": table.round, "round_scores": [*table.round_scores], "totals": [*table.totals]}
        told |= {"decisions": decisions[-1], "stopped": False}
        _, owing, *ended, info = env.last()
        assert (info, ended) == (told, [False, False])
        assert owing == pytest.approx(owed[seat])
        before, action = table.copy(), game.nth.choice(table.observation(), table.mask())
        env.step(action)
        table.apply(action)
        decisions += [len(table.record()["actions"])] if table.has_scored else []
        owed[seat] = 0.0
        for each, brought in enumerate(game.brought(before, table, kind)):
            if is_shaped:
                expected, potential[each] = potential[each], game.potential(table, each)
                brought += potential[each] - expected
            assert env.rewards[f"player_{each}"] == pytest.approx(brought)
            owed[each] += brought
    for seat, agent in enumerate(env.agent_iter()):
        observation, owing, *ended, info = env.last()
        assert (agent, observation["action_mask"].any()) == (f"player_{seat}", False)
        assert observation["observation"].tolist() == table.observation(seat).tolist()
        assert owing == pytest.approx(owed[seat])
        assert ended == [not table.is_truncated, table.is_truncated]
        assert info["totals"] == [*table.totals]
        env.step(None)
    assert env.agents == []


def test_resets_without_a_seed_deal_on(game: GameUnderTest) -> None:
    env = game.pettingzoo.env()
    resets: list[tuple[Options, int]] = [({"seed": 9}, 0), ({}, 1), ({"options": {"deal": 7}}, 7), ({}, 8)]
    for options, dealt in resets:
        env.reset(**options)
        assert env.game.position() == game.api.Game(seed=9, deal=dealt, episode="round").position()


def test_without_any_seed_two_environments_deal_differently(game: GameUnderTest) -> None:
    envs = [game.pettingzoo.env(), game.pettingzoo.env()]
    for env in envs:
        env.reset()
    assert envs[0].game.position() != envs[1].game.position()


@pytest.mark.parametrize("clone", [copy.deepcopy, lambda env: pickle.loads(pickle.dumps(env))])
def test_a_copy_in_mid_game_goes_on_alike_and_apart(game: GameUnderTest, clone: Any) -> None:
    env = started(game, seed=3, players=3, episode="game", shaping=game.shaping, render_mode="ansi")
    play(env, random.Random(0), 50)
    twin = clone(env)
    position = env.game.position()
    play(twin, random.Random(1), 400)
    assert env.game.position() == position
    play(env, random.Random(1), 400)
    assert env.game.position() == twin.game.position()
    assert env.rewards == twin.rewards
    assert env.infos == twin.infos
    assert env.render() == twin.render()


@pytest.mark.parametrize("kind", ["env", "raw_env", "parallel_env"])
def test_a_refused_reset_leaves_the_episode_and_the_next_deal_as_they_are(game: GameUnderTest, kind: str) -> None:
    env, twin = (getattr(game.pettingzoo, kind)() for _ in range(2))
    for each in (env, twin):
        each.reset(seed=3)
        action = each.game.legal_actions()[-1]
        each.step({f"player_{each.game.seat}": action} if kind == "parallel_env" else action)
    for wrong in ({"seed": -1}, {"options": {"deal": -1}}, {"seed": 7, "options": {"deal": "none"}}):
        with pytest.raises(TableError):
            env.reset(**wrong)
    assert (repr(env.game), env.game.state) == (repr(twin.game), twin.game.state)
    assert env.agents == twin.agents != []
    for each in (env, twin):
        each.reset()
    assert (repr(env.game), env.game.state) == (repr(twin.game), twin.game.state)


def test_what_cannot_be_is_named_with_what_can(game: GameUnderTest) -> None:
    env, most = started(game, "raw_env"), game.most_players
    refused: list[tuple[Any, str]] = [
        *((lambda odd=odd: env.observe(odd), "unknown agent .*; the agents are player_0, ") for odd in ([0], None, 9)),
        (lambda: env.action_space("player_2"), "unknown agent 'player_2'; the agents are player_0, player_1"),
        (lambda: env.step(illegal_at(env.game)), "of seat 0 is illegal.*; legal: "),
        (lambda: game.pettingzoo.env(reward="points"), f"is not one of {', '.join(map(repr, game.rewards))}"),
        (lambda: game.pettingzoo.env(shaping="yes"), f"is not one of None, '{game.shaping}'"),
        (lambda: game.pettingzoo.env(render_mode="svg"), "is not one of None, 'human', 'ansi', 'rgb_array'"),
        (lambda: game.pettingzoo.env(render_size=(10, 640)), "render_size width=10"),
        (lambda: game.pettingzoo.env(players=most + 1), f"must be a whole number from 2 to {most}"),
        (lambda: game.pettingzoo.env(rules=3), f"rules must be {game.api.__name__}.Rules"),
    ]
    before = pickle.dumps(env.game)
    for call, message in refused:
        with pytest.raises(TableError, match=message):
            call()
    assert pickle.dumps(env.game) == before


def to_the_end(env: Any) -> None:
    """Play until the episode has just ended."""
    chance = random.Random(1)
    while not env.unwrapped.game.is_over:
        play(env, chance, 1)


# The guard is as strict as PettingZoo's standard wrappers


def outcome(call: Any) -> str:
    """What a call leads to: its errors by the classes that PettingZoo uses."""
    try:
        call()
    except (AssertionError, AttributeError, NotImplementedError, ValueError) as error:
        kinds = (AssertionError, AttributeError, NotImplementedError, ValueError)
        return next(kind.__name__ for kind in kinds if isinstance(error, kind))
    return "no error"


READ = "agents", "agent_selection", "rewards", "terminations", "truncations", "infos", "num_agents", "possible_agents"
CALLS: dict[str, Callable[[Any], Any]] = {
    "step": lambda env: env.step(env.unwrapped.game.legal_actions()[0] if hasattr(env.unwrapped, "game") else 0),
    "observe": lambda env: env.observe("player_0"),
    "last": lambda env: env.last(),
    "render": lambda env: env.render(),
    "state": lambda env: env.state(),
    "agent_iter": lambda env: env.agent_iter(),
}
CALLS |= {name: attrgetter(name) for name in (*READ, "nonsense")}


def test_calls_before_and_after_reset_end_as_with_the_standard_wrappers(game: GameUnderTest) -> None:
    for name, call in CALLS.items():
        envs = both(game, seed=None, render_mode="ansi")
        ours, theirs = (outcome(lambda env=env, call=call: call(env)) for env in envs)
        assert (name, ours) == (name, theirs)
        assert (ours == "no error") == (name == "possible_agents")
        for env in envs:
            env.reset(seed=1)
        ours, theirs = (outcome(lambda env=env, call=call: call(env)) for env in envs)
        assert (name, ours) == (name, theirs)


def test_actions_outside_the_space_or_after_the_end_are_errors_that_change_nothing(game: GameUnderTest) -> None:
    for env in both(game, rules=game.quick):
        before = env.unwrapped.game.position()
        for action in (game.quick.actions, -1, 1000, None, 1.5, "draw", np.array([1, 2]), np.nan):
            with pytest.raises(AssertionError, match="action"):
                env.step(action)
        assert env.unwrapped.game.position() == before
        assert not any(env.terminations.values())
        to_the_end(env)
        with pytest.raises(ValueError, match="None"):
            env.step(0)


def trace(env: Any, seed: int, mistakes: float) -> list[Any]:
    """Everything that a random game shows, in which now and then an action of the space is tried that is illegal."""
    chance = random.Random(seed)
    seen: list[Any] = []
    env.reset(seed=seed)
    for agent in env.agent_iter(400):
        observation, reward, terminated, truncated, _ = env.last()
        seen.append((agent, observation["observation"].tolist(), reward, terminated, truncated, list(env.agents)))
        seen.append((dict(env.rewards), dict(env.terminations), dict(env.truncations), sorted(env.infos)))
        if terminated or truncated:
            env.step(None)
        else:
            is_legal = chance.random() >= mistakes
            env.step(chance.choice(np.flatnonzero(observation["action_mask"] == is_legal).tolist()))
    seen.append(len(EnvLogger.mqueue))
    EnvLogger.flush()
    env.step(None) if not env.agents else None
    seen.append(EnvLogger.mqueue.copy())
    EnvLogger.flush()
    return seen


@pytest.mark.parametrize("mistakes", [0.0, 0.02])
@pytest.mark.parametrize("reward", range(3))
@pytest.mark.parametrize("players", [2, 4])
def test_the_guard_shows_what_the_standard_wrappers_show(
    game: GameUnderTest, players: int, reward: int, mistakes: float
) -> None:
    for seed in range(4):
        options = {"players": players, "reward": game.rewards[reward], "shaping": game.shaping if seed % 2 else None}
        ours, theirs = both(game, seed=None, **options)
        assert trace(ours, seed, mistakes) == trace(theirs, seed, mistakes)


@pytest.mark.parametrize("reward", range(3))
def test_an_illegal_action_costs_the_offender_the_penalty_and_is_told(
    game: GameUnderTest, reward: int, caplog: pytest.LogCaptureFixture
) -> None:
    kind = game.rewards[reward]
    env = started(game, players=3, reward=kind)
    while env.agent_selection != "player_1":
        env.step(env.game.legal_actions()[-1])
    action, penalty = illegal_at(env.game), game.penalties[kind]
    name = game.api.action_names(env.rules)[action]
    env.step(action)
    assert env.rewards == {"player_0": 0.0, "player_1": penalty, "player_2": 0.0}
    assert all(env.terminations.values())
    assert f"action {action} ({name}) of seat 1 is illegal" in caplog.text
    assert "Illegal move" in EnvLogger.mqueue[-1]
    for agent in env.agent_iter():
        observation, owed, *_ = env.last()
        assert owed == (penalty if agent == "player_1" else 0.0)
        assert not observation["action_mask"].any()
        env.step(None)
    env.reset()
    assert env.agents == ["player_0", "player_1", "player_2"]
