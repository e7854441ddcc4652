"""Looking ahead: its worths are those of the rules' own outcomes, its choice is the best of them, and it wins."""

import copy
import itertools
import random
from pathlib import Path
from typing import Any

import numpy as np
import pytest

pytest.importorskip("torch")

import torch
from numpy.typing import NDArray

from cardtable.table.kernel.scoring import POINTS
from skyjo_agents import LookaheadAgent, PolicyAgent
from skyjo_agents.lookahead import SLOW_AFTER_TURNS, STOP_PENALTY, STOP_PROBABILITY, weigh_all
from skyjo_agents.network import TableNetwork
from skyjo_agents.network_players import rated_highest
from skyjo_agents.player import scripted
from skyjo_agents.round_ends import COUNTED
from skyjo_env import OFFICIAL, AgentError, Game, ObservationSpec, Rules, make_agent
from skyjo_env.kernel.state import DRAW, FIRST_PLACE, HIDDEN, NOBODY, TAKE
from skyjo_env.kernel.view import AT_ENDER
from skyjo_env.rules import action_names
from tests.helpers import first_quick, table
from tests.policies import opinionated, saved, tables
from tests.skyjo_agents.test_network import all_logits, packed
from tests.skyjo_play import play_paired

SMALL = "rows=3 columns=2 opening_flips=1 deck=-1:4,0:4,3:6,7:6,9:4"
RULES = {
    "official": OFFICIAL,
    "four": Rules(players=4),
    "small": Rules.from_text(SMALL),
    "small, three seats": Rules.from_text(f"{SMALL} players=3 clear=confirm"),
    "small, no flip": Rules.from_text(f"{SMALL} flip_after_discard=none row_clear=true"),
    "tiny, new top": Rules.from_text(
        "rows=2 columns=2 opening_flips=1 deck=-1:3,0:3,5:4,7:4 ender_penalty_mode=ties_allowed"
    ),
}


@scripted
def weighed(view: Any, rules: Any, weights: Any, layout: Any, key: Any, action_values: Any) -> Any:
    considered = np.ones(rules[0].actions, np.bool_)
    return weigh_all(view, rules[0], considered, weights, layout, key, action_values)


def worth(game: Game, network: TableNetwork, action: int, cards: tuple[int, ...] = ()) -> NDArray[Any] | None:
    """What an action is worth to every seat, by the rules' outcomes; None if more than two hidden cards decide it."""
    options = game.outcomes(action, *cards)
    if not options:
        after = copy.copy(game)
        after.apply(action, *cards)
        return value(after, network)
    own = int(brings_a_card(game, action))
    if len(cards) >= own and sum(view_of(game).hidden_left) - own * (action != DRAW) > COUNTED:
        return None
    parts = [(float(chance), worth(game, network, action, (*cards, card))) for card, chance in options.items()]
    if any(part is None for _, part in parts):
        return None
    return sum((chance * part for chance, part in parts if part is not None), np.zeros(game.rules.players))


def view_of(game: Game) -> Any:
    return ObservationSpec(game.rules).view(game.observation())


def brings_a_card(game: Game, action: int) -> bool:
    """Whether an action itself draws, turns up or replaces a hidden card, before the end of the round does."""
    rules = game.rules
    is_cell = FIRST_PLACE <= action < FIRST_PLACE + 2 * rules.cells and "discard" not in action_names(rules)[action]
    return action == DRAW or (is_cell and view_of(game).cells[0, (action - FIRST_PLACE) % rules.cells] == HIDDEN)


def value(game: Game, network: TableNetwork) -> NDArray[Any]:
    """What a table is worth to every seat."""
    players = game.rules.players
    if game.is_over:
        scores = np.array(game.round_scores, float)
        margins: NDArray[Any] = (scores.sum() - scores) / (players - 1) - scores
        return margins
    with torch.no_grad():
        values = network.seat_values(torch.from_numpy(game.observation()[None]))[0].numpy()
    going_on = POINTS * np.roll(values.astype(float), game.seat)
    if game.phase != "turn" or game.state["turns"] < SLOW_AFTER_TURNS * players:
        return going_on
    return (1 - STOP_PROBABILITY) * going_on + STOP_PROBABILITY * as_it_lies(game)


