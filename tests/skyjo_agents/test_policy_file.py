"""A policy's files: what is saved is loaded, and nothing else is believed."""

import hashlib
import json
import os
import pickle
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

pytest.importorskip("torch")
pytest.importorskip("safetensors")

import torch
from safetensors.numpy import load_file, save

from cardtable.table.agents.policies.model_card import (
    Strength,
    card_path,
    read_card,
    rules_hash,
)
from cardtable.table.agents.policies.policy_file import card_of, load_policy, save_policy
from skyjo_agents.network_shapes import SKYJO_POLICIES
from skyjo_env import OFFICIAL, AgentError, ObservationSpec, Rules
from skyjo_env.card_game import OBSERVATION_VERSION
from tests.policies import SMALL, Malice, opinionated, saved, tables

TRAINING = {"seed": 7, "decisions": 1_000_000, "config": {"λ": 0.95}}
STRENGTH: list[Strength] = [
    {"against": "tempo", "deals": 9, "players": 2, "margin": {"mean": 1.5, "half": 0.5}},
]


@pytest.fixture
def file(tmp_path: Path) -> Path:
    return saved(tmp_path / "small.v1.safetensors", training=TRAINING, strength=STRENGTH)


def test_what_is_saved_is_loaded(file: Path) -> None:
    network, card = load_policy(file, OFFICIAL)
    observations = torch.from_numpy(tables()[0])
    for before, after in zip(opinionated()(observations), network(observations), strict=True):
        assert after.numpy() == pytest.approx(before.detach().numpy(), abs=1e-5)
    assert (card.rules, card.players, card.network) == (OFFICIAL, (2,), {"seats": 2, **SMALL})
    assert (card.training, card.strength) == (TRAINING, STRENGTH)
    assert card.sha256 == hashlib.sha256(file.read_bytes()).hexdigest()
    assert sorted(each.name for each in file.parent.iterdir()) == ["small.v1.json", "small.v1.safetensors"]


def test_loading_leaves_the_random_numbers_of_others_alone(file: Path) -> None:
    before = torch.get_rng_state()
    load_policy(file)
    assert torch.equal(torch.get_rng_state(), before)


def test_it_plays_wherever_the_rules_leave_its_decisions_as_they_are(tmp_path: Path) -> None:
    file = saved(tmp_path / "p.safetensors", (2, 4), Rules(clear="confirm", draw_streams=True, target_score=50))
    for rules in (Rules(clear="confirm"), Rules(players=4, clear="confirm", max_rounds=3, target_score=9)):
        load_policy(file, rules)
    assert read_card(file).rules.to_text() == "clear=confirm"


@pytest.mark.parametrize(
    ("rules", "message"),
    [
        (Rules(players=3), "was trained for players=2 or 4; this table has 3$"),
        (Rules(clear="confirm"), "was trained for clear='automatic'; this table has clear='confirm'$"),
        (Rules(rows=2, columns=6), "trained for rows=3, columns=4; this table has rows=2, columns=6$"),
    ],
)
def test_at_another_table_it_says_for_which_it_was_trained(rules: Rules, message: str, tmp_path: Path) -> None:
    file = saved(tmp_path / "p.safetensors", (2, 4))
    with pytest.raises(AgentError, match=f"policy {file} .*{message}"):
        load_policy(file, rules)


def rewritten(**changes: Any) -> Callable[[Path], None]:
    """A change to the card; None takes a part away."""

    def change(file: Path) -> None:
        written = json.loads(card_path(file).read_text()) | changes
        card_path(file).write_text(json.dumps({name: value for name, value in written.items() if value is not None}))

    return change


def reweighted(change: Callable[[dict[str, Any]], dict[str, Any]]) -> Callable[[Path], None]:
    """Other weights, and a card that says they are right."""
    return lambda file: forged(save(change(load_file(file))))(file)


def forged(data: bytes) -> Callable[[Path], None]:
    """Any bytes as weights, and a card that says they are right."""

    def change(file: Path) -> None:
        file.write_bytes(data)
        rewritten(sha256=hashlib.sha256(data).hexdigest())(file)

    return change


def cards(text: bytes) -> Callable[[Path], object]:
    return lambda file: card_path(file).write_bytes(text)


def network(**changes: Any) -> Callable[[Path], object]:
    return rewritten(network={"version": 1, "seats": 2, **SMALL} | changes)


