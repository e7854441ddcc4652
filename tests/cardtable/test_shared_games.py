"""Games and batches: copies of subclasses, odd agents and seats, and several threads at once."""

import copy
import pickle
import random
import sys
import threading
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
import pytest

import skipbo_env
import skyjo_env
from cardtable.errors import IllegalActionError, TableError
from skipbo_env import skipbo_v0
from skyjo_env import replay, skyjo_v0

PACKAGES = {"skyjo": skyjo_env, "skipbo": skipbo_env}
COPIES: dict[str, Callable[[Any], Any]] = {
    "copy": lambda game: game.copy(),
    "copy.copy": copy.copy,
    "deepcopy": copy.deepcopy,
    "pickle": lambda game: pickle.loads(pickle.dumps(game)),
}


class NamedGame(skyjo_env.Game):
    __slots__ = ("name", "unset")

    def __init__(self, name: str, **options: Any) -> None:
        super().__init__(**options)
        self.name, self.notes = name, [name]


class NamedBatch(skyjo_env.GameBatch):
    def __init__(self, name: str, **options: Any) -> None:
        super().__init__(**options)
        self.name = name


@pytest.mark.parametrize("kind", COPIES)
def test_a_copy_of_a_subclass_has_all_that_the_subclass_has(kind: str) -> None:
    game = NamedGame("a", seed=3)
    game.apply(14)
    twin = COPIES[kind](game)
    assert (type(twin), twin.name, twin.notes, twin.record()) == (NamedGame, "a", ["a"], game.record())
    twin.apply(15)
    assert twin.record() != game.record()
    batch = NamedBatch("b", n=3)
    twins = COPIES[kind](batch), batch.select([0])
    assert [(type(one), one.name) for one in twins] == [(NamedBatch, "b")] * 2


ODD: list[Any] = [[0], [], {}, None, 0, 1.5, "player_9", np.zeros(2), ("player_0",)]


@pytest.mark.parametrize("make", [skyjo_v0.env, skyjo_v0.raw_env, skipbo_v0.env])
@pytest.mark.parametrize("agent", ODD, ids=repr)
def test_only_agents_are_asked_what_they_see(make: Callable[[], Any], agent: Any) -> None:
    env = make()
    env.reset(seed=1)
    for ask in (env.observe, env.observation_space, env.action_space):
        with pytest.raises(TableError, match=r"unknown agent .*; the agents are player_0, player_1"):
            ask(agent)


@pytest.mark.parametrize("seat", [[0], [], {}, 1.0, True, "0", -1, 2, np.zeros(2)], ids=repr)
def test_only_seats_see(seat: Any) -> None:
    for package in PACKAGES.values():
        with pytest.raises(TableError, match=r"seat=.* must be a whole number from 0 to 1"):
            package.Game().observation(seat)


@pytest.fixture
def often_switched() -> Iterator[None]:
    """Python changes to another thread as often as it can."""
    before = sys.getswitchinterval()
    sys.setswitchinterval(1e-6)
    yield
    sys.setswitchinterval(before)


def play_on(game: Any, seed: int) -> None:
    """Random decisions, some of which come too late."""
    chance = random.Random(seed)
    for _ in range(400):
        legal = game.legal_actions()
        if len(legal) == 0:
            return
        try:
            game.apply(chance.choice(legal))
        except IllegalActionError:
            continue


@pytest.mark.usefixtures("often_switched")
@pytest.mark.parametrize("name", PACKAGES)
@pytest.mark.parametrize("players", [1, 2])
def test_copies_of_a_game_that_threads_play_are_states_that_existed(name: str, players: int) -> None:
    """A record is checked by playing it again: it fails if one decision is missing, or stands in the wrong place."""
    package = PACKAGES[name]
    read = replay if name == "skyjo" else skipbo_env.replay
    for seed in range(4):
        game = package.Game(seed=seed)
        threads = [threading.Thread(target=play_on, args=(game, number)) for number in range(players)]
        for thread in threads:
            thread.start()
        twins: list[Any] = []
        while any(thread.is_alive() for thread in threads) and len(twins) < 60:
            twins += [make(game) for make in COPIES.values()]
        for thread in threads:
            thread.join()
        for twin in [*twins, game]:
            again = read(twin.record())
            assert again.position() == twin.position()
            assert again.mask().tolist() == twin.mask().tolist()
            assert again.observation().tolist() == twin.observation().tolist()
