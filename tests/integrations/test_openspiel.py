"""The OpenSpiel games: OpenSpiel's own checks, and the same rounds as `Game` plays."""
# ruff: noqa: E402  # what needs OpenSpiel can only be imported once it is known to be there

import importlib
import pickle
import random
import sys
from typing import Any

import numpy as np
import pytest

pyspiel = pytest.importorskip("pyspiel")

from open_spiel.python import rl_environment
from open_spiel.python.algorithms.random_agent import RandomAgent
from open_spiel.python.observation import make_observation

import skipbo_env
import skyjo_action_env
import skyjo_env.openspiel  # registers all games
from cardtable.table.errors import TableError
from skyjo_env import HIDDEN, OFFICIAL, Game, IllegalActionError, ObservationSpec, Rules, SkyjoError
from skyjo_env.events import CardDrawn, CardPlaced, CardRevealed, CardTurnedUp, Event
from tests.games.skipbo import SKIPBO, reward_at_the_end
from tests.games.skyjo import margin
from tests.games.skyjo_action import SKYJO_ACTION
from tests.helpers import seen

PLAYERS = {skipbo_env: SKIPBO.nth, skyjo_action_env: SKYJO_ACTION.nth}


def load(**parameters: Any) -> Any:
    return pyspiel.load_game("python_skyjo", parameters)


def dealt(deal: int = 3, **parameters: Any) -> Any:
    """The state after chance has picked this deal."""
    return after(load(**parameters), [deal])


def after(game: Any, history: list[int]) -> Any:
    """The state to which these actions lead."""
    state = game.new_initial_state()
    for action in history:
        state.apply_action(action)
    return state


def play_at_random(state: Any, chance: random.Random, decisions: int = 10_000) -> Any:
    """Make up to this many random legal decisions; the state itself is returned."""
    while decisions > 0 and not state.is_terminal():
        state.apply_action(chance.choice(state.legal_actions()))
        decisions -= 1
    return state


def same(state: Any, other: Any) -> bool:
    """Do two states have the same past, and everybody the same view of them?"""
    return bool(state.history() == other.history() and seen(state.table) == seen(other.table))


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


def test_openspiels_learning_environment_shows_what_seats_see_and_rewards_at_the_end() -> None:
    environment = rl_environment.Environment(load(players=3))
    environment.seed(4)
    agents = [RandomAgent(player, environment.action_spec()["num_actions"]) for player in range(3)]
    step = environment.reset()
    table = environment.get_state.table
    while not step.last():
        assert step.observations["info_state"] == [table.observation(seat).tolist() for seat in range(3)]
        assert step.observations["legal_actions"][table.seat] == table.legal_actions()
        step = environment.step([agents[step.observations["current_player"]].step(step).action])
        table = environment.get_state.table
        assert step.last() or step.rewards == [0, 0, 0]
    assert step.rewards == environment.get_state.returns()
    assert any(step.rewards)


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


@pytest.mark.parametrize("players", [2, 3, 8])
def test_the_bounds_are_those_of_the_rules(players: int) -> None:
    game = load(players=players)
    assert (game.num_players(), game.num_distinct_actions()) == (players, 26)
    assert (game.min_utility(), game.max_utility(), game.utility_sum()) == (-3.12, 3.12, 0)
    assert game.observation_tensor_shape() == [ObservationSpec(Rules(players=players)).size]
    assert (game.max_chance_nodes_in_history(), game.max_chance_outcomes()) == (1, 1000)


def stall(state: Any) -> Any:
    """Everybody keeps the last hidden card."""
    spec = ObservationSpec(state.get_game().rules)
    while not state.is_terminal():
        view = spec.view(state.table.observation())
        may_end = view.hidden_left[0] > 1
        wanted = [2 + cell for cell in range(12) if (view.cells[0, cell] == HIDDEN) == may_end]
        wanted.append(1)  # take
        legal = state.legal_actions()
        state.apply_action(next((action for action in wanted if action in legal), legal[0]))
    return state


@pytest.mark.parametrize("players", [2, 3])
def test_a_round_that_nobody_ends_is_stopped_and_returns_nothing(players: int) -> None:
    state = stall(dealt(players=players, rules="max_turns=100"))
    assert state.table.is_truncated
    assert state.table.turns == 100
    assert state.returns() == [0] * players


# Chance card by card


def load_cards(players: int = 2) -> Any:
    return pyspiel.load_game("python_skyjo_cards", {"players": players})


def play_cards(state: Any, chance: random.Random, decisions: int = 10_000) -> Any:
    """Go on at random, chance by its probabilities; the state itself is returned."""
    while decisions > 0 and not state.is_terminal():
        outcomes = state.chance_outcomes() if state.is_chance_node() else [(a, 1) for a in state.legal_actions()]
        state.apply_action(chance.choices(*zip(*outcomes, strict=True))[0])
        decisions -= 1
    return state


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


