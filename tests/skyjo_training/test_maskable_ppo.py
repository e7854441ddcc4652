"""The plain method: sb3-contrib's MaskablePPO on tables where it has one seat, against copies of itself."""

from inspect import isfunction
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

pytest.importorskip("sb3_contrib")

from sb3_contrib import MaskablePPO

import optuna_sweep
from skyjo.command_line import parse
from skyjo.interfaces import called, interface
from skyjo_env import OFFICIAL
from skyjo_training import EvaluationCallback, FrozenCopies, SeatVecEnv, sb3_agent
from skyjo_training import training_run as run
from skyjo_training.evaluation import evaluate
from skyjo_training.learned_game import learned_game
from skyjo_training.maskable_ppo import PlainPPO, new_model
from skyjo_training.self_play_tables import round_rewards
from skyjo_training.table_policy import TablePolicy
from skyjo_training.training_config import Config
from tests.skyjo_training.test_training_run import assert_same, begun, metrics, train_until


def plain(game: str = "skyjo", **changes: Any) -> Config:
    sizes = {"tables": 16, "n_steps": 16, "batch_size": 64, "deals": 2, "measurements": 3, "decisions": 2048}
    return learned_game(game).config(method="maskable-ppo", baselines=("random",), **{**sizes, **changes})


def test_nothing_of_it_is_overridden() -> None:
    own = [name for name, value in vars(PlainPPO).items() if isfunction(value)]
    assert own
    assert not any(hasattr(MaskablePPO, name) for name in own)


def lengths(folder: Path) -> tuple[list[float], list[float]]:
    """The decisions a round that were measured, and the shares of rounds that were stopped."""
    return metrics(folder)["round_length"], metrics(folder)["stopped"]


@pytest.mark.parametrize(
    "game", ["skyjo", *(pytest.param(name, marks=pytest.mark.long) for name in ("skipbo", "skyjo_action"))]
)
def test_an_interrupted_run_goes_on_to_the_same_policy(tmp_path: Path, game: str) -> None:
    one, other = (begun(tmp_path / name, plain(game)) for name in ("one", "other"))
    whole = run.train(one)
    train_until(other, 1000)
    assert_same(run.train(other), whole)
    assert metrics(other) == metrics(one)
    assert all(length > 10 and 0 <= share <= 1 for length, share in zip(*lengths(one), strict=True))
    assert {path.name for path in one.iterdir()} >= {run.POLICY, run.CHECKPOINTS, run.EVENTS, run.CONFIG, run.ABOUT}


def test_the_reward_is_the_margin_and_something_for_winning() -> None:
    rewards = round_rewards(OFFICIAL, np.array([[10, 30, 50]]), win=1.0, margin=2.0)
    np.testing.assert_allclose(rewards, [[0.6 + 0.01, 0.0 - 0.005, -0.6 - 0.005]])


def test_a_copy_of_the_policy_takes_the_other_seats_and_is_renewed() -> None:
    margins = []

    class Watch(FrozenCopies):
        def _on_rollout_end(self) -> None:
            tables: Any = self.training_env.unwrapped
            (opponent,) = tables._tables.opponents
            margins.append(evaluate(self.model, against=opponent, deals=10).margin)

    new_model(plain()).learn(1024, Watch(every=512))
    assert [margin.half == 0 for margin in margins] == [True, False, True, False]  # played against itself


def test_named_opponents_stay() -> None:
    config = plain(opponents=("random",), opponent_fraction=1.0, decisions=512)
    model: Any = new_model(config)
    model.carry_on(EvaluationCallback([]))
    assert model.env.unwrapped._tables.names == ("random",)


@pytest.mark.parametrize("game", ["skyjo", "skipbo", "skyjo_action"])
def test_every_preset_can_be_learned_by_it(game: str) -> None:
    with called(game):
        for preset in learned_game(game).presets:
            train: Any = parse(["train", "run", "--preset", preset, "--method", "maskable-ppo"])
            (config,) = train._configs()
            assert (config.method, config.teacher, config.opponents) == ("maskable-ppo", "", ())
            assert (
                train._command().replace(f" --preset {preset}", "")
                == f"{interface().command} train run --method maskable-ppo"
            )


def test_the_sweep_trains_with_the_settings_of_a_trial(tmp_path: Path) -> None:
    """Optuna itself is not needed."""
    reported, settings = [], {"learning_rate": 1e-3, "ent_coef": 0.02, "gae_lambda": 0.7}
    trial = SimpleNamespace(
        number=3,
        suggest_float=lambda name, *_, **__: settings[name],
        report=lambda margin, decisions: reported.append((decisions, margin)),
        should_prune=lambda: False,
    )
    margin = optuna_sweep.objective(trial, tmp_path, plain(decisions=512, measurements=2))
    assert [decisions for decisions, _ in reported] == [256, 512]
    assert reported[-1][1] == margin
    config = run.config_of(tmp_path / "trial-3")
    assert (config.learning_rate, config.ent_coef, config.gae_lambda, config.seed) == (1e-3, 0.02, 0.7, 3)


def test_a_model_is_not_ahead_of_itself() -> None:
    """At first the network stalls, and only the agent `policy` ends such rounds: both sides must be this agent."""
    tables = SeatVecEnv("skyjo", 4)
    model = MaskablePPO(
        TablePolicy,
        tables,
        policy_kwargs={"rules": tables.rules, "widths": {"cell": 4, "column": 4, "table": 4}},
        seed=1,
    )
    assert evaluate(model, against=sb3_agent(model), deals=4).margin.mean == 0
