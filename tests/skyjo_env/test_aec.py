"""The PettingZoo environment: others' tests, its own promises, and the guard against PettingZoo's standard wrappers."""

import copy
import pickle
import random
from types import SimpleNamespace
from typing import Any

import numpy as np
import pettingzoo
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from pettingzoo.test import (
    api_test,
    max_cycles_test,
    performance_benchmark,
    render_test,
    seed_test,
)
from pettingzoo.test import (
    test_save_obs as save_obs_test,
)
from pettingzoo.utils import BaseWrapper, wrappers
from pettingzoo.utils.conversions import aec_to_parallel
from pettingzoo.utils.env_logger import EnvLogger

from cardtable.envs.encoding import onehot_of
from skyjo_env import CallError, Game, IllegalActionError, Rules, RulesError, SkyjoError, skyjo_v0
from skyjo_env.card_game import SKYJO, illegal_penalty
from tests.helpers import SEEDED, many_rules, seeds
from tests.skyjo_env.env_reference import decision_rewards, expected_margin, nth_legal, with_short_rounds

KINDS = ("margin", "score", "win")

# What api_test says about every environment with a dictionary for an observation that is not on its list of names.
dictionary_observations = pytest.mark.filterwarnings(
    "ignore:Observation is not a NumPy array",
    "ignore:Observation space for each agent probably should be",
    "ignore:Action mask numpy array is all zeros",
)


@pytest.fixture(autouse=True)
def _quiet() -> Any:
    """PettingZoo's warnings are kept in a list, not printed."""
    EnvLogger.suppress_output()
    EnvLogger.flush()
    yield
    EnvLogger.unsuppress_output()


def standard(**options: Any) -> Any:
    """raw_env in PettingZoo's standard wrappers."""
    env = skyjo_v0.raw_env(**options)
    penalty = illegal_penalty(env.rules, options.get("reward", "margin"))
    env = wrappers.TerminateIllegalWrapper(env, illegal_reward=penalty)
    return wrappers.OrderEnforcingWrapper(wrappers.AssertOutOfBoundsWrapper(env))


def play(env: Any, chance: random.Random, decisions: int) -> None:
    """Random legal decisions; a finished episode is followed by the next."""
    for _ in range(decisions):
        if not env.agents:
            env.reset()
        legal = env.infos[env.agent_selection]["legal_actions"]
        env.step(chance.choice(legal) if legal else None)


# Others' tests


@dictionary_observations
@pytest.mark.parametrize("make", [skyjo_v0.env, skyjo_v0.raw_env, standard])
@pytest.mark.parametrize(
    "options",
    [{}, {"players": 8, "encoding": "onehot"}, {"episode": "game", "shaping": "expected_margin"}, {"reward": "win"}],
    ids=str,
)
def test_pettingzoos_api_test(make: Any, options: dict[str, Any]) -> None:
    api_test(make(**options), num_cycles=300)


@pytest.mark.parametrize("players", [2, 5])
def test_pettingzoos_seed_test(players: int) -> None:
    seed_test(lambda: skyjo_v0.env(players=players, episode="game"), num_cycles=200)


