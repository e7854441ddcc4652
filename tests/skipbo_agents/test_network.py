"""The network of Skip-Bo's learned players: what is interchangeable changes nothing, and the shipped policy."""

from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

pytest.importorskip("torch")
pytest.importorskip("safetensors")

import torch

from cardtable.arena.play.pairing import play_paired
from cardtable.table.agents.policies.slice_network import Parts
from cardtable.table.errors import AgentError
from cardtable.table.game.card_game import Setup
from skipbo_agents.nearness import CHANCES
from skipbo_agents.network import PileNetwork
from skipbo_env import OFFICIAL, GameBatch, ObservationSpec, Rules, make_agent
from tests.policies import trained

MANY_RULES = [OFFICIAL, Rules(players=4), Rules(players=6, stock=10), Rules(view="tops"), Rules(players=3, view="own")]
PLACES = np.array([2, 0, 3, 1])


def seen(rules: Rules, n: int = 64, steps: int = 120) -> NDArray[np.int16]:
    """Observations from the middle of rounds."""
    batch, rng = GameBatch(rules, n=n, seed=3, episode="round"), np.random.default_rng(4)
    for _ in range(steps):
        likings = rng.random(batch.masks.shape) + (np.arange(rules.actions) < 72)  # whoever can play does
        batch.step((likings * batch.masks).argmax(axis=1))
    return batch.observations.copy()


def asked(network: PileNetwork, observations: NDArray[np.int16]) -> tuple[NDArray[Any], NDArray[Any]]:
    """Logits and values."""
    with torch.no_grad():
        logits, values = network(torch.from_numpy(observations))
    return logits.numpy(), values.numpy()


@pytest.mark.parametrize("rules", MANY_RULES)
def test_untrained_it_expects_who_has_the_smaller_stock_pile_to_win(rules: Rules) -> None:
    observations = seen(rules)
    stocks = ObservationSpec(rules).view(observations.astype(float)).stock_sizes
    logits, values = asked(PileNetwork(rules), observations)
    assert values == pytest.approx(np.tanh((stocks[:, 1:].mean(axis=1) - stocks[:, 0]) / 30), abs=1e-5)
    assert len(np.unique(values.round(4))) > 5
    assert logits.shape == (64, rules.actions)


@pytest.mark.parametrize("rules", MANY_RULES)
def test_permuted_building_places_permute_the_plays_and_nothing_else(rules: Rules) -> None:
    observations, network = seen(rules), trained(PileNetwork, rules)
    permuted = observations.copy()
    view = ObservationSpec(rules).view(permuted)
    view.building[:] = view.building[:, PLACES]
    (logits, values), (others, same) = asked(network, observations), asked(network, permuted)
    moved = np.arange(rules.actions)
    moved[:72] = (moved[:72].reshape(-1, 4)[:, PLACES]).ravel()
    assert same == pytest.approx(values, abs=1e-4)
    assert others == pytest.approx(logits[:, moved], abs=1e-4)
    assert logits.std() > 0.1  # it does prefer something


def permute_own_piles(rules: Rules, observations: NDArray[np.int16]) -> NDArray[np.int16]:
    """The same tables with the observer's discard piles in another order."""
    permuted, spec = observations.copy(), ObservationSpec(rules)
    for row in permuted:
        view = spec.view(row)
        ends = view.discard_sizes[0].cumsum()
        piles = [view.discards[end - size : end].copy() for end, size in zip(ends, view.discard_sizes[0], strict=True)]
        view.discards[: ends[-1]] = np.concatenate([piles[place] for place in PLACES])
        view.discard_sizes[0], view.discard_tops[0] = view.discard_sizes[0][PLACES], view.discard_tops[0][PLACES]
    return permuted


@pytest.mark.parametrize("rules", MANY_RULES)
def test_permuted_discard_piles_permute_what_is_played_from_them_and_laid_on_them(rules: Rules) -> None:
    observations, network = seen(rules), trained(PileNetwork, rules)
    (logits, values), (others, same) = (
        asked(network, each) for each in (observations, permute_own_piles(rules, observations))
    )
    moved = np.arange(rules.actions)
    moved[56:72] = moved[56:72].reshape(4, 4)[PLACES].ravel()
    moved[72:124] = moved[72:124].reshape(13, 4)[:, PLACES].ravel()
    assert same == pytest.approx(values, abs=1e-4)
    assert others == pytest.approx(logits[:, moved], abs=1e-4)


