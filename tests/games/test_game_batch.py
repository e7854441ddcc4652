"""GameBatch: many tables play exactly the games that `Game` plays."""

import pickle
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

from cardtable.arena.play.rounds import play_rounds
from cardtable.table.envs.seat_batch import SeatBatch
from cardtable.table.errors import IllegalActionError, TableError
from cardtable.table.game import table_batch
from cardtable.table.game.card_game import Setup
from tests.games.players import random_legal
from tests.games.under_test import GameUnderTest
from tests.helpers import interrupted


def arrays(batch: Any) -> dict[str, Any]:
    """Everything that a batch shows."""
    names = ("observations", "masks", "seats", "phases", "deals")
    positions = [batch.game(table).position() for table in range(len(batch))]
    return {name: getattr(batch, name).tolist() for name in names} | {"positions": positions}


def shown(game: GameUnderTest, tables: list[Any]) -> dict[str, Any]:
    """The same of single tables."""
    return {
        "observations": [table.observation().tolist() for table in tables],
        "masks": [table.mask().tolist() for table in tables],
        "seats": [table.seat for table in tables],
        "phases": [game.api.PHASES.index(table.phase) for table in tables],
        "deals": [table.deal for table in tables],
        "positions": [table.position() for table in tables],
    }


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


def test_a_batch_is_one_table_of_the_official_game_unless_told_otherwise(game: GameUnderTest) -> None:
    batch = game.api.GameBatch()
    assert arrays(batch) == shown(game, [game.api.Game()])
    told = len(batch), batch.rules, batch.seed, batch.episode, batch.restart
    assert told == (1, game.api.Rules(), 0, "game", True)


@pytest.mark.parametrize("restart", [True, False])
def test_a_stopped_game_is_done_truncated_and_without_reward(game: GameUnderTest, restart: bool) -> None:
    rules = game.api.Rules(max_turns=2)
    batch, table = game.api.GameBatch(rules, 3, restart=restart), game.api.Game(rules)
    while not table.is_over:
        table.apply(table.legal_actions()[-1])
        rewards, terminated, truncated = batch.step([int(np.flatnonzero(mask)[-1]) for mask in batch.masks])
        assert not rewards.any()
        assert not terminated.any()
        assert truncated.tolist() == [table.is_over] * 3
    assert batch.deals.tolist() == ([3, 4, 5] if restart else [0, 1, 2])
    fresh = game.api.Game(rules).phase
    assert [game.api.PHASES[phase] for phase in batch.phases] == [fresh if restart else "truncated"] * 3


def test_a_game_that_ends_by_itself_is_not_truncated(game: GameUnderTest) -> None:
    batch = quick(game, 40, restart=False)
    play(game, batch, 2, 200)
    _, terminated, truncated = batch.step([0] * 40)
    assert (terminated ^ truncated).all()
    phases = [game.api.PHASES[phase] for phase in batch.phases]
    assert {"over", "truncated"} == set(phases)
    assert truncated.tolist() == [phase == "truncated" for phase in phases]


@pytest.mark.parametrize("action", [0, -1, 999, 2**62])
def test_a_finished_table_without_restart_takes_any_action_as_nothing(game: GameUnderTest, action: int) -> None:
    batch = quick(game, 4, episode="round", restart=False)
    play(game, batch, 3, 200)
    before, state = arrays(batch), batch.state()
    batch.step([action] * 4)
    assert arrays(batch) == before
    assert all(np.array_equal(array, state[name]) for name, array in batch.state().items())


@pytest.mark.parametrize("episode", ["round", "game"])
def test_how_an_episode_ended_is_what_a_match_notes_of_it(game: GameUnderTest, episode: str) -> None:
    batch = quick(game, 30, seed=5, episode=episode, restart=False)
    while batch.masks.any():
        batch.step(game.nth.choices(batch.observations, batch.masks))
    noted = play_rounds([game.nth] * 3, Setup(game.quick, 5, episode), range(30))
    assert batch.turns.tolist() == noted.turns.tolist()
    assert (batch.totals if episode == "game" else batch.round_scores).tolist() == noted.scores.tolist()
    assert batch.truncated.tolist() == noted.is_stopped.tolist()
    assert 0 < noted.is_stopped.sum() < 30


def test_a_batch_of_given_games_plays_on_from_them(game: GameUnderTest) -> None:
    tables = [game.played(game.quick, seed, 3 * seed) for seed in range(0, 60, 2)]
    batch, chance = game.api.GameBatch.of(tables), random.Random(4)
    assert arrays(batch) == shown(game, tables)
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


def test_a_step_overwrites_the_arrays_of_the_batch(game: GameUnderTest) -> None:
    batch, chance = quick(game, 3), random.Random(4)
    names = ("observations", "masks", "seats", "phases")

    def step() -> list[Any]:
        returned = batch.step(random_actions(game, batch, chance))
        return [*(getattr(batch, name) for name in names), *returned]

    assert all(old is new for old, new in zip(step(), step(), strict=True))


