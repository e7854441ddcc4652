"""The network of the learned players: what may be permuted changes nothing, and compiled it gives what torch gives."""

from typing import Any

import numpy as np
import pytest

pytest.importorskip("torch")
pytest.importorskip("sb3_contrib")

import torch
from gymnasium import spaces

from cardtable.table.kernel.scoring import POINTS
from skyjo_agents.network import TableNetwork
from skyjo_agents.network_play import seat_values, write_logits
from skyjo_agents.network_shapes import shapes_of
from skyjo_agents.player import scripted
from skyjo_agents.policy import PackedNetwork
from skyjo_agents.policy_play import may
from skyjo_env import OFFICIAL, GameBatch, ObservationSpec, Rules
from skyjo_training.table_policy import TablePolicy
from tests.policies import opinionated, tables, trained

MANY_RULES = [
    OFFICIAL,
    Rules(players=4, clear="confirm", flip_after_discard="none"),
    Rules(players=3, rows=2, columns=6),
    Rules(players=8, deck=((-3, 40), (0, 60), (5, 60))),
    Rules(deck=((0, 13), (1, 13))),  # only two can play
]


def seen(rules: Rules, n: int = 64) -> Any:
    """Observations from the middle of rounds."""
    return tables(rules, n)[0]


@pytest.mark.parametrize("rules", MANY_RULES)
def test_untrained_it_expects_the_visible_margin_and_prefers_nothing(rules: Rules) -> None:
    observations = seen(rules)
    view = ObservationSpec(rules).view(observations.astype(float))
    cards = np.arange(rules.values[0], rules.values[-1] + 1)
    mean = (view.hidden_pool * cards).sum(1) / view.hidden_pool.sum(1)
    expected = view.open_sums + view.hidden_left * mean[:, None]
    margin = (expected[:, 1:].mean(axis=1) - expected[:, 0]) / POINTS
    with torch.no_grad():
        logits, values = TableNetwork(rules)(torch.from_numpy(observations))
    assert values.numpy() == pytest.approx(margin, abs=1e-5)
    assert logits.shape == (64, rules.actions)
    assert logits.abs().max() < 0.1


@pytest.mark.parametrize("rules", MANY_RULES)
def test_permuted_cells_permute_the_logits_and_nothing_else(rules: Rules) -> None:
    observations, network, rng = seen(rules), trained(TableNetwork, rules), np.random.default_rng(5)
    spec = ObservationSpec(rules)
    permuted = observations.copy()
    cells = spec.view(permuted).cells.reshape(-1, rules.players, rules.columns, rules.rows)
    orders = [
        np.concatenate([column * rules.rows + rng.permutation(rules.rows) for column in rng.permutation(rules.columns)])
        for _ in range(rules.players)
    ]
    for seat, order in enumerate(orders):
        cells[:, seat] = cells[:, seat].reshape(-1, rules.cells)[:, order].reshape(-1, rules.columns, rules.rows)
    with torch.no_grad():
        (logits, values), (others, same) = (network(torch.from_numpy(each)) for each in (observations, permuted))
    assert same.numpy() == pytest.approx(values.numpy(), abs=1e-4)
    first = rules.params[0]["first_flip"]
    moved = np.arange(rules.actions)
    moved[2 : 2 + rules.cells], moved[first : first + rules.cells] = 2 + orders[0], first + orders[0]
    assert others.numpy() == pytest.approx(logits.numpy()[:, moved], abs=1e-4)
    assert logits.std() > 0.1  # it does prefer something


@pytest.mark.parametrize("rules", [*MANY_RULES, Rules(rows=4, columns=3), Rules(deck=((-20, 75), (20, 75)))])
def test_reading_every_column_once_changes_neither_what_is_found_nor_its_gradients(rules: Rules) -> None:
    network, observations = trained(TableNetwork, rules), torch.from_numpy(seen(rules))
    weights = torch.rand(len(observations), rules.actions + 1, generator=torch.Generator().manual_seed(6))
    found = []
    for mode in (True, False):
        logits, values = network.train(mode)(observations)
        gradients = torch.autograd.grad(
            (weights * torch.cat([logits, values[:, None]], dim=1)).sum(), list(network.parameters()), allow_unused=True
        )
        found.append((logits, values, *(each for each in gradients if each is not None)))
    for once, every in zip(*found, strict=True):
        assert torch.allclose(once, every, rtol=1e-4, atol=1e-3)


