"""The environments of both games: rules, opponents, a render mode that was not chosen, and others' wrappers."""

from typing import Any

import numpy as np
import pytest
from gymnasium.wrappers import FrameStackObservation, NormalizeObservation, NormalizeReward, RecordEpisodeStatistics
from pettingzoo.test import parallel_api_test
from pettingzoo.utils.conversions import turn_based_aec_to_parallel

import skipbo_env
import skyjo_env
from cardtable.errors import AgentError, RulesError
from skipbo_env import skipbo_v0
from skipbo_env.envs import SkipboEnv, SkipboVectorEnv
from skyjo_env import skyjo_v0
from skyjo_env.envs import SkyjoEnv, SkyjoVectorEnv

PACKAGES = pytest.mark.parametrize("package", [skyjo_env, skipbo_env])
SINGLE = pytest.mark.parametrize("make", [SkyjoEnv, SkipboEnv])
ENVS: Any = [SkyjoEnv, SkyjoVectorEnv, skyjo_v0.env, SkipboEnv, SkipboVectorEnv, skipbo_v0.env]


class LastLegal:
    """The legal action with the greatest number."""

    def act(self, observations: Any, masks: Any, chances: Any) -> Any:
        assert len(observations) == len(chances)
        return masks.shape[1] - 1 - masks[:, ::-1].argmax(axis=1)


@pytest.mark.parametrize("make", ENVS)
def test_rules_and_players_must_not_contradict_each_other(make: Any) -> None:
    with pytest.raises(RulesError, match="players=4, but the rules are for players=3: change one of them"):
        make(rules="players=3", players=4)
    with pytest.raises(RulesError, match="players=3, but the rules are for players=2: change one of them"):
        make(rules="players=2", players=3)
    three = make(rules="players=3", players=3).rules
    assert three == make(players=3).rules
    with pytest.raises(RulesError, match="players=4, but the rules are for players=3: change one of them"):
        make(rules=three, players=4)


@PACKAGES
def test_rules_are_separated_by_spaces_not_by_commas(package: Any) -> None:
    for text in ("players=3,max_rounds=2", "players=3, max_rounds=2", "players=3;max_rounds=2"):
        with pytest.raises(RulesError, match="cannot be read; separate rules with spaces: players=3 max_round"):
            package.Rules.from_text(text)


@PACKAGES
def test_an_unknown_rule_is_refused_with_the_known_ones(package: Any) -> None:
    with pytest.raises(
        RulesError, match=r"unknown player; the rules have players, .*max_rounds.*; did you mean players"
    ):
        package.Rules(player=3)


@PACKAGES
def test_rules_may_be_text_wherever_a_table_is_made(package: Any) -> None:
    text, rules = "players=3 max_rounds=2", package.Rules(players=3, max_rounds=2)
    game, batch = package.Game(text), package.GameBatch(text, n=2)
    assert game.rules == batch.rules == package.ObservationSpec(text).rules == rules
    assert package.Game.from_state(text, game.state).rules == rules
    assert package.GameBatch.sample(text, batch.observations).rules == rules
    assert package.make_agent("rollout", text).rules == rules


@SINGLE
def test_an_agent_that_stands_alone_plays_all_other_seats(make: Any) -> None:
    alone, listed = (make(players=3, opponents=given) for given in (LastLegal(), [LastLegal()]))
    assert np.array_equal(alone.reset(seed=1)[0], listed.reset(seed=1)[0])
    for _ in range(20):
        action = int(alone.action_masks().argmax())
        assert np.array_equal(alone.step(action)[0], listed.step(action)[0])


@SINGLE
@pytest.mark.parametrize(
    ("opponents", "message"),
    [
        (LastLegal, r"opponent LastLegal is a class; give an object made from it: LastLegal\(\.\.\.\)"),
        ([LastLegal], r"opponent LastLegal is a class; give an object made from it: LastLegal\(\.\.\.\)"),
        ("peek:n=4", "opponent peek:n=4 must be shown the hidden cards, and environments show them to nobody"),
        ("human", "opponent human asks a person, and environments seat only programs"),
    ],
)
def test_opponents_that_cannot_play_are_refused_at_once(make: Any, opponents: Any, message: str) -> None:
    with pytest.raises(AgentError, match=message):
        make(opponents=opponents)


@pytest.mark.parametrize("make", ENVS)
def test_rendering_without_a_mode_warns_and_says_how_to_choose_one(make: Any) -> None:
    env = make()
    env.reset(seed=1)
    with pytest.warns(UserWarning, match='make the environment with render_mode=.*"rgb_array"') as caught:
        assert env.render() is None
    assert len(caught) == 1


@SINGLE
def test_gymnasiums_wrappers_work(make: Any) -> None:
    stacked = FrameStackObservation(NormalizeObservation(make(encoding="onehot")), 3)
    env: Any = RecordEpisodeStatistics(NormalizeReward(stacked))
    _, info = env.reset(seed=1)
    observation, _, _, _, info = env.step(info["action_mask"].argmax())
    assert len(observation) == 3
    assert env.observation_space.contains(observation)
    assert info["action_mask"].any()


@pytest.mark.parametrize("make", [skyjo_v0.env, skipbo_v0.env])
def test_pettingzoos_parallel_api_test_of_whole_tables(make: Any) -> None:
    parallel_api_test(turn_based_aec_to_parallel(make()), num_cycles=20)
