"""GameBatch: many tables play exactly the games that `Game` plays."""

import copy
import pickle
import random
import re
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray

from skyjo_env import Game, GameBatch, IllegalActionError, PositionError, Rules, SkyjoError, action_names
from skyjo_env.kernel.state import GAME_DTYPE, PHASES
from tests.helpers import SEEDED, many_rules, seeds

QUICK = Rules(players=3, rows=2, columns=2, opening_flips=1, deck=((-3, 6), (0, 4), (5, 10)), max_turns=9, max_rounds=2)
COPIES: dict[str, Callable[[GameBatch], GameBatch]] = {
    "copy": GameBatch.copy,
    "deepcopy": copy.deepcopy,
    "pickle": lambda batch: pickle.loads(pickle.dumps(batch)),
}


def positions(batch: GameBatch) -> list[str]:
    return [batch.position(table) for table in range(len(batch))]


def arrays(batch: GameBatch) -> dict[str, Any]:
    """Everything that a batch shows."""
    names = ("observations", "masks", "seats", "phases", "deals")
    return {name: getattr(batch, name).tolist() for name in names} | {"positions": positions(batch)}


def margins(game: Game) -> list[float]:
    """What the others scored on average, less one's own score."""
    scores = game.round_scores
    return [(sum(scores) - own) / (len(scores) - 1) - own for own in scores]


def random_actions(batch: GameBatch, chance: random.Random) -> NDArray[np.int64]:
    """A legal action for every table; any number where the game is over."""
    legal = [np.flatnonzero(mask).tolist() or [chance.randint(-99, 99)] for mask in batch.masks]
    return np.array([chance.choice(actions) for actions in legal])


def steady_action(observation: NDArray[np.int16], mask: NDArray[np.int8]) -> int:
    """An action that depends on nothing but what is seen."""
    legal = np.flatnonzero(mask)
    return int(legal[int(observation.astype(np.int64) @ np.arange(len(observation))) % len(legal)])


def step_alone(game: Game, action: int) -> tuple[list[float], bool, bool]:
    """What a table's step should report."""
    if game.is_over:
        return [0.0] * game.rules.players, True, game.is_truncated
    before = game.round
    game.apply(action)
    scored = game.round != before or game.phase == "over"
    return margins(game) if scored else [0.0] * game.rules.players, game.is_over, game.is_truncated


def assert_same_tables(batch: GameBatch, games: list[Game]) -> None:
    assert arrays(batch) == {
        "observations": [game.observation().tolist() for game in games],
        "masks": [game.mask().tolist() for game in games],
        "seats": [game.seat for game in games],
        "phases": [PHASES.index(game.phase) for game in games],
        "deals": [game.deal for game in games],
        "positions": [game.position() for game in games],
    }


@settings(SEEDED, max_examples=7)
@given(many_rules, st.integers(1, 6), seeds, st.sampled_from(["game", "round"]), st.booleans())
def test_tables_play_the_games_of_their_deals(rules: Rules, n: int, seed: int, episode: str, restart: bool) -> None:
    batch = GameBatch(rules, n, seed, episode, restart)
    games = [Game(rules, seed, deal, episode) for deal in range(n)]
    chance = random.Random(seed)
    for _ in range(60):
        assert_same_tables(batch, games)
        actions = random_actions(batch, chance)
        expected = [step_alone(game, int(action)) for game, action in zip(games, actions, strict=True)]
        rewards, dones, truncateds = batch.step(actions)
        assert rewards == pytest.approx(np.array([reward for reward, _, _ in expected]), rel=1e-6)
        assert [dones.tolist(), truncateds.tolist()] == [[row[part] for row in expected] for part in (1, 2)]
        if restart:
            games = [Game(rules, seed, game.deal + n, episode) if game.is_over else game for game in games]


def test_a_batch_is_one_table_of_the_official_game_unless_told_otherwise() -> None:
    batch = GameBatch()
    assert_same_tables(batch, [Game()])
    assert (len(batch), batch.rules, batch.seed, batch.episode, batch.restart) == (1, Rules(), 0, "game", True)


