"""Learning by looking ahead: the labels are what the look says, returns are those of a plain loop, a run can go on."""

from collections import defaultdict
from pathlib import Path
from typing import Any

import numpy as np
import pytest

pytest.importorskip("sb3_contrib")

import torch

from cardtable.table.agents.policies.policy_file import card_of, save_policy
from cardtable.table.errors import TableError
from skyjo_agents.policy import PackedNetwork
from skyjo_env import Rules
from skyjo_env.learning import SkyjoConfig
from skyjo_env.learning.search_play import NOBODY_PLAYED, Labels, SearchPlay, is_followed, label, policy_losses, returns
from skyjo_training import training_run as run
from tests.policies import opinionated, tables
from tests.skyjo_agents.test_network import packed
from tests.skyjo_training.test_training_run import assert_same, begun, train_until

SMALL = SkyjoConfig(
    method="search",
    players=(2, 3),
    decisions=1024,
    tables=16,
    n_steps=16,
    batch_size=64,
    cell=4,
    column=8,
    table=8,
    learning_rate=1e-2,
    average=0.5,
    baselines=("random",),
    deals=4,
    measurements=2,
)


@pytest.mark.parametrize("players", [2, 4])
def test_labels_are_what_the_look_says(players: int) -> None:
    rules = Rules(players=players)
    views, masks, keys = tables(rules, 40, 25)
    network: PackedNetwork = packed(opinionated(rules, players))
    nobody = np.full(40, NOBODY_PLAYED)
    found = label(rules, network, views, keys, nobody, threads=1)
    again = label(rules, network, views, keys, nobody, threads=3)
    for name in ("action_values", "follows", "values", "actions"):
        np.testing.assert_array_equal(getattr(found, name), getattr(again, name))
    assert np.isnan(found.action_values).tolist() == (masks == 0).tolist()
    assert found.follows[:, 0].tolist() == np.nanmax(found.action_values, axis=1).tolist()
    assert found.action_values[np.arange(40), found.actions].tolist() == found.follows[:, 0].tolist()
    by_torch = opinionated(rules, players).seat_values(torch.from_numpy(views)).detach().numpy()
    assert found.values == pytest.approx(by_torch, abs=1e-5)
    assert np.isfinite(found.follows).all()
    played = np.where(np.arange(40) % 2, masks.argmax(1), NOBODY_PLAYED)
    of_opponents = label(rules, network, views, keys, played, threads=1)
    follows = np.where(played == NOBODY_PLAYED, found.follows[:, 0], found.action_values[np.arange(40), played])
    np.testing.assert_array_equal(of_opponents.follows[:, 0], follows)
    np.testing.assert_array_equal(of_opponents.actions, found.actions)
    everywhere = masks.argmax(1)
    alone = label(rules, network, views, keys, everywhere, threads=2, is_alone=True)
    np.testing.assert_array_equal(alone.follows[:, 0], found.action_values[np.arange(40), everywhere])
    assert np.isnan(alone.action_values).sum() > np.isnan(found.action_values).sum()


def test_returns_are_corrected_by_what_came_later_in_the_round() -> None:
    chance, players, decay = np.random.default_rng(1), 3, 0.7
    bests, values = (chance.normal(size=(9, 5, players)).astype(np.float32) for _ in range(2))
    seats, goes_on = chance.integers(players, size=(9, 5)), chance.random((9, 5)) < 0.7
    found = returns(bests, values, seats, goes_on, decay)
    for table in range(5):
        for step in range(9):
            for place in range(players):
                seat, expected, share = (seats[step, table] + place) % players, values[step, table, place], 1.0
                for later in range(step, 9):
                    there = (seat - seats[later, table]) % players
                    expected += share * (bests[later, table, there] - values[later, table, there])
                    share *= decay
                    if not goes_on[later, table]:
                        break
                assert found[step, table, place] == pytest.approx(expected, abs=1e-5)


def test_what_follows_a_better_or_a_worse_action_says_nothing_of_the_one_that_was_valued() -> None:
    action_values = np.array([[0.3, 0.1, np.nan, 0.3, 0.5]], np.float32)
    labels = Labels(
        action_values,
        follows=np.array([[0.3, -0.3]], np.float32),
        values=np.zeros((1, 2), np.float32),
        actions=np.array([4]),
    )
    followed = [action for action in range(5) if is_followed(labels, np.array([action]))[0]]
    assert followed == [0, 3]