def test_pettingzoos_render_test(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SDL_VIDEODRIVER", "dummy")
    render_test(skyjo_v0.env)


def test_pettingzoos_save_obs_test() -> None:
    save_obs_test(skyjo_v0.env())


def test_pettingzoos_performance_benchmark(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    clock = iter([0.0, 1.0, 2.0, 6.0, 6.0])  # it plays until five seconds have passed
    monkeypatch.setattr("time.time", lambda: next(clock))
    performance_benchmark(skyjo_v0.env())
    assert "turns per second" in capsys.readouterr().out


class WholeTurns(BaseWrapper):  # type: ignore[misc]
    """One step is one turn, whatever action is chosen: what max_cycles_test takes for granted."""

    metadata = {"is_parallelizable": True}  # noqa: RUF012 (PettingZoo's way)

    def step(self, action: int | None) -> None:
        agent, game = self.agent_selection, self.unwrapped.game
        if action is None:
            self.env.step(None)
            return
        turns = game.turns
        while game.turns == turns and not game.is_over:
            assert self.agent_selection == agent
            legal = game.legal_actions()
            self.env.step(legal[action % len(legal)])


def test_pettingzoos_max_cycles_test_counts_turns() -> None:
    def env(max_cycles: int) -> Any:
        rules = Rules(opening_flips=0, first_starter="seat_0", max_turns=2 * max_cycles)
        return WholeTurns(skyjo_v0.env(rules=rules))

    max_cycles_test(SimpleNamespace(env=env, parallel_env=lambda max_cycles: aec_to_parallel(env(max_cycles))))


@pytest.mark.skipif(not hasattr(pettingzoo, "make"), reason="PettingZoo has a registry since 1.27")
@pytest.mark.skipif(not hasattr(pettingzoo, "make"), reason="PettingZoo has no registry before 1.27")
def test_pettingzoos_registry_makes_it() -> None:
    env = pettingzoo.make("aec", "skyjo/skyjo-v0", players=4)
    assert type(env) is skyjo_v0.env
    assert env.max_num_agents == 4


# Its own promises


@settings(SEEDED, max_examples=30)
@given(
    many_rules.map(with_short_rounds), seeds, st.sampled_from(["round", "game"]), st.sampled_from(KINDS), st.booleans()
)
def test_it_is_the_game_with_its_rewards(rules: Rules, seed: int, episode: str, reward: str, is_shaped: bool) -> None:
    rules = rules.replace(max_rounds=3)
    env = skyjo_v0.raw_env(rules, episode=episode, reward=reward, shaping="expected_margin" if is_shaped else None)
    env.reset(seed=seed)
    game, seats = Game(rules, seed=seed, episode=episode), range(rules.players)
    owed = [0.0] * rules.players
    while not game.is_over:
        seat = game.seat
        assert env.agent_selection == f"player_{seat}"
        observation, owing, terminated, truncated, info = env.last()
        assert observation["observation"].tolist() == game.observation().tolist()
        assert observation["action_mask"].tolist() == game.mask().tolist()
        assert owing == pytest.approx(owed[seat])
        assert (terminated, truncated) == (False, False)
        assert info == {
            "seat": seat,
            "round": game.round,
            "round_scores": list(game.round_scores),
            "totals": list(game.totals),
        }
        assert "legal_actions" in info
        assert info["legal_actions"] == info.get("legal_actions") == game.legal_actions()
        before, action = game.copy(), nth_legal(game.observation(), game.mask())
        env.step(action)
        game.apply(action)
        owed[seat] = 0.0
        for each, brought in zip(seats, decision_rewards(before, game, reward), strict=True):
            if is_shaped:
                brought += expected_margin(game, each) - expected_margin(before, each)
            assert env.rewards[f"player_{each}"] == pytest.approx(brought)
            owed[each] += brought
    for seat, agent in enumerate(env.agent_iter()):
        assert agent == f"player_{seat}"
        observation, owing, terminated, truncated, info = env.last()
        assert observation["observation"].tolist() == game.observation(seat).tolist()
        assert not observation["action_mask"].any()
        assert owing == pytest.approx(owed[seat])
        assert (terminated, truncated) == (not game.is_truncated, game.is_truncated)
        assert info["round_scores"] == list(game.round_scores)
        assert info["totals"] == list(game.totals)
        assert info["legal_actions"] == []
        env.step(None)
    assert env.agents == []


def test_an_agent_that_does_not_decide_sees_an_empty_mask_and_no_drawn_card() -> None:
    env = skyjo_v0.env(Rules(opening_flips=0, first_starter="seat_0"))
    env.reset(seed=5)
    env.step(0)
    assert env.observe("player_0")["action_mask"].any()
    assert not env.observe("player_1")["action_mask"].any()
    assert env.observe("player_1")["observation"].tolist() == env.game.observation(1).tolist()
    assert env.infos["player_1"]["legal_actions"] == []


def test_what_was_handed_out_is_never_overwritten() -> None:
    env = skyjo_v0.env()
    env.reset(seed=1)
    seen, _, _, _, info = env.last()
    kept = copy.deepcopy((seen["observation"], seen["action_mask"], info))
    play(env, random.Random(1), 30)
    assert np.array_equal(seen["observation"], kept[0])
    assert np.array_equal(seen["action_mask"], kept[1])
    assert info == kept[2]


def test_infos_keep_their_keys_and_shapes() -> None:
    """TorchRL and Tianshou copy them into arrays; lists that grow or keys that come later would break them."""
    env = skyjo_v0.env(players=3, episode="game", rules="target_score=30")
    env.reset(seed=1)
    shapes, chance = set(), random.Random(1)
    for _ in range(500):
        shapes |= {tuple((key, np.shape(value)) for key, value in info.items()) for info in env.infos.values()}
        play(env, chance, 1)
    assert shapes == {(("seat", ()), ("round", ()), ("round_scores", (3,)), ("totals", (3,)))}


def test_resets_without_a_seed_deal_on() -> None:
    env = skyjo_v0.env()
    env.reset(seed=9)
    assert env.game.position() == Game(seed=9, deal=0, episode="round").position()
    env.reset()
    assert env.game.position() == Game(seed=9, deal=1, episode="round").position()
    env.reset(options={"deal": 7})
    assert env.game.position() == Game(seed=9, deal=7, episode="round").position()
    env.reset()
    assert env.game.position() == Game(seed=9, deal=8, episode="round").position()


def test_without_any_seed_two_environments_deal_differently() -> None:
    envs = [skyjo_v0.env(), skyjo_v0.env()]
    for env in envs:
        env.reset()
    assert envs[0].game.position() != envs[1].game.position()


@pytest.mark.parametrize("make", [skyjo_v0.env, skyjo_v0.raw_env])
@pytest.mark.parametrize("clone", [copy.deepcopy, lambda env: pickle.loads(pickle.dumps(env))])
def test_a_copy_in_mid_game_goes_on_alike_and_apart(make: Any, clone: Any) -> None:
    env = make(players=3, episode="game", shaping="expected_margin", render_mode="ansi")
    env.reset(seed=3)
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


def test_a_copy_before_the_first_reset_works() -> None:
    twin = copy.deepcopy(skyjo_v0.env())
    twin.reset(seed=1)
    assert twin.agent_selection == "player_0"


def test_onehot_is_the_encoding_of_the_same_observation() -> None:
    compact, onehot = skyjo_v0.env(players=3), skyjo_v0.env(players=3, encoding="onehot")
    for env in (compact, onehot):
        env.reset(seed=2)
        play(env, random.Random(2), 21)
    for agent in compact.agents:
        seen = compact.observe(agent)["observation"]
        vector = onehot_of(SKYJO, compact.rules).encode(seen[None])[0]
        assert np.array_equal(onehot.observe(agent)["observation"], vector)
        assert onehot.observation_space(agent).contains(onehot.observe(agent))


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"reward": "points"}, "reward='points' is not one of 'margin', 'score', 'win'"),
        ({"shaping": "yes"}, "shaping='yes' is not one of None, 'expected_margin'"),
        ({"encoding": 1}, "encoding=1 is not one of 'compact', 'onehot'"),
        ({"episode": "match"}, "episode='match' is not one of 'round', 'game'"),
        ({"render_mode": "svg"}, "render_mode='svg' is not one of None, 'human', 'ansi', 'rgb_array'"),
        ({"render_size": (10, 640)}, "render_size width=10"),
        ({"players": 9}, "players=9 must be a whole number from 2 to 8"),
        ({"rules": 3}, "rules must be skyjo_env.Rules"),
        ({"rules": "colour=red"}, "unknown colour"),
        ({"opponents": "tempo"}, "'opponents' .in PettingZoo every seat is an agent, so there are no opponents.; the"),
        (
            {"rewards": "win"},
            "unexpected keyword argument 'rewards'; the options are rules, players, episode, reward, ",
        ),
    ],
)
def test_bad_options_name_what_is_allowed(options: dict[str, Any], message: str) -> None:
    with pytest.raises(SkyjoError, match=message):
        skyjo_v0.env(**options)