def played_deals(n: int, deals: int) -> dict[int, list[tuple[int, list[float]]]]:
    """For each of the first deals, every action and reward of its game, played at one of n tables."""
    batch = GameBatch(QUICK, n, seed=5)
    games: dict[int, list[tuple[int, list[float]]]] = {}
    while int(batch.deals.min()) < deals:
        now = batch.deals.tolist()
        actions = [steady_action(*shown) for shown in zip(batch.observations, batch.masks, strict=True)]
        rewards, _, _ = batch.step(actions)
        for deal, action, reward in zip(now, actions, rewards.tolist(), strict=True):
            games.setdefault(deal, []).append((action, reward))
    return {deal: moves for deal, moves in games.items() if deal < deals}


def test_the_number_of_tables_changes_no_game() -> None:
    alone = played_deals(1, 12)
    assert sorted(alone) == list(range(12))
    assert len({str(moves) for moves in alone.values()}) == 12
    assert played_deals(3, 12) == played_deals(4, 12) == played_deals(12, 12) == alone


def test_a_reward_is_the_margin_over_the_mean_of_the_others() -> None:
    batch, chance = GameBatch(QUICK.replace(max_turns=1000), 50, seed=1), random.Random(1)
    scored = 0
    for _ in range(300):
        rewards, _, _ = batch.step(random_actions(batch, chance))
        assert rewards.sum(axis=1) == pytest.approx(np.zeros(50), abs=1e-4)
        scored += int(rewards.any(axis=1).sum())
    assert scored > 100


@pytest.mark.parametrize("restart", [True, False])
def test_a_stopped_game_is_done_truncated_and_without_reward(restart: bool) -> None:
    """Clause 7.8: four decisions in the opening and two in each of two turns, then the round is stopped."""
    batch = GameBatch(Rules(max_turns=2), 3, restart=restart)
    for decisions in range(1, 9):
        rewards, dones, truncateds = batch.step([int(np.flatnonzero(mask)[0]) for mask in batch.masks])
        assert (not rewards.any(), dones.tolist(), truncateds.tolist()) == (
            True,
            [decisions == 8] * 3,
            [decisions == 8] * 3,
        )
    assert batch.deals.tolist() == ([3, 4, 5] if restart else [0, 1, 2])
    assert [PHASES[phase] for phase in batch.phases] == ["opening" if restart else "truncated"] * 3


def test_a_game_that_ends_by_itself_is_not_truncated() -> None:
    batch, chance = GameBatch(QUICK, 40, restart=False), random.Random(2)
    for _ in range(100):
        _, dones, truncateds = batch.step(random_actions(batch, chance))
    assert dones.all()
    phases = [PHASES[phase] for phase in batch.phases]
    assert {"over", "truncated"} == set(phases)
    assert truncateds.tolist() == [phase == "truncated" for phase in phases]


@pytest.mark.parametrize("action", [0, -1, 99, 2**62])
def test_a_finished_table_without_restart_takes_any_action_as_nothing(action: int) -> None:
    batch, chance = GameBatch(QUICK, 4, episode="round", restart=False), random.Random(3)
    for _ in range(60):
        batch.step(random_actions(batch, chance))
    before = arrays(batch)
    rewards, dones, _ = batch.step([action] * 4)
    assert (arrays(batch), rewards.tolist(), dones.tolist()) == (before, [[0] * 3] * 4, [True] * 4)


def test_a_step_overwrites_the_arrays_of_the_batch() -> None:
    batch, chance = GameBatch(QUICK, 3), random.Random(4)
    own = [
        batch.observations,
        batch.masks,
        batch.seats,
        batch.phases,
        batch.deals,
        *batch.step(random_actions(batch, chance)),
    ]
    again = batch.step(random_actions(batch, chance))
    now = [batch.observations, batch.masks, batch.seats, batch.phases, batch.deals, *again]
    assert all(old is new for old, new in zip(own, now, strict=True))


@pytest.mark.parametrize("kind", COPIES)
def test_a_copy_plays_on_alone_and_alike(kind: str) -> None:
    batch, chance = GameBatch(QUICK, 5, seed=6), random.Random(6)
    for _ in range(50):
        batch.step(random_actions(batch, chance))
    before = arrays(batch)
    twin = COPIES[kind](batch)
    steps = [random_actions(twin, chance)]
    assert arrays(twin) == before
    for _ in range(50):
        twin.step(steps[-1])
        steps.append(random_actions(twin, chance))
    assert arrays(batch) == before
    for actions in steps[:-1]:
        batch.step(actions)
    assert arrays(batch) == arrays(twin)
    assert (twin.rules, twin.seed, twin.episode, twin.restart) == (batch.rules, 6, "game", True)


