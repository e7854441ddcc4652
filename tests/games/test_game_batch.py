"""GameBatch: many tables play exactly the games that `Game` plays."""

import random
import threading
import time
from collections.abc import Callable
from contextlib import suppress
from functools import partial
from itertools import count
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from cardtable.table.envs.seat_batch import SeatBatch
from cardtable.table.errors import IllegalActionError, TableError
from cardtable.table.game import table_batch
from tests.games.players import random_legal
from tests.games.under_test import GameUnderTest
from tests.helpers import interrupted


def arrays(batch: Any) -> dict[str, Any]:
    """Everything that a batch shows."""
    names = ("observations", "masks", "seats", "phases", "deals")
    positions = [batch.game(table).position() for table in range(len(batch))]
    return {name: getattr(batch, name).tolist() for name in names} | {"positions": positions}


def random_actions(game: GameUnderTest, batch: Any, chance: random.Random) -> NDArray[np.int64]:
    """A legal action for every table; any number where the game is over."""
    legal = [np.flatnonzero(mask).tolist() or [chance.randint(-99, 99)] for mask in batch.masks]
    return np.array([random_legal(actions, chance, game.plays) for actions in legal])


def quick(game: GameUnderTest, n: int, **options: Any) -> Any:
    """Tables at which games are short."""
    return game.api.GameBatch(game.quick, n, **options)


def play(game: GameUnderTest, batch: Any, seed: int, steps: int) -> list[NDArray[np.int64]]:
    """Random steps; returns the actions."""
    chance, made = random.Random(seed), []
    for _ in range(steps):
        made.append(random_actions(game, batch, chance))
        batch.step(made[-1])
    return made


# Games


def test_a_finished_table_without_restart_takes_any_action_as_nothing(game: GameUnderTest) -> None:
    batch = quick(game, 4, episode="round", restart=False)
    play(game, batch, 3, 200)
    before, state = arrays(batch), batch.state()
    for action in (0, -1, 999, 2**62):
        batch.step([action] * 4)
        assert arrays(batch) == before
    assert all(np.array_equal(array, state[name]) for name, array in batch.state().items())


def test_a_batch_of_given_games_plays_on_from_them(game: GameUnderTest) -> None:
    tables = [game.played(game.quick, seed, 3 * seed) for seed in range(0, 60, 2)]
    batch, chance = game.api.GameBatch.of(tables), random.Random(4)
    assert [batch.game(number) for number in range(len(batch))] == tables
    assert batch.observations.tolist() == [table.observation().tolist() for table in tables]
    assert not all(table.is_over for table in tables)
    for _ in range(40):
        actions = random_actions(game, batch, chance)
        batch.step(actions)
        for table, action in zip(tables, actions.tolist(), strict=True):
            if not table.is_over:
                table.apply(action)
    assert [batch.game(number) for number in range(len(batch))] == tables
    assert any(table.is_over for table in tables)
    other = game.api.Game(game.quick.replace(max_turns=8))
    for wrong, reason in (
        ([], "non-empty list"),
        ([1], "non-empty list"),
        ([*tables, other], "game 30 has other rules"),
    ):
        with pytest.raises(TableError, match=reason):
            game.api.GameBatch.of(wrong)


# Arrays, copies, selections and resets


@pytest.mark.parametrize("encoding", ["compact", "onehot"])
def test_torch_sees_what_is_written_to_arrays_that_stay_the_same(game: GameUnderTest, encoding: str) -> None:
    torch = pytest.importorskip("torch")
    batch = quick(game, 3, encoding=encoding)
    names = ("observations", "masks", "seats", "rewards", "terminated", "truncated", "turns", "round_scores", "totals")
    tensors = [torch.from_numpy(getattr(batch, name)) for name in names]
    play(game, batch, 5, 30)
    state = batch.state()
    for change in (lambda: None, lambda: batch.reset(seed=4), lambda: batch.restore(state)):
        change()
        assert [tensor.tolist() for tensor in tensors] == [getattr(batch, name).tolist() for name in names]