def test_one_network_serves_tables_of_any_size_up_to_its_own() -> None:
    network = trained(PileNetwork, OFFICIAL, seats=4)
    for players in (2, 3, 4):
        logits, values = asked(network, seen(Rules(players=players)))
        assert np.isfinite(logits).all()
        assert (abs(values) < 1).all()
    assert values.std() > 0.01


def ways(given: set[int], start: int, stock: int) -> tuple[int, int]:
    """How many cards are missing to bring a place that needs `start` up to the stock card, and how many it takes."""
    taken, rank = [], start
    while rank != stock:
        taken.append(rank)
        rank = rank % 12 + 1
    return len([each for each in taken if each not in given]), len(taken)


def facts_of(observations: NDArray[np.int16]) -> NDArray[Any]:
    """What the network is told of every rank."""
    network = PileNetwork(OFFICIAL)
    part = Parts(OFFICIAL, torch.from_numpy(observations))
    laid = network._top_cards(part)
    found: NDArray[Any] = network.facts(part, laid, network._runs(laid))[0].numpy()
    return found


def run_of_piles(view: Any, seat: int) -> tuple[set[int], int]:
    """The ranks that can be taken from a seat's discard piles one after another, and how many runs end early."""
    ranks, ends = set(), 0
    at = int(view.discard_sizes[:seat].sum())
    for size in view.discard_sizes[seat]:
        pile = [int(card) for card in view.discards[at : at + size]][::-1][:5]
        at += size
        for place, card in enumerate(pile):
            if card > 12 or (place > 0 and card != pile[place - 1] + 1):
                ends += place > 1
                break
            ranks.add(card)
    return ranks, ends


def test_it_counts_what_is_missing_up_to_the_stock_card() -> None:
    observations, ends_of_runs = seen(OFFICIAL), 0
    for row, fact in zip(observations, facts_of(observations), strict=True):
        view = ObservationSpec(OFFICIAL).view(row)
        ranks, ends = run_of_piles(view, 0)
        given = {int(card) for card in view.hand if 0 < card < 13} | ranks
        ends_of_runs += ends
        stock = int(view.stock_tops[0])
        for rank in range(1, 13):
            missing, way = (0, 0) if stock == 13 else ways(given, rank, stock)
            assert (fact[rank - 1, 18] * 4, fact[rank - 1, 20] * 12) == pytest.approx((missing, way), abs=1e-4)
            assert fact[rank - 1, 9] * 2 == (view.building == rank - 1).sum()
    assert ends_of_runs > 3


def test_it_knows_what_a_play_offers_the_next_player() -> None:
    observations, offered = seen(OFFICIAL), set()
    for row, fact in zip(observations, facts_of(observations), strict=True):
        view = ObservationSpec(OFFICIAL).view(row)
        given, _ = run_of_piles(view, 1)
        stock = int(view.stock_tops[1])

        def threat(heights: list[int], given: set[int] = given, stock: int = stock) -> float:
            missing = min(0 if stock == 13 else ways(given, height % 12 + 1, stock)[0] for height in heights)
            return float(CHANCES[5, missing]) if missing <= 5 else 0.0

        for place, height in enumerate(view.building.tolist()):
            raised = view.building.tolist()
            raised[place] = height + 1
            assert fact[height, 6] == pytest.approx(threat(raised), abs=1e-6)
            assert fact[height, 7] == pytest.approx(threat(raised) - threat(view.building.tolist()), abs=1e-6)
            offered.add(round(threat(raised), 3))
    assert len(offered) > 3


@pytest.mark.slow
def test_it_beats_the_reference() -> None:
    played = play_paired(["policy", "greedy:pile=smallest"], Setup(OFFICIAL, 3), range(40))
    assert played.wins[:, 0].mean() > 0.8


def test_at_other_tables_it_says_for_which_it_was_trained() -> None:
    assert make_agent("policy", Rules(symmetric="lowest", next_starter="winner")) is not None
    with pytest.raises(AgentError, match="the package has no policy for players=3"):
        make_agent("policy", Rules(players=3))
