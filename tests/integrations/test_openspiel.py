"""The OpenSpiel games: OpenSpiel's own checks, and the same rounds as `Game` plays."""
# ruff: noqa: E402  # what needs OpenSpiel can only be imported once it is known to be there

import importlib
import random
import sys
from typing import Any

import pytest

pyspiel = pytest.importorskip("pyspiel")


import skipbo_env
import skyjo_action_env
import skyjo_env.openspiel  # registers all games
from cardtable.table.errors import TableError
from skyjo_env import OFFICIAL, Game, IllegalActionError, Rules, SkyjoError
from skyjo_env.events import CardDrawn, CardPlaced, CardRevealed, CardTurnedUp, Event
from tests.games.skipbo import SKIPBO, reward_at_the_end
from tests.games.skyjo import margin
from tests.games.skyjo_action import SKYJO_ACTION

PLAYERS = {skipbo_env: SKIPBO.nth, skyjo_action_env: SKYJO_ACTION.nth}


def after(game: Any, history: list[int]) -> Any:
    """The state to which these actions lead."""
    state = game.new_initial_state()
    for action in history:
        state.apply_action(action)
    return state


def play_at_random(state: Any, chance: random.Random, decisions: int = 10_000) -> Any:
    """Go on at random, chance by its probabilities; the state itself is returned."""
    while decisions > 0 and not state.is_terminal():
        outcomes = state.chance_outcomes() if state.is_chance_node() else [(a, 1) for a in state.legal_actions()]
        state.apply_action(chance.choices(*zip(*outcomes, strict=True))[0])
        decisions -= 1
    return state


# OpenSpiel's own checks


@pytest.mark.parametrize(
    ("game", "rounds"),
    [
        *((f"python_skyjo(players={players},deals=50)", 3) for players in (2, 3, 8)),
        *((f"python_skyjo_cards(players={players})", 1) for players in (2, 3, 8)),
        *((f"python_skipbo(players={players},deals=50)", 1) for players in (2, 6)),
        *((f"python_skyjo_action(players={players},deals=50)", 1) for players in (2, 8)),
    ],
)
def test_openspiels_simulation_finds_nothing_wrong(game: str, rounds: int) -> None:
    pyspiel.random_sim_test(pyspiel.load_game(game), num_sims=rounds, serialize=True, verbose=False)


# The same rounds as Game plays


@pytest.mark.parametrize(
    ("package", "players", "seed", "deal"),
    [
        (skyjo_env, 2, 0, 0),
        (skyjo_env, 3, 5, 17),
        (skyjo_env, 8, 2**31 - 1, 999),
        (skipbo_env, 2, 0, 0),
        (skipbo_env, 3, 5, 17),
        (skipbo_env, 6, 2**31 - 1, 999),
        (skyjo_action_env, 2, 0, 0),
        (skyjo_action_env, 8, 2**31 - 1, 999),
    ],
)
def test_a_round_is_that_of_the_game_with_the_same_seed_and_deal(
    package: Any, players: int, seed: int, deal: int
) -> None:
    rules = package.Rules(players=players)
    state = after(pyspiel.load_game(f"python_{rules.game}", {"players": players, "seed": seed}), [deal])
    game, chance = package.Game(rules, seed=seed, deal=deal, episode="round"), random.Random(deal)
    while not game.is_over:
        assert state.current_player() == game.seat
        for player in range(players):
            assert state.legal_actions(player) == (game.legal_actions() if player == game.seat else [])
            assert state.observation_tensor(player) == game.observation(player).tolist()
        assert state.returns() == [0] * players
        if package in PLAYERS:
            action = PLAYERS[package].choice(game.observation(), game.mask())  # plays, so that the round is won
        else:
            action = chance.choice(game.legal_actions())
        assert state.action_to_string(action) == package.action_names(rules)[action]
        state.apply_action(action)
        game.apply(action)
    assert state.is_terminal()
    assert state.legal_actions() == []
    for player in range(players):
        assert state.observation_tensor(player) == game.observation(player).tolist()
    if package is not skipbo_env:
        assert state.returns() == pytest.approx([margin(game.round_scores, seat) / 100 for seat in range(players)])
    else:
        assert state.returns() == pytest.approx([reward_at_the_end(game, "win", seat) for seat in range(players)])
        assert game.ending == "won"


