"""What the seats of a batch earn: step by step what a PettingZoo environment for each table pays."""

import copy
import pickle
from itertools import count
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from cardtable.table.errors import IllegalActionError, RulesError, TableError
from tests.games.players import Eager
from tests.games.under_test import GameUnderTest, Options

ARRAYS = ("observations", "masks", "seats", "rewards", "terminated", "truncated", "turns", "round_scores", "totals")
TABLES = 66


def rules_for(game: GameUnderTest, players: int) -> Any:
    """Random rules for so many players, and so few turns that rounds are stopped; those of three end by themselves."""
    if players == 3:
        return game.quick.replace(max_turns=150)
    rules = next(rules for rules in map(game.short_rules, count(1)) if rules.players == players)
    return rules.replace(max_turns=max(players, min(rules.max_turns, 16)), max_rounds=2)


def made(game: GameUnderTest, n: int, rules: Any, **options: Any) -> Any:
    """So many tables, at which rounds are played unless the options say otherwise."""
    return game.api.GameBatch(rules, n, **{"episode": "round", **options})


def choose(game: GameUnderTest, envs: Any, step: int) -> NDArray[np.int64]:
    """Random legal actions at every table, the same in every run."""
    chances = np.arange(len(envs), dtype=np.uint64) + np.uint64(1000 * step)
    return Eager(game.plays or game.equal_plays).act(envs.observations, envs.masks, chances)


def shown(envs: Any) -> list[Any]:
    """What it shows now."""
    return [getattr(envs, name).tolist() for name in ARRAYS]


def play(game: GameUnderTest, envs: Any, steps: int) -> list[Any]:
    """What random play shows."""
    seen = [shown(envs)]
    for step in range(steps):
        envs.step(choose(game, envs, step))
        seen.append(shown(envs))
    return seen


def test_an_illegal_action_is_refused_in_one_line_and_changes_nothing(game: GameUnderTest) -> None:
    envs = made(game, TABLES, game.quick_rules, shaping=game.shaping)
    play(game, envs, 20)
    before, actions = shown(envs), envs.masks.argmax(axis=1)
    actions[65] = envs.masks[65].argmin()
    with pytest.raises(IllegalActionError, match=f"^table 65: action {actions[65]} .*; legal: .*$"):
        envs.step(actions)
    assert shown(envs) == before
    twin = made(game, TABLES, game.quick_rules, shaping=game.shaping)
    play(game, twin, 20)
    assert play(game, envs, 60) == play(game, twin, 60)


@pytest.mark.parametrize("encoding", ["compact", "onehot"])
def test_every_array_stays_the_same_object(game: GameUnderTest, encoding: str) -> None:
    envs = made(game, 3, game.quick_rules, encoding=encoding)
    names = ARRAYS[:6]  # the others are parts of a record
    first = [getattr(envs, name) for name in names]
    returned = envs.step(envs.masks.argmax(axis=1))
    assert all(one is other for one, other in zip(returned, first[3:], strict=True))
    envs.reset(seed=4)
    envs.restore(envs.state())
    assert all(getattr(envs, name) is array for name, array in zip(names, first, strict=True))


def test_torch_sees_what_a_step_writes(game: GameUnderTest) -> None:
    torch = pytest.importorskip("torch")
    envs = made(game, 3, game.quick_rules)
    tensors = [torch.from_numpy(getattr(envs, name)) for name in ARRAYS]
    play(game, envs, 30)
    assert [tensor.tolist() for tensor in tensors] == shown(envs)


def test_a_reset_begins_again_with_nothing_earned(game: GameUnderTest) -> None:
    rules, options = f"{game.quick_rules} players=3", {"shaping": game.shaping}
    envs = made(game, 5, rules, seed=7, **options)
    first = play(game, envs, 80)
    envs.reset()
    assert play(game, envs, 80) == first
    envs.reset(seed=8)
    assert play(game, envs, 80) == play(game, made(game, 5, rules, seed=8, **options), 80)
    assert not np.any(first[0][3])


@pytest.mark.parametrize("encoding", ["compact", "onehot"])
def test_copies_pickles_and_saved_states_continue_alike(game: GameUnderTest, encoding: str) -> None:
    options: Options = {"shaping": game.shaping, "encoding": encoding, "seed": 3}
    envs = made(game, 5, game.quick_rules, **options)
    for played in (0, 25):
        play(game, envs, played)
        saved = envs.state()
        twins = [envs.copy(), copy.deepcopy(envs), pickle.loads(pickle.dumps(envs)), envs.select(range(5))]
        twins.append(made(game, 5, game.quick_rules, **options))
        twins[-1].restore(saved)
        expected = play(game, envs, 60)
        assert all(play(game, twin, 60) == expected for twin in twins)


def test_sampled_tables_are_played_to_their_end_and_left_there(game: GameUnderTest) -> None:
    rules = game.quick.replace(**game.seeing)
    envs = game.api.GameBatch.sample(rules, made(game, 4, rules).observations, seed=1, episode="round")
    for _ in range(400):
        envs.step(envs.masks.argmax(axis=1))
    before = shown(envs)
    envs.step(np.zeros(4, np.int64))
    assert shown(envs) == before
    assert (envs.terminated ^ envs.truncated).all()
    assert (envs.rewards.any(axis=1) == envs.terminated).all()


@pytest.mark.parametrize(
    ("options", "error", "told"),
    [
        ({"n": 0}, TableError, "n=0 must be a whole number"),
        ({"rules": "players=99"}, RulesError, "players=99"),
        ({"encoding": "text"}, TableError, "encoding='text' is not one of 'compact', 'onehot'"),
        ({"episode": "day"}, TableError, "episode='day' is not one of 'round', 'game'"),
        ({"reward": "gold"}, TableError, "reward='gold' is not one of"),
        ({"shaping": "gold"}, TableError, "shaping='gold' is not one of None"),
    ],
)
def test_wrong_options_are_refused_in_one_line(
    game: GameUnderTest, options: Options, error: type[Exception], told: str
) -> None:
    with pytest.raises(error, match=f"^[^\n]*{told}[^\n]*$"):
        game.api.GameBatch(**options)