def as_it_lies(game: Game) -> NDArray[Any]:
    """What a stopped round brings: the margins as the cards lie, and a penalty to whoever is behind."""
    view, players = view_of(game), game.rules.players
    mean = (view.hidden_pool * np.array(game.rules.values)).sum() / max(view.hidden_pool.sum(), 1)
    sums = np.roll(view.open_sums + view.hidden_left * mean, game.seat)
    margins: NDArray[Any] = (sums.sum() - sums) / (players - 1) - sums
    ahead = (margins > 0) | ((margins == 0) & (np.arange(players) == 0))
    return margins + np.where(ahead, STOP_PENALTY, -STOP_PENALTY)


@pytest.mark.parametrize("name", first_quick(1, sorted(RULES, key=lambda name: name in ("official", "four"))))
def test_every_worth_is_that_of_the_outcomes(name: str) -> None:
    """At the end of a round only where up to two cards are still hidden; with more of them it guesses. After a card is
    taken the network sees the card below, which nobody knows.
    """
    rules, compared, ends = RULES[name], 0, 0
    network = opinionated(rules, rules.players)
    ours, action_values = packed(network), np.zeros((rules.actions, rules.players))
    for seed in range(4):
        game, chance = Game(rules, seed, episode="round"), random.Random(seed)
        while not game.is_over:
            legal = game.legal_actions()
            if chance.random() < (0.03 if rules.cells > 6 else 0.4):
                best = weighed(
                    game.observation(), rules.params, ours.weights, ours.layout, np.uint64(seed), action_values
                )
                assert np.flatnonzero(~np.isnan(action_values[:, 0])).tolist() == legal
                assert action_values[best, game.seat] == np.nanmax(action_values[:, game.seat])
                for action in legal:
                    expected = worth(game, network, action)
                    if expected is not None and (action != TAKE or view_of(game).discard_pile_size <= 2):
                        assert action_values[action] == pytest.approx(expected, abs=2e-3)
                        compared += 1
                        after = copy.copy(game)
                        after.apply(action)
                        ends += after.is_over
            game.apply(chance.choice(legal))
    assert compared > 50
    assert ends > 0 or rules.cells > 6


@pytest.mark.parametrize("depth", [1, 2])
def test_to_the_end_of_a_turn_the_best_is_made_of_every_card(depth: int, tmp_path: Path) -> None:
    """With a depth of 2, and in the final lap with any."""
    rules, compared = RULES["small"], {True: 0, False: 0}
    path = str(saved(tmp_path / "policy.safetensors", (2,), rules))
    near, look = LookaheadAgent(rules, path), LookaheadAgent(rules, path, depth=depth)
    for seed in range(8):
        game, chance = Game(rules, seed, episode="round"), random.Random(seed)
        while not game.is_over:
            is_last = view_of(game).ender != -1
            if game.phase == "turn" and DRAW in game.legal_actions():
                action_values, expected, seat = look.action_values(game.observation(), 1), np.zeros(2), game.seat
                for card, probability in game.outcomes(DRAW).items():
                    after = copy.copy(game)
                    after.apply(DRAW, card)
                    found = near.action_values(after.observation(), 1)
                    expected += float(probability) * found[np.nanargmax(found[:, seat])]
                if depth == 2 or is_last:
                    assert action_values[DRAW] == pytest.approx(expected, abs=1e-4)
                    compared[is_last] += 1
                else:
                    assert action_values[DRAW] == pytest.approx(near.action_values(game.observation(), 1)[DRAW])
            game.apply(chance.choice(game.legal_actions()))
    assert compared[True] > 3
    assert (compared[False] > 20) == (depth == 2)


def test_a_depth_or_width_that_is_none_is_refused() -> None:
    for text in ("depth=3", "width=-1"):
        with pytest.raises(AgentError, match=text):
            make_agent(f"lookahead:{text}", OFFICIAL)