def test_selected_tables_come_in_the_chosen_order_and_are_independent() -> None:
    batch, chance = GameBatch(QUICK, 4, seed=7), random.Random(7)
    for _ in range(30):
        batch.step(random_actions(batch, chance))
    before = arrays(batch)
    chosen = batch.select([2, 0, 2])
    assert arrays(chosen) == {name: [values[table] for table in (2, 0, 2)] for name, values in before.items()}
    for _ in range(30):
        chosen.step(random_actions(chosen, chance))
    assert arrays(batch) == before
    assert chosen.position(0) != chosen.position(2)


def test_reset_begins_the_first_deals_again() -> None:
    batch, chance = GameBatch(QUICK, 3, seed=8), random.Random(8)
    fresh = arrays(batch)
    for seed, expected in (
        (None, fresh),
        (9, arrays(GameBatch(QUICK, 3, seed=9))),
        (None, arrays(GameBatch(QUICK, 3, seed=9))),
    ):
        for _ in range(60):
            batch.step(random_actions(batch, chance))
        assert int(batch.deals.max()) >= 3
        batch.reset(seed)
        assert arrays(batch) == expected


@pytest.mark.parametrize("chosen", [[0, 1, 2, 0, 1, 2], [1]])
def test_selected_tables_play_the_deals_of_their_own_number_after_a_reset(chosen: list[int]) -> None:
    """Table i of N plays deals i, i + N, i + 2N, ..., so no deal is played twice."""
    selected, fresh = GameBatch(QUICK, 3).select(chosen), GameBatch(QUICK, len(chosen))
    selected.reset()
    for _ in range(60):
        actions = [steady_action(*shown) for shown in zip(fresh.observations, fresh.masks, strict=True)]
        fresh.step(actions)
        selected.step(actions)
        assert arrays(selected) == arrays(fresh)
    assert int(fresh.deals.max()) >= len(chosen)


@pytest.mark.parametrize("table", range(4))
@pytest.mark.parametrize("action", [0, 1, 13, 26, -1, 255, 2**62, -(2**62)])
def test_an_illegal_action_names_the_first_such_table_and_changes_none(action: int, table: int) -> None:
    batch = GameBatch(n=4)
    batch.step([14, 14, 14, 14])
    before = arrays(batch)
    with pytest.raises(IllegalActionError) as caught:
        batch.step([15] * table + [action] + [99] * (3 - table))
    name = f" ({action_names(batch.rules)[action]})" if 0 <= action < 26 else ""
    legal = "legal: 15 (flip 1), 16 (flip 2), 17"
    message = f"table {table}: action {action}{name} of seat 0 is illegal in phase opening; {legal}"
    assert str(caught.value).startswith(message)
    assert arrays(batch) == before


def test_an_unsigned_action_beyond_all_is_named_as_it_was_given() -> None:
    batch = GameBatch(n=2)
    with pytest.raises(IllegalActionError, match=f"table 1: action {2**64 - 1} of seat 0"):
        batch.step(np.array([14, 2**64 - 1], np.uint64))


@pytest.mark.parametrize("dtype", [np.int8, np.uint8, np.int32, np.uint64, list, tuple])
def test_actions_may_be_whole_numbers_of_any_kind(dtype: Any) -> None:
    batch, other = GameBatch(n=3), GameBatch(n=3)
    numbers = np.array([14, 20, 25])
    batch.step(dtype(numbers.tolist()))
    other.step(numbers)
    assert arrays(batch) == arrays(other)
    assert batch.masks[1, 20] == 0


NO_ACTIONS: list[Any] = [
    *(None, 14, [], [14], [14, 14, 14], [[14, 14]], [[14], [14]], np.zeros((2, 26), np.int8)),
    *([14.0, 14.0], [True, True], ["14", "14"], [None, 14], [14, float("nan")], [14, 2**70], [[14], [14, 15]]),
]


@pytest.mark.parametrize("actions", NO_ACTIONS, ids=repr)
def test_what_is_no_array_of_actions_is_refused(actions: Any) -> None:
    batch = GameBatch(n=2)
    before = arrays(batch)
    with pytest.raises(SkyjoError, match="one whole number for every table, here 2, not"):
        batch.step(actions)
    assert arrays(batch) == before


