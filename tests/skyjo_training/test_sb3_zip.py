"""A zip of stable-baselines3 runs code when it is loaded, so only `skyjo export --allow-pickle` does, to convert it."""

from pathlib import Path
from typing import Any

import numpy as np
import pytest

pytest.importorskip("sb3_contrib")

import torch
from sb3_contrib import MaskablePPO

from skyjo_env import OFFICIAL, make_agent
from skyjo_training import SeatVecEnv
from skyjo_training.table_policy import TablePolicy
from tests.policies import opinionated, tables, zipped
from tests.skyjo.cli import Skyjo, complaint
from tests.skyjo.cli import skyjo as skyjo


def test_a_zip_that_would_run_code_runs_it_only_with_leave(tmp_path: Path, skyjo: Skyjo) -> None:
    file, trace = zipped(tmp_path / "model.zip", tmp_path / "trace"), tmp_path / "trace"
    arguments = "export", str(file), "--out", str(tmp_path / "safe")
    line = complaint(skyjo(*arguments))
    assert "model.zip is a pickle, which can run any code when it is loaded; if you trust its maker" in line
    assert f"export {file} --allow-pickle turns it into a policy" in line
    assert not trace.exists()
    assert "model.zip cannot be loaded: " in complaint(skyjo(*arguments, "--allow-pickle"))
    assert trace.exists()  # the surprise is real
    assert not (tmp_path / "safe.safetensors").exists()


def test_a_trusted_zip_becomes_a_policy_that_plays_as_the_model_predicts(tmp_path: Path, skyjo: Skyjo) -> None:
    env = SeatVecEnv("skyjo", 2, opponents=["random"])
    options = {"rules": OFFICIAL, "widths": {"cell": 4, "column": 8, "table": 8}}
    learner: Any = MaskablePPO(TablePolicy, env, n_steps=4, batch_size=8, policy_kwargs=options, seed=5, device="cpu")
    learner.policy.network.load_state_dict(opinionated().state_dict())
    learner.save(tmp_path / "model.zip")
    state = torch.get_rng_state()
    done = skyjo("export", str(tmp_path / "model.zip"), "--allow-pickle", "--out", str(tmp_path / "safe"))
    assert (done.status, done.err) == (0, "")
    assert torch.equal(torch.get_rng_state(), state)
    agent, (observations, masks, rng_states) = make_agent(f"policy:path={tmp_path}/safe.safetensors"), tables()
    with torch.no_grad():
        logits = learner.policy.network(torch.from_numpy(observations))[0].numpy()
    actions = agent.act(observations, masks, rng_states)
    liked = np.where(masks, logits, -np.inf)
    assert liked[range(64), actions] == pytest.approx(liked.max(axis=1), abs=2e-4)
    assert len(set(actions.tolist())) > 3


def test_a_model_with_another_policy_is_named(tmp_path: Path, skyjo: Skyjo) -> None:
    MaskablePPO("MlpPolicy", SeatVecEnv("skyjo", 2, opponents=["random"]), device="cpu").save(tmp_path / "mlp.zip")
    line = complaint(skyjo("export", str(tmp_path / "mlp.zip"), "--allow-pickle"))
    assert "was trained with MaskableActorCriticPolicy, not with skyjo_training.table_policy.TablePolicy" in line