BIAS = "cell_logits.bias"
OTHER = "is damaged, or does not belong to its card: its sha256 differs$"
FAULTS: dict[str, tuple[Callable[[Path], object], str]] = {
    "truncated": (lambda file: os.truncate(file, 1000), OTHER),
    "wrong hash": (rewritten(sha256="0" * 64), OTHER),
    "no card": (
        lambda file: card_path(file).unlink(),
        r"small\.v1\.safetensors: its model card small\.v1\.json is missing$",
    ),
    "huge": (lambda file: os.truncate(file, 2**40), "has more than .* bytes, which no policy needs$"),
    "forged, odd type": (
        forged(save({BIAS: np.zeros(2, np.float32)}).replace(b'"F32"', b'"F99"')),
        "these are not weights: .*",
    ),
    "not finite": (
        reweighted(lambda weights: weights | {BIAS: np.array([0, np.nan], np.float32)}),
        "cell_logits.bias has entries that are not finite numbers$",
    ),
    "shape": (
        reweighted(lambda weights: weights | {BIAS: np.zeros(3, np.float32)}),
        r"cell_logits.bias is float32\[3\], the network has float32\[2\]$",
    ),
    "dtype": (reweighted(lambda weights: weights | {BIAS: np.zeros(2)}), r"is float64\[2\], the network has float32"),
    "too few": (
        reweighted(lambda weights: {name: weights[name] for name in weights if name != BIAS}),
        r"the weights \['cell_logits.bias'\] are missing, and the network has no \[\]$",
    ),
    "too many": (reweighted(lambda weights: weights | {"a": np.zeros(2)}), r"and the network has no \['a'\]$"),
    "not JSON": (cards(b"{"), "json: this is not JSON$"),
    "NaN": (cards(b'{"skyjo_policy": NaN}'), "json: this is not JSON$"),
    "other JSON": (cards(b"{}"), "json: this is not the card of a policy$"),
    "format": (rewritten(skyjo_policy=2), "made for format 2, this is 1$"),
    "observation": (
        rewritten(observation=OBSERVATION_VERSION + 1),
        f"made for observation version {OBSERVATION_VERSION + 1}, this is {OBSERVATION_VERSION}$",
    ),
    "network version": (network(version=2), "made for network version 2, this is 1$"),
    "rules": (rewritten(rules="clear=sometimes"), "rules='clear=sometimes' cannot be played: clear='sometimes' is not"),
    "other rules": (rewritten(rules="clear=confirm"), "rules and rules_hash do not match"),
    "too many players": (rewritten(players=[2, 3]), "players=3 must be a whole number from 2 to 2$"),
    "enormous": (network(table=10**9), "table=1000000000 must be a whole number from 1 to 1024$"),
    "no width": (
        rewritten(network={"version": 1}),
        r"network=\{\} must have seats, cell, column, table, value_network$",
    ),
}


@pytest.mark.parametrize("name", FAULTS)
def test_what_is_damaged_is_told_in_one_line(name: str, file: Path) -> None:
    change, message = FAULTS[name]
    change(file)
    with pytest.raises(AgentError, match=message) as caught:
        load_policy(file, OFFICIAL)
    assert str(file.with_suffix("")) in str(caught.value)
    assert len(str(caught.value).splitlines()) == 1


def test_a_pickle_is_not_opened_whatever_its_name(file: Path, tmp_path: Path) -> None:
    trace = tmp_path / "trace"
    pickled = pickle.dumps(Malice(trace))
    pickle.loads(pickled)
    trace.unlink()  # it works
    forged(pickled)(file)
    with pytest.raises(AgentError, match="these are not weights"):
        load_policy(file)
    assert not trace.exists()


def test_what_cannot_be_loaded_again_is_not_saved(file: Path, tmp_path: Path) -> None:
    before = {each: each.read_bytes() for each in tmp_path.iterdir()}
    network = opinionated()
    with torch.no_grad():
        network.cell_logits.bias[0] = float("nan")
    with pytest.raises(AgentError, match="not finite"):
        save_policy(file, network, card_of(network, (2,)))
    with pytest.raises(AgentError, match="must be JSON"):
        save_policy(file, opinionated(), card_of(opinionated(), (2,), {"path": Path()}))
    with pytest.raises(AgentError, match="must be JSON"):
        save_policy(file, opinionated(), card_of(opinionated(), (2,), {"margin": float("nan")}))
    with pytest.raises(AgentError, match="players=3 must be a whole number from 2 to 2"):
        card_of(network, (2, 3))
    assert {each: each.read_bytes() for each in tmp_path.iterdir()} == before


def test_weights_and_card_are_written_together_or_not_at_all(file: Path, tmp_path: Path) -> None:
    weights = file.read_bytes()
    card_path(file).unlink()
    card_path(file).mkdir()  # no card can be written
    network = opinionated(seats=4)
    with pytest.raises(OSError, match=r"small\.v1\.json"):
        save_policy(file, network, card_of(network, (4,)))
    assert file.read_bytes() == weights
    assert sorted(each.name for each in tmp_path.iterdir()) == ["small.v1.json", "small.v1.safetensors"]


def test_the_hash_of_the_rules_is_theirs_alone() -> None:
    assert rules_hash(OFFICIAL) == rules_hash(Rules(players=5, draw_streams=True, target_score=7))
    hashes = {rules_hash(rules) for rules in (OFFICIAL, Rules(clear="confirm"), Rules(max_turns=9), Rules(columns=5))}
    assert len(hashes) == 4


def test_observations_are_those_of_this_version() -> None:
    """If this fails, observations have changed: count OBSERVATION_VERSION up, and train what was shipped anew."""
    layouts = [
        [(part.name, part.start, part.shape, part.kind) for part in ObservationSpec(rules).slices]
        for rules in (OFFICIAL, Rules(players=8, rows=2, deck=((-3, 90), (5, 90))))
    ]
    digest = hashlib.sha256(repr(layouts).encode()).hexdigest()[:8]
    assert (OBSERVATION_VERSION, digest) == (1, "7495e778")


def test_the_network_is_that_of_this_version() -> None:
    """If this fails, the same weights play differently: count its version up, and train what was shipped anew."""
    network, (observations, _, _) = opinionated(seats=3), tables(n=1)
    with torch.no_grad():
        for number, parameter in enumerate(network.parameters()):
            parameter.copy_(torch.cos(torch.arange(parameter.numel()) + number).reshape(parameter.shape))
        logits, values = network(torch.from_numpy(observations))
    told = [*logits[0, [0, 2, 9, 20]].tolist(), *values.tolist()]
    assert SKYJO_POLICIES.version == 1
    assert told == pytest.approx([-30.157, 12.659, 8.544, -15.415, 15.564], abs=2e-3)