def test_rules_may_be_text_and_must_suit_the_players() -> None:
    assert skyjo_v0.env("clear=confirm", players=5).rules == Rules(players=5, clear="confirm")
    with pytest.raises(RulesError):
        skyjo_v0.env("rows=4 columns=6", players=8)


def test_an_unknown_agent_is_told_who_there_is() -> None:
    env = skyjo_v0.env()
    env.reset(seed=1)
    for ask in (env.observe, env.observation_space, env.action_space):
        with pytest.raises(SkyjoError, match="unknown agent 'player_2'; the agents are player_0, player_1"):
            ask("player_2")


def test_raw_env_refuses_an_illegal_action_and_changes_nothing() -> None:
    env = skyjo_v0.raw_env()
    env.reset(seed=1)
    before = pickle.dumps(env.game)
    with pytest.raises(IllegalActionError, match="action 0"):
        env.step(0)
    assert pickle.dumps(env.game) == before
    env.step(14)


def test_a_step_after_the_very_end_says_so() -> None:
    env = skyjo_v0.raw_env(Rules(max_turns=1, opening_flips=0))
    env.reset(seed=1)
    play(env, random.Random(1), 2)
    env.step(None)
    env.step(None)
    with pytest.raises(CallError, match="reset"):
        env.step(None)


