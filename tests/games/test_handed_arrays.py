"""What agents are handed by every caller: chances that tell no more than the observation, and arrays of their own."""

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from cardtable.arena.play.rounds import play_rounds
from cardtable.table.agents.agents import rng_states_of
from cardtable.table.game.card_game import Setup
from cardtable.table.game.table_game import game_class
from skyjo.table.played_game import PlayedGame, SeatedAgent
from tests.games.under_test import GameUnderTest

DEALS = range(40)

Asks = Callable[[GameUnderTest, Any], Any]  # lets an agent decide in a game; returns what came of it


def in_a_match(game: GameUnderTest, agent: Any) -> Any:
    """One agent in all seats, which is asked at many tables at once."""
    return play_rounds([agent] * 3, Setup(game.quick, record_actions=True), DEALS).actions.tolist()


def in_an_environment(game: GameUnderTest, agent: Any) -> Any:
    """At one table after the other; a learner takes the first legal action."""
    env, seen = game.single(game.quick, opponents=[agent]), list[Any]()
    for _ in range(len(DEALS)):
        _, info = env.reset(seed=None if seen else 0)
        for _ in range(3):
            observation, *_, info = env.step(int(info["action_mask"].argmax()))
            seen.append(observation.tolist())
            if not info["action_mask"].any():
                break
    return seen


def in_a_vector_environment(game: GameUnderTest, agent: Any) -> Any:
    """At many tables with other deals, two agents in turn."""
    envs, seen = game.vector(30, game.quick, opponents=[agent, agent], autoreset_mode="SameStep"), []
    _, infos = envs.reset(seed=2)
    for _ in range(12):
        observations, *_, infos = envs.step(infos["action_mask"].argmax(axis=1))
        seen.append(observations.tolist())
    return seen


def at_a_table(game: GameUnderTest, agent: Any) -> Any:
    """As `skyjo play` and the table in the browser ask, one decision at a time; with hints."""
    seen, agents = [], [SeatedAgent("spy", agent)] * 3
    for deal in DEALS:
        played = PlayedGame(game_class(game.card_game)(game.quick, 3, deal, "round"), agents)
        while not played.game.is_over and len(played.actions) < 4:
            played.choice(agents[0])
            seen.append(played.decide().action)
    return seen


ASKERS: list[Asks] = [in_a_match, in_an_environment, in_a_vector_environment, at_a_table]


class Spy:
    """Plays at random by what it is handed, and notes it."""

    def __init__(self) -> None:
        self.handed: dict[bytes, set[int]] = {}  # chances by observation
        self.asked = 0

    def act(self, observations: NDArray[Any], masks: NDArray[Any], rng_states: NDArray[Any]) -> NDArray[np.int64]:
        for seen, chance in zip(observations, rng_states.tolist(), strict=True):
            self.handed.setdefault(seen.tobytes(), set()).add(chance)
        self.asked += len(masks)
        return nth_by(rng_states, masks)


def nth_by(rng_states: NDArray[Any], masks: NDArray[Any]) -> NDArray[np.int64]:
    """A legal action for every table, chosen by its chances; it prefers to play cards, so that Skip-Bo advances."""
    among = [np.flatnonzero(mask)[:9] for mask in masks]
    return np.array([legal[chance % len(legal)] for legal, chance in zip(among, rng_states.tolist(), strict=True)])


@pytest.mark.slow
def test_equal_observations_come_with_equal_chances_in_different_deals(game: GameUnderTest) -> None:
    spy = Spy()
    for asks in ASKERS:
        before = len(spy.handed)
        asks(game, spy)
        assert len(spy.handed) > before
    assert all(len(rng_states) == 1 for rng_states in spy.handed.values())
    assert spy.asked > len(spy.handed) + 100  # many were seen at several tables
    seen = np.array([np.frombuffer(seen, np.int16) for seen in spy.handed])
    assert [{int(chance)} for chance in rng_states_of(seen)] == list(spy.handed.values())


class Scribbler(Spy):
    """Keeps the arrays that it is handed, overwrites them, and checks later whether somebody else wrote to them."""

    def __init__(self, scribbles: bool) -> None:
        super().__init__()
        self.scribbles = scribbles
        self.kept: list[NDArray[Any]] = []
        self.looked: list[NDArray[Any]] = []  # as they were when they were put away

    def act(self, observations: NDArray[Any], masks: NDArray[Any], rng_states: NDArray[Any]) -> NDArray[np.int64]:
        actions = super().act(observations, masks, rng_states)
        for handed in (observations, masks, rng_states):
            assert handed.base is None
            assert len(handed) == len(masks)
            if self.scribbles:
                handed[...] = 1
            self.kept.append(handed)
            self.looked.append(handed.copy())
        return actions


@pytest.mark.slow
@pytest.mark.parametrize("asks", ASKERS)
def test_what_an_agent_writes_to_its_arrays_affects_nobody_else(asks: Asks, game: GameUnderTest) -> None:
    clean, scribbling = Scribbler(scribbles=False), Scribbler(scribbles=True)
    assert asks(game, scribbling) == asks(game, clean)
    for agent in (clean, scribbling):
        assert len(agent.kept) > 10
        assert all(map(np.array_equal, agent.kept, agent.looked))