def test_until_chance_has_decided_everybody_sees_the_table_as_it_was() -> None:
    state = play_cards(load_cards().new_initial_state(), random.Random(1), 1)
    before = [state.observation_tensor(player) for player in range(2)]
    state.apply_action(14)
    assert state.is_chance_node()
    assert [state.observation_tensor(player) for player in range(2)] == before
    state.apply_action(0)
    assert int(state.table.board(0)[0, 0]) == -2


@pytest.mark.parametrize("players", [2, 8])
def test_the_bounds_hold_card_by_card(players: int) -> None:
    game = load_cards(players)
    assert game.max_chance_outcomes() == 15
    for seed in range(5):
        state, nodes = game.new_initial_state(), 0
        chance = random.Random(seed)
        while not state.is_terminal():
            nodes += state.is_chance_node()
            play_cards(state, chance, 1)
        assert 1 + 12 * players <= nodes <= game.max_chance_nodes_in_history()


def test_every_state_card_by_card_can_be_copied_and_goes_on_in_the_same_way() -> None:
    for decisions in (0, 1, 2, 3, 40, 41, 42):
        state = play_cards(load_cards(3).new_initial_state(), random.Random(decisions), decisions)
        copies = [state.clone(), *(copy(state) for copy in (through_text, through_pickle, through_history))]
        play_cards(state, random.Random(6))
        for copy in copies:
            play_cards(copy, random.Random(6))
            assert (copy.history(), copy.returns()) == (state.history(), state.returns())
            assert [copy.observation_tensor(player) for player in range(3)] == [
                state.observation_tensor(player) for player in range(3)
            ]


def test_a_decision_or_a_card_that_cannot_be_is_refused_and_changes_nothing() -> None:
    state = play_cards(load_cards().new_initial_state(), random.Random(1), 1)
    with pytest.raises(IllegalActionError):
        state.apply_action(0)
    assert state.current_player() == 0
    state.apply_action(14)
    with pytest.raises(SkyjoError, match="reveal card 13 now"):
        state.apply_action(15)
    assert state.is_chance_node()
    assert len(state.history()) == 2


# Copies


def through_text(state: Any) -> Any:
    return pyspiel.deserialize_game_and_state(pyspiel.serialize_game_and_state(state.get_game(), state))[1]


def through_pickle(state: Any) -> Any:
    return pickle.loads(pickle.dumps(state))


def through_history(state: Any) -> Any:
    return after(state.get_game(), state.history())


def test_a_state_written_and_read_back_goes_on_in_the_same_way() -> None:
    for decisions in (0, 3, 45, 10_000):
        state = play_at_random(dealt(players=3, seed=9), random.Random(decisions), decisions)
        copies = [copy(state) for copy in (through_text, through_pickle, through_history)]
        play_at_random(state, random.Random(6))
        for copy in copies:
            assert same(play_at_random(copy, random.Random(6)), state)
            assert copy.returns() == state.returns()


# Observers


def test_an_observer_names_the_slices_of_the_observation() -> None:
    state = play_at_random(dealt(players=3), random.Random(3), 25)
    observation, spec = make_observation(state.get_game()), ObservationSpec(Rules(players=3))
    for player in range(3):
        observation.set_from(state, player)
        assert observation.tensor.dtype == np.float32
        assert observation.tensor.tolist() == state.table.observation(player).tolist()
        expected = vars(spec.view(state.table.observation(player)))
        assert {name: part.tolist() for name, part in observation.dict.items()} == {
            name: part.tolist() for name, part in expected.items()
        }
        lines = [f"{name} {part.tolist()}" for name, part in expected.items()]
        assert observation.string_from(state, player).splitlines() == lines
        assert state.observation_string(player).splitlines() == lines


def test_only_the_seat_that_drew_reads_the_card_4_1() -> None:
    state = dealt()
    while state.table.phase != "drawn":
        state.apply_action(state.legal_actions()[0])
    decider = state.current_player()
    assert f"hand {state.table.hand}" in state.observation_string(decider).splitlines()
    assert f"hand {HIDDEN}" in state.observation_string(1 - decider).splitlines()


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


def test_an_illegal_action_is_refused_and_changes_nothing() -> None:
    state = play_at_random(dealt(), random.Random(1), 20)
    before, history = seen(state.table), state.history()
    (illegal, *_) = set(range(26)) - set(state.legal_actions())
    with pytest.raises(IllegalActionError):
        state.apply_action(illegal)
    assert seen(state.table) == before
    assert state.history() == history


def test_without_openspiel_the_import_says_how_to_install_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "pyspiel", None)
    monkeypatch.delitem(sys.modules, "cardtable.table.envs.openspiel")
    monkeypatch.delitem(sys.modules, "skyjo_env.openspiel")
    with pytest.raises(ImportError, match=r"pip install open_spiel$"):
        importlib.import_module("skyjo_env.openspiel")


# Skip-Bo alone


def test_an_action_beyond_those_of_skip_bo_is_refused() -> None:
    state = after(pyspiel.load_game("python_skipbo"), [0])
    with pytest.raises(IllegalActionError, match="action 124"):
        state.apply_action(124)
