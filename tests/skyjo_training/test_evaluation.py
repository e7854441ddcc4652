"""Evaluating models: whatever plays the same has the same margin, and a model is measured while it learns."""

from typing import Any

import numpy as np
import pytest

pytest.importorskip("sb3_contrib")

from sb3_contrib import MaskablePPO
from stable_baselines3.common.vec_env import VecMonitor

from cardtable.arena.play.pairing import play_paired
from cardtable.table.agents.policies.policy_agent import NetworkAgent
from cardtable.table.errors import TableError
from cardtable.table.game.card_game import Setup
from skipbo_env.card_game import SKIPBO
from skyjo_env import Rules
from skyjo_training import EvaluationCallback, SeatVecEnv, evaluate
from skyjo_training.evaluation import SEED
from skyjo_training.table_policy import TablePolicy
from tests.policies import SMALL, opinionated

RULES = Rules(players=3)


def learner(**options: Any) -> Any:
    """A model that plays as `opinionated` does."""
    env = VecMonitor(SeatVecEnv(RULES, 8, opponents="random"))
    kwargs = {"rules": RULES, "widths": {**SMALL, "seats": 3}}
    model = MaskablePPO(TablePolicy, env, n_steps=8, batch_size=16, policy_kwargs=kwargs, device="cpu", **options)
    policy: Any = model.policy
    policy.network.load_state_dict(opinionated(RULES, 3).state_dict())
    return model


def test_networks_models_and_functions_that_play_alike_have_the_same_margin() -> None:
    network, model = opinionated(RULES, 3), learner()
    agent = NetworkAgent(network)
    played = play_paired([agent, "naive", "naive"], Setup(RULES, SEED), range(6))
    for each in (network, model):
        result = evaluate(each, against="naive", deals=6)
        assert result.margin.mean == pytest.approx(played.margins[:, 0].mean())
        assert result.wins.mean == pytest.approx(played.wins[:, 0].mean())

    def function(observations: Any, masks: Any) -> Any:
        return agent.act(observations, masks, np.zeros(len(masks), np.uint64))

    assert evaluate(function, RULES, against="naive", deals=6) == result
    assert evaluate(network, against=model, deals=6).margin.mean == 0  # of a copy of itself


def test_plain_models_tell_their_game_and_its_reference_agent_is_met() -> None:
    model = MaskablePPO("MlpPolicy", SeatVecEnv("skipbo", 2, "stock=3", encoding="onehot"), device="cpu")
    assert evaluate(model, deals=2) == evaluate(model, against="greedy:pile=smallest", deals=2)


def test_what_does_not_tell_its_game_is_refused_until_the_game_is_given() -> None:
    with pytest.raises(TableError, match="does not tell its game"):
        evaluate("naive")
    assert evaluate("naive", "skyjo", "max_turns=20", players=4, against="naive", deals=2).stopped == 1


def test_functions_see_the_encoding_that_they_ask_for() -> None:
    sizes = set()

    def first(observations: Any, masks: Any) -> Any:
        sizes.add((observations.dtype, observations.shape[1]))
        return masks.argmax(1)

    evaluate(first, "skipbo", "stock=3 max_turns=30", deals=2, encoding="onehot")
    assert sizes == {(np.dtype(np.float32), SKIPBO.spec_of(SKIPBO.rules("stock=3")).onehot.size)}


def test_a_model_is_measured_while_it_learns() -> None:
    callback = EvaluationCallback(["naive", "random"], every=128, deals=2)
    model = learner(seed=1)
    model.learn(320, callback=callback)
    assert [decisions for decisions, _ in callback.evaluations] == [128, 256]
    assert list(callback.evaluations[0][1]) == ["naive", "random"]
