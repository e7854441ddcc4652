"""OpenSpiel's Skyjo under rules of one's own, and its information states: what each seat has seen, and nothing else."""
# ruff: noqa: E402  # what needs OpenSpiel can only be imported once it is known to be there

from collections import defaultdict
from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest

pyspiel = pytest.importorskip("pyspiel")

from open_spiel.python.algorithms.gambit import export_gambit
from open_spiel.python.observation import make_observation

from skyjo_env import Game, ObservationSpec, Rules, SkyjoError
from skyjo_env.events import seen_by
from skyjo_env.openspiel import SkyjoCardGame
from tests.skyjo_agents.test_perfect_play import PerfectPlay, final_margin

TINY = "rows=2 columns=2 deck=0:5,4:6 opening_flips=3 initial_flip=random max_turns=1"
VARIANTS = [
    TINY,
    f"{TINY} clear=confirm flip_after_discard=none",
    "rows=2 columns=2 deck=0:5,4:5 opening_flips=3 initial_flip=random max_turns=2 reshuffle=all_then_turn_up_new",
    "rows=2 columns=2 deck=-1:5,4:6 opening_flips=3 initial_flip=random max_turns=1 draw_streams=true start_tie=random",
]


def load(rules: str = "", **parameters: Any) -> SkyjoCardGame:
    game: SkyjoCardGame = pyspiel.load_game("python_skyjo_cards", {"rules": rules} | parameters)
    return game


def subtree(state: Any) -> Iterator[Any]:
    """The state and all that follow it."""
    yield state
    for action in [] if state.is_terminal() else state.legal_actions():
        yield from subtree(state.child(action))


def witnessed(state: Any, player: int) -> str:
    """What a seat has seen, by the events of the same round: the reference."""
    game = state.as_dealt().copy()
    seen: list[Any] = [player, *game.observation(player).tolist()]
    for _, action, cards in state.decisions():
        seen += [seen_by(event, player) for event in game.play(action, *cards)]
    return str(seen)


# Information states


@pytest.mark.parametrize("rules", VARIANTS)
def test_two_states_have_the_same_information_state_if_and_only_if_the_seat_has_seen_the_same(rules: str) -> None:
    game = load(rules, openings=5)
    by_string, by_tensor = defaultdict(set), defaultdict(set)
    for state in subtree(game.new_initial_state()):
        if state.table is None or state.is_chance_node() or state.is_terminal():
            continue
        for player in range(2):
            seen = witnessed(state, player)
            by_string[state.information_state_string(player)].add(seen)
            by_tensor[np.array(state.information_state_tensor(player), np.float32).tobytes()].add(seen)
    for groups in (by_string, by_tensor):
        assert all(len(seen) == 1 for seen in groups.values())
        assert len(groups) == len({seen for group in groups.values() for seen in group})
    assert len(by_string) > 50


def test_while_a_decision_waits_for_its_cards_everybody_knows_what_was_known_before_it() -> None:
    state = load().new_initial_state()
    state.apply_action(5)
    before = [(state.information_state_string(player), state.observation_tensor(player)) for player in range(2)]
    state.apply_action(14)
    assert state.is_chance_node()
    shown = [(state.information_state_string(player), state.observation_tensor(player)) for player in range(2)]
    assert shown == before


def test_the_tensor_has_named_slices() -> None:
    state = load(TINY.replace("max_turns=1", "max_turns=3"), openings=4).new_initial_state()
    state.apply_action(1)
    state.apply_action(0)
    state.apply_action(4)  # seat `table.seat` has drawn a 4
    observation = make_observation(state.get_game(), pyspiel.IIGObservationType(perfect_recall=True))
    drawer, spec = state.table.seat, ObservationSpec(state.get_game().rules)
    for player in range(2):
        observation.set_from(state, player)
        view = observation.dict
        assert observation.tensor.shape == (sum(part.size for part in view.values()),)
        assert view["now"].tolist() == state.table.observation(player).tolist()
        assert spec.view(view["dealt"]).hand == 22  # nothing was in hand
        assert np.argwhere(view["actions"]).tolist() == [[0, 0]]
        assert np.argwhere(view["cards"]).tolist() == ([[0, 0, 4]] if player == drawer else [])
        assert observation.string_from(state, player) == state.information_state_string(player)


# Rules


@pytest.mark.parametrize("rules", VARIANTS)
def test_openspiels_simulation_finds_nothing_wrong(rules: str) -> None:
    pyspiel.random_sim_test(load(rules, openings=5), num_sims=10, serialize=True, verbose=False)


def test_an_opening_shows_the_open_cards_of_its_deal_and_leaves_the_others_to_chance() -> None:
    root = load(TINY, openings=3, seed=7).new_initial_state()
    assert root.chance_outcomes() == [(opening, 1 / 3) for opening in range(3)]
    assert root.action_to_string(2) == "opening 2"
    state, table = root.child(2), Game(Rules.from_text(TINY), seed=7, deal=2, episode="round")
    assert state.observation_tensor(0) == table.observation(0).tolist()
    assert {outcome for outcome, _ in state.child(0).chance_outcomes()} == {0, 4}


@pytest.mark.parametrize(
    ("parameters", "reason"),
    [
        ({"rules": "rows=9"}, "rows=9"),
        ({"rules": "cards=2"}, "unknown cards"),
        ({"rules": "players=3"}, "players=2, but the rules are for players=3"),
        ({"rules": "players=2", "players": 3}, "players=3, but the rules are for players=2"),
        ({"rules": "start_tie=random"}, "start_tie=random needs initial_flip=random"),
        ({"openings": 0}, "openings=0"),
        ({"seed": -1}, "seed=-1"),
    ],
)
def test_a_parameter_that_cannot_be_is_refused_by_name(parameters: dict[str, Any], reason: str) -> None:
    with pytest.raises(SkyjoError, match=reason):
        load(**parameters)


# Solving it


def test_the_value_of_a_tiny_game_is_that_of_perfect_play() -> None:
    perfect = PerfectPlay(lambda game: 0.0 if game.is_truncated else final_margin(game))
    game = load(TINY, openings=5)
    tables = [game.dealt(opening) for opening in range(5)]
    values = [perfect.value(table) * (1 if table.seat == 0 else -1) for table in tables]
    tree = pyspiel.load_efg_game(export_gambit(game))
    solver = pyspiel.CFRPlusSolver(tree)
    for _ in range(200):
        solver.evaluate_and_update_policy()
    expected = pyspiel.expected_returns(tree.new_initial_state(), solver.average_policy(), -1, True)
    assert 100 * expected[0] == pytest.approx(np.mean(values), abs=0.01)
    assert 100 * pyspiel.exploitability(tree, solver.average_policy()) < 0.01