@pytest.mark.parametrize("chosen", [[0, 1, 2, 0, 1, 2], [1]])
def test_selected_tables_play_the_deals_of_their_own_number_after_a_reset(
    game: GameUnderTest, chosen: list[int]
) -> None:
    """Table i of N plays deals i, i + N, i + 2N, ..., so no deal is played twice."""
    selected, fresh = quick(game, 3).select(chosen), quick(game, len(chosen))
    selected.reset()
    for _ in range(150):
        actions = game.nth.choices(fresh.observations, fresh.masks)
        fresh.step(actions)
        selected.step(actions)
    assert arrays(selected) == arrays(fresh)
    assert int(fresh.deals.max()) >= len(chosen)


# Threads


def one_at_a_time(function: Callable[..., Any], most: list[int]) -> Callable[..., Any]:
    """The function, slowed down, that notes how many threads are in it."""
    inside: list[None] = []

    def noted(*given: Any) -> Any:
        inside.append(None)
        most.append(len(inside))
        time.sleep(0.002)
        try:
            return function(*given)
        finally:
            inside.pop()

    return noted


@pytest.mark.parametrize("make", ["batch", "vector"])
def test_threads_that_step_one_batch_wait_for_each_other(
    game: GameUnderTest, make: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Each steps all tables, or is refused because another thread was quicker."""
    most: list[int] = []
    if make == "vector":
        tables = game.vector(66)._tables
        tables.begin(seed=1)
        monkeypatch.setattr(SeatBatch, "_play_line", one_at_a_time(SeatBatch._play_line, most))
    else:
        tables, loops = game.api.GameBatch(n=66), game.card_game.batch_loops
        watched = loops._replace(step_tables=one_at_a_time(loops.step_tables, most))
        monkeypatch.setitem(vars(game.card_game), "batch_loops", watched)

    def work() -> None:
        for _ in range(6):
            with suppress(IllegalActionError):
                tables.step(tables.masks.argmax(axis=1))

    threads = [threading.Thread(target=work) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert max(most) == 1
    assert len(most) >= 24
    assert list(game.card_game.checks.invalid_tables(tables.rules, tables.state()["games"])) == []


@pytest.mark.parametrize("encoding", ["compact", "onehot"])
def test_wherever_a_step_is_interrupted_it_is_made_everywhere_or_nowhere(game: GameUnderTest, encoding: str) -> None:
    tables = quick(game, 3, encoding=encoding)
    names = ["observations", "masks", "seats", "deals", "rewards", "terminated"]

    def all_of(batch: Any) -> list[bytes]:
        return [batch.state()["games"].tobytes(), *(getattr(batch, name).tobytes() for name in names)]

    for _ in range(8):
        tables.step(tables.masks.argmax(axis=1))
    whole, actions = tables.copy(), tables.masks.argmax(axis=1)
    whole.step(actions)
    for at in count():
        twin = tables.copy()
        is_interrupted = interrupted(partial(twin.step, actions), at, table_batch)
        assert all_of(twin) in (all_of(tables), all_of(whole))
        if not is_interrupted:
            break
    assert all_of(twin) == all_of(whole)
    assert at > 20


# What is asked for


def test_actions_may_be_whole_numbers_of_any_kind(game: GameUnderTest) -> None:
    kinds: list[Any] = [np.int8, np.uint8, np.uint64, np.array, list, tuple]
    batches = [game.api.GameBatch(n=3) for _ in kinds]
    for batch, kind in zip(batches, kinds, strict=True):
        batch.step(kind(batch.masks.argmax(axis=1).tolist()))
    assert all(arrays(batch) == arrays(batches[0]) for batch in batches)


def test_what_is_no_array_of_actions_or_tables_is_refused(game: GameUnderTest) -> None:
    batch = game.api.GameBatch(n=2)
    before = arrays(batch)
    no_actions: list[Any] = [None, 14, [14], [[14, 14]], [14.0, 14.0], [True, True], ["14", "14"], [14, 2**70]]
    for actions in no_actions:
        with pytest.raises(TableError, match="one whole number for every table, here 2, not"):
            batch.step(actions)
    no_tables: list[Any] = [[], None, 0, [2], [-1], [0.0], [True, False], [[0]], [2**70]]
    for indices in no_tables:
        with pytest.raises(TableError, match=r"indices must be (table numbers from 0 to 1$|a non-empty list)"):
            batch.select(indices)
    assert arrays(batch) == before
