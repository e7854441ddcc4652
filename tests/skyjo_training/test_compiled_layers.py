"""Layers, losses and Skyjo's network in compiled code: answers and gradients are those that torch finds."""

from typing import Any

import numpy as np
import pytest

torch = pytest.importorskip("torch")
pytest.importorskip("sb3_contrib")

from torch import nn  # noqa: E402

from skyjo_agents.network import TableNetwork  # noqa: E402
from skyjo_env import GameBatch, Rules  # noqa: E402
from skyjo_env.learning.compiled_network import CompiledTableNetwork, backward, forward  # noqa: E402
from skyjo_training.compiled.flat_adam import FlatAdam  # noqa: E402
from skyjo_training.compiled.layers import gather, linear, linear_back, scatter  # noqa: E402
from skyjo_training.compiled.learning_network import FlatWeights  # noqa: E402
from skyjo_training.compiled.losses import LOSSES, Decisions, Loss, decide, loss_back  # noqa: E402

NEAR = 1e-5  # errors over the largest entry of a tensor


def arrays_of(network: nn.Module) -> tuple[Any, Any]:
    """The weights, and an array for their gradients."""
    flat = FlatWeights(network)
    return flat, np.full_like(flat.values, np.nan)


def assert_near(found: Any, wanted: Any) -> None:
    wanted = wanted.detach().numpy()
    assert np.abs(found - wanted).max() <= NEAR * max(np.abs(wanted).max(), 1e-9)


@pytest.mark.parametrize(("relu", "count"), [(False, 5), (True, 3), (True, 0)])
@pytest.mark.parametrize("n", [40, 0])
def test_a_linear_layer(relu: bool, count: int, n: int) -> None:
    torch.manual_seed(1)
    module, inputs = nn.Sequential(nn.Linear(5, 7)), torch.randn(n, 5, requires_grad=True)
    weights, gradients = arrays_of(module)
    place, wanted = np.array(weights.places["0.weight"]), module(inputs).relu() if relu else module(inputs)
    outputs = linear(weights.values, place, inputs.detach().numpy(), relu)
    above = torch.randn(n, 7)
    wanted.backward(above)
    assert inputs.grad is not None
    gradient = above.numpy().copy()
    found = linear_back(weights.values, gradients, place, inputs.detach().numpy(), outputs, gradient, relu, count)
    assert outputs == pytest.approx(wanted.detach().numpy(), rel=NEAR, abs=NEAR)
    assert found == pytest.approx(inputs.grad[:, :count].numpy(), rel=NEAR, abs=NEAR)
    for name, weight in module.named_parameters():
        assert_near(weights.parts(gradients)[name], weight.grad)


def test_an_embedding() -> None:
    module, rows = nn.Embedding(4, 3), np.array([3, 0, 3, 1])
    outputs, gradient = np.zeros((4, 9), np.float32), np.full((4, 3), np.nan, np.float32)
    gather(module.weight.detach().numpy(), rows, outputs, 5)
    wanted = module(torch.from_numpy(rows))
    assert_near(outputs[:, 5:8], wanted)
    above = torch.randn(4, 9)
    wanted.backward(above[:, 5:8])
    scatter(above.numpy(), 5, rows, gradient)
    assert_near(gradient, module.weight.grad)


@pytest.mark.parametrize("imitates", [False, True])
def test_the_losses(imitates: bool) -> None:
    rng, n = np.random.default_rng(1), 300
    masks = (rng.random((n, 6)) < 0.6).astype(np.int8)
    masks[np.arange(n), actions := rng.integers(0, 6, n)] = 1
    drawn = rng.normal(size=(n, 6)), np.log(rng.uniform(0.1, 0.6, n)), rng.normal(size=n)
    start, before, advantages = (array.astype(np.float32) for array in drawn)
    values, returns = (rng.normal(size=n).astype(np.float32) for _ in range(2))
    logits, expected = (torch.from_numpy(array.copy()).requires_grad_() for array in (start, values))
    log_chances = logits.masked_fill(torch.from_numpy(masks) == 0, -1e8).log_softmax(1)
    chosen = log_chances.gather(1, torch.from_numpy(actions)[:, None])[:, 0]
    entropy = -(log_chances.exp() * log_chances).sum(1)
    normal, ratio = (torch.from_numpy(advantages) - 0.1) / 2, (chosen - torch.from_numpy(before)).exp()
    gain = chosen if imitates else torch.min(normal * ratio, normal * ratio.clamp(0.8, 1.2))
    squared = (expected - torch.from_numpy(returns)).square()
    (-gain.mean() - 0.3 * entropy.mean() + 0.7 * squared.mean()).backward()

    losses, loss = np.zeros(len(LOSSES)), Loss(1 / n, 0.3, 0.7, 0.1, 2.0, imitates)
    rows = rng.permutation(n)
    decisions: Any = Decisions(np.empty(n, np.int64), *np.empty((3, n), np.float32))
    for noted, array in zip(decisions, (actions, before, returns - advantages, advantages), strict=True):
        noted[rows] = array
    loss_back(start, values, masks, rows, decisions, loss, losses)
    assert_near(start, logits.grad)
    assert_near(values, expected.grad)
    wanted = [-gain.mean().item(), squared.mean().item(), -entropy.mean().item()]
    assert losses[:3] == pytest.approx(wanted, rel=1e-4)
    assert losses[4] == pytest.approx(((ratio - 1).abs() > 0.2).float().mean().item())