@pytest.mark.slow
def test_it_tries_the_actions_that_its_policy_likes_best() -> None:
    policy, ahead = PolicyAgent(), LookaheadAgent()
    views, masks, _ = tables(OFFICIAL, 30, 25)
    for view, mask in zip(views, masks, strict=True):
        logits = np.zeros(OFFICIAL.actions, np.float32)
        all_logits(view[None], OFFICIAL.params, policy.player["weights"][0], policy.player["layout"][0], logits[None])
        everything, few = np.zeros(OFFICIAL.actions, np.bool_), np.zeros(OFFICIAL.actions, np.bool_)
        rated_highest(view, OFFICIAL.params, ahead.player, 0, everything)
        rated_highest(view, OFFICIAL.params, ahead.player, 3, few)
        assert (everything <= mask).all()
        assert view[AT_ENDER] == NOBODY
        assert few.sum() == min(3, everything.sum())
        assert (few <= everything).all()
        assert logits[few].min() >= logits[everything & ~few].max(initial=-np.inf)
        view[AT_ENDER] = 1
        rated_highest(view, OFFICIAL.params, ahead.player, 3, few)
        np.testing.assert_array_equal(few, everything)


def test_its_choice_is_the_best_of_the_four_that_it_values() -> None:
    views, masks, _ = tables(OFFICIAL, 30, 25)
    ahead = LookaheadAgent()
    for view, mask in zip(views, masks, strict=True):
        values = ahead.values(view, mask, 0)
        action = int(ahead.act(view[None], mask[None], np.zeros(1, np.uint64))[0])
        assert len({round(value, 9) for value in values.values()}) <= 4  # equal ones on equal cards count once
        assert values[action] == pytest.approx(max(values.values()), abs=0.3)  # other guesses at what is hidden


def test_with_room_for_all_actions_its_choice_is_the_same() -> None:
    ours, theirs = (play_paired([f"lookahead:width={width}", "tempo"], seed=3, deals=range(10)) for width in (0, 26))
    np.testing.assert_array_equal(ours.margins, theirs.margins)
    few = play_paired(["lookahead:width=1", "tempo"], seed=3, deals=range(10))
    by_policy = play_paired(["policy", "tempo"], seed=3, deals=range(10))
    assert not np.array_equal(few.margins, ours.margins)
    assert np.abs(few.margins - by_policy.margins).mean() < np.abs(ours.margins - by_policy.margins).mean()


def test_actions_on_equal_cards_in_equal_columns_are_worth_the_same() -> None:
    network, game, chance, equal = opinionated(), Game(seed=3), random.Random(3), 0
    ours, action_values = packed(network), np.zeros((26, 2))
    while game.phase != "drawn" or game.state["turns"] < 4:
        game.apply(chance.choice(game.legal_actions()))
    weighed(game.observation(), game.rules.params, ours.weights, ours.layout, np.uint64(1), action_values)
    shown = game.observation()[13:25].reshape(4, 3).tolist()
    for cell, other in itertools.combinations(range(12), 2):
        one, two = shown[cell // 3], shown[other // 3]
        if one[cell % 3] == two[other % 3] and sorted(one) == sorted(two):
            for first in (FIRST_PLACE, FIRST_PLACE + 12):
                assert action_values[first + cell].tolist() == pytest.approx(
                    action_values[first + other].tolist(), nan_ok=True, abs=0
                )
            equal += cell // 3 != other // 3
    assert equal > 0


def test_with_many_hidden_cards_its_guesses_come_close_to_the_outcomes() -> None:
    """Three hidden cards at the end: a mean of 200 guesses."""
    boards = "board ? ? ? | 4 5 . | . . . | . . .; board 1 2 3 | 4 5 . | . . . | . . ."
    game = table(f"ender 1; turns_left 1; {boards}; discard 3; seat 0 drawn 6")
    ours, action_values = packed(opinionated()), np.zeros((26, 2))
    weighed(game.observation(), game.rules.params, ours.weights, ours.layout, np.uint64(1), action_values)
    action = 2 + 3  # on the 4
    exact = worth_of_end(game, action)
    assert action_values[action, 0] == pytest.approx(exact, abs=2.0)


def worth_of_end(game: Game, action: int, cards: tuple[int, ...] = ()) -> float:
    options = game.outcomes(action, *cards)
    if options:
        return sum(float(chance) * worth_of_end(game, action, (*cards, card)) for card, chance in options.items())
    after = copy.copy(game)
    after.apply(action, *cards)
    return float(after.round_scores[1] - after.round_scores[0])


@pytest.mark.long
def test_it_is_no_worse_than_its_policy() -> None:
    assert play_paired(["lookahead", "policy"], deals=range(250)).margins[:, 0].mean() > -0.5


@pytest.mark.slow
def test_it_is_better_than_a_script() -> None:
    assert play_paired(["lookahead", "tempo"], deals=range(150)).margins[:, 0].mean() > 2