# The guard is as strict as PettingZoo's standard wrappers


def outcome(call: Any) -> str:
    """What a call leads to: its errors by the classes that PettingZoo uses."""
    try:
        call()
    except AssertionError:
        return "AssertionError"
    except AttributeError:
        return "AttributeError"
    except NotImplementedError:
        return "NotImplementedError"
    except ValueError:
        return "ValueError"
    return "no error"


CALLS = {
    "step": lambda env: env.step(14),
    "observe": lambda env: env.observe("player_0"),
    "last": lambda env: env.last(),
    "render": lambda env: env.render(),
    "state": lambda env: env.state(),
    "agent_iter": lambda env: env.agent_iter(),
    "agents": lambda env: env.agents,
    "agent_selection": lambda env: env.agent_selection,
    "rewards": lambda env: env.rewards,
    "terminations": lambda env: env.terminations,
    "truncations": lambda env: env.truncations,
    "infos": lambda env: env.infos,
    "num_agents": lambda env: env.num_agents,
    "possible_agents": lambda env: env.possible_agents,
    "nonsense": lambda env: env.nonsense,
}


@pytest.mark.parametrize("call", CALLS)
def test_calls_before_and_after_reset_end_as_with_the_standard_wrappers(call: str) -> None:
    ours, theirs = skyjo_v0.env(render_mode="ansi"), standard(render_mode="ansi")
    before = [outcome(lambda env=env: CALLS[call](env)) for env in (ours, theirs)]
    assert before[0] == before[1]
    assert (before[0] == "no error") == (call == "possible_agents")
    for env in (ours, theirs):
        env.reset(seed=1)
    after = [outcome(lambda env=env: CALLS[call](env)) for env in (ours, theirs)]
    assert after[0] == after[1]


@pytest.mark.parametrize("action", [26, -1, 1000, None, 1.5, "draw", np.array([1, 2]), np.nan])
def test_actions_outside_the_space_are_errors_that_change_nothing(action: Any) -> None:
    for env in (skyjo_v0.env(), standard()):
        env.reset(seed=1)
        before = env.unwrapped.game.position()
        with pytest.raises(AssertionError, match="action"):
            env.step(action)
        assert env.unwrapped.game.position() == before
        assert not any(env.terminations.values())
        env.step(14)


