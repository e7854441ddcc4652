"""`skyjo export`: a policy for others, which plays there as it does here."""

import json
from pathlib import Path

import numpy as np
import pytest

pytest.importorskip("torch")
pytest.importorskip("onnx")

import torch

from cardtable.table.agents.policies.model_card import Strength
from cardtable.table.agents.policies.policy_file import card_of, load_policy
from skipbo_agents.network import PileNetwork
from skipbo_env import OFFICIAL as SKIPBO_OFFICIAL
from skipbo_env import GameBatch as SkipboBatch
from skyjo_env import OFFICIAL, make_agent
from skyjo_training import policy_export as export
from tests.documents import ROOT, blocks
from tests.policies import opinionated, saved, tables
from tests.skyjo.cli import Skyjo, complaint
from tests.skyjo.cli import skyjo as skyjo

PAGE = (ROOT / "docs" / "guides" / "data.md").read_text()
EXAMPLES = blocks(PAGE.partition("## Policy files")[2], "python")
STRENGTH: list[Strength] = [
    {"against": "tempo", "deals": 9, "players": 2, "margin": {"mean": 1.5, "half": 0.5}},
]


@pytest.fixture
def file(tmp_path: Path) -> Path:
    return saved(tmp_path / "small.v1.safetensors", (2, 3), strength=STRENGTH)


def test_a_policy_is_written_with_its_card(
    file: Path, tmp_path: Path, skyjo: Skyjo, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "here").mkdir()
    monkeypatch.chdir(tmp_path / "here")
    assert skyjo("export", str(file)).out == "Written: small.v1.safetensors, small.v1.json\n"
    assert Path("small.v1.safetensors").read_bytes() == file.read_bytes()
    done = skyjo("export", str(file), "--out", "new.name", "--json")
    assert (done.status, done.err) == (0, "")
    assert json.loads(done.out) == json.loads(Path("new.name.json").read_text())
    assert json.loads(done.out)["strength"] == STRENGTH
    assert load_policy(Path("new.name.safetensors"), OFFICIAL)[1].players == (2, 3)


@pytest.mark.slow
def test_onnx_gives_what_torch_gives_at_any_number_of_tables(
    tmp_path: Path, skyjo: Skyjo, monkeypatch: pytest.MonkeyPatch
) -> None:
    runtime = pytest.importorskip("onnxruntime")
    monkeypatch.chdir(tmp_path)
    saved(Path("mine.safetensors"))
    done = skyjo("export", "mine.safetensors", "--onnx")
    assert done == (0, "Written: mine.safetensors, mine.json, mine-2.onnx\n", "")  # torch has much to say of itself
    assert b"network.py" not in Path("mine-2.onnx").read_bytes()  # nothing of the machine that made it
    session = runtime.InferenceSession("mine-2.onnx")
    observations, masks, rng_states = tables(n=512)
    with torch.no_grad():
        expected = [each.numpy() for each in opinionated()(torch.from_numpy(observations))]
    for n in (1, 2, 512):
        logits, values = session.run(["logits", "values"], {"observations": observations[:n]})
        assert logits == pytest.approx(expected[0][:n], abs=1e-4)
        assert values == pytest.approx(expected[1][:n], abs=1e-4)
    actions = make_agent("policy:path=mine.safetensors").act(observations, masks, rng_states)
    liked = np.where(masks, logits, -np.inf)
    assert liked[range(512), actions] == pytest.approx(liked.max(axis=1), abs=3e-4)
    about = session.get_modelmeta().custom_metadata_map
    assert json.loads(about.pop("card")) == json.loads(Path("mine.json").read_text())
    assert about == {"opset": "20", "input": "observations", "outputs": "logits values", "players": "2"}
    exec(EXAMPLES[1])  # plays a round


@pytest.mark.long
def test_skip_bos_network_is_written_as_onnx_too() -> None:
    runtime = pytest.importorskip("onnxruntime")
    network, rules = PileNetwork(SKIPBO_OFFICIAL).eval(), SKIPBO_OFFICIAL
    session = runtime.InferenceSession(export.to_onnx(network, card_of(network, (2,), {}, []), 2))
    batch = SkipboBatch(rules, n=64)
    for _ in range(40):
        batch.step(batch.masks.argmax(axis=1))
    with torch.no_grad():
        expected = [each.numpy() for each in network(torch.from_numpy(batch.observations))]
    for n in (1, 64):
        logits, values = session.run(["logits", "values"], {"observations": batch.observations[:n]})
        assert logits == pytest.approx(expected[0][:n], abs=1e-4)
        assert values == pytest.approx(expected[1][:n], abs=1e-4)


def test_the_example_of_saving_one_makes_an_agent(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    exec(EXAMPLES[0])
    assert load_policy(Path("mine.safetensors"))[1].players == (2, 3, 4)


def test_there_is_a_file_for_every_number_of_players(
    file: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(export, "to_onnx", lambda _, card, players: bytes([*card.players, players]))
    told: list[int] = []
    files = export.export(*load_policy(file), tmp_path / "v2.0", with_onnx=True, report=told.append)
    assert [each.name for each in files] == ["v2.0.safetensors", "v2.0.json", "v2.0-2.onnx", "v2.0-3.onnx"]
    assert [each.read_bytes() for each in files[2:]] == [bytes([2, 3, 2]), bytes([2, 3, 3])]
    assert told == [1, 1, 1]


def test_the_policy_of_a_run_goes_out_with_what_a_comparison_found(tmp_path: Path, skyjo: Skyjo) -> None:
    run, found = tmp_path / "run", tmp_path / "found.json"
    run.mkdir()
    saved(run / "policy.safetensors")
    measured = {"margin": {"mean": 1.5, "half": 0.25}, "rounds": {"mean": 0.6, "low": 0.5, "high": 0.7}, "games": None}
    against = [{"opponent": "tempo", "deals": 100, "together": measured}]
    document = {"policies": [{"name": "policy"}], "players": 2, "seed": 7, "luck": False, "against": against}
    found.write_text(json.dumps(document))
    done = skyjo("export", str(run), "--strength", str(found), "--out", str(tmp_path / "out"), "--json")
    assert (done.status, done.err) == (0, "")
    told = {"against": "tempo", "deals": 100, "players": 2, "seed": 7, "luck": False}
    assert json.loads(done.out)["strength"] == [told | measured]
    for wrong in ("[]", "{", json.dumps(document | {"policies": [1, 2]})):
        found.write_text(wrong)
        line = complaint(skyjo("export", str(run), "--strength", str(found), "--out", str(tmp_path / "no")))
        assert "compare" in line
    assert not (tmp_path / "no.json").exists()
    (run / "policy.safetensors").unlink()
    assert "there is no policy in this folder" in complaint(skyjo("export", str(run)))