def test_selected_tables_come_in_the_chosen_order_and_are_independent(game: GameUnderTest) -> None:
    batch = quick(game, 4, seed=7)
    play(game, batch, 7, 30)
    before = arrays(batch)
    chosen = batch.select([2, 0, 2])
    assert arrays(chosen) == {name: [values[table] for table in (2, 0, 2)] for name, values in before.items()}
    play(game, chosen, 8, 30)
    assert arrays(batch) == before
    assert chosen.game(0).position() != chosen.game(2).position()


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
        tables, loops = game.api.GameBatch(n=66), game.card_game.many
        watched = loops._replace(step_tables=one_at_a_time(loops.step_tables, most))
        monkeypatch.setitem(vars(game.card_game), "many", watched)

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


def test_copies_of_a_batch_that_threads_step_are_states_that_existed(game: GameUnderTest) -> None:
    batch = game.api.GameBatch(game.quick_rules, n=300)
    states, seen = [], [batch.state()]

    def step() -> None:
        for _ in range(60):
            batch.step(game.nth.choices(batch.observations, batch.masks))
            seen.append(batch.state())

    player = threading.Thread(target=step)
    player.start()
    while player.is_alive():
        states.append(pickle.loads(pickle.dumps(batch)).state())
    player.join()
    known = {state["games"].tobytes() for state in seen}
    assert {state["games"].tobytes() for state in states} <= known


def test_actions_that_a_thread_overwrites_during_a_step_are_those_that_were_given(
    game: GameUnderTest, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Else an action could change after it was found to be legal."""
    batch, twin = (game.api.GameBatch(n=3) for _ in range(2))
    actions, loops = batch.masks.argmax(axis=1), game.card_game.many
    twin.step(actions.copy())

    def overwritten(*given: Any) -> int:
        actions[:] = 10**6
        return int(loops.step_tables(*given))

    monkeypatch.setitem(vars(game.card_game), "many", loops._replace(step_tables=overwritten))
    batch.step(actions)
    assert batch.state()["games"].tobytes() == twin.state()["games"].tobytes()


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


# Refusals


@pytest.mark.parametrize("table", range(4))
def test_an_illegal_action_names_the_first_such_table_and_changes_none(game: GameUnderTest, table: int) -> None:
    batch, alone = game.api.GameBatch(n=4), game.api.Game(deal=table)
    before, legal = arrays(batch), [int(mask.argmax()) for mask in batch.masks]
    illegal = [int(batch.masks[table].argmin()), batch.rules.actions, -1, 999, 2**62, -(2**62)]
    for action in illegal:
        with pytest.raises(IllegalActionError) as single:
            alone.apply(action)
        with pytest.raises(IllegalActionError) as caught:
            batch.step([*legal[:table], action, *[999] * (3 - table)])
        assert str(caught.value) == f"table {table}: {single.value}"
    assert arrays(batch) == before


def test_an_unsigned_action_beyond_all_is_named_as_it_was_given(game: GameUnderTest) -> None:
    batch = game.api.GameBatch(n=2)
    with pytest.raises(IllegalActionError, match=f"table 1: action {2**64 - 1} of seat 0"):
        batch.step(np.array([int(batch.masks[0].argmax()), 2**64 - 1], np.uint64))


@pytest.mark.parametrize("dtype", [np.int8, np.uint8, np.int32, np.uint64, list, tuple])
def test_actions_may_be_whole_numbers_of_any_kind(game: GameUnderTest, dtype: Any) -> None:
    batch, other = game.api.GameBatch(n=3), game.api.GameBatch(n=3)
    numbers = batch.masks.argmax(axis=1)
    batch.step(dtype(numbers.tolist()))
    other.step(numbers)
    assert arrays(batch) == arrays(other)


NO_ACTIONS: list[Any] = [
    *(None, 14, [], [14], [14, 14, 14], [[14, 14]], [[14], [14]], np.zeros((2, 26), np.int8)),
    *([14.0, 14.0], [True, True], ["14", "14"], [None, 14], [14, float("nan")], [14, 2**70], [[14], [14, 15]]),
]


@pytest.mark.parametrize("actions", NO_ACTIONS, ids=repr)
def test_what_is_no_array_of_actions_is_refused(game: GameUnderTest, actions: Any) -> None:
    batch = game.api.GameBatch(n=2)
    before = arrays(batch)
    with pytest.raises(TableError, match="one whole number for every table, here 2, not"):
        batch.step(actions)
    assert arrays(batch) == before


NO_TABLES: list[Any] = [[], None, 0, [2], [-1], [0.0], [True, False], ["0"], [[0]], [[0], [0, 1]], [2**70]]


@pytest.mark.parametrize("indices", NO_TABLES, ids=repr)
def test_what_is_no_list_of_tables_is_refused(game: GameUnderTest, indices: Any) -> None:
    with pytest.raises(TableError, match=r"indices must be (table numbers from 0 to 1$|a non-empty list)"):
        game.api.GameBatch(n=2).select(indices)


NO_SEEDS: list[Any] = [-1, 2**64, 1.0, "1", True]


def test_a_wrong_seed_for_a_reset_changes_nothing(game: GameUnderTest) -> None:
    batch = game.api.GameBatch(n=2, seed=3)
    before = arrays(batch)
    for seed in NO_SEEDS:
        with pytest.raises(TableError, match="seed="):
            batch.reset(seed)
    assert (arrays(batch), batch.seed, len(batch), batch.episode) == (before, 3, 2, "game")