# Chance card by card


def load_cards(players: int = 2) -> Any:
    return pyspiel.load_game("python_skyjo_cards", {"players": players})


def test_the_root_turns_up_the_first_discard() -> None:
    root = load_cards().new_initial_state()
    deck = dict(OFFICIAL.deck)
    assert root.chance_outcomes() == [(card + 2, pytest.approx(deck[card] / 150)) for card in OFFICIAL.values]
    assert root.action_to_string(14) == "card 12"
    state = root.child(14)
    assert (state.table.discard_top, state.table.phase, state.current_player()) == (12, "opening", 0)
    assert (state.table.draw_pile_size, state.table.episode, state.returns()) == (125, "round", [0, 0])


@pytest.mark.parametrize(("players", "deal"), [(2, 0), (2, 1), (3, 2), (4, 3)])
def test_chance_can_bring_the_cards_of_any_deal(players: int, deal: int) -> None:
    """A round of `Game`, every card that comes to light brought by a chance node, its probability that of the pools."""
    chance, game = (
        random.Random(deal),
        Game(Rules(players=players, max_turns=100 * players), deal=deal, episode="round"),
    )
    assert game.discard_top is not None
    state = load_cards(players).new_initial_state()
    state.apply_action(game.discard_top + 2)
    while not game.is_over:
        assert state.current_player() == game.seat
        for player in range(players):
            assert state.legal_actions(player) == (game.legal_actions() if player == game.seat else [])
            assert state.observation_tensor(player) == game.observation(player).tolist()
        action = chance.choice(game.legal_actions())
        before = game.copy()
        brought: list[int] = []
        for card in cards_of(game.play(action)):
            assert state.is_chance_node() == (len(brought) > 0)
            if not brought:
                state.apply_action(action)
            expected = {card + 2: float(share) for card, share in before.outcomes(action, *brought).items()}
            assert dict(state.chance_outcomes()) == expected
            assert sum(expected.values()) == pytest.approx(1, abs=1e-12)
            state.apply_action(card + 2)
            brought.append(card)
        if not brought:
            state.apply_action(action)
    assert state.is_terminal()
    for player in range(players):
        assert state.observation_tensor(player) == game.observation(player).tolist()
    assert state.returns() == pytest.approx([margin(game.round_scores, seat) / 100 for seat in range(players)])


def cards_of(events: tuple[Event, ...]) -> list[int]:
    """The cards that came to light, in order."""
    hidden = [event for event in events if isinstance(event, CardDrawn | CardTurnedUp | CardRevealed)]
    replaced = [event.replaced for event in events if isinstance(event, CardPlaced) and event.was_hidden]
    return replaced + [event.card for event in hidden]


def test_a_decision_or_a_card_that_cannot_be_is_refused_and_changes_nothing() -> None:
    state = play_at_random(load_cards().new_initial_state(), random.Random(1), 1)
    with pytest.raises(IllegalActionError):
        state.apply_action(0)
    assert state.current_player() == 0
    state.apply_action(14)
    with pytest.raises(SkyjoError, match="reveal card 13 now"):
        state.apply_action(15)
    assert state.is_chance_node()
    assert len(state.history()) == 2


# Refusals


@pytest.mark.parametrize(
    ("game", "name", "value"),
    [
        ("skyjo", "players", 1),
        ("skyjo", "players", 9),
        ("skyjo", "deals", 0),
        ("skyjo", "deals", 100_001),
        ("skyjo", "seed", -1),
        ("skipbo", "deals", 0),
        ("skipbo", "players", 7),
        ("skyjo_action", "players", 9),
    ],
)
def test_a_parameter_out_of_range_is_refused_by_name(game: str, name: str, value: int) -> None:
    with pytest.raises(TableError, match=f"{name}={value}"):
        pyspiel.load_game(f"python_{game}", {name: value})


def test_without_openspiel_the_import_says_how_to_install_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "pyspiel", None)
    monkeypatch.delitem(sys.modules, "cardtable.table.envs.openspiel")
    monkeypatch.delitem(sys.modules, "skyjo_env.openspiel")
    with pytest.raises(ImportError, match=r"pip install open_spiel$"):
        importlib.import_module("skyjo_env.openspiel")