def test_the_error_for_an_action_outside_the_space_tells_the_space() -> None:
    env = skyjo_v0.env()
    env.reset(seed=1)
    with pytest.raises(CallError, match="action 26 is not in the action space: a whole number from 0 to 25"):
        env.step(26)


def test_agent_iter_wants_a_step_in_every_turn() -> None:
    for env in (skyjo_v0.env(), standard()):
        env.reset(seed=1)
        with pytest.raises(AssertionError, match="step"):
            for _ in env.agent_iter():
                pass


def test_agent_iter_stops_after_max_iter() -> None:
    for env in (skyjo_v0.env(), standard()):
        env.reset(seed=1)
        turns = 0
        for agent in env.agent_iter(max_iter=5):
            env.step(env.infos[agent]["legal_actions"][0])
            turns += 1
        assert turns == 5


def test_an_action_of_an_agent_that_has_ended_is_an_error() -> None:
    for env in (skyjo_v0.env(Rules(max_turns=1, opening_flips=0)), standard(rules=Rules(max_turns=1, opening_flips=0))):
        env.reset(seed=1)
        play(env, random.Random(1), 2)
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
        elif chance.random() < mistakes:
            env.step(chance.choice(np.flatnonzero(observation["action_mask"] == 0).tolist()))
        else:
            env.step(chance.choice(np.flatnonzero(observation["action_mask"]).tolist()))
    seen.append(len(EnvLogger.mqueue))
    EnvLogger.flush()
    env.step(None) if not env.agents else None
    seen.append(EnvLogger.mqueue.copy())
    EnvLogger.flush()
    return seen


@pytest.mark.parametrize("mistakes", [0.0, 0.02])
@pytest.mark.parametrize("reward", KINDS)
@pytest.mark.parametrize("players", [2, 4])
def test_the_guard_shows_what_the_standard_wrappers_show(players: int, reward: str, mistakes: float) -> None:
    for seed in range(6):
        options: dict[str, Any] = {
            "players": players,
            "reward": reward,
            "shaping": "expected_margin" if seed % 2 else None,
        }
        assert trace(skyjo_v0.env(**options), seed, mistakes) == trace(standard(**options), seed, mistakes)


def test_an_illegal_action_costs_the_offender_the_worst_of_a_round_and_is_told() -> None:
    env = skyjo_v0.env(players=3)
    env.reset(seed=1)
    env.step(14)
    env.step(15)
    env.step(0)
    assert env.rewards == {"player_0": 0.0, "player_1": -3.12, "player_2": 0.0}
    assert "action 0 (draw) of seat 1 is illegal" in env.infos["player_1"]["illegal_action"]
    assert "illegal_action" in env.infos["player_1"]
    assert "illegal_action" not in env.infos["player_0"]
    assert env.infos["player_0"].get("illegal_action", "nothing") == "nothing"
    with pytest.raises(KeyError):
        env.infos["player_0"]["illegal_action"]
    assert "Illegal move" in EnvLogger.mqueue[-1]
    for agent in env.agent_iter():
        observation, reward, *_ = env.last()
        assert reward == (-3.12 if agent == "player_1" else 0.0)
        assert not observation["action_mask"].any()
        env.step(None)
    env.reset()
    assert env.agents == ["player_0", "player_1", "player_2"]


def test_an_agent_may_write_into_what_it_was_given() -> None:
    env = skyjo_v0.env()
    env.reset(seed=1)
    seen, _, _, _, info = env.last()
    legal = info["legal_actions"]
    seen["observation"][:] = 0
    seen["action_mask"][:] = 0
    again, _, _, _, info = env.last()
    assert again["action_mask"].nonzero()[0].tolist() == info["legal_actions"] == legal
    assert again["observation"].tolist() == env.game.observation().tolist()