NO_TABLES: list[Any] = [[], None, 0, [2], [-1], [0.0], [True, False], ["0"], [[0]], [[0], [0, 1]], [2**70]]


@pytest.mark.parametrize("indices", NO_TABLES, ids=repr)
def test_what_is_no_list_of_tables_is_refused(indices: Any) -> None:
    with pytest.raises(SkyjoError, match=r"indices must be (table numbers from 0 to 1$|a non-empty list)"):
        GameBatch(n=2).select(indices)


NO_COUNTS: list[Any] = [0, -1, 1.5, "3", None, True]
NO_SEEDS: list[Any] = [-1, 2**64, 1.0, "1", True]
NO_EPISODES: list[Any] = ["match", None, []]
WRONG_ARGUMENTS = [
    *(({"n": n}, f"n={n!r} must be a whole number from 1") for n in NO_COUNTS),
    *(({"seed": seed}, f"seed={seed!r} must be") for seed in NO_SEEDS),
    *(({"episode": word}, f"episode={word!r} is not one of") for word in NO_EPISODES),
]


@pytest.mark.parametrize(("arguments", "reason"), WRONG_ARGUMENTS)
def test_wrong_arguments_are_named(arguments: dict[str, Any], reason: str) -> None:
    with pytest.raises(SkyjoError, match=re.escape(reason)):
        GameBatch(**arguments)


def test_a_wrong_seed_for_a_reset_changes_nothing() -> None:
    batch = GameBatch(n=2, seed=3)
    before = arrays(batch)
    for seed in NO_SEEDS:
        with pytest.raises(SkyjoError, match="seed="):
            batch.reset(seed)
    assert (arrays(batch), batch.seed, len(batch), batch.episode) == (before, 3, 2, "game")


DAMAGED_PILES = [
    ("", {"discard_size": 126}),  # with 125 draws and 24 cards on the boards one more than the deck
    ("", {"hand": 3}),
    ("", {"pile_left": 124}),
    ("", {"pile_next": [150, *[0] * 7]}),
    ("", {"pile_end": [149, *[0] * 7]}),
    ("draw_streams=true", {"pile_next": [25, 88, *[0] * 6]}),
    ("draw_streams=true", {"pile_next": [25, 86, *[0] * 6]}),
    ("draw_streams=true", {"pile_end": [87, 149, *[0] * 6]}),
    ("draw_streams=true", {"pile_next": [25, 151, *[0] * 6], "pile_end": [151, 150, *[0] * 6]}),
]


@pytest.mark.parametrize(("rules", "damage"), DAMAGED_PILES)
def test_a_state_whose_piles_would_run_into_each_other_is_not_restored(rules: str, damage: dict[str, Any]) -> None:
    batch = GameBatch(Rules.from_text(rules), n=2)
    state, before = batch.state(), arrays(batch)
    for field, value in damage.items():
        state["games"][field][1] = value
    reasons = "piles: not all saved cards|pile_next: not all saved numbers|the cards do not add up to the deck"
    with pytest.raises(PositionError, match=reasons):
        batch.restore(state)
    assert arrays(batch) == before


@pytest.mark.slow
def test_a_state_in_the_middle_of_games_is_restored() -> None:
    for text in ("", "draw_streams=true", "cleared_cards=out_of_play"):
        batch = GameBatch(Rules.from_text(text).replace(players=3), n=20)
        chance = np.random.default_rng(0)
        for _ in range(30):
            for _ in range(10):
                batch.step([chance.choice(np.flatnonzero(mask)) for mask in batch.masks])
            twin = GameBatch(batch.rules, n=20)
            twin.restore(batch.state())
            assert arrays(twin) == arrays(batch)


def test_equal_games_are_equal_byte_by_byte() -> None:
    """What lies between the fields of a record is not copied with it, so nothing may; checkpoints are compared."""
    assert sum(GAME_DTYPE[name].itemsize for name in GAME_DTYPE.names or ()) == GAME_DTYPE.itemsize
    assert GAME_DTYPE.itemsize % 8 == 0
    assert all(offset % dtype.base.itemsize == 0 for dtype, offset, *_ in (GAME_DTYPE.fields or {}).values())