def test_opponents_sit_in_all_seats_but_one_at_the_tables_of_the_pool() -> None:
    model = SearchPlay(
        SMALL.with_changes({"players": (3,), "opponent_fraction": 0.75, "opponents": ("tempo", "naive")})
    )
    (group,) = model.groups[0].shares
    observations, masks = group.observations, group.masks
    free = np.zeros((len(masks), 3), bool)
    for seat in range(3):
        played = model._opponents_play(group, observations, masks, np.full(len(masks), seat))
        free[:, seat] = played == NOBODY_PLAYED
        assert masks[~free[:, seat], played[~free[:, seat]]].all()
    assert free.sum(1).tolist() == [1] * 12 + [3] * 4
    assert free[:12].any(0).all()  # the policy plays in every seat somewhere


@pytest.mark.long
def test_a_run_with_opponents_goes_on_as_one_without_a_break(tmp_path: Path) -> None:
    config = SMALL.with_changes({"opponent_fraction": 0.5, "opponents": ("tempo", "random")})
    whole = run.train(begun(tmp_path / "whole", config))
    folder = begun(tmp_path / "run", config)
    train_until(folder, 700)
    assert_same(run.train(folder), whole)


def test_the_policy_that_always_does_best_gives_nothing_away() -> None:
    action_values = torch.tensor([[2.0, float("nan"), 0.2, 2.0]])
    off, regret = policy_losses(torch.tensor([[9.0, 50.0, -9.0, 9.0]]), action_values)
    assert regret.item() == pytest.approx(0, abs=1e-6)
    assert off.item() == pytest.approx(np.log(2), abs=0.02)
    _, half = policy_losses(torch.tensor([[9.0, 50.0, 9.0, -99.0]]), action_values)
    assert half.item() == pytest.approx(0.9, abs=1e-6)
    logits = torch.zeros(1, 4, requires_grad=True)
    off, regret = policy_losses(logits, action_values)
    (off + regret).backward()  # type: ignore[no-untyped-call]
    assert logits.grad is not None
    assert logits.grad[0, 1] == 0
    assert logits.grad[0, 2] > 0 > logits.grad[0, 0] == logits.grad[0, 3]


@pytest.mark.parametrize("value_network", [0, 1])
def test_a_start_without_a_value_network_is_its_own(value_network: int, tmp_path: Path) -> None:
    network = opinionated(Rules(players=3), 3, value_network)
    if not value_network:  # such weights learn nothing: nobody has taught them, and no gradient reaches them
        for weight in network.rivals.parameters():
            weight.data.zero_()
    save_policy(tmp_path / "start.safetensors", network, card_of(network, (3,)))
    model = SearchPlay(SMALL.with_changes({"players": (3,), "start": str(tmp_path / "start.safetensors")}))
    weights = network.state_dict()
    for name, weight in model.network.state_dict().items():
        if value_network or not name.startswith("value_network.rivals."):
            assert torch.equal(weight, weights[name if value_network else name.removeprefix("value_network.")])
    assert model.network.state_dict()["value_network.rivals.0.weight"].any()


@pytest.mark.slow
def test_the_value_network_learns_first() -> None:
    model = SearchPlay(SMALL.with_changes({"players": (3,), "decisions": 40 * 256}))
    before = {name: weight.clone() for name, weight in model.network.state_dict().items()}
    model.learn(2 * 256)
    changed = {name for name, weight in model.network.state_dict().items() if not torch.equal(weight, before[name])}
    assert "value_network.rivals.0.weight" in changed
    assert all(name.startswith("value_network.") for name in changed)
    model.learn(4 * 256)
    assert not torch.equal(model.network.state_dict()["table.0.weight"], before["table.0.weight"])


@pytest.mark.slow
def test_it_learns() -> None:
    """What the policy is expected to give away falls."""
    changes = {"players": (2,), "decisions": 8192, "tables": 64, "value_warmup": 0.0}
    model, found = SearchPlay(SMALL.with_changes(changes)), defaultdict[str, list[float]](list)

    class Watch:
        def record(self, name: str, value: Any, **_: Any) -> None:
            found[name].append(float(value))

        def dump(self, *_: Any, **__: Any) -> None: ...

    model.set_logger(Watch())  # type: ignore[arg-type]
    model.learn(8192)
    regret = found["train/regret"]
    assert len(regret) == 8
    assert np.mean(regret[-2:]) < 0.7 * regret[0]
    assert min(found["rollout/ep_len_mean"]) > 10
    assert all(0 <= share <= 1 for share in found["rollout/stopped"])


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"method": "guessing"}, "method='guessing' must be self-play or maskable-ppo or search"),
        ({"teacher_decisions": 1000, "teacher": "tempo"}, "method=search has no teacher"),
        ({"opponent_fraction": 0.5}, "method=search with opponent_fraction=0.5 needs opponents"),
    ],
)
def test_what_it_cannot_do_is_refused(changes: dict[str, Any], message: str) -> None:
    with pytest.raises(TableError, match=message):
        SMALL.with_changes(changes)