def test_actions_are_drawn_by_their_chances_and_legal() -> None:
    n, chances = 20_000, np.array([0.0, 0.5, 0.0, 0.2, 0.3])
    masks = np.tile((chances > 0).astype(np.int8), (n, 1))
    logits = np.tile(np.log(np.maximum(chances, 0.9)), (n, 1)).astype(np.float32)
    logits[:, chances > 0] = np.log(chances[chances > 0]) + 1
    actions, luck = np.empty(n, np.int64), np.random.default_rng(1).random(n, np.float32)
    luck[0] = 1.0  # rounding may leave something
    decisions = Decisions(actions, *np.empty((3, n), np.float32))
    decide(logits, masks, luck, decisions)
    assert decisions.log_chances == pytest.approx(np.log(chances[actions]))
    found = actions.copy()
    decide(logits, masks, luck[:0], decisions)
    assert np.array_equal(found, actions)
    assert np.bincount(actions, minlength=5) / n == pytest.approx(chances, abs=0.02)


@pytest.mark.parametrize(
    ("rules", "seats"),
    [
        (Rules(), 2),
        (Rules(players=3, clear="confirm"), 5),
        (Rules(rows=2, deck=((-3, 40), (0, 60), (5, 60))), 2),
        (Rules(players=8), 8),
    ],
)
def test_the_network_of_skyjo(rules: Rules, seats: int) -> None:
    """At positions of all phases, with gradients for all logits, legal or not."""
    torch.manual_seed(1)
    rng, batch, seen = np.random.default_rng(1), GameBatch(rules, 12, 1, "round"), []
    for _ in range(80):
        seen.append(batch.observations.copy())
        batch.step((rng.random(batch.masks.shape) * batch.masks).argmax(1))
    observations = np.concatenate(seen)[rng.permutation(960)[:300]]
    network = TableNetwork(rules, seats, 6, 10, 12)
    for weight in network.parameters():
        weight.data.add_(0.1 * torch.randn_like(weight))
    weights, gradients = arrays_of(network)
    compiled = CompiledTableNetwork(network, rules, weights, gradients)
    logits, values, *seen = forward(compiled.network, observations, np.ones((300, rules.actions), np.int8))
    expected = network(torch.from_numpy(observations))
    assert_near(logits, expected[0])
    assert_near(values, expected[1])
    above = torch.randn(300, rules.actions), torch.randn(300)
    torch.autograd.backward(expected, above)
    backward(compiled.network, *seen, *(part.numpy().copy() for part in above))
    for name, weight in network.named_parameters():
        if weight.grad is not None:  # what tables are worth to the others is not asked
            assert_near(weights.parts(gradients)[name], weight.grad)


def test_steps_of_adam_are_those_of_torch_and_as_long_as_allowed() -> None:
    torch.manual_seed(1)
    weights, wanted = (nn.Parameter(torch.linspace(-1, 1, 50)) for _ in range(2))
    ours, theirs = FlatAdam([weights], lr=0.1, eps=1e-5), torch.optim.Adam([wanted], lr=0.1, eps=1e-5)
    for size in (0.01, 1.0, 3.0):
        parts = size * torch.randn(2, 50)
        wanted.grad = parts.sum(0)
        nn.utils.clip_grad_norm_([wanted], 0.5)
        theirs.step()
        ours.take(parts.numpy(), 0.5)
        assert_near(weights.detach().numpy(), wanted)