@pytest.mark.parametrize("highest", [5, 17, 18])
def test_columns_are_told_apart_by_their_cards_in_any_order_and_by_what_is_like_them(highest: int) -> None:
    """As long as what tells them apart fits into 64 bits."""
    network = TableNetwork(Rules(deck=((-9, 75), (highest, 75))))
    assert network.is_countable == (highest <= 17)
    if network.is_countable:
        last = network.kinds - 1
        cells = torch.tensor([[0, 1, last], [last, 0, 1], [0, 1, last], [1, 1, last], [last] * 3, [last] * 3])
        alike = torch.tensor([[0, 1], [0, 1], [1, 0], [0, 1], [3, 3], [3, 3]])
        some, places = network._distinct(cells, alike)
        assert len(some) == 4
        assert places[0] == places[1]
        assert places[4] == places[5]
        found = sorted(cells[some].sort(1).values.tolist())
        assert found == [[0, 1, last], [0, 1, last], [1, 1, last], [last] * 3]


def test_the_value_is_the_same_alone() -> None:
    observations, network = torch.from_numpy(seen(OFFICIAL)), trained(TableNetwork, OFFICIAL)
    with torch.no_grad():
        assert network.values(observations).numpy() == pytest.approx(network(observations)[1].numpy())


def test_the_policy_draws_legal_actions_as_often_as_it_says() -> None:
    spec = ObservationSpec(OFFICIAL)
    policy: Any = TablePolicy(
        spaces.Box(spec.low, spec.high, dtype=np.int16), spaces.Discrete(26), lambda _: 1e-3, rules=OFFICIAL
    )
    policy.network.load_state_dict(trained(TableNetwork, OFFICIAL).state_dict())
    batch = GameBatch(OFFICIAL, n=1, episode="round")
    observations = torch.from_numpy(np.repeat(batch.observations, 20_000, axis=0))
    masks = np.repeat(batch.masks, 20_000, axis=0)
    with torch.no_grad():
        actions, values, log_chances = policy(observations, action_masks=masks)
        again = policy.evaluate_actions(observations, actions, torch.from_numpy(masks))
        told = policy.get_distribution(observations[:1], masks[:1]).distribution.probs[0].numpy()
    shares = np.bincount(actions.numpy(), minlength=26) / 20_000
    assert shares[batch.masks[0] == 0].sum() == 0
    assert shares == pytest.approx(told, abs=0.02)
    assert log_chances.exp().numpy() == pytest.approx(told[actions.numpy()], abs=1e-5)
    assert again[1].numpy() == pytest.approx(log_chances.numpy(), abs=1e-5)
    assert again[0].numpy() == pytest.approx(values.numpy(), abs=1e-5)
    assert again[2][0].item() == pytest.approx(-(told[told > 0] * np.log(told[told > 0])).sum(), abs=1e-4)
    assert policy(observations[:9], deterministic=True, action_masks=masks[:9])[0].tolist() == [told.argmax()] * 9


def test_gradients_are_those_of_the_function() -> None:
    """Layers work in place: a derivative along a random direction must still be what a small step shows."""
    network, observations = trained(TableNetwork, OFFICIAL).double(), torch.from_numpy(seen(OFFICIAL, n=8))

    def loss() -> Any:
        logits, values = network(observations)
        return (logits.log_softmax(1)[:, 3] + values**2).sum()

    def moved(step: float) -> float:
        with torch.no_grad():
            for parameter, direction in zip(parameters, directions, strict=True):
                parameter.add_(step * direction)
            return float(loss())

    loss().backward()
    parameters = list(network.parameters())
    directions = [torch.randn_like(parameter) for parameter in parameters]
    pairs = zip(parameters, directions, strict=True)
    told = sum(
        float((parameter.grad * direction).sum()) for parameter, direction in pairs if parameter.grad is not None
    )
    above, below = moved(1e-6), moved(-2e-6)
    assert (above - below) / 2e-6 == pytest.approx(told, rel=1e-3)


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


def packed(network: TableNetwork, has_value_network: bool = False) -> PackedNetwork:
    weights = {name: weight.numpy() for name, weight in network.state_dict().items()}
    return PackedNetwork(network.rules, network.widths, weights, has_value_network)


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


def test_a_value_network_gives_the_values_and_leaves_the_logits_to_the_other() -> None:
    rules = Rules(players=3)
    views, network = tables(rules, 64, 30)[0], opinionated(rules, 3, value_network=1)
    choosing, judging = packed(network), packed(network, has_value_network=True)
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
            {name: each for name, each in network.state_dict().items() if not name.startswith("value_network.")}
        )
        assert not np.allclose(own.values(seen).numpy(), values[:, 0], atol=1e-2)
        assert torch.equal(own.logits(seen), network.logits(seen))


@pytest.mark.parametrize("value_network", [0, 1])
@pytest.mark.parametrize("seats", [2, 3, 8])
def test_the_shapes_are_those_of_the_network(seats: int, value_network: int) -> None:
    for rules in (OFFICIAL, Rules(clear="confirm"), Rules.from_text("deck=0:100,9:50")):
        widths = {"seats": seats, "cell": 3, "column": 5, "table": 7, "value_network": value_network}
        network = TableNetwork(rules, **widths)
        assert shapes_of(rules, **widths) == {name: tuple(each.shape) for name, each in network.state_dict().items()}
