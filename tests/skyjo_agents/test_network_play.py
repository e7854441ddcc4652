"""The network in compiled code gives what torch gives, under all rules and at tables of all sizes."""

from typing import Any

import numpy as np
import pytest

pytest.importorskip("torch")

import torch

from skyjo_agents.network import TableNetwork
from skyjo_agents.network_play import seat_values, write_logits
from skyjo_agents.network_shapes import shapes_of
from skyjo_agents.player import scripted
from skyjo_agents.policy import PackedNetwork
from skyjo_agents.policy_play import may
from skyjo_env import OFFICIAL, Rules
from tests.policies import opinionated, tables

RULES = {
    "official": Rules(),
    "five": Rules(players=5),
    "eight": Rules(players=8),
    "confirm": Rules(players=3, clear="confirm"),
    "two rows": Rules(rows=2, columns=3),
    "four rows and rows clear": Rules(rows=4, columns=3, row_clear=True),
    "no flip": Rules(flip_after_discard="none", reshuffle="all_then_turn_up_new"),
    "few cards": Rules.from_text("rows=2 columns=2 opening_flips=1 deck=-1:3,0:3,5:4,7:4"),
    "many values": Rules.from_text("deck=" + ",".join(f"{card}:5" for card in range(-15, 15))),
}


@scripted
def all_values(views: Any, rules: Any, weights: Any, layout: Any, values: Any) -> None:
    for k in range(len(views)):
        seat_values(views[k], rules[0], weights, layout, values[k])


@scripted
def all_logits(views: Any, rules: Any, weights: Any, layout: Any, logits: Any) -> None:
    for k in range(len(views)):
        write_logits(views[k], rules[0], weights, layout, logits[k])


@scripted
def all_may(views: Any, rules: Any, masks: Any) -> None:
    for k in range(len(views)):
        for action in range(rules[0].actions):
            masks[k, action] = may(views[k], rules[0], action)


def packed(network: TableNetwork, judges: bool = False) -> PackedNetwork:
    weights = {name: weight.numpy() for name, weight in network.state_dict().items()}
    return PackedNetwork(network.rules, network.widths, weights, judges)


@pytest.mark.parametrize("steps", [0, 3, 30, 90])
@pytest.mark.parametrize("name", RULES)
def test_values_and_logits_are_those_of_torch(name: str, steps: int) -> None:
    rules = RULES[name]
    views, masks, _ = tables(rules, 64, steps)
    network = opinionated(rules, max(rules.players, 2 if steps else 8))
    with torch.no_grad():
        expected, by_seat = network(torch.from_numpy(views)), network.seat_values(torch.from_numpy(views))
    ours, values = packed(network), np.zeros((len(views), rules.players))
    logits, found = np.zeros((len(views), rules.actions), np.float32), np.zeros_like(masks)
    all_values(views, rules.params, ours.weights, ours.layout, values)
    all_logits(views, rules.params, ours.weights, ours.layout, logits)
    all_may(views, rules.params, found)
    running = masks.any(axis=1)
    assert running.any()
    assert values == pytest.approx(by_seat.numpy(), abs=1e-5)
    if rules.players == 2:
        assert values[:, 0] == pytest.approx(expected[1].numpy(), abs=1e-5)
    assert values.sum(axis=1) == pytest.approx(0, abs=1e-5)
    assert logits == pytest.approx(expected[0].numpy(), abs=2e-4)
    assert found[running].tolist() == masks[running].tolist()


def test_a_judge_gives_the_values_and_leaves_the_logits_to_the_other() -> None:
    rules = Rules(players=3)
    views, network = tables(rules, 64, 30)[0], opinionated(rules, 3, judge=1)
    choosing, judging = packed(network), packed(network, judges=True)
    values, logits = np.zeros((len(views), 3)), np.zeros((len(views), rules.actions), np.float32)
    all_values(views, rules.params, judging.weights, judging.layout, values)
    all_logits(views, rules.params, choosing.weights, choosing.layout, logits)
    with torch.no_grad():
        seen = torch.from_numpy(views)
        assert values == pytest.approx(network.seat_values(seen).numpy(), abs=1e-5)
        assert values[:, 0] == pytest.approx(network(seen)[1].numpy(), abs=1e-5)
        assert values[:, 0] == pytest.approx(network.values(seen).numpy(), abs=1e-5)
        assert logits == pytest.approx(network.logits(seen).numpy(), abs=2e-4)
        own = opinionated(rules, 3)
        own.load_state_dict(
            {name: each for name, each in network.state_dict().items() if not name.startswith("judge.")}
        )
        assert not np.allclose(own.values(seen).numpy(), values[:, 0], atol=1e-2)
        assert torch.equal(own.logits(seen), network.logits(seen))


@pytest.mark.parametrize("judge", [0, 1])
@pytest.mark.parametrize("seats", [2, 3, 8])
def test_the_shapes_are_those_of_the_network(seats: int, judge: int) -> None:
    for rules in (OFFICIAL, Rules(clear="confirm"), Rules.from_text("deck=0:100,9:50")):
        widths = {"seats": seats, "cell": 3, "column": 5, "table": 7, "judge": judge}
        network = TableNetwork(rules, **widths)
        assert shapes_of(rules, **widths) == {name: tuple(each.shape) for name, each in network.state_dict().items()}


def test_the_values_of_two_seats_are_opposite_and_those_of_more_are_learned() -> None:
    network = opinionated(Rules(players=2))
    assert not hasattr(network, "rivals")
    values = network.seat_values(torch.from_numpy(tables()[0]))
    assert (values.sum(dim=1) == 0).all()
    many = opinionated(Rules(players=4), 4).seat_values(torch.from_numpy(tables(Rules(players=4))[0]))
    assert len(set(many.flatten().tolist())) > 200


def test_a_small_table_is_valued_as_by_torch() -> None:
    """Also without compilation, for the coverage."""
    rules = RULES["few cards"]
    views, network = tables(rules, 4, 3)[0], opinionated(rules)
    ours, values = packed(network), np.zeros((len(views), 2))
    all_values(views, rules.params, ours.weights, ours.layout, values)
    with torch.no_grad():
        assert values == pytest.approx(network.seat_values(torch.from_numpy(views)).numpy(), abs=1e-5)
